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
_BEGINS = (_ENTRY, _FENCE)
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
    leads_on: bool = False  # It tells where there is more, in our own voice: no code of a document may look like it.


@dataclass(frozen=True, slots=True)
class Marker:
    """A `[n]` that stands for citation `n`."""

    n: int

    @property
    def text(self) -> str:
        return f"[{self.n}]"


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
    """Split an answer's Markdown into blocks, in order; between them is white space only, so that nothing is lost."""
    lines = answer.splitlines()
    blocks: list[AnswerBlock] = []
    at = 0
    while at < len(lines):
        line, at = lines[at], at + 1
        if fence := _FENCE.fullmatch(line):
            code: list[str] = []
            while at < len(lines) and not _ends(lines[at], fence["fence"]):
                code.append(lines[at])
                at += 1
            at += 1
            blocks.append(CodeBlock("\n".join(code)))
        elif line.strip():
            entry = _ENTRY.fullmatch(line)
            parts = [entry["text"] if entry else line]
            while at < len(lines) and lines[at].strip() and not any(mark.fullmatch(lines[at]) for mark in _BEGINS):
                parts.append(lines[at])
                at += 1
            text = " ".join(map(str.strip, parts))
            inlines = split_inlines(text)
            if entry:
                blocks.append(ListEntry(len(entry["indent"]) // 2, inlines))
            elif _CLOSING.fullmatch(text):
                leading = (replace(part, leads_on=True) if isinstance(part, Code) else part for part in inlines)
                blocks.append(Paragraph(tuple(leading)))
            else:
                blocks.append(Paragraph(inlines))
    return tuple(blocks)


def split_inlines(text: str) -> tuple[Inline, ...]:
    """Split one block's text into its name, text, code spans and markers, in order."""
    parts: list[Inline] = []
    position = 0
    for match in _INLINE.finditer(text):
        if match.start() > position:
            parts.append(Text(text[position : match.start()]))
        position = match.end()
        if match["n"]:
            parts.append(Marker(int(match["n"])))
        elif match["name"]:
            parts.append(Name(match["name"]))
        else:
            code = match["code"]
            # CommonMark takes one space off each side, so that a span can begin or end with a backtick.
            is_padded = code.strip() and code.startswith(" ") and code.endswith(" ")
            parts.append(Code(code[1:-1] if is_padded else code))
    if position < len(text):
        parts.append(Text(text[position:]))
    return tuple(parts)


def group_blocks(blocks: Iterable[AnswerBlock]) -> Iterator[tuple[AnswerBlock, ...]]:
    """The blocks by what an empty line stands between: the entries of a list together, any other by itself."""
    for is_list, run in groupby(blocks, key=lambda block: isinstance(block, ListEntry)):
        together = tuple(run)
        yield from [together] if is_list else ((block,) for block in together)


def plain_answer(answer: str) -> str:
    """The answer as a person reads it, with its markers and without marks."""
    groups = []
    for group in group_blocks(split_answer(answer)):
        lines = []
        for block in group:
            if isinstance(block, CodeBlock):
                lines += [f"    {line}" if line else "" for line in block.text.split("\n")]
                continue
            words = "".join(part.text for part in block.inlines)
            lines.append(f"{'  ' * block.depth}- {words}" if isinstance(block, ListEntry) else words)
        groups.append("\n".join(lines))
    return "\n\n".join(groups)


def _ends(line: str, fence: str) -> bool:
    return line.strip().startswith(fence) and not line.strip().strip(fence[0])
