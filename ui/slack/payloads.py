"""Parses Slack's payloads: requests to the bot, the readable text of messages, and earlier questions in threads."""

import html
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

Payload = Mapping[str, Any]

MISSHAPEN = (LookupError, TypeError, AttributeError, ValueError, RecursionError)
"""The errors that parsing raises, here and in bolt, if a payload hasn't the shape that Slack documents."""
_MAX_HISTORY = 10
_WRITTEN_SUBTYPES = (None, "file_share", "thread_broadcast")
"""Subtypes of messages that a person wrote; the others are edits, joins and bots."""
_ANGLED = re.compile(r"<(?P<sign>[@#!]?)(?P<body>[^<>|]*)(?:\|(?P<label>[^<>]*))?>")


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackRequest:
    """A question from Slack."""

    name: str  # The same for each delivery of the request, as any event.
    channel: str
    text: str  # The question as a person reads it, without our own mention.
    ts: str | None = None  # The message with the question; None for commands.
    thread_ts: str | None = None  # The thread to answer in; None: only at `response_url`.
    response_url: str | None = None  # Slack's address for an answer that only the user sees.
    history: tuple[str, ...] = ()  # Earlier questions, if known; else they are read from the thread.
    is_direct: bool = False  # In a conversation with only the bot, to which every message is addressed.


def parse_event(body: Payload, *, bot_user: str) -> SlackRequest | None:
    """Return the request in an Events API payload; None for bots, edits and messages not addressed to the bot."""
    event: Payload = body.get("event") or {}
    kind = event.get("type")
    if kind not in ("app_mention", "message") or not _is_from_person(event, bot_user) or event.get("edited"):
        return None
    channel, ts = str(event["channel"]), str(event["ts"])
    is_direct = event.get("channel_type") == "im" or channel.startswith("D")
    if kind == "message" and not is_direct and not _mention_of(bot_user).search(str(event.get("text"))):
        return None
    return SlackRequest(
        # A mention arrives as app_mention and as message, with different ids but the same channel and time.
        name=f"message:{channel}:{ts}",
        channel=channel,
        text=readable_text(str(event.get("text") or ""), bot_user=bot_user),
        ts=ts,
        thread_ts=str(event.get("thread_ts") or ts),
        is_direct=is_direct,
    )


def parse_command(body: Payload, *, bot_user: str) -> SlackRequest:
    """Return the request in a slash command, answered at its `response_url`; KeyError if the body lacks a field."""
    return SlackRequest(
        name=f"command:{body['trigger_id']}",
        channel=str(body["channel_id"]),
        text=readable_text(str(body.get("text") or ""), bot_user=bot_user),
        response_url=str(body["response_url"]),
    )


def readable_text(text: str, *, bot_user: str) -> str:
    """Return a message's text without markup or mentions of the bot; other users become `@` and their id or label."""
    # JSON can contain lone surrogates, which can't be encoded as UTF-8.
    text = _mention_of(bot_user).sub(" ", text.encode(errors="replace").decode())
    return " ".join(html.unescape(_ANGLED.sub(_show_angled, text)).split())


def earlier_questions(
    thread: Iterable[Payload], *, before_ts: str | None, bot_user: str, is_direct: bool
) -> tuple[str, ...]:
    """Return the questions put to the bot in a thread before `before_ts`, oldest first; the newest ten at most.

    In a direct conversation, these are all messages of people; in a channel, those that mention the bot.
    """
    texts = (
        str(message.get("text") or "")
        for message in takewhile(lambda message: message.get("ts") != before_ts, thread)
        if _is_from_person(message, bot_user)
    )
    words = (
        readable_text(text, bot_user=bot_user) for text in texts if is_direct or _mention_of(bot_user).search(text)
    )
    return tuple(filter(None, words))[-_MAX_HISTORY:]


def _mention_of(user: str) -> re.Pattern[str]:
    return re.compile(rf"<@{re.escape(user)}(?:\|[^<>]*)?>")


def _is_from_person(message: Payload, bot_user: str) -> bool:
    """Return whether a person other than `bot_user` wrote this message."""
    if message.get("bot_id") or message.get("bot_profile") or message.get("hidden"):
        return False
    return message.get("subtype") in _WRITTEN_SUBTYPES and bool(message.get("user")) and message["user"] != bot_user


def _show_angled(match: re.Match[str]) -> str:
    sign, body, label = match["sign"], match["body"], match["label"]
    if sign in ("@", "#"):
        return f"{sign}{label or body}"
    return label or (f"@{body.partition('^')[0]}" if sign else body.removeprefix("mailto:"))
