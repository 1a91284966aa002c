"""What Slack takes: groups of rich text cut and packed into blocks, and blocks into messages.

Everything is measured by its JSON, which is never shorter than the characters that Slack counts.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from ui.rendering.words import printable

Json: TypeAlias = dict[str, Any]
"""An object of Slack's own JSON."""

MAX_BLOCK_CHARACTERS = 3_000
MAX_BLOCKS = 50
MAX_MESSAGE_CHARACTERS = 12_500
"""Over all blocks of a message; Slack refuses it at about 13,000."""
MAX_TEXT_CHARACTERS = 3_000
_OVERHEAD = 200
"""JSON around the elements of a piece, and around the pieces of a block."""


@dataclass(frozen=True, slots=True)
class SlackMessage:
    """One message: `text` for notifications, `blocks` in Slack's JSON."""

    text: str
    blocks: tuple[Json, ...]


def pack_messages(groups: Iterable[Sequence[Json]], controls: Sequence[Json], *, text: str) -> tuple[SlackMessage, ...]:
    """Put groups of rich text pieces, each a block if it fits, into as few messages as they need.

    The last message ends with `controls`. The first one's text is `text`; the others' says that it goes on.
    """
    blocks = [block for group in groups for block in _blocks(group)]
    last_room = MAX_MESSAGE_CHARACTERS - sum(map(_size, controls))
    last_places = MAX_BLOCKS - len(controls)
    messages: list[list[Json]] = [[]]
    for position, block in enumerate(blocks):
        is_last = position == len(blocks) - 1
        room, places = (last_room, last_places) if is_last else (MAX_MESSAGE_CHARACTERS, MAX_BLOCKS)
        current = messages[-1]
        if current and (len(current) == places or sum(map(_size, current)) + _size(block) > room):
            messages.append([])
        messages[-1].append(block)
    messages[-1] += controls
    texts = [escape_slack(_shortened(text)), *["The answer goes on."] * (len(messages) - 1)]
    return tuple(SlackMessage(text, tuple(blocks)) for text, blocks in zip(texts, messages, strict=True))


def escape_slack(text: str) -> str:
    """`text` for a field that Slack reads as mrkdwn; nothing in it mentions anybody."""
    return printable(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _shortened(text: str) -> str:
    return text if len(text) <= MAX_TEXT_CHARACTERS else f"{text[: MAX_TEXT_CHARACTERS - 2]} …"


def _blocks(group: Sequence[Json]) -> Iterator[Json]:
    room = MAX_BLOCK_CHARACTERS - _OVERHEAD
    block: list[Json] = []
    for piece in (part for whole in group for part in _cut(whole)):
        if block and sum(map(_size, block)) + _size(piece) > room:
            yield {"type": "rich_text", "elements": block}
            block = []
        block.append(piece)
    if block:
        yield {"type": "rich_text", "elements": block}


def _cut(piece: Json) -> Iterator[Json]:
    """The piece, or its content in several pieces like it, each of which fits into a block."""
    if piece["type"] == "rich_text_list":
        (section,) = piece["elements"]
        for part in _cut(section):
            yield piece | {"elements": [part]}
        return
    room = MAX_BLOCK_CHARACTERS - 2 * _OVERHEAD
    taken: list[Json] = []
    for element in piece["elements"]:
        rest = element
        while sum(map(_size, taken)) + _size(rest) > room:
            head, tail = _split_text(rest, room - sum(map(_size, taken)))
            if head is not None:
                taken.append(head)
            yield piece | {"elements": taken}
            taken, rest = [], tail
        taken.append(rest)
    yield piece | {"elements": taken}


def _split_text(element: Json, room: int) -> tuple[Json | None, Json]:
    """What of a text element fits into `room`, and the rest; nothing of it where only a stump would."""
    text: str = element["text"]
    end = room - _size(element | {"text": ""})
    while end > 0 and _size(element | {"text": text[:end]}) > room:
        end -= _size(element | {"text": text[:end]}) - room
    between_words = max(text.rfind("\n", 0, end), text.rfind(" ", 0, end)) + 1
    end = between_words if between_words > end // 2 else end
    if end < 1 or (end < 40 and len(text) <= MAX_BLOCK_CHARACTERS // 2):
        return None, element
    return element | {"text": text[:end]}, element | {"text": text[end:]}


def _size(value: Json) -> int:
    return len(json.dumps(value, ensure_ascii=False))
