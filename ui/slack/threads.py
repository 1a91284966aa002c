"""What a thread tells: earlier questions to the bot, and which parts of a reply are there already.

All of it is pure.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from ui.slack.intake import asks_on, is_spoken, mentions, readable_text
from ui.slack.web_api import METADATA_TYPE

_MAX_HISTORY = 10


def earlier_questions(
    thread: Iterable[Mapping[str, Any]], *, before_ts: str, bot_user: str | None, is_direct: bool
) -> tuple[str, ...]:
    """The questions put to the bot in a thread before `before_ts`, oldest first; the newest ten at most.

    In a direct conversation those are all that aren't its own; in a channel those that mention it, and where the thread
    began with such a one, those that ask nobody in particular.
    """
    thread = tuple(thread)
    is_ours = any(mentions(str(message.get("text", "")), bot_user) for message in thread[:1])
    asked = [
        readable_text(str(message.get("text") or ""), bot_user=bot_user)
        for message in thread
        if _seconds(message.get("ts", "")) < _seconds(before_ts)
        and is_spoken(message, bot_user)
        and (is_direct or mentions(str(message.get("text", "")), bot_user) or (is_ours and asks_on(message)))
    ]
    return tuple(question for question in asked if question)[-_MAX_HISTORY:]


def posted_parts(thread: Iterable[Mapping[str, Any]], *, key: str) -> frozenset[int]:
    """Which parts of the reply to a request stand in a thread, by the metadata they were posted with."""
    parts = set()
    for message in thread:
        metadata = message.get("metadata") or {}
        payload = metadata.get("event_payload") or {}
        part = payload.get("part")
        # Any app can write metadata of our type.
        if metadata.get("event_type") == METADATA_TYPE and payload.get("request") == key and isinstance(part, int):
            parts.add(part)
    return frozenset(parts)


def _seconds(ts: str) -> tuple[int, int]:
    whole, _, fraction = str(ts).partition(".")
    return (int(whole), int(fraction or 0)) if whole.isdigit() and (fraction or "0").isdigit() else (0, 0)
