"""Split release notes into entries as their writers meant them: a bullet with its continuation, a titled subsection
with its explanation, a paragraph. Introductions, pointers and bare names that head a list are no entries."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import zip_longest

from corpus.effects import is_mere_fix, named_change
from corpus.entry_words import is_record, lead_of, leads_away
from corpus.happenings import first_act
from corpus.item_sentences import is_bare_name
from corpus.model import LISTED, QUIET, Item, ParsedDocument, Section, Span
from corpus.plain_words import LABEL, readable
from corpus.sections import elaborates, is_category, section_of, section_of_link, section_of_tag, section_of_title
from ingest.entries.atoms import (
    Atom,
    Atoms,
    are_details,
    are_entries,
    are_names,
    introduces,
    is_introduction,
    only_leads,
    plain,
    read_directives,
    read_paragraphs,
    read_runs,
    read_sections,
    read_sentences,
)
from ingest.releases.package_entries import is_packaging, states_version
from ingest.releases.release_headings import read_heading

_PART_WORDS, _STEM_CHARACTERS, _FEW_RELEASES = 6, 200, 2
"""Most words in the name of a part of the software, characters of a line that is put before each entry below it, and
releases with the same heading, if that is a change. Chosen by hand, never fitted."""


@dataclass(frozen=True, slots=True)
class Run:
    """One change as the notes list it."""

    atoms: tuple[Atom, ...]  # At least one, in order.
    title: str  # The heading that belongs to this entry alone; empty if there is none.
    section: Section
    is_listed: bool  # An entry of its section's list, or all of the section: `section` applies to it.
    lead: str  # Its title, or its stem if that is a bare name, and its first words on one line, without markup.
    first: Item  # Its first sentence, whose act the entry takes.
    stem: Atom | None = None  # The line that introduces its list ("gizmo/frontend.py", "New settings:").
    likely: Mapping[str, float] = field(default_factory=dict)  # The result of `read_labels`.

    @property
    def heading(self) -> tuple[str, ...]:
        """The heading path of its section."""
        return self.atoms[0].heading


def read_entries(parsed: ParsedDocument, names: frozenset[str]) -> Iterator[Run]:
    """Yield the entries of a document in order, section by section; `names` are its product's, in lower case."""
    bases = [release.version and release.version.base for release in parsed.releases]  # One for all candidates.
    places = {(passage.heading[-1:], bases[passage.release]) for passage in parsed.passages}
    recurring = Counter(title for title, _ in places)
    for atoms in filter(None, read_sections(parsed)):
        heading = atoms[0].heading
        title = heading[-1] if len(heading) > 1 or len(atoms) == 1 else ""
        label = parsed.releases[parsed.passages[atoms[0].passage].release].label
        # The words after the version are the release's name: "Release 2.3.0 (Fantasia)".
        before = title.partition(label)[0] + label if label and label in title else title
        release = read_heading(title)
        topic = "" if is_category(before, names) or (release and release.label == label) else title
        # What several releases have as a heading names a part of the software ("Command line").
        is_part = bool(topic) and recurring[heading[-1:]] > _FEW_RELEASES
        # Labels such as "Impact" and "Action" belong to one change, not to several.
        if any(LABEL.match(atom.words) for atom in atoms[1:]) and not any(atom.item.is_entry for atom in atoms):
            topic = title
        is_credits = any(section_of_title(title) is Section.CREDITS for title in heading[1:])
        if is_credits or (elaborates(title) and section_of(heading, names) in LISTED | {Section.GUIDE}):
            continue
        is_breaking = topic and section_of_title(topic) is Section.BREAKS and not is_mere_fix(topic)
        section = Section.BREAKS if is_breaking else section_of(heading[:-1] if topic else heading, names)
        stem = _heading_atom(parsed, atoms[0]) if topic else None
        topic = "" if is_part else topic
        if any(atom.tags is not None for atom in atoms):
            for run in read_directives(atoms):
                tags = (run[0].tags or "").replace(",", " ")
                yield _entry(run, "", section_of_title(tags) or Section.OPEN if tags else section, is_listed=True)
        elif any(atom.item.is_entry for atom in atoms):
            is_led = stem and " " not in title and introduces([stem])
            yield from _list_entries(atoms, "" if is_led else topic, section, names, stem if is_led else None)
        elif len(atoms) > 1 and all(atom.words.lstrip().startswith("|") for atom in atoms):
            for row in atoms[1:]:
                words = max((readable(cell, keeps_code=True) for cell in row.words.split("|")), key=len)
                yield _entry((replace(row, words=words, is_code=False),), "", section, is_listed=True, stem=stem)
        else:
            yield from _prose_entries(atoms, topic, section, is_part=is_part)


