"""Group a section's items into runs: a list's entry with its nested items, a paragraph with what explains it."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, takewhile

from corpus.dates import find_dates, without_dates
from corpus.effects import named_change, stated_change
from corpus.entry_words import leads_away
from corpus.happenings import first_act
from corpus.lexicon import opens_with
from corpus.model import Item, ParsedDocument
from corpus.plain_words import LABEL, one_line, readable
from corpus.source_words import item_words
from ingest.releases.version_lines import RELEASE_WORDS, folded_words

_TABLE = ("|", "+-", "+=", "===")
_NAME_CHARACTERS = 70
"""Nested bullets up to this mean length are details of what introduces them. Chosen by hand, never fitted."""
_DETAIL_CHARACTERS = 200
_INTRODUCTION_CHARACTERS = 220  # Both chosen by hand, too.
_LEANING = frozenset(
    """this these it they previously before now instead if see note additionally also however should would use you we
    when where which after and or but because while code refer example then there here contributed""".split()
).union(
    ("for example", "for instance", "as a", "in order", "in addition", "with this"),
    (f"to {verb}" for verb in ("keep", "update", "avoid", "get", "use", "enable", "disable")),
    (f"the {adjective}" for adjective in ("new", "old", "following", "same", "previous", "above")),
)
_ONLY_INTRODUCES = re.compile(
    r"(?i)\A\W*+(?:[\w'\u2019 -]{1,60}\b(?:proud|happy|pleased|excited|thrilled|delighted) to announce|these"
    r" (?:features|changes|are\b|release notes)|this (?:section|page|document)\b|this is (?:[\w-]+ ){1,5}release\b"
    r"|this release do(?:es not|esn['’]t) contain|the following [^:]{1,200}$|contributed by|to see [\w ]{1,40}, visit\b"
    r"|(?:release[ds]?[ -](?:by|date|manager|name|on|status|type)|authors?|maintainers?|packagers?)\W{0,3}:"
    r"|v?\d+(?:\.\w+)+:\s+\d{1,2} [A-Z][a-z]{2,8} (?:19|20)\d\d"
    r"|(?:[\w-]+ ){1,5}(?:is|are) (?:listed|described|documented|kept) (?:separately|below|elsewhere|above|under))"
)
_OF_LISTS = RELEASE_WORDS.union(
    """are changed complete contain contains details following full has have here include included includes initial list
    see these""".split()
) - {"to"}
"""Words of what only leads to a list ("This release contains the following changes.", "Full list of changes")."""
_LEADING = (":", "\uff1a", "\u2026", "...")


@dataclass(frozen=True, slots=True)
class Atom:
    """An item of a document with the number of its passage, its own words and the marks before it."""

    passage: int
    heading: tuple[str, ...]  # The heading path of its passage.
    item: Item
    words: str  # Its text, with references resolved (`corpus.source_words.item_words`).
    is_code: bool
    tags: str | None = None  # The tags of the change directive that begins with it; None if none does.


Atoms = Sequence[Atom]


def read_sections(parsed: ParsedDocument) -> Iterator[tuple[Atom, ...]]:
    """Yield the atoms of each run of passages that share release, heading path and quoted project. Headings and lines
    that repeat one (a table of contents) are left out; a run may be empty."""
    text, document = parsed.document.text, parsed.document
    numbered = enumerate(parsed.passages)
    titles: dict[int, set[str]] = {}
    for passage in parsed.passages:
        # "Bug fixes:" may head a list in one release and be a heading in another.
        titles.setdefault(passage.release, {_bare(document.title)}).update(map(_bare, passage.heading))
    for (release, heading, _), section in groupby(numbered, key=lambda n: (n[1].release, n[1].heading, n[1].quoted)):
        end = -1
        atoms: list[Atom] = []
        for number, passage in section:
            end = passage.span.start if end < 0 else end
            for item in () if passage.boilerplate else passage.items:
                if _bare(item.span.slice(text)) not in titles[release]:
                    words = item_words(item, text, document.media_type)
                    is_code = item.is_code or words.lstrip().startswith(_TABLE)
                    atoms.append(Atom(number, heading, item, words, is_code, _tags(text[end : item.span.start])))
                    end = item.span.end
        yield tuple(atoms)


def _bare(title: str) -> str:
    """Return the letters and digits of a heading or a line, case-folded and without markup, to compare them."""
    return "".join(filter(str.isalnum, one_line(title).casefold()))


def _tags(gap: str) -> str | None:
    """Return the tags of the change directive in the text before an item, "" if it has none; None without one."""
    _, directive, options = gap.rpartition(".. change::")
    if not directive:
        return None
    lines = map(str.strip, options.splitlines())
    return next((line.split(":", 2)[2].strip() for line in lines if line.startswith((":tags:", ":tag:"))), "")


def _groups(atoms: Atoms, opens: Callable[[Atom, Atoms], bool]) -> Iterator[list[Atom]]:
    """Yield the atoms in order, in groups: an atom begins a new one if `opens(atom, group before it)`."""
    run: list[Atom] = []
    for atom in atoms:
        if run and opens(atom, run):
            yield run
            run = []
        run.append(atom)
    if run:
        yield run


def read_runs(atoms: Atoms) -> Iterator[list[Atom]]:
    """Yield each bullet with the items nested in it or continuing it, and each paragraph with what explains it."""

    def opens(atom: Atom, run: Atoms) -> bool:
        if not run[0].item.is_entry:
            return atom.item.is_entry or _opens_paragraph(atom, run)
        return atom.item.indent <= run[0].item.indent and (atom.item.is_entry or (atom.item.opens and not atom.is_code))

    return _groups(atoms, opens)


def read_paragraphs(atoms: Atoms) -> Iterator[list[Atom]]:
    """Yield each paragraph with the code, the names and the explanations that follow it."""
    return _groups(atoms, _opens_paragraph)


def read_sentences(atoms: Atoms) -> Iterator[list[Atom]]:
    """Yield each sentence that begins a paragraph or says what happened, with the code and the sentences after it."""

    def opens(atom: Atom, run: Atoms) -> bool:
        if atom.item.retracted is not run[-1].item.retracted:
            return True
        is_said = atom.item.opens or first_act(atom.words)[0] or stated_change(plain([atom]))
        return bool(is_said) and not (atom.is_code or introduces(run) or _leans(atom.words))

    return _groups(atoms, opens)


def read_directives(atoms: Atoms) -> Iterator[list[Atom]]:
    """Yield the atoms of each change directive."""
    return _groups(atoms, lambda atom, _: atom.tags is not None)


def is_introduction(run: Atoms) -> bool:
    """Return whether a group reports no change: it begins with code, is a day, thanks people, leads elsewhere, or only
    introduces what follows."""
    words = plain(run)
    if all(leads_away(atom.words) for atom in run) or only_leads(words):
        return True
    return run[0].is_code or bool(_ONLY_INTRODUCES.match(words)) or (introduces(run) and len(run) == 1)


def only_leads(words: str) -> bool:
    """Return whether words only lead to a list, or name the release and its day ("Version 1.2 released")."""
    rest = folded_words(without_dates(one_line(words), find_dates(one_line(words))))
    return len(rest) != 1 and _OF_LISTS.issuperset(word for word in rest if not word[0].isdigit())


def are_names(runs: Sequence[Atoms]) -> bool:
    """Return whether bullets have at most 70 characters on average, like names and other details."""
    lengths = [sum(len(atom.words) for atom in run) for run in runs]
    return bool(lengths) and sum(lengths) / len(lengths) <= _NAME_CHARACTERS


def are_entries(paragraphs: Sequence[Atoms]) -> bool:
    """Return whether at least two of the paragraphs or bullets under a title, and half of them, state a change."""
    stating = sum(stated_change(plain(run)) is not None for run in paragraphs)
    return stating > 1 and 2 * stating >= len(paragraphs)


def are_details(prose: Sequence[Atoms], bullets: Sequence[Atoms]) -> bool:
    """Return whether bullets under a titled change are only details of its prose."""
    words = " ".join(plain(run) for run in prose)
    if not named_change(words) and len(words) < _INTRODUCTION_CHARACTERS:
        return False
    return are_names(bullets) or len(words) > sum(len(plain(run)) for run in bullets) or len(bullets) == 1


def plain(run: Atoms) -> str:
    """Return the words of a group without code and markup."""
    return readable(" ".join(atom.words for atom in run if not atom.is_code))


def _opens_paragraph(atom: Atom, run: Atoms) -> bool:
    """Return whether a paragraph begins that doesn't depend on `run` by indent, a colon or its first words."""
    return (
        atom.item.opens
        and not atom.is_code
        and not introduces(run)
        and atom.item.indent <= run[0].item.indent
        and not _leans(atom.words)
        and (len(atom.words) >= _NAME_CHARACTERS or atom.words.rstrip().endswith((".", ":")))
        and not (
            atom.words[:1].islower()
            and len(atom.words) < _DETAIL_CHARACTERS
            and any(introduces([earlier]) for earlier in run)
        )
    )


def introduces(run: Atoms) -> bool:
    """Return whether a group ends in a colon or dots, as introductions do."""
    tail = "".join(takewhile(lambda sign: not sign.isalnum(), reversed(run[-1].words)))
    return any(mark in tail for mark in _LEADING)


def _leans(words: str) -> bool:
    """Return whether words explain the sentence before: by a label ("Impact"), "This", brackets, without a letter."""
    if words[:1] in ("[", "(") and not any(map(str.isalnum, words.partition("])"[words[0] == "("])[2])):
        return True
    is_leaning = words[:1].isalpha() and opens_with(words.replace("'", " ").replace("’", " "), _LEANING)
    return bool(is_leaning or LABEL.match(words)) or not any(map(str.isalnum, words))
