"""Lay out an answer for the page: the verdict, the statement that it is based on, then the others by kind."""

from dataclasses import dataclass, replace
from itertools import groupby

from corpus.ages import day_words
from retrieval.blocks import Marker, Part, Run, StatementBlock, Words, text_of_part, words_of
from retrieval.model import Answer, Citation, Status
from ui.rendering.words import counted, product_version

_LARGE_CHARACTERS, _SECTION_CHARACTERS = 90, 30


@dataclass(frozen=True, slots=True)
class Entry:
    """A statement as a line, with the code below it."""

    parts: tuple[Part, ...]
    code: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """Statements of one kind; `word` is its name, empty if they have none."""

    word: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Layout:
    """The parts of an answer, each once, by their place on the page."""

    verdict: tuple[Part, ...]
    counted: tuple[Part, ...] = ()  # The end of the verdict's line, in small type: the number of entries of each kind.
    about: str = ""  # Section, release and day, unless the verdict mentions them.
    stated: Entry | None = None  # The statement that the verdict is based on; None if it is the verdict.
    aside: tuple[Part, ...] = ()
    groups: tuple[Group, ...] = ()
    closing: tuple[Part, ...] = ()

    @property
    def is_long(self) -> bool:
        """Whether the verdict is too long for large type, or quotes an entry, which large type would overemphasise."""
        is_quoted = any(isinstance(part, Marker) for part in self.verdict)
        return is_quoted or sum(len(text_of_part(part)) for part in self.verdict) > _LARGE_CHARACTERS


def lay_out(answer: Answer) -> Layout:
    """Return the layout of an answer; without a lead, its verdict is the first statement, its speaker or a count."""
    blocks = answer.blocks
    closing = blocks.closing.parts() if blocks.closing else ()
    lead, rows = blocks.lead.without_colon(), blocks.statements
    if answer.status is Status.NOT_FOUND:
        return Layout(lead.runs, groups=_groups(rows))
    more = blocks.closing.count if blocks.closing else 0
    count = counted(len(rows) + more, "entry", "entries")
    count = f"{len(rows)} of {count}" if more else count
    if lead or not rows:
        # A lead may contain the count itself ("2.0: 3 breaking changes", "mark 4 security fixes").
        is_counted = ":" in lead.text or str(len(rows) + more) in lead.text.split()
        about = count if len(rows) > 1 and not is_counted else ""
        verdict, counts = _before_count(lead.runs) if rows else (lead.runs, ())
        return Layout(verdict, counts, about, aside=blocks.aside.runs, groups=_groups(rows), closing=closing)
    return replace(_lay_out_statements(answer, rows, count), closing=closing)


def _lay_out_statements(answer: Answer, rows: tuple[StatementBlock, ...], count: str) -> Layout:
    """Return the layout of statements without a lead."""
    first, rest = rows[0], rows[1:]
    speaker = first.speaker
    if rest and not first.leads and all(row.speaker == speaker for row in rows):
        return Layout(speaker.runs, about=count, groups=_groups(rows, names_speaker=False))
    cited = next((citation for citation in answer.citations if citation.n in first.citations), None)
    if cited is None or (rest and not first.leads):
        # If two releases are compared, each one's statements are listed under its name.
        is_sided = len({row.speaker for row in rows}) < len(rows) and not any(row.group or row.opening for row in rows)
        return Layout(words_of(count).runs if rest else (), groups=_groups(rows, by_speaker=is_sided))
    return replace(_lay_out_first(first, cited), groups=_groups(rest))


def _lay_out_first(first: StatementBlock, cited: Citation) -> Layout:
    """Return the layout of the statement that the verdict is based on."""
    marked, speaker = first.marked(first.words), first.speaker
    if not (first.verdict or first.opening or first.code) and not first.has_context:
        return Layout(marked, about=_about(cited, speaker) if speaker else "")
    opening = first.opening.with_small_initial() if first.verdict else first.opening
    shown = (opening + _release(cited, speaker)).text
    if first.verdict:
        shown = f"{first.verdict}: {shown}" if opening else f"{first.verdict}."
    about = _about(cited, speaker, shown)
    return Layout(words_of(shown).runs, about=about, stated=Entry(marked, first.code))


def _before_count(runs: tuple[Run, ...]) -> tuple[tuple[Run, ...], tuple[Run, ...]]:
    """Split a line after its first colon outside code; without a colon, return all of it and nothing."""
    for n, run in enumerate(runs):
        before, colon, after = run.text.partition(": ")
        if colon and not run.is_code:
            return (*runs[:n], replace(run, text=f"{before}:")), (replace(run, text=after), *runs[n + 1 :])
    return runs, ()


def _release(cited: Citation, speaker: Words) -> str:
    """Return product, release and day, or the speaker's words if they add to these ("yanked", "According to …")."""
    name, day, who = product_version(cited.product, cited.version), cited.date, cited.authority.value
    # The authority is shown beside it as a badge.
    plain = [f"{name}{aside}".casefold() for aside in ("", f" ({day})", f" ({who})", f" ({who}, {day})")]
    if speaker and speaker.text.casefold() not in plain:
        return speaker.text
    return f"{name}, {day_words(day)}" if day else name


def _about(cited: Citation, speaker: Words, shown: str = "") -> str:
    """Return section and release, without a section with a long title, and a release that `shown` contains."""
    section = cited.heading[-1] if len(cited.heading) > 1 else ""
    if (cited.version and cited.version in section) or len(section) > _SECTION_CHARACTERS:
        section = ""
    release = _release(cited, speaker)
    return ", ".join(filter(None, (section, "" if release in shown else release)))


def _groups(
    statements: tuple[StatementBlock, ...], *, names_speaker: bool = True, by_speaker: bool = False
) -> tuple[Group, ...]:
    """Return consecutive statements grouped by their kind's word, or by their speaker if `by_speaker`."""
    return tuple(
        Group(word, tuple(Entry(row.parts(names_speaker=names_speaker and not by_speaker), row.code) for row in rows))
        for word, rows in groupby(statements, key=lambda row: row.speaker.text if by_speaker else row.group)
    )