def _heading_atom(parsed: ParsedDocument, first: Atom) -> Atom | None:
    """Return the heading above a section's `first` atom as one, up to its line's end; None in another passage."""
    begin, end = parsed.passages[first.passage].span.start, first.item.span.start
    at = parsed.document.text.rfind(first.heading[-1], begin, end)
    line = parsed.document.text[at:end].partition("\n")[0]
    return replace(first, item=Item(Span(at, at + len(line))), words=line, is_code=False) if at >= 0 else None


def _list_entries(
    atoms: Atoms, topic: str, section: Section, names: frozenset[str], stem: Atom | None
) -> Iterator[Run]:
    """Yield bullets and the prose between them, or one entry if its title states the change and they are details."""
    runs = list(read_runs(atoms))
    bullets = [run for run in runs if run[0].item.is_entry]
    prose = [run for run in runs if not (run[0].item.is_entry or is_record(plain(run)))]
    is_step = section is Section.GUIDE and not are_entries(bullets)
    # "The following options were removed.", above their names.
    states_names = len(prose) == 1 and prose[0] is runs[0] and named_change(plain(prose[0])) and are_names(bullets)
    is_stem = states_names and not any(first_act(plain(bullet))[0] for bullet in bullets)
    if is_stem or (topic and (named_change(topic) or is_step or are_details(prose, bullets))):
        yield _entry(atoms, topic, section, is_listed=True)
        return
    current, parts = section, {id(run) for run in bullets if _may_be_part(run)}
    has_parts = len(parts) > 1 and 2 * len(parts) >= len(bullets)
    for run, following in zip_longest(runs, runs[1:]):
        if run[0].item.is_entry:
            is_part = has_parts and id(run) in parts
            # The name of a part ("libdial:") stands before each of its entries, a longer line before what says no act.
            above = None if stem and " " in stem.words and first_act(plain(run))[0] else stem
            if current is not Section.CREDITS:
                yield from _bullet_entries(run, current, names, above, is_part=is_part)
            continue
        # A name of a kind, like a heading without its markup ("Fixes").
        lines = [plain([atom]).rstrip(" :") for atom in run]
        is_kind = all(line[-1:].isalnum() and is_category(line, names) and section_of_title(line) for line in lines)
        is_head = bool(following) and following[0].item.is_entry and (is_kind or introduces(run))
        current = _group_section(plain(run[-1:] if is_kind else run), section, names) if is_head else section
        is_stem = is_head and not (is_category(plain(run), names) or only_leads(plain(run)))
        span = Span(run[0].item.span.start, run[-1].item.span.end)
        stem = replace(run[0], item=Item(span), words=plain(run)) if is_stem and len(span) < _STEM_CHARACTERS else None
        if not (is_head or is_kind):
            sentences = [run] if topic or section in LISTED else read_sentences(run)
            changes = (part for part in sentences if not is_introduction(part))
            yield from (_entry(part, topic, section, is_listed=False) for part in changes)


