"""Answers as Slack messages in Block Kit, cut and packed to Slack's limits.

Text goes into rich text blocks, whose characters Slack shows as they are, so that no markup of a document has effect.
The `text` beside the blocks, which notifications show, is escaped. Sizes are those of the JSON, which is never shorter
than the characters that Slack counts.
"""

import html
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from retrieval.blocks import Line, LineKind, Marker, More, Part, Run, grouped_lines, plain_text_of, words_of
from retrieval.model import Answer, Citation
from retrieval.quoting.links import is_web_page
from ui.rendering import words

Json = dict[str, Any]  # An object of Slack's own JSON.

MAX_BLOCK_CHARACTERS = 3_000
MAX_BLOCKS = 50
MAX_MESSAGE_CHARACTERS = 12_500  # Over all blocks of a message; Slack refuses it at about 13,000.
MAX_TEXT_CHARACTERS = 3_000
_OVERHEAD = 200  # JSON around the elements of a piece, and around the pieces of a block.
_MORSEL = re.compile(r"(?s).{1,500}(?:(?<=\s)|\Z)|.{500}")  # Ends at white space if it can.
"""As JSON it is at most twice as long, plus an address of 1,500 characters."""
_MAX_URL_CHARACTERS = 1_500


@dataclass(frozen=True, slots=True)
class SlackMessage:
    """One message: `text` for notifications, `blocks` in Slack's JSON."""

    text: str
    blocks: tuple[Json, ...]


def render_slack_answer(answer: Answer) -> tuple[SlackMessage, ...]:
    """Render the answer as one message, or several if it is long."""
    groups = [[_line_piece(line, answer.citations) for line in group] for group in grouped_lines(answer.blocks)]
    groups += ([_section(_elements(words_of(caveat).runs, italic=True))] for caveat in words.caveats(answer))
    if answer.citations:
        groups.append([_text_section("Sources", bold=True)])
        groups += [_source_pieces(citation) for citation in answer.citations]
    if reading := words.reading_words(answer.interpretation):
        groups.append([_text_section(f"Read as: {reading}", italic=True)])
    return pack_messages(groups, text=plain_text_of(answer.blocks))


def render_slack_text(text: str) -> tuple[SlackMessage, ...]:
    """Render one line of our own, such as an error."""
    return pack_messages([[_text_section(text)]], text=text)


def _line_piece(line: Line, citations: Sequence[Citation]) -> Json:
    if line.kind is LineKind.CODE:
        # Slack refuses an element without a character.
        return {"type": "rich_text_preformatted", "elements": [_plain(line.text or " ")]}
    section = _section(_elements(line.parts, citations))
    is_entry = line.kind is LineKind.ENTRY
    return {"type": "rich_text_list", "style": "bullet", "indent": 0, "elements": [section]} if is_entry else section


def _elements(parts: Iterable[Part], citations: Sequence[Citation] = (), **style: bool) -> list[Json]:
    """Return the parts of a line as elements; `style`, if any, applies to all but code."""
    elements: list[Json] = []
    for part in parts:
        match part:
            case Marker(n):
                elements.append(_plain(f"[{n}]", **(style or {"bold": True})))
            case More(code):
                cited = words.document_of(part, citations)
                url = cited.url if cited and _is_linkable(cited.url) else None
                elements.append(_link(url, code, code=True) if url else _plain(code, code=True))
            case Run(text, is_code, is_strong) if text:
                marks = ({"bold": True} if is_strong else {}) | ({"code": True} if is_code else {})
                elements.append(_plain(text, **(marks if is_code else style or marks)))
    return elements


def _source_pieces(citation: Citation) -> list[Json]:
    title = words.document_name(citation)
    linked = _link(citation.url, title, bold=True) if _is_linkable(citation.url) else _plain(title, bold=True)
    head = _section([_plain(f"[{citation.n}] ", bold=True), linked, _plain(f" · {words.provenance(citation)}")])
    return [head, {"type": "rich_text_quote", "elements": [_plain(citation.quote)]}]


def _is_linkable(url: str | None) -> bool:
    return url is not None and is_web_page(url) and len(url) <= _MAX_URL_CHARACTERS and not {*url} & {*'"\\'}


def _plain(text: str, **style: bool) -> Json:
    element = {"type": "text", "text": words.printable(text)}
    return {**element, "style": style} if style else element


def _link(url: str | None, text: str, **style: bool) -> Json:
    return {"type": "link", "url": url, "text": words.printable(text), "style": style}


def _text_section(text: str, **style: bool) -> Json:
    return _section([_plain(text, **style)])


def _section(elements: list[Json]) -> Json:
    return {"type": "rich_text_section", "elements": elements}


def pack_messages(groups: Iterable[Sequence[Json]], *, text: str) -> tuple[SlackMessage, ...]:
    """Pack groups of pieces, a block each if it fits, into as few messages as they need. The first has `text`, the
    others a fixed text."""
    blocks = [block for group in groups for block in _pack_blocks(group)]
    messages: list[list[Json]] = [[]]
    for block in blocks:
        current = messages[-1]
        size = sum(map(_json_size, current)) + _json_size(block)
        if current and (len(current) == MAX_BLOCKS or size > MAX_MESSAGE_CHARACTERS):
            messages.append([])
        messages[-1].append(block)
    plain = text if len(text) <= MAX_TEXT_CHARACTERS else f"{text[: MAX_TEXT_CHARACTERS - 2]} …"
    # Slack parses `text` as mrkdwn; escaped, it can't mention anybody.
    first = html.escape(words.printable(plain), quote=False)
    texts = [first, *["The answer continues."] * (len(messages) - 1)]
    return tuple(SlackMessage(text, tuple(blocks)) for text, blocks in zip(texts, messages, strict=True))


def _pack_blocks(group: Sequence[Json]) -> Iterator[Json]:
    room = MAX_BLOCK_CHARACTERS - _OVERHEAD
    block: list[Json] = []
    for piece in (piece for element in group for piece in _cut_piece(element)):
        if block and sum(map(_json_size, block)) + _json_size(piece) > room:
            yield {"type": "rich_text", "elements": block}
            block = []
        block.append(piece)
    if block:
        yield {"type": "rich_text", "elements": block}


def _cut_piece(piece: Json) -> Iterator[Json]:
    """Yield the piece if it fits into a block, else several pieces of its type with its content, which do."""
    room = MAX_BLOCK_CHARACTERS - 2 * _OVERHEAD
    if _json_size(piece) <= room:
        yield piece
        return
    if piece["type"] == "rich_text_list":
        (section,) = piece["elements"]
        yield from (piece | {"elements": [part]} for part in _cut_piece(section))
        return
    taken: list[Json] = []
    for element in piece["elements"]:
        for text in _MORSEL.findall(element["text"]):
            morsel = element | {"text": text}
            if taken and _json_size([*taken, morsel]) > room:
                yield piece | {"elements": taken}
                taken = []
            taken.append(morsel)
    yield piece | {"elements": taken}


def _json_size(value: Json | list[Json]) -> int:
    return len(json.dumps(value, ensure_ascii=False))
