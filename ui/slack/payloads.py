"""Slack's payloads read: which events are requests to us, what a message says to a person, what a thread holds."""

import html
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import takewhile
from typing import Any, TypeAlias

Payload: TypeAlias = Mapping[str, Any]

MISSHAPEN = (LookupError, TypeError, AttributeError, ValueError, RecursionError)
"""What reading a payload raises, here and in bolt, that isn't shaped as Slack documents it."""
_MAX_HISTORY = 10
_SPOKEN_SUBTYPES = (None, "file_share", "thread_broadcast")
"""Messages that somebody wrote; the other subtypes tell of edits, joins and bots."""
_ANGLED = re.compile(r"<(?P<sign>[@#!]?)(?P<body>[^<>|]*)(?:\|(?P<label>[^<>]*))?>")


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackRequest:
    """One thing asked for."""

    name: str  # The same however often Slack delivers it, and as whichever event.
    channel: str
    user: str
    text: str  # The question as a person reads it, without our own mention.
    ts: str | None = None  # The message that asks; None for commands and buttons.
    thread_ts: str | None = None  # The thread to answer in; None: only at `response_url`.
    response_url: str | None = None  # Where Slack takes an answer that only the user sees.
    history: tuple[str, ...] = ()  # Earlier questions where they came along; else they are read from the thread.
    is_direct: bool = False  # Asked in a conversation with the bot alone, where every message is meant for it.
    wants_more: bool = False  # For passages beyond an answer's quotes.


def parse_event(body: Payload, *, bot_user: str) -> SlackRequest | None:
    """Return the request in an Events API payload; None where nobody wrote it to us: bots, our own messages, edits."""
    event: Payload = body.get("event") or {}
    kind = event.get("type")
    if kind not in ("app_mention", "message") or not _is_spoken(event, bot_user) or event.get("edited"):
        return None
    channel, ts = str(event["channel"]), str(event["ts"])
    is_direct = event.get("channel_type") == "im" or channel.startswith("D")
    if kind == "message" and not is_direct and not _mention_of(bot_user).search(str(event.get("text"))):
        return None
    return SlackRequest(
        # A mention comes as app_mention and as message, each with an id of its own: the place is what they share.
        name=f"message:{channel}:{ts}",
        channel=channel,
        user=str(event["user"]),
        text=readable_text(str(event.get("text") or ""), bot_user=bot_user),
        ts=ts,
        thread_ts=str(event.get("thread_ts") or ts),
        is_direct=is_direct,
    )


def parse_command(body: Payload, *, bot_user: str) -> SlackRequest:
    """Return the request in a slash command."""
    return SlackRequest(
        name=f"command:{body['trigger_id']}",
        channel=str(body["channel_id"]),
        user=str(body["user_id"]),
        text=readable_text(str(body.get("text") or ""), bot_user=bot_user),
        response_url=str(body["response_url"]),
    )


def readable_text(text: str, *, bot_user: str) -> str:
    """A message's text as a person reads it, without our own mention; other people become `@` and their id."""
    # JSON can hold half a character, which nothing behind this takes.
    text = _mention_of(bot_user).sub(" ", text.encode(errors="replace").decode())
    return " ".join(html.unescape(_ANGLED.sub(_shown, text)).split())


def earlier_questions(
    thread: Iterable[Payload], *, before_ts: str | None, bot_user: str, is_direct: bool
) -> tuple[str, ...]:
    """Return the questions put to the bot in a thread before `before_ts`, oldest first; the newest ten at most.

    In a direct conversation those are all that aren't its own; in a channel those that mention it.
    """
    said = (
        str(message.get("text") or "")
        for message in takewhile(lambda message: message.get("ts") != before_ts, thread)
        if _is_spoken(message, bot_user)
    )
    asked = (readable_text(text, bot_user=bot_user) for text in said if is_direct or _mention_of(bot_user).search(text))
    return tuple(filter(None, asked))[-_MAX_HISTORY:]


def _mention_of(user: str) -> re.Pattern[str]:
    return re.compile(rf"<@{re.escape(user)}(?:\|[^<>]*)?>")


def _is_spoken(message: Payload, bot_user: str) -> bool:
    """Return whether a person other than `bot_user` wrote this message."""
    if message.get("bot_id") or message.get("bot_profile") or message.get("hidden"):
        return False
    return message.get("subtype") in _SPOKEN_SUBTYPES and bool(message.get("user")) and message["user"] != bot_user


def _shown(match: re.Match[str]) -> str:
    sign, body, label = match["sign"], match["body"], match["label"]
    if sign in ("@", "#"):
        return f"{sign}{label or body}"
    return label or (f"@{body.partition('^')[0]}" if sign else body.removeprefix("mailto:"))
