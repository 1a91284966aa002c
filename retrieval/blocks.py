"""An answer as blocks: what it tells, by what each part is; and the order in which their lines stand.

Words are runs of text and code from where they are made, and nothing reads what was written. Text of documents is made
harmless in `words_of`, the one way in.
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
"""They would turn the direction of what follows them, our own markers too."""
LINE_ENDS = (0x2028, 0x2029)  # Where some terminals and readers of lines begin another.
CONTROLS: dict[int, str] = dict.fromkeys((*range(0x20), *range(0x7F, 0xA0)), "\N{REPLACEMENT CHARACTER}")
CONTROLS |= {ord("\t"): "\t", ord("\n"): "\n"}
"""What drives a terminal, and what to show for it."""
_HARMLESS = CONTROLS | dict.fromkeys(BIDI_CONTROLS, "") | {ord("\r"): "\n"}
_TAG = r"<[A-Za-z/!?][^<>\n]*>"
_CODE = re.compile(
    rf"(?:(?<!`)`++[^`\n]++`++|\[(?:[\[\]]|{_TAG}){{0,200}}\d++(?:[\[\]\d]|{_TAG}){{0,200}}\]|{_TAG}"
    r"|<(?=[A-Za-z/!?])[^\s<>`\[\]]*)+"
)
"""Code spans, and what has to stand in one: markers, whatever may begin a tag, and what would be a marker once a tag or
marker inside it is gone ("[<b>1]", "[[2]3]"). What stands side by side is one span, or the marks between two would be
read as one."""


@dataclass(frozen=True, slots=True)
class Run:
    """Characters of one look."""

    text: str
    is_code: bool = False
    is_strong: bool = False


@dataclass(frozen=True, slots=True)
class Marker:
    """A `[n]` that stands for citation `n`."""

    n: int


@dataclass(frozen=True, slots=True)
class More:
    """Where there is more than is told: a command that lists it all, or the document that has it."""

    code: str
    upgrade: tuple[str, str, str] | None = None  # The product and the two releases of the list; None for a document.


Part: TypeAlias = Run | Marker | More


@dataclass(frozen=True, slots=True)
class Words:
    """What is said, in runs. Plain strings that are added are read like a document's words."""

    runs: tuple[Run, ...] = ()

    def __add__(self, other: "Words | str") -> "Words":
        return Words(self.runs + as_words(other).runs)

    def __radd__(self, other: str) -> "Words":
        return words_of(other) + self

    def __bool__(self) -> bool:
        return bool(self.runs)

    @property
    def text(self) -> str:
        """The characters without their looks."""
        return "".join(run.text for run in self.runs)

    def strong(self) -> "Words":
        """Return the same words, set off."""
        return Words(tuple(replace(run, is_strong=True) for run in self.runs))

    def with_small_initial(self) -> "Words":
        """Return the words as they go on after others of ours; a name at their beginning stays as it is."""
        if not self.runs or self.runs[0].is_code or self.runs[0].is_strong:
            return self
        first, *rest = self.runs
        return Words((replace(first, text=first.text[:1].lower() + first.text[1:]), *rest))

    def without_colon(self) -> "Words":
        """Return the words without a colon at their end."""
        if not self.runs or self.runs[-1].is_code:
            return self
        *rest, last = self.runs
        return Words((*rest, replace(last, text=last.text.removesuffix(":"))))


NO_WORDS = Words()


def as_words(value: Words | str) -> Words:
    """Words as they are, a plain string read by `words_of`."""
    return value if isinstance(value, Words) else words_of(value)


def words_of(text: str) -> Words:
    """Text of a document, or of ours with code between back quotes, as it may be shown.

    Code spans of single backticks stay. Markers and tags stand in one; controls of writing direction are left out,
    those of a terminal replaced.
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
    """Return whom something is about, set off: `**Gizmo 2.12**`."""
    return words_of(" ".join(str(part) for part in parts if part)).strong()


def code_line(line: str) -> str:
    """Return a line of code of a document as it may stand in an answer's fence or code span."""
    return line.translate(_HARMLESS).replace("`", "'").replace("\n", " ")


