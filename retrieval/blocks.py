"""An answer as typed blocks, and the order of their lines.

Text is kept as runs of prose and code until it is rendered; rendered text is never parsed back. `words_of` is the only
way in for document text, and makes it harmless.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import groupby
from typing import TypeAlias

from corpus.lexicon import split_tokens
from corpus.plain_words import as_code
from corpus.versions import Version

BIDI_CONTROLS = (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
"""Removed, because they reverse the direction of all text after them, also of our markers."""
LINE_ENDS = (0x2028, 0x2029)  # Line separators in some terminals and programs.
CONTROLS: dict[int, str] = dict.fromkeys((*range(0x20), *range(0x7F, 0xA0)), "\N{REPLACEMENT CHARACTER}")
CONTROLS |= {ord("\t"): "\t", ord("\n"): "\n"}
"""Each control character that a terminal obeys, with the text to show for it."""
_HARMLESS = CONTROLS | dict.fromkeys(BIDI_CONTROLS, "") | {ord("\r"): "\n"}
_TAG = r"<[A-Za-z/!?][^<>\n]*>"
_CODE = re.compile(
    rf"(?:(?<!`)`++[^`\n]++`++|\[(?:[\[\]]|{_TAG}){{0,200}}\d++(?:[\[\]\d]|{_TAG}){{0,200}}\]|{_TAG}"
    r"|<(?=[A-Za-z/!?])[^\s<>`\[\]]*)+"
)
"""Code spans, and text to put in one: lookalikes of markers, anything that may begin a tag, and text that becomes a
marker once a tag or marker inside it is removed ("[<b>1]", "[[2]3]"). Adjacent ones are one span, because the back
quotes between two would be read as a delimiter."""


@dataclass(frozen=True, slots=True)
class Run:
    """Characters in one style."""

    text: str
    is_code: bool = False
    is_strong: bool = False


@dataclass(frozen=True, slots=True)
class Marker:
    """The marker `[n]` of citation `n`."""

    n: int


@dataclass(frozen=True, slots=True)
class More:
    """Where to find the rest: a command that lists all of it, or the document that contains it."""

    code: str
    upgrade: tuple[str, str, str] | None = None  # The product and the two releases of the list; None for a document.


Part: TypeAlias = Run | Marker | More


@dataclass(frozen=True, slots=True)
class Words:
    """Text as runs. Plain strings that are added go through `words_of`."""

    runs: tuple[Run, ...] = ()

    def __add__(self, other: "Words | str") -> "Words":
        return Words(self.runs + as_words(other).runs)

    def __radd__(self, other: str) -> "Words":
        return words_of(other) + self

    def __bool__(self) -> bool:
        return bool(self.runs)

    @property
    def text(self) -> str:
        """The characters without their styles."""
        return "".join(run.text for run in self.runs)

    def strong(self) -> "Words":
        """Return the same words in bold."""
        return Words(tuple(replace(run, is_strong=True) for run in self.runs))

    def with_small_initial(self) -> "Words":
        """Return the words with a small first letter, to continue a sentence; code and bold text at the start stay."""
        if not self.runs or self.runs[0].is_code or self.runs[0].is_strong:
            return self
        first, *rest = self.runs
        return Words((replace(first, text=first.text[:1].lower() + first.text[1:]), *rest))

    def without_colon(self) -> "Words":
        """Return the words without a final colon, unless it is code."""
        if not self.runs or self.runs[-1].is_code:
            return self
        *rest, last = self.runs
        return Words((*rest, replace(last, text=last.text.removesuffix(":"))))


NO_WORDS = Words()


def as_words(value: Words | str) -> Words:
    """Return `Words` unchanged, a plain string through `words_of`."""
    return value if isinstance(value, Words) else words_of(value)


def words_of(text: str) -> Words:
    """Return document text, or our own with code in back quotes, as words that are safe to show.

    Code spans stay; markers and tags become code. Direction controls are removed, terminal controls replaced.
    """
    plain = text.translate(_HARMLESS)
    runs: list[Run] = []
    end = 0
    for code in _CODE.finditer(plain):
        runs += [Run(plain[end : code.start()].replace("`", "'"))] if code.start() > end else []
        runs.append(Run(code.group().replace("`", ""), is_code=True))
        end = code.end()
    return Words((*runs, *([Run(plain[end:].replace("`", "'"))] if end < len(plain) else [])))


def name_of(*parts: str | Version | None) -> Words:
    """Return a product, a release or both as a bold name: `**Gizmo 2.12**`."""
    return words_of(" ".join(str(part) for part in parts if part)).strong()


def code_line(line: str) -> str:
    """Return a document's line of code, made safe for an answer's fence or code span."""
    return line.translate(_HARMLESS).replace("`", "'").replace("\n", " ")


def join_words(parts: Iterable[Words | str], between: str = " ") -> Words:
    """Return the parts that aren't empty as one, joined by `between`, which is no code; empty without any."""
    kept = [words for part in parts if (words := as_words(part))]
    gap = (Run(between),)
    return Words(tuple(run for n, words in enumerate(kept) for run in (*(gap if n else ()), *words.runs)))