def _bullet_entries(
    run: Atoms, section: Section, names: frozenset[str], stem: Atom | None = None, *, is_part: bool = False
) -> Iterator[Run]:
    """Yield a bullet as an entry, or those nested in it if it only names their kind, a file or a part ("Hub:")."""
    head = run[:1]
    below = [part for part in read_runs(run[1:]) if not (is_introduction(part) or is_record(plain(part)))]
    is_list = bool(below) and below[0][0].item.is_entry
    are_told = not are_names(below) or all(first_act(plain(bullet))[0] for bullet in below)
    states = named_change(plain(head)) or first_act(plain(head))[0]
    is_part |= is_list and introduces(head) and ((not states and are_told) or are_entries(below))
    title, is_release = readable(head[0].words.partition("\n\n")[0]), states_version(head[0].words)
    is_kind = is_list and (is_category(title, names) or is_release)
    if is_list and not is_kind and is_bare_name(head[0].words):
        # In a list of removals the name itself may be removed.
        is_stem = section not in LISTED or all(named_change(plain(bullet)) for bullet in below)
        stem = head[0] if is_stem else stem
    if is_part or (stem and stem is head[0]) or is_kind:
        is_long = len(title.split()) > _PART_WORDS
        is_told = not is_release and ". " in plain(head).lstrip("0123456789. ")
        if is_told:  # Not only a lead: it has a sentence of its own.
            yield _entry(head, "", section, is_listed=True, stem=stem)
        for bullet in below:
            is_vague = is_part and not (" " in title and first_act(plain(bullet))[0])
            above = head[0] if not is_told and (states and is_long if is_kind else is_vague) else stem
            yield from _bullet_entries(bullet, _group_section(title, section, names), names, above)
    elif below or not (is_release or only_leads(plain(run))):
        yield _entry(run, "", section, is_listed=True, stem=stem)


def _may_be_part(run: Atoms) -> bool:
    """Return whether a bullet may name a part of the software ("Web UI"): a few words, with a list below them."""
    words = plain(run[:1])
    is_short = len(words.split()) <= _PART_WORDS and words[-1:].isalnum()
    is_label = is_short and first_act(words)[0] is None and not is_bare_name(run[0].words)
    return is_label and len(run) > 1 and run[1].item.is_entry


def _group_section(title: str, section: Section, names: frozenset[str]) -> Section:
    """Return the section of bullets below a line: the one that it names ("Bug fixes:"), else `section`."""
    title = title.strip(" :")
    return (section_of_title(title) if is_category(title, names) else section_of_tag(title)) or section


def _prose_entries(atoms: Atoms, topic: str, section: Section, *, is_part: bool) -> Iterator[Run]:
    """Yield a titled section as one entry, unless its kind lists changes; else its paragraphs or sentences."""
    paragraphs = list(read_paragraphs(atoms))
    if all(leads_away(atom.words) for atom in atoms):
        return
    if topic and not (section in LISTED and not named_change(topic) and are_entries(paragraphs)):
        yield _entry(atoms, topic, section, is_listed=True)
        return
    for run in paragraphs if section in LISTED else read_sentences(atoms):
        if not is_introduction(run):
            yield _entry(run, "", section, is_listed=is_part or section in LISTED)


def _entry(atoms: Atoms, title: str, section: Section, *, is_listed: bool, stem: Atom | None = None) -> Run:
    """Return the entry of some atoms; the tag, sign or link before one in a list may name another section."""
    prose = [atom for atom in atoms if not atom.is_code]
    words = [atom.words for atom in prose]
    lead = lead_of(words, title=title, stem=stem.words if stem and is_bare_name(stem.words) else "")
    if section not in LISTED and is_listed and not title:
        tagged = section_of_tag(lead_of(words) if stem else lead) or section_of_link(atoms[0].words)
        tagged = tagged or section
        # Under a heading for fixes or features "**build:**" names the part of the software.
        is_part = tagged in QUIET and section in (Section.FIX, Section.FEATURE) and ":**" in atoms[0].words[:40]
        section = section if is_part or (section, tagged) == (Section.SECURITY, Section.FIX) else tagged
        section = Section.HOUSEKEEPING if is_packaging(atoms[0].words, atoms[0].heading[-1]) else section
    return Run(tuple(atoms), title, section, is_listed, lead, (prose or atoms)[0].item, stem)