def join_words(parts: Iterable[Words | str], between: str = " ") -> Words:
    """Return those of some words that say something, with `between` them."""
    kept = [words for part in parts if (words := as_words(part))]
    gap = (Run(between),)
    return Words(tuple(run for n, words in enumerate(kept) for run in (*(gap if n else ()), *words.runs)))


@dataclass(frozen=True, slots=True)
class StatementBlock:
    """One thing that an answer tells: in the words of its sources, with the numbers of the citations that prove it."""

    words: Words
    citations: tuple[int, ...] = ()
    verdict: str = ""  # Yes or no, where that is asked and the quotes bear it.
    opening: Words = NO_WORDS  # What is said of it in words of ours: what became of the thing ("Removed in").
    speaker: Words = NO_WORDS  # Product and release, the day, who speaks; empty where the lead or the words name them.
    group: str = ""  # The word that it is told under with its neighbours of the same; none where empty.
    code: str = ""  # Lines of code that are shown below it.
    leads: bool = False  # Whether it answers, and what is told with it adds to it.

    @property
    def has_context(self) -> bool:
        """Whether it tells more than the sentence that answers, which is set off in it, not the name it begins with."""
        return bool(self.speaker) and any(run.is_strong for run in self.words.runs)

    def parts(self, *, names_speaker: bool = True) -> tuple[Part, ...]:
        """Return the line that tells it."""
        speaker = self.speaker if names_speaker else NO_WORDS
        words = self.opening + speaker + (": " if speaker and self.words else "") + self.words
        return self.marked(f"{self.verdict}: " + words.with_small_initial() if self.verdict else words)

    def marked(self, words: Words) -> tuple[Part, ...]:
        """Words of it with the markers of its citations."""
        gap = [Run(" ")] if self.citations and words else []
        return (*words.runs, *gap, *map(Marker, self.citations))


@dataclass(frozen=True, slots=True)
class Closing:
    """How much more there is, and where."""

    count: int
    more: More

    def parts(self) -> tuple[Part, ...]:
        """Return the line that says so."""
        if self.more.upgrade:
            return (Run(f"{self.count} more: "), self.more)
        return (Run(f"{self.count} more in "), self.more, Run("."))


@dataclass(frozen=True, slots=True)
class Blocks:
    """All that an answer tells. The lead stands first; where it `leads_on`, the first statement ends its line."""

    lead: Words = NO_WORDS
    statements: tuple[StatementBlock, ...] = ()
    leads_on: bool = False
    aside: Words = NO_WORDS  # What goes on after the lead, in its paragraph.
    closing: Closing | None = None


class LineKind(StrEnum):
    """How a line stands."""

    PARAGRAPH = "paragraph"
    ENTRY = "entry"
    CODE = "code"


@dataclass(frozen=True, slots=True)
class Line:
    """A paragraph, an entry of a list or a block of code, whose lines are one run."""

    kind: LineKind
    parts: tuple[Part, ...]

    @property
    def text(self) -> str:
        """Its characters, markers as `[n]`."""
        return "".join(map(text_of_part, self.parts))


def text_of_part(part: Part) -> str:
    """Return the characters of a part: of a marker `[n]`."""
    match part:
        case Marker(n):
            return f"[{n}]"
        case More(code):
            return code
        case Run(text):
            return text


def lines_of(blocks: Blocks) -> Iterator[Line]:
    """Return the lines of an answer, in order."""
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
    for group, grouped in groupby(listed, key=lambda one: one.group):
        some = tuple(grouped)
        if group in ("", led_group):
            yield from _list_lines(some, is_list=blocks.leads_on or not some[0].citations)
        elif len(some) == 1:
            yield _paragraph((*words_of(_group_label(some[0])).runs, *some[0].parts()))
            yield from _code_below(some[0])
        else:
            yield _paragraph((Run(f"{group}:"),))
            yield from _list_lines(some, is_list=True)
    if blocks.closing:
        yield _paragraph(blocks.closing.parts())


