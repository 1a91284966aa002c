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
_MORSEL_CHARACTERS = 500
"""Their JSON has twice as many at most, beside an address of 1,500."""


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
    texts = [escape_slack(_shortened(text)), *["The answer continues."] * (len(messages) - 1)]
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
    room = MAX_BLOCK_CHARACTERS - 2 * _OVERHEAD
    if _size(piece) <= room:
        yield piece
        return
    if piece["type"] == "rich_text_list":
        (section,) = piece["elements"]
        yield from (piece | {"elements": [part]} for part in _cut(section))
        return
    taken: list[Json] = []
    taken_size = 0
    for element in (part for whole in piece["elements"] for part in _morsels(whole)):
        size = _size(element)
        if taken and taken_size + size > room:
            yield piece | {"elements": taken}
            taken, taken_size = [], 0
        taken.append(element)
        taken_size += size + len(", ")
    yield piece | {"elements": taken}


def _morsels(element: Json) -> Iterator[Json]:
    """A text element in parts of at most `_MORSEL_CHARACTERS`, cut between words where there are any."""
    text: str = element["text"]
    start = 0
    while len(text) - start > _MORSEL_CHARACTERS:
        end = start + _MORSEL_CHARACTERS
        gap = max(text.rfind(" ", start, end), text.rfind("\n", start, end)) + 1
        end = gap if gap > start + _MORSEL_CHARACTERS // 2 else end
        yield element | {"text": text[start:end]}
        start = end
    yield element | {"text": text[start:]}


def _size(value: Json) -> int:
    return len(json.dumps(value, ensure_ascii=False))
