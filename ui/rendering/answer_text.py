"""The answer's Markdown as values: paragraphs, entries and code with `[n]` markers, for every way of showing it; and as
plain lines, which a notification shows where it can't show more.

Only the marks that our own answers use are read: blank lines, `- ` entries, `**name**` as a word of its own, fences,
code spans, `[n]`. The rest is text, above all whatever Markdown or HTML the quoted documents hold.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TypeAlias

_FENCE = re.compile(r" {0,3}(?P<fence>`{3,}|~{3,})[^`]*")
_ENTRY = re.compile(r"(?P<indent> *)- +(?P<text>\S.*)")
_CLOSING = re.compile(r"[1-9]\d* more(?:: | in )`[^`]+`\.?")
"""The paragraph in which an answer says where there is more. What it says of a document has a marker beside it."""
_INLINE = re.compile(
    r"(?<!`)(?P<ticks>`+)(?!`)(?P<code>.+?)(?<!`)(?P=ticks)(?!`)|\[(?P<n>[1-9][0-9]*)\]"
    r"|(?<!\S)\*\*(?P<name>[^\s*`](?:[^*`\n]*[^\s*`])?)\*\*(?=[\s,:.;)]|$)",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Text:
    """Characters to show as they are."""

    text: str


@dataclass(frozen=True, slots=True)
class Code:
    """A code span, without its backticks."""

    text: str
    leads_on: bool = False
    """It tells where there is more, in our own voice: no code of a document may look like it."""


@dataclass(frozen=True, slots=True)
class Marker:
    """A `[n]` that stands for citation `n`."""

    n: int


@dataclass(frozen=True, slots=True)
class Name:
    """Whom a statement is about; `**` inside a word is text (`2**31 and 2**63`)."""

    text: str


Inline: TypeAlias = Text | Code | Marker | Name


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Lines up to the next blank one, joined by spaces."""

    inlines: tuple[Inline, ...]


@dataclass(frozen=True, slots=True)
class ListEntry:
    """One `- ` line and the indented lines below it; `depth` counts from 0, two spaces a level."""

    depth: int
    inlines: tuple[Inline, ...]


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """The lines between two fences, verbatim."""

    text: str


AnswerBlock: TypeAlias = Paragraph | ListEntry | CodeBlock


def split_answer(answer: str) -> tuple[AnswerBlock, ...]:
    """Split an answer's Markdown into blocks, in order; an empty answer gives none.

    Text between blocks is white space only: nothing of the answer is lost.
    """
    return tuple(_blocks(answer.splitlines()))


def split_inlines(text: str) -> tuple[Inline, ...]:
    """Split one block's text into its name, text, code spans and markers, in order."""
    return tuple(_inlines(text))


def group_blocks(blocks: Iterable[AnswerBlock]) -> Iterator[tuple[AnswerBlock, ...]]:
    """The blocks by what an empty line stands between: the entries of a list together, any other by itself."""
    for is_list, run in groupby(blocks, key=lambda block: isinstance(block, ListEntry)):
        together = tuple(run)
        yield from [together] if is_list else ((block,) for block in together)


def plain_answer(answer: str) -> str:
    """The answer as a person reads it, with its markers and without marks."""
    return "\n\n".join("\n".join(map(_plain_block, group)) for group in group_blocks(split_answer(answer)))


def _plain_block(block: AnswerBlock) -> str:
    match block:
        case CodeBlock(code):
            return "\n".join(f"    {line}" if line else "" for line in code.split("\n"))
        case ListEntry(depth, inlines):
            return f"{'  ' * depth}- {_plain(inlines)}"
        case Paragraph(inlines):
            return _plain(inlines)


def _plain(inlines: Iterable[Inline]) -> str:
    return "".join(f"[{part.n}]" if isinstance(part, Marker) else part.text for part in inlines)


def _blocks(lines: list[str]) -> Iterator[AnswerBlock]:
    position = 0
    while position < len(lines):
        line = lines[position]
        if not line.strip():
            position += 1
        elif fence := _FENCE.fullmatch(line):
            end = _fence_end(lines, position + 1, fence["fence"])
            yield CodeBlock("\n".join(lines[position + 1 : end]))
            position = end + 1
        else:
            entry = _ENTRY.fullmatch(line)
            end = _block_end(lines, position + 1)
            first = entry["text"] if entry else line
            text = " ".join(part.strip() for part in (first, *lines[position + 1 : end]))
            yield ListEntry(len(entry["indent"]) // 2, split_inlines(text)) if entry else Paragraph(_paragraph(text))
            position = end


def _paragraph(text: str) -> tuple[Inline, ...]:
    leads_on = bool(_CLOSING.fullmatch(text))
    return tuple(replace(part, leads_on=leads_on) if isinstance(part, Code) else part for part in _inlines(text))


def _fence_end(lines: list[str], start: int, fence: str) -> int:
    stripped = enumerate((line.strip() for line in lines[start:]), start)
    ends = (n for n, line in stripped if line.startswith(fence) and not line.strip(fence[0]))
    return next(ends, len(lines))


def _block_end(lines: list[str], start: int) -> int:
    begun = enumerate(lines[start:], start)
    ends = (n for n, line in begun if not line.strip() or _ENTRY.fullmatch(line) or _FENCE.fullmatch(line))
    return next(ends, len(lines))


def _inlines(text: str) -> Iterator[Inline]:
    position = 0
    for match in _INLINE.finditer(text):
        if match.start() > position:
            yield Text(text[position : match.start()])
        yield _inline(match)
        position = match.end()
    if position < len(text):
        yield Text(text[position:])


def _inline(match: re.Match[str]) -> Inline:
    if match["n"]:
        return Marker(int(match["n"]))
    return Name(match["name"]) if match["name"] else Code(_span_text(match["code"]))


def _span_text(code: str) -> str:
    # CommonMark takes one space off each side, so that a span can begin or end with a backtick.
    if code.strip() and code.startswith(" ") and code.endswith(" "):
        return code[1:-1]
    return code