@dataclass(frozen=True, slots=True)
class StatementBlock:
    """One statement of an answer: in the words of its sources, with the numbers of the citations that prove it."""

    words: Words
    citations: tuple[int, ...] = ()
    verdict: str = ""  # "Yes" or "No", if that is asked and the quotes support it.
    opening: Words = NO_WORDS  # Our own words for what happened ("Removed in").
    speaker: Words = NO_WORDS  # Product, release, day, source; empty if the lead or the words already name them.
    group: str = ""  # The label it shares with its neighbours; empty for none.
    code: str = ""  # Lines of code shown below it.
    leads: bool = False  # Whether it is the answer itself, to which the other statements add detail.

    @property
    def has_context(self) -> bool:
        """Whether it contains more than the sentence that answers, which is bold (unlike the name at its start)."""
        return bool(self.speaker) and any(run.is_strong for run in self.words.runs)

    def parts(self, *, names_speaker: bool = True) -> tuple[Part, ...]:
        """Return the statement as a line: verdict, opening, speaker, words, and the markers of its citations."""
        speaker = self.speaker if names_speaker else NO_WORDS
        words = self.opening + speaker + (": " if speaker and self.words else "") + self.words
        return self.marked(f"{self.verdict}: " + words.with_small_initial() if self.verdict else words)

    def marked(self, words: Words) -> tuple[Part, ...]:
        """Return `words` followed by the markers of its citations."""
        gap = [Run(" ")] if self.citations and words else []
        return (*words.runs, *gap, *map(Marker, self.citations))


@dataclass(frozen=True, slots=True)
class Closing:
    """How many more entries there are, and where."""

    count: int
    more: More

    def parts(self) -> tuple[Part, ...]:
        """Return it as a line."""
        if self.more.upgrade:
            return (Run(f"{self.count} more: "), self.more)
        return (Run(f"{self.count} more in "), self.more, Run("."))


@dataclass(frozen=True, slots=True)
class Blocks:
    """A whole answer. The lead comes first; if it `leads_on`, the first statement completes its line."""

    lead: Words = NO_WORDS
    statements: tuple[StatementBlock, ...] = ()
    leads_on: bool = False
    aside: Words = NO_WORDS  # Continues the lead's paragraph.
    closing: Closing | None = None


class LineKind(StrEnum):
    """How a line is laid out."""

    PARAGRAPH = "paragraph"
    ENTRY = "entry"
    CODE = "code"


@dataclass(frozen=True, slots=True)
class Line:
    """A paragraph, a list entry or a whole block of code, which is one run."""

    kind: LineKind
    parts: tuple[Part, ...]

    @property
    def text(self) -> str:
        """The line's characters, with markers as `[n]`."""
        return "".join(map(text_of_part, self.parts))


def text_of_part(part: Part) -> str:
    """Return the characters of a part; a marker as `[n]`."""
    match part:
        case Marker(n):
            return f"[{n}]"
        case More(code):
            return code
        case Run(text):
            return text


def lines_of(blocks: Blocks) -> Iterator[Line]:
    """Yield the lines of an answer, in order."""
    listed, led_group = blocks.statements, ""
    lead = join_words((blocks.lead, blocks.aside))
    if blocks.leads_on and listed:
        first, *rest = listed
        listed, led_group = tuple(rest), first.group
        ahead = lead.without_colon() + f". {_group_label(first)}" if led_group else lead + " "
        yield _paragraph((*ahead.runs, *first.parts()))
        yield from _code_below(first)
    elif lead:
        yield _paragraph(lead.runs)
    for group, grouped in groupby(listed, key=lambda statement: statement.group):
        statements = tuple(grouped)
        if group in ("", led_group):
            yield from _list_lines(statements, is_list=blocks.leads_on or not statements[0].citations)
        elif len(statements) == 1:
            yield _paragraph((*words_of(_group_label(statements[0])).runs, *statements[0].parts()))
            yield from _code_below(statements[0])
        else:
            yield _paragraph((Run(f"{group}:"),))
            yield from _list_lines(statements, is_list=True)
    if blocks.closing:
        yield _paragraph(blocks.closing.parts())


