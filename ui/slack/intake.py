"""Slack's payloads as requests: which events are meant for us, and what a message says to a person.

All of it is pure.
"""

import html
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from ui.slack.requests import RequestKind, SlackRequest

Payload: TypeAlias = Mapping[str, Any]

MISSHAPEN = (LookupError, TypeError, AttributeError, ValueError, RecursionError)
"""What reading a payload raises, here and in bolt, that isn't shaped as Slack documents it."""
_SPOKEN_SUBTYPES = (None, "file_share", "thread_broadcast")
"""Messages that somebody wrote; the other subtypes tell of edits, joins and bots."""
_SAID = ("pretext", "title", "text")
_ANGLED = re.compile(r"<(?P<sign>[@#!]?)(?P<body>[^<>|]*)(?:\|(?P<label>[^<>]*))?>")
_LEADING_MENTION = re.compile(r"^\s*<@[A-Z0-9]+(?:\|[^<>]*)?>[\s:,]*")


@dataclass(frozen=True, slots=True)
class TakenIn:
    """A request with the names it goes by; the last one names it for good."""

    names: tuple[str, ...]
    request: SlackRequest
    follows: str | None = None
    """The name of a request without which this one isn't meant for us: the question that began its thread."""


def parse_event(body: Payload, *, bot_user: str | None) -> TakenIn | None:
    """The request in an Events API payload; None where it isn't meant for us.

    Bots, our own messages, edits and everything else that nobody wrote to us are none.
    """
    event: Payload = body.get("event") or {}
    bot_user = _bot_user_of(body) or bot_user
    match event.get("type"):
        case "app_mention" | "message" if is_spoken(event, bot_user) and not event.get("edited"):
            return _parse_message(body, event, bot_user)
        case "assistant_thread_started":
            return _parse_thread_start(body, event)
    return None


def parse_command(body: Payload) -> TakenIn:
    """The request in a slash command."""
    request = SlackRequest(
        kind=RequestKind.COMMAND,
        channel=str(body["channel_id"]),
        user=str(body["user_id"]),
        text=readable_text(str(body.get("text") or ""), bot_user=None),
        response_url=str(body["response_url"]),
        is_direct=str(body["channel_id"]).startswith("D"),
    )
    return TakenIn((f"command:{body['trigger_id']}",), request)


def parse_message_shortcut(body: Payload, *, bot_user: str | None) -> TakenIn:
    """The request in "find the release note for this"."""
    message: Payload = body["message"]
    ts = str(message["ts"])
    request = SlackRequest(
        kind=RequestKind.FIND_NOTE,
        channel=str(body["channel"]["id"]),
        user=str(body["user"]["id"]),
        text=readable_text(_said(message), bot_user=bot_user),
        ts=ts,
        thread_ts=str(message.get("thread_ts") or ts),
        response_url=body.get("response_url"),
    )
    return TakenIn((f"shortcut:{body.get('trigger_id') or body.get('action_ts')}",), request)


def readable_text(text: str, *, bot_user: str | None) -> str:
    """A message's text as a person reads it, without our own mention; other people become `@` and their id."""
    # JSON can hold half a character, which nothing behind this takes.
    text = text.encode(errors="replace").decode()
    text = _LEADING_MENTION.sub("", text) if bot_user is None else text.replace(f"<@{bot_user}>", " ")
    return " ".join(html.unescape(_ANGLED.sub(_shown, text)).split())


def mentions(text: str, user: str | None) -> bool:
    """Whether `text` mentions `user`."""
    return user is not None and (f"<@{user}>" in text or f"<@{user}|" in text)


def asks_on(message: Payload) -> bool:
    """Whether a message inside a thread asks something, and nobody in particular."""
    text = str(message.get("text", ""))
    return message.get("thread_ts") not in (None, message.get("ts")) and "?" in text and "<@" not in text


def is_spoken(message: Payload, bot_user: str | None) -> bool:
    """Whether a person other than `bot_user` wrote this message."""
    if message.get("bot_id") or message.get("bot_profile") or message.get("hidden"):
        return False
    return message.get("subtype") in _SPOKEN_SUBTYPES and bool(message.get("user")) and message["user"] != bot_user


def _said(message: Payload) -> str:
    """What a message says; apps often say it in blocks or attachments alone."""
    if message.get("text"):
        return str(message["text"])
    return "\n".join(_texts(message.get("blocks")) or _texts(message.get("attachments")))


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
    if match["sign"] == "@":
        return f"@{match['label'] or match['body']}"
    if match["sign"] == "#":
        return f"#{match['label'] or match['body']}"
    if match["sign"] == "!":
        return match["label"] or f"@{match['body'].partition('^')[0]}"
    return match["label"] or match["body"].removeprefix("mailto:")


def _bot_user_of(body: Payload) -> str | None:
    for authorization in body.get("authorizations") or ():
        if authorization.get("is_bot") and authorization.get("user_id"):
            return str(authorization["user_id"])
    return None


def _parse_message(body: Payload, event: Payload, bot_user: str | None) -> TakenIn | None:
    if not event.get("channel") or not event.get("ts"):
        return None
    text = str(event.get("text") or "")
    is_direct = event.get("channel_type") == "im" or str(event["channel"]).startswith("D")
    channel, ts = str(event["channel"]), str(event["ts"])
    follows = None
    if event["type"] == "message" and not is_direct and not mentions(text, bot_user):
        if not asks_on(event):
            return None
        follows = f"message:{channel}:{event['thread_ts']}"
    request = SlackRequest(
        kind=RequestKind.QUESTION,
        channel=channel,
        user=str(event["user"]),
        text=readable_text(text, bot_user=bot_user),
        ts=ts,
        thread_ts=str(event.get("thread_ts") or ts),
        is_direct=is_direct,
        is_aside=follows is not None,
    )
    # A mention comes as app_mention and as message, each with an id of its own: the place is what they share.
    return TakenIn((*_event_name(body), f"message:{channel}:{ts}"), request, follows)


def _parse_thread_start(body: Payload, event: Payload) -> TakenIn:
    thread: Payload = event["assistant_thread"]
    channel, thread_ts = str(thread["channel_id"]), str(thread["thread_ts"])
    request = SlackRequest(
        kind=RequestKind.PROMPTS,
        channel=channel,
        user=str(thread.get("user_id", "")),
        text="",
        thread_ts=thread_ts,
        is_direct=True,
    )
    return TakenIn((*_event_name(body), f"thread:{channel}:{thread_ts}"), request)


def _event_name(body: Payload) -> tuple[str, ...]:
    return (f"event:{body['event_id']}",) if body.get("event_id") else ()