def _group_label(statement: StatementBlock) -> str:
    """Return the word that a statement is told under, unless it begins with it ("Removed support for …")."""
    begins = split_tokens((statement.opening + statement.speaker + statement.words).text)[:1]
    return f"{statement.group}: " * (split_tokens(statement.group)[:1] != begins)


def _paragraph(parts: Iterable[Part]) -> Line:
    return _line(LineKind.PARAGRAPH, parts)


def _line(kind: LineKind, parts: Iterable[Part]) -> Line:
    """A line in which characters of one look that stand side by side are one run."""
    merged: list[Part] = []
    for look, run in groupby(parts, key=lambda part: replace(part, text="") if isinstance(part, Run) else part):
        merged.append(replace(look, text="".join(map(text_of_part, run))) if isinstance(look, Run) else look)
    return Line(kind, tuple(part for part in merged if text_of_part(part)))


def _list_lines(statements: Sequence[StatementBlock], *, is_list: bool) -> Iterator[Line]:
    """Yield what leads by itself, the others as a list; whom all of them have in common is named once, before it."""
    first = statements[0]
    names_speaker = True
    if not is_list:
        is_shared = bool(first.speaker) and all(one.speaker == first.speaker and not one.opening for one in statements)
        if first.leads or len(statements) == 1:
            yield _paragraph(first.parts())
            yield from _code_below(first)
            statements = statements[1:]
        elif is_shared:
            yield _paragraph((first.speaker + ":").runs)
        names_speaker = not is_shared
    for one in statements:
        yield _line(LineKind.ENTRY, one.parts(names_speaker=names_speaker))
        yield from _code_below(one)


def _code_below(statement: StatementBlock) -> Iterator[Line]:
    if statement.code:
        yield Line(LineKind.CODE, (Run(statement.code, is_code=True),))


def grouped_lines(blocks: Blocks) -> Iterator[tuple[Line, ...]]:
    """Return the lines by what an empty line stands between: the entries of a list together, any other by itself."""
    for kind, run in groupby(lines_of(blocks), key=lambda line: line.kind):
        together = tuple(run)
        yield from [together] if kind is LineKind.ENTRY else ((line,) for line in together)


def markdown_of(blocks: Blocks) -> str:
    """Return the answer in Markdown with `[n]` markers: only citations look like one, and nothing of a document is a
    tag, a link or a mark."""

    def write(line: Line) -> str:
        if line.kind is LineKind.CODE:
            return f"```\n{line.text}\n```"
        return "- " * (line.kind is LineKind.ENTRY) + _markdown(line.parts)

    return _written(blocks, write)


def _written(blocks: Blocks, write: Callable[[Line], str]) -> str:
    return "\n\n".join("\n".join(map(write, group)) for group in grouped_lines(blocks))


def markdown_words(words: Words) -> str:
    """Words in Markdown, code in back quotes."""
    return _markdown(words.runs)


def safe(text: str) -> str:
    """Text of a document as it may stand in Markdown, also where a client lets Markdown hold HTML."""
    return markdown_words(words_of(text))


def plain_text_of(blocks: Blocks) -> str:
    """Return the answer as a person reads it, with its markers and without marks."""

    def write(line: Line) -> str:
        if line.kind is LineKind.CODE:
            return "\n".join(f"    {code}" if code else "" for code in line.text.split("\n"))
        return "- " * (line.kind is LineKind.ENTRY) + line.text

    return _written(blocks, write)


def set_off(markdown: str) -> str:
    """Markdown in bold, the blanks at its ends left out of it; as it is where it is blank."""
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
                # A backslash would take the back quote's meaning away.
                code = as_code(text_of_part(part))
                inner += f"{' ' * (written + inner).endswith(chr(92))}{code}"
            else:
                text = part.text.replace("](", "] (")
                # Two marks of a document's own would end ours.
                inner += text.replace("**", r"\*\*") if is_strong else text
        written += set_off(inner) if is_strong else inner
    return written
