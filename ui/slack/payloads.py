"""Slack's payloads read: which events are requests to us, what a message says to a person, what a thread holds."""

import html
import re
from collections.abc import Iterable, Mapping
from itertools import takewhile
from typing import Any, TypeAlias

from ui.slack.request_queue import RequestKind, SlackRequest, message_name

Payload: TypeAlias = Mapping[str, Any]

MISSHAPEN = (LookupError, TypeError, AttributeError, ValueError, RecursionError)
"""What reading a payload raises, here and in bolt, that isn't shaped as Slack documents it."""
METADATA_TYPE = "relnotes_reply"  # Marks what we post with the request and the part of its reply.
_MAX_HISTORY = 10
_SPOKEN_SUBTYPES = (None, "file_share", "thread_broadcast")
"""Messages that somebody wrote; the other subtypes tell of edits, joins and bots."""
_SAID = ("pretext", "title", "text")
_ANGLED = re.compile(r"<(?P<sign>[@#!]?)(?P<body>[^<>|]*)(?:\|(?P<label>[^<>]*))?>")
_LEADING_MENTION = re.compile(r"^\s*<@[A-Z0-9]+(?:\|[^<>]*)?>[\s:,]*")


def parse_event(body: Payload, *, bot_user: str | None) -> SlackRequest | None:
    """The request in an Events API payload; None where nobody wrote it to us: bots, our own messages, edits."""
    event: Payload = body.get("event") or {}
    bots = (one["user_id"] for one in body.get("authorizations") or () if one.get("is_bot") and one.get("user_id"))
    bot_user = next(map(str, bots), bot_user)
    match event.get("type"):
        case "app_mention" | "message" if _is_spoken(event, bot_user) and not event.get("edited"):
            return _parse_message(event, bot_user)
        case "assistant_thread_started":
            thread: Payload = event["assistant_thread"]
            channel, thread_ts = str(thread["channel_id"]), str(thread["thread_ts"])
            return SlackRequest(
                name=f"thread:{channel}:{thread_ts}",
                kind=RequestKind.PROMPTS,
                channel=channel,
                user=str(thread.get("user_id", "")),
                text="",
                thread_ts=thread_ts,
                is_direct=True,
            )
    return None


def parse_command(body: Payload) -> SlackRequest:
    """The request in a slash command."""
    return SlackRequest(
        name=f"command:{body['trigger_id']}",
        kind=RequestKind.COMMAND,
        channel=str(body["channel_id"]),
        user=str(body["user_id"]),
        text=readable_text(str(body.get("text") or ""), bot_user=None),
        response_url=str(body["response_url"]),
        is_direct=str(body["channel_id"]).startswith("D"),
    )


def parse_message_shortcut(body: Payload, *, bot_user: str | None) -> SlackRequest:
    """The request in "find the release note for this"."""
    message: Payload = body["message"]
    ts = str(message["ts"])
    # Apps often say it in blocks or attachments alone.
    text = str(message.get("text") or "")
    text = text or "\n".join(_texts(message.get("blocks")) or _texts(message.get("attachments")))
    return SlackRequest(
        name=f"shortcut:{body.get('trigger_id') or body.get('action_ts')}",
        kind=RequestKind.FIND_NOTE,
        channel=str(body["channel"]["id"]),
        user=str(body["user"]["id"]),
        text=readable_text(text, bot_user=bot_user),
        ts=ts,
        thread_ts=str(message.get("thread_ts") or ts),
        response_url=body.get("response_url"),
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
    """The questions put to the bot in a thread before `before_ts`, oldest first; the newest ten at most.

    In a direct conversation those are all that aren't its own; in a channel those that mention it, and where the thread
    began with such a one, those that ask nobody in particular.
    """
    earlier = tuple(takewhile(lambda message: message.get("ts") != before_ts, thread))
    is_ours = any(_mentions(message, bot_user) for message in earlier[:1])
    asked = [
        readable_text(str(message.get("text") or ""), bot_user=bot_user)
        for message in earlier
        if _is_spoken(message, bot_user)
        and (is_direct or _mentions(message, bot_user) or (is_ours and _asks_nobody(message)))
    ]
    return tuple(question for question in asked if question)[-_MAX_HISTORY:]


def posted_parts(thread: Iterable[Payload], *, name: str) -> frozenset[int]:
    """Which parts of the reply to a request stand in a thread, by the metadata they were posted with."""
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


def _asks_nobody(message: Payload) -> bool:
    """Whether a message inside a thread asks something, and nobody in particular."""
    text = str(message.get("text", ""))
    return message.get("thread_ts") not in (None, message.get("ts")) and "?" in text and "<@" not in text


def _is_spoken(message: Payload, bot_user: str | None) -> bool:
    """Whether a person other than `bot_user` wrote this message."""
    if message.get("bot_id") or message.get("bot_profile") or message.get("hidden"):
        return False
    return message.get("subtype") in _SPOKEN_SUBTYPES and bool(message.get("user")) and message["user"] != bot_user


def _texts(value: object) -> list[str]:
    if isinstance(value, list):
        return [text for part in value for text in _texts(part)]
    if not isinstance(value, dict):
        return []
    return [
        text
        for name, part in value.items()
        for text in ([part] if name in _SAID and isinstance(part, str) else _texts(part))
    ]


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
    is_aside = event["type"] == "message" and not is_direct and not _mentions(event, bot_user)
    if is_aside and not _asks_nobody(event):
        return None
    return SlackRequest(
        # A mention comes as app_mention and as message, each with an id of its own: the place is what they share.
        name=message_name(channel, ts),
        kind=RequestKind.QUESTION,
        channel=channel,
        user=str(event["user"]),
        text=readable_text(str(event.get("text") or ""), bot_user=bot_user),
        ts=ts,
        thread_ts=str(event.get("thread_ts") or ts),
        is_direct=is_direct,
        is_aside=is_aside,
    )
