"""The entries of release notes as their writers meant them: a bullet with what hangs on it, a titled subsection with
its explanation, a paragraph.

Introductions, pointers and bare names under an entry are no entries of their own.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from corpus.index.stored import StoredPassage
from corpus.index.tables import TableReader
from corpus.model import Item
from corpus.plain_words import readable
from retrieval.item_sentences import is_bare_name
from retrieval.quoting.said_words import leads_away, without_records
from retrieval.upgrades.atoms import (
    Atom,
    are_details,
    are_entries,
    are_names,
    introduces,
    is_introduction,
    plain,
    read_directives,
    read_paragraphs,
    read_runs,
    read_sections,
    read_sentences,
)
from retrieval.upgrades.effects import told_change
from retrieval.upgrades.section_headings import (
    LISTED,
    Scope,
    is_category,
    names_code,
    scope_of,
    scope_of_link,
    scope_of_tag,
    scope_of_title,
)

_LEAD_CHARACTERS = 320
_MARKS = " *_`#=:.?!…"
_ELABORATES = frozenset(
    """summary detail details example examples background motivation rationale why before after note notes explanation
    usage faq references contents""".split()
).union(("technical detail", "technical details", "see also", "further reading", "table of contents"))


@dataclass(frozen=True, slots=True)
class Entry:
    """One change as the notes list it."""

    atoms: tuple[Atom, ...]  # At least one, in order.
    title: str  # The heading that is the entry's own; empty where none is.
    scope: Scope
    is_listed: bool  # An entry of its section's list, or the whole of it: the section's promise holds for it.
    lead: str  # Its title or stem and its first words on one line, without markup: what it mainly says.
    stem: Atom | None = None  # The bare name that its list stands under ("gizmo/frontend.py").

    @property
    def passage(self) -> StoredPassage:
        """Where it begins."""
        return self.atoms[0].passage

    @property
    def first(self) -> Item:
        """Its first sentence, of which is learned what it tells."""
        return next((atom.item for atom in self.atoms if not atom.is_code), self.atoms[0].item)


def read_entries(passages: Iterable[StoredPassage], index: TableReader, names: frozenset[str]) -> Iterator[Entry]:
    """The entries of `passages` (in the order of the index), section by section; `names` are the product's."""
    for atoms in filter(None, read_sections(passages, index)):
        heading = atoms[0].passage.heading
        title = heading[-1] if len(heading) > 1 or len(atoms) == 1 else ""
        own = "" if is_category(title, names) else title
        if scope_of(heading, names) in LISTED | {Scope.GUIDE} and elaborates(title):
            continue
        is_breaking = own and scope_of_title(own) is Scope.BREAKS
        scope = Scope.BREAKS if is_breaking else scope_of(heading[:-1] if own else heading, names)
        if any(atom.tags is not None for atom in atoms):
            for run in read_directives(atoms):
                tags = (run[0].tags or "").replace(",", " ")
                yield _entry(run, "", scope_of_title(tags) or Scope.OPEN if tags else scope, is_listed=True)
        elif any(atom.is_entry for atom in atoms):
            yield from _list_entries(atoms, own, scope, names)
        else:
            yield from _prose_entries(atoms, own, scope)


def elaborates(title: str) -> bool:
    """Whether a heading announces more of what stands above it: "Details", "Background", "What should I do?"."""
    asks = title.rstrip(" *_`").endswith("?") and not names_code(title)
    return asks or " ".join(title.strip(_MARKS).casefold().split()) in _ELABORATES


def _list_entries(atoms: Sequence[Atom], own: str, scope: Scope, names: frozenset[str]) -> Iterator[Entry]:
    """Bullets are entries, unless the title says the change and they are its details."""
    runs = list(read_runs(atoms))
    bullets = [run for run in runs if run[0].is_entry]
    prose = [run for run in runs if not run[0].is_entry]
    is_step = scope is Scope.GUIDE and not are_entries(bullets)
    if own and (told_change(own) or is_step or are_details(prose, bullets)):
        yield _entry(atoms, own, scope, is_listed=True)
        return
    here = scope
    for run, following in zip_longest(runs, runs[1:]):
        if run[0].is_entry:
            yield from _bullet_entries(run, here, names)
            continue
        is_head = bool(following) and following[0].is_entry and introduces(run)
        here = _group_scope(run, scope, names) if is_head else scope
        if not is_head and not is_introduction(run):
            yield _entry(run, own, scope, is_listed=False)


def _bullet_entries(
    run: Sequence[Atom], scope: Scope, names: frozenset[str], stem: Atom | None = None
) -> Iterator[Entry]:
    """A bullet as an entry; those nested in it, where it only names their kind ("remove:", "Bug fixes") or the part of
    the software that each of them tells something of ("Hub:")."""
    head, below = run[:1], list(read_runs(run[1:]))
    is_list = bool(below) and below[0][0].is_entry
    is_part = is_list and introduces(head) and told_change(plain(head)) is None and not are_names(below)
    if is_list and is_bare_name(head[0].words):
        # In a list of what goes the name itself may go.
        is_stem = scope not in LISTED or all(told_change(plain(bullet)) for bullet in below)
        stem = head[0] if is_stem else stem
    if is_part or (stem and stem is head[0]) or (is_list and is_category(plain(head).strip(" :"), names)):
        for bullet in below:
            yield from _bullet_entries(bullet, _group_scope(head, scope, names), names, stem)
    else:
        yield _entry(run, "", scope, is_listed=True, stem=stem)


def _group_scope(run: Sequence[Atom], scope: Scope, names: frozenset[str]) -> Scope:
    """The scope of bullets below a line that names their kind as a heading would ("Bug fixes:")."""
    title = plain(run).strip(" :")
    return (scope_of_title(title) or scope) if is_category(title, names) else scope


def _prose_entries(atoms: Sequence[Atom], own: str, scope: Scope) -> Iterator[Entry]:
    """Paragraphs of a list are entries; elsewhere sentences are, or a titled section as a whole."""
    paragraphs = list(read_paragraphs(atoms))
    if all(leads_away(atom.words) for atom in atoms):
        return
    if own and not (scope in LISTED and not told_change(own) and are_entries(paragraphs)):
        yield _entry(atoms, own, scope, is_listed=True)
        return
    for run in paragraphs if scope in LISTED else read_sentences(atoms):
        if not is_introduction(run):
            yield _entry(run, "", scope, is_listed=scope in LISTED)


def _entry(atoms: Sequence[Atom], title: str, scope: Scope, *, is_listed: bool, stem: Atom | None = None) -> Entry:
    words = ""
    for atom in atoms:
        if not atom.is_code:
            words += " " + atom.words
        if len(words) >= _LEAD_CHARACTERS:
            break
    lead = without_records(readable(words)[:_LEAD_CHARACTERS].strip())
    if scope not in LISTED and is_listed and not title:
        scope = scope_of_tag(lead) or scope_of_link(atoms[0].words) or scope
    if stem:
        lead = f"{plain([stem])}: {lead}"
    return Entry(tuple(atoms), title, scope, is_listed, f"{readable(title)}. {lead}" if title else lead, stem)
