"""The entries of release notes as their writers meant them: a bullet with what hangs on it, a titled subsection with its
explanation, a paragraph.

Introductions, pointers and bare names under an entry are no entries of their own.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from corpus.index_tables import TableReader
from corpus.plain_words import readable
from corpus.stored import StoredPassage
from retrieval.said_words import leads_away
from retrieval.upgrades.atoms import Atom, read_sections
from retrieval.upgrades.effects import stated_change, told_change
from retrieval.upgrades.scopes import LISTED, Scope, is_category, names_code, scope_of, scope_of_tag, scope_of_title

_LEAD_CHARACTERS = 320
_NAME_CHARACTERS = 70
"""A nested list's bullets up to this length on average are names or details of what introduces them."""
_DETAIL_CHARACTERS = 200
_INTRODUCTION_CHARACTERS = 220
_LEANS = re.compile(
    r"(?:this|these|that|those|it|its|they|such|previously|formerly|before|now|instead|if|for example|for instance|e\.g"
    r"|see|note|to (?:fix|restore|keep|migrate|update|avoid|get|do|opt|achieve|preserve|use|enable|disable)|as a|in order|"
    r"in addition|additionally|also|however|therefore|thus|hence|should|would|could|use|you|we|when|where|which|after"
    r"|and|or|but|because|while|code|with this|refer|example|either|then|there|the (?:new|old|following|same"
    r"|recommended|reason|motivation|previous|replacement|result|above|former|latter)|here|further"
    r"|alternatively|otherwise|consequently|contributed)\b|\(|\W*$",
    re.IGNORECASE,
)
_INTRODUCES = re.compile(
    r"\b(?:th(?:is|ese) (?:are|is|(?:\w+ )?section|page|document|guide|release|version|changelog|notes?|features?)|end of (?:its|their)"
    r" deprecation|(?:here (?:are|is)|below|following|described in"
    r"|list(?:s|ed)|summar|overview|list of)\b|in addition to the (?:changes|deprecat)|the changes (?:are|below))",
    re.IGNORECASE,
)
_ONLY_INTRODUCES = re.compile(
    r"\W*(?:these (?:features|changes|are\b|release notes)|this (?:section|page|document)\b"
    r"|(?:[\w-]+ ){1,5}(?:is|are) (?:listed|described|documented) (?:separately|below|elsewhere|above))",
    re.IGNORECASE,
)
_FOLLOWING = re.compile(r"\W*(?:the following|below)\b", re.IGNORECASE)
_CLOSING = re.compile(r"\W*(?:thanks?\b|thank you|(?:many )?thanks to|kudos|contributed by|credits?\b)", re.IGNORECASE)
_DIRECTED = re.compile(r"(?:[:\uff1a\u2026]|\.\.\.)\W*$")
_ELABORATES = re.compile(
    r"\W*(?:summary|(?:technical )?details?|examples?|background|motivation|rationale|why|before|after|how to \w+|notes?"
    r"|explanation|usage|faq|references|see also|further reading|contents|table of contents)\W*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Entry:
    """One change as the notes list it."""

    atoms: tuple[Atom, ...]
    """At least one, in order."""
    title: str
    """The heading that is the entry's own; empty where none is."""
    scope: Scope
    is_listed: bool
    """An entry of its section's list, or the whole of it: the section's promise holds for it."""
    lead: str
    """Its title and first words on one line, without markup: what it mainly says."""

    @property
    def passage(self) -> StoredPassage:
        """Where it begins."""
        return self.atoms[0].passage


def read_entries(passages: Iterable[StoredPassage], index: TableReader, names: frozenset[str]) -> Iterator[Entry]:
    """The entries of `passages` (in the order of the index), section by section; `names` are the product's."""
    for atoms in read_sections(passages, index):
        if atoms:
            yield from _section_entries(atoms, names)


def _section_entries(atoms: Sequence[Atom], names: frozenset[str]) -> Iterator[Entry]:
    passage = atoms[0].passage
    heading = passage.heading
    label = (passage.release or "").casefold()
    title = heading[-1] if len(heading) > 1 or len(atoms) == 1 else ""
    is_release = bool(label) and bool(re.search(rf"(?<![\w.]){re.escape(label)}(?![\w])", title.casefold()))
    own = "" if is_category(title, names) or (is_release and not told_change(title)) else title
    if scope_of(heading, names) in LISTED and _ELABORATES.match(title):
        return
    scope = scope_of(heading[:-1] if own else heading, names)
    if own and scope_of_title(own) is Scope.BREAKS:
        scope = Scope.BREAKS
    if any(atom.tags is not None for atom in atoms):
        yield from _directed_entries(atoms, scope)
    elif any(atom.is_entry for atom in atoms):
        yield from _list_entries(atoms, own, scope, names)
    else:
        yield from _prose_entries(atoms, own, scope)


def _directed_entries(atoms: Sequence[Atom], scope: Scope) -> Iterator[Entry]:
    """Each change directive is an entry; its tags say of what kind."""
    run: list[Atom] = []
    for atom in atoms:
        if atom.tags is not None and run:
            yield _entry(run, "", _tagged_scope(run[0].tags, scope), is_listed=True)
            run = []
        run.append(atom)
    yield _entry(run, "", _tagged_scope(run[0].tags, scope), is_listed=True)


def _tagged_scope(tags: str | None, scope: Scope) -> Scope:
    return scope if not tags else scope_of_title(tags.replace(",", " ")) or Scope.OPEN


def _list_entries(atoms: Sequence[Atom], own: str, scope: Scope, names: frozenset[str]) -> Iterator[Entry]:
    """Bullets are entries, unless the title says the change and they are its details."""
    runs = list(_runs(atoms))
    bullets = [run for run in runs if run[0].is_entry]
    prose = [run for run in runs if not run[0].is_entry]
    is_step = scope is Scope.GUIDE and not _are_entries(bullets)
    if own and (told_change(own) or is_step or _are_details(prose, bullets)):
        yield _entry(atoms, own, scope, is_listed=True)
        return
    position = 0
    here = scope
    while position < len(runs):
        run = runs[position]
        position += 1
        if run[0].is_entry:
            if not _is_contents(run):
                yield _entry(run, "", here, is_listed=True)
            continue
        below: list[list[Atom]] = []
        while position < len(runs) and runs[position][0].is_entry:
            below.append(runs[position])
            position += 1
        introduces = bool(below) and bool(_DIRECTED.search(run[-1].words))
        here = _group_scope(run, scope, names) if introduces else scope
        if introduces and _are_names(below) and stated_change(_plain(run)):
            yield _entry([*run, *(atom for one in below for atom in one)], own, scope, is_listed=True)
            continue
        if not introduces and not _is_introduction(run):
            yield _entry(run, own, scope, is_listed=False)
        for one in below:
            if not _is_contents(one):
                yield _entry(one, "", here, is_listed=True)


def _group_scope(run: Sequence[Atom], scope: Scope, names: frozenset[str]) -> Scope:
    """The scope of bullets below a line that names their kind as a heading would ("Bug fixes:")."""
    title = _plain(run).strip(" :")
    return (scope_of_title(title) or scope) if is_category(title, names) else scope


def _is_contents(run: Sequence[Atom]) -> bool:
    """Whether a bullet only leads to a section of the page."""
    return "](#" in run[0].words and leads_away(run[0].words)


def _prose_entries(atoms: Sequence[Atom], own: str, scope: Scope) -> Iterator[Entry]:
    paragraphs = list(_paragraphs(atoms))
    if own and not (scope in LISTED and not told_change(own) and _are_entries(paragraphs)):
        yield _entry(atoms, own, scope, is_listed=True)
        return
    if scope in LISTED:
        for run in paragraphs:
            if not _is_introduction(run):
                yield _entry(run, "", scope, is_listed=True)
        return
    for run in _sentences(atoms):
        if not _is_introduction(run):
            yield _entry(run, "", scope, is_listed=False)


def _runs(atoms: Sequence[Atom]) -> Iterator[list[Atom]]:
    """A bullet with what is nested in it or continues it; a paragraph with what leans on it."""
    run: list[Atom] = []
    indent = 0
    for atom in atoms:
        if run and run[0].is_entry:
            if atom.is_entry:
                opens = atom.indent <= indent
            else:
                opens = atom.opens_paragraph and atom.indent <= indent and not atom.is_code
        else:
            opens = atom.is_entry or (atom.opens_paragraph and not atom.is_code and not _leans(atom, run))
        if run and opens:
            yield run
            run = []
        if not run:
            indent = atom.indent
        run.append(atom)
    if run:
        yield run


def _paragraphs(atoms: Sequence[Atom]) -> Iterator[list[Atom]]:
    """Paragraphs with the code, the names and the explanations that follow each."""
    run: list[Atom] = []
    for atom in atoms:
        if run and atom.opens_paragraph and not atom.is_code and not _leans(atom, run):
            yield run
            run = []
        run.append(atom)
    if run:
        yield run


def _sentences(atoms: Sequence[Atom]) -> Iterator[list[Atom]]:
    """Sentences, each with those that lean on it within its paragraph."""
    run: list[Atom] = []
    for atom in atoms:
        introduced = bool(run) and bool(_DIRECTED.search(run[-1].words))
        if run and not atom.is_code and not introduced and (atom.opens_paragraph or not _LEANS.match(atom.words)):
            yield run
            run = []
        run.append(atom)
    if run:
        yield run


def _leans(atom: Atom, run: Sequence[Atom]) -> bool:
    """Whether a paragraph continues what stands before it: further in, after a colon, or by its first words."""
    if not run:
        return False
    return (
        atom.indent > run[0].indent
        or bool(_DIRECTED.search(run[-1].words))
        or bool(_LEANS.match(atom.words))
        or (len(atom.words) < _NAME_CHARACTERS and not atom.words.rstrip().endswith((".", ":")))
        or (atom.words[:1].islower() and len(atom.words) < _DETAIL_CHARACTERS and _introduces_names(run))
        or (atom.words[:1].islower() and run[-1].words.rstrip()[-1:] not in ".)!?:")
    )


def _introduces_names(run: Sequence[Atom]) -> bool:
    return any(_DIRECTED.search(atom.words) for atom in run)


def _are_entries(paragraphs: Sequence[Sequence[Atom]]) -> bool:
    """Whether the paragraphs or bullets under a title each state a change of their own."""
    stating = sum(stated_change(_plain(run)) is not None for run in paragraphs)
    return stating > 1 and 2 * stating >= len(paragraphs)


def _are_names(runs: Sequence[Sequence[Atom]]) -> bool:
    lengths = [sum(len(atom.words) for atom in run) for run in runs]
    return bool(lengths) and sum(lengths) / len(lengths) <= _NAME_CHARACTERS


def _are_details(prose: Sequence[Sequence[Atom]], bullets: Sequence[Sequence[Atom]]) -> bool:
    """Whether bullets under a titled change only spell out what its prose says."""
    words = " ".join(_plain(run) for run in prose)
    if not told_change(words) and len(words) < _INTRODUCTION_CHARACTERS:
        return False
    return _are_names(bullets) or len(words) > sum(len(_plain(run)) for run in bullets) or len(bullets) == 1


def _is_introduction(run: Sequence[Atom]) -> bool:
    words = _plain(run)
    return (
        run[0].is_code
        or bool(_ONLY_INTRODUCES.match(words))
        or (len(run) == 1 and bool(_FOLLOWING.match(words)) and not names_code(run[0].words))
        or leads_away(run[0].words)
        or bool(_CLOSING.match(words))
        or bool(_DIRECTED.search(run[-1].words) and len(run) == 1)
        or (len(words) < _INTRODUCTION_CHARACTERS and bool(_INTRODUCES.search(words)) and not stated_change(words))
    )


def _plain(run: Sequence[Atom]) -> str:
    return readable(" ".join(atom.words for atom in run if not atom.is_code))


def _entry(atoms: Sequence[Atom], title: str, scope: Scope, *, is_listed: bool) -> Entry:
    words = ""
    for atom in atoms:
        if not atom.is_code:
            words += " " + atom.words
        if len(words) >= _LEAD_CHARACTERS:
            break
    lead = readable(words)[:_LEAD_CHARACTERS].strip()
    if scope not in LISTED and is_listed and not title:
        scope = scope_of_tag(lead) or scope
    return Entry(tuple(atoms), title, scope, is_listed, f"{readable(title)}. {lead}" if title else lead)