def _group_label(statement: StatementBlock) -> str:
    """Return a statement's group as a label ("Removed: "); empty if the statement begins with that word."""
    first_word = split_tokens((statement.opening + statement.speaker + statement.words).text)[:1]
    return "" if split_tokens(statement.group)[:1] == first_word else f"{statement.group}: "


def _paragraph(parts: Iterable[Part]) -> Line:
    return _line(LineKind.PARAGRAPH, parts)


def _line(kind: LineKind, parts: Iterable[Part]) -> Line:
    """Return a line; adjacent runs in one style are merged and empty parts dropped."""
    merged: list[Part] = []
    for style, run in groupby(parts, key=lambda part: replace(part, text="") if isinstance(part, Run) else part):
        merged.append(replace(style, text="".join(map(text_of_part, run))) if isinstance(style, Run) else style)
    return Line(kind, tuple(part for part in merged if text_of_part(part)))


def _list_lines(statements: Sequence[StatementBlock], *, is_list: bool) -> Iterator[Line]:
    """Yield a leading statement as a paragraph and the others as a list; a speaker that all share is named once."""
    first = statements[0]
    names_speaker = True
    if not is_list:
        is_shared = bool(first.speaker) and all(s.speaker == first.speaker and not s.opening for s in statements)
        if first.leads or len(statements) == 1:
            yield _paragraph(first.parts())
            yield from _code_below(first)
            statements = statements[1:]
        elif is_shared:
            yield _paragraph((first.speaker + ":").runs)
        names_speaker = not is_shared
    for statement in statements:
        yield _line(LineKind.ENTRY, statement.parts(names_speaker=names_speaker))
        yield from _code_below(statement)


def _code_below(statement: StatementBlock) -> Iterator[Line]:
    if statement.code:
        yield Line(LineKind.CODE, (Run(statement.code, is_code=True),))


def grouped_lines(blocks: Blocks) -> Iterator[tuple[Line, ...]]:
    """Yield the lines as groups to separate by an empty line: adjacent list entries together, other lines alone."""
    for kind, run in groupby(lines_of(blocks), key=lambda line: line.kind):
        lines = tuple(run)
        yield from [lines] if kind is LineKind.ENTRY else ((line,) for line in lines)


def markdown_of(blocks: Blocks) -> str:
    """Return the answer in Markdown, in which no document text becomes a marker `[n]`, a tag, a link or emphasis."""

    def write(line: Line) -> str:
        if line.kind is LineKind.CODE:
            return f"```\n{line.text}\n```"
        return _mark_of(line) + _markdown(line.parts)

    return _write_lines(blocks, write)


def _mark_of(line: Line) -> str:
    return "- " if line.kind is LineKind.ENTRY else ""


def _write_lines(blocks: Blocks, write: Callable[[Line], str]) -> str:
    return "\n\n".join("\n".join(map(write, group)) for group in grouped_lines(blocks))


def markdown_words(words: Words) -> str:
    """Return words in Markdown, code in back quotes."""
    return _markdown(words.runs)


def safe(text: str) -> str:
    """Return document text as safe Markdown, also for clients that allow HTML in Markdown."""
    return markdown_words(words_of(text))


def plain_text_of(blocks: Blocks) -> str:
    """Return the answer as plain text with its `[n]` markers."""

    def write(line: Line) -> str:
        if line.kind is LineKind.CODE:
            return "\n".join(f"    {code}" if code else "" for code in line.text.split("\n"))
        return _mark_of(line) + line.text

    return _write_lines(blocks, write)


def bold(markdown: str) -> str:
    """Return Markdown in bold, the white space at its ends outside; blank text unchanged."""
    bare = markdown.strip()
    return markdown.replace(bare, f"**{bare}**", 1) if bare else markdown


def _markdown(parts: Iterable[Part]) -> str:
    written = ""
    for is_strong, group in groupby(parts, key=lambda part: isinstance(part, Run) and part.is_strong):
        inner = ""
        for part in group:
            if isinstance(part, Marker):
                inner += f"[{part.n}]"
            elif isinstance(part, More) or part.is_code:
                # A backslash before a back quote would escape it.
                code = as_code(text_of_part(part))
                inner += f"{' ' * (written + inner).endswith(chr(92))}{code}"
            else:
                text = part.text.replace("](", "] (")
                # A document's own `**` would end our bold.
                inner += text.replace("**", r"\*\*") if is_strong else text
        written += bold(inner) if is_strong else inner
    return written
