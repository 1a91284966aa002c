"""Slack's payloads read: which events are requests to us, what a message says to a person, what a thread holds."""

import html
import re
from collections.abc import Iterable, Mapping
from itertools import takewhile
from typing import Any, TypeAlias

from ui.slack.request_queue import RequestKind, SlackRequest

Payload: TypeAlias = Mapping[str, Any]

MISSHAPEN = (LookupError, TypeError, AttributeError, ValueError, RecursionError)
"""What reading a payload raises, here and in bolt, that isn't shaped as Slack documents it."""
METADATA_TYPE = "relnotes_reply"  # Marks what we post with the request and the part of its reply.
_MAX_HISTORY = 10
_SPOKEN_SUBTYPES = (None, "file_share", "thread_broadcast")
"""Messages that somebody wrote; the other subtypes tell of edits, joins and bots."""
_ANGLED = re.compile(r"<(?P<sign>[@#!]?)(?P<body>[^<>|]*)(?:\|(?P<label>[^<>]*))?>")
_LEADING_MENTION = re.compile(r"^\s*<@[A-Z0-9]+(?:\|[^<>]*)?>[\s:,]*")


def parse_event(body: Payload, *, bot_user: str | None) -> SlackRequest | None:
    """Return the request in an Events API payload; None where nobody wrote it to us: bots, our own messages, edits."""
    event: Payload = body.get("event") or {}
    bots = (one["user_id"] for one in body.get("authorizations") or () if one.get("is_bot") and one.get("user_id"))
    bot_user = next(map(str, bots), bot_user)
    is_said = event.get("type") in ("app_mention", "message") and _is_spoken(event, bot_user)
    return _parse_message(event, bot_user) if is_said and not event.get("edited") else None


def parse_command(body: Payload) -> SlackRequest:
    """Return the request in a slash command."""
    return SlackRequest(
        name=f"command:{body['trigger_id']}",
        kind=RequestKind.COMMAND,
        channel=str(body["channel_id"]),
        user=str(body["user_id"]),
        text=readable_text(str(body.get("text") or ""), bot_user=None),
        response_url=str(body["response_url"]),
        is_direct=str(body["channel_id"]).startswith("D"),
    )


def readable_text(text: str, *, bot_user: str | None) -> str:
    """A message's text as a person reads it, without our own mention; other people become `@` and their id."""
    # JSON can hold half a character, which nothing behind this takes.
    text = text.encode(errors="replace").decode()
    text = _LEADING_MENTION.sub("", text) if bot_user is None else text.replace(f"<@{bot_user}>", " ")
    return " ".join(html.unescape(_ANGLED.sub(_shown, text)).split())


def earlier_questions(
    thread: Iterable[Payload], *, before_ts: str, bot_user: str | None, is_direct: bool
) -> tuple[str, ...]:
    """Return the questions put to the bot in a thread before `before_ts`, oldest first; the newest ten at most.

    In a direct conversation those are all that aren't its own; in a channel those that mention it.
    """
    asked = [
        readable_text(str(message.get("text") or ""), bot_user=bot_user)
        for message in takewhile(lambda message: message.get("ts") != before_ts, thread)
        if _is_spoken(message, bot_user) and (is_direct or _mentions(message, bot_user))
    ]
    return tuple(question for question in asked if question)[-_MAX_HISTORY:]


def posted_parts(thread: Iterable[Payload], *, name: str) -> frozenset[int]:
    """Return which parts of the reply to a request stand in a thread, by the metadata they were posted with."""
    parts = set()
    for message in thread:
        metadata = message.get("metadata") or {}
        payload = metadata.get("event_payload") or {}
        part = payload.get("part")
        # Any app can write metadata of our type.
        if metadata.get("event_type") == METADATA_TYPE and payload.get("request") == name and isinstance(part, int):
            parts.add(part)
    return frozenset(parts)


def _mentions(message: Payload, user: str | None) -> bool:
    text = str(message.get("text", ""))
    return user is not None and (f"<@{user}>" in text or f"<@{user}|" in text)


def _is_spoken(message: Payload, bot_user: str | None) -> bool:
    """Return whether a person other than `bot_user` wrote this message."""
    if message.get("bot_id") or message.get("bot_profile") or message.get("hidden"):
        return False
    return message.get("subtype") in _SPOKEN_SUBTYPES and bool(message.get("user")) and message["user"] != bot_user


def _shown(match: re.Match[str]) -> str:
    sign, body, label = match["sign"], match["body"], match["label"]
    if sign in ("@", "#"):
        return f"{sign}{label or body}"
    return label or (f"@{body.partition('^')[0]}" if sign else body.removeprefix("mailto:"))


def _parse_message(event: Payload, bot_user: str | None) -> SlackRequest | None:
    if not event.get("channel") or not event.get("ts"):
        return None
    channel, ts = str(event["channel"]), str(event["ts"])
    is_direct = event.get("channel_type") == "im" or channel.startswith("D")
    if event["type"] == "message" and not is_direct and not _mentions(event, bot_user):
        return None
    return SlackRequest(
        # A mention comes as app_mention and as message, each with an id of its own: the place is what they share.
        name=f"message:{channel}:{ts}",
        kind=RequestKind.QUESTION,
        channel=channel,
        user=str(event["user"]),
        text=readable_text(str(event.get("text") or ""), bot_user=bot_user),
        ts=ts,
        thread_ts=str(event.get("thread_ts") or ts),
        is_direct=is_direct,
    )
