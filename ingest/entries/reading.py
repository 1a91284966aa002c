"""Read the entries of a document: the place of each, its kind, and the change that it makes for those who upgrade."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain, groupby

import numpy as np
from numpy.typing import NDArray

from corpus.acts import label_terms, read_labels
from corpus.change_kinds import is_highlight, kind_abroad
from corpus.entry_words import says_nothing
from corpus.everyday_words import PLATFORMS, is_english
from corpus.happenings import NOT_DONE, asserted, first_act
from corpus.item_sentences import is_advice
from corpus.lexicon import split_tokens
from corpus.model import LISTED, Act, Change, Entry, Kind, ParsedDocument, Section, Span
from corpus.plain_words import one_line, without_names
from corpus.sections import section_of_title
from corpus.versions import Version
from ingest.entries.changes import MATTERS, breaks_below, change_of, is_marked, is_plain, security_of
from ingest.entries.runs import Run, read_entries

_BEGINNING_CHARACTERS = 80  # The part of an entry in which "revert" means that it reverts something.
_MANY_RELEASES = 3
_KIND_OF_SECTION = {Section.HOUSEKEEPING: Kind.OTHER} | {
    Section(kind): kind for kind in (Kind.FIX, Kind.FEATURE, Kind.PERFORMANCE)
}
_KIND_OF_CHANGE = {Change.REMOVED: Kind.REMOVAL, Change.DEPRECATED: Kind.DEPRECATION, Change.SECURITY: Kind.SECURITY}
_CHANGES_ABROAD = {kind: change for change, kind in _KIND_OF_CHANGE.items()} | {Kind.BREAKING: Change.BREAKS}
_KIND_OF_LABEL = {"fix": Kind.FIX, "feature": Kind.FEATURE, "performance": Kind.PERFORMANCE, "housekeeping": Kind.OTHER}
_TO = re.compile(
    r"(?i)(?:\bto|->|\u2192)\s+(?:the\s+)?(?:[<>=~^\u2264\u2265]+\s*)?(?P<name>(?:[A-Za-z][\w.-]*\s+){0,3}?)"
    r"v?(?P<end>\d+(?:\.(?:\d+|x))*(?:[-.]?(?:a|b|rc|alpha|beta)\.?\d+)?)(?![\w.]*\d)"
)
_STATED = re.compile(
    r"(?i)\b(?:removed|dropped|deleted|discontinued|deprecated|disabled|renamed|replaced|changed|became|made)\b"
    r"[\w ,-]{0,40}?\b(?:in|with|as of|since) (?:(?:release|version) )?v?(?P<version>\d+(?:\.\d+)+)\W*$"
)


def with_entries(parsed: ParsedDocument, vectors: NDArray[np.float32] | None, *, digest: str) -> ParsedDocument:
    """Return the document with entries in the passages that they begin in; `vectors` are (items, dimensions)."""
    document = parsed.document
    names = frozenset(
        word for name in (document.product, *document.aliases) for word in (name.casefold(), *name.casefold().split())
    )
    # What stands above or beside all releases of a log is its preface.
    is_log = sum(release.version is not None for release in parsed.releases) > 1
    outside = {at for at, each in enumerate(parsed.releases) if is_log and not (each.version or each.label)}
    runs = [
        run
        for run in _without_repeats(parsed, list(read_entries(parsed, names)))
        if not (all(atom.item.retracted for atom in run.atoms) or says_nothing(run.lead))
        and parsed.passages[run.atoms[0].passage].release not in outside
    ]
    if section_of_title(document.product):
        name_pattern = re.compile(rf"{re.escape(document.product)}(?= )")
        runs = [replace(run, lead=name_pattern.sub("It", run.lead, count=1)) for run in runs]  # "Breaking shows ..."
    rows = {item.span: row for row, item in enumerate(chain.from_iterable(each.items for each in parsed.passages))}
    run_vectors = None if vectors is None else vectors[[rows[run.first.span] for run in runs]]
    versions = [parsed.releases[parsed.passages[run.atoms[0].passage].release].version for run in runs]
    leads = (asserted(run.lead, version) or run.lead for run, version in zip(runs, versions, strict=True))
    terms = [label_terms(lead, run.section, run.heading) for lead, run in zip(leads, runs, strict=True)]
    labels = read_labels(terms, run_vectors, digest=digest)
    runs = [replace(run, likely=likely) for run, likely in zip(runs, labels, strict=True)]
    entries: dict[int, list[Entry]] = {}
    openings = frozenset(_openings(parsed))
    for run, version in zip(runs, versions, strict=True):
        number, entry = run.atoms[0].passage, _entry(run, document.product, version)
        is_opening = parsed.passages[number].span in openings and run.first.act not in (Act.OTHER, *NOT_DONE)
        is_vague = run.first.act is Act.OTHER and run.first.breaking < MATTERS
        if not run.is_listed and entry.change is None and (is_opening or is_vague):
            entry = replace(entry, section=Section.INTRODUCTION)
        entry = replace(entry, leads=True) if is_opening and not is_advice(run.lead) else entry
        entries.setdefault(number, []).append(entry)
    passages = (replace(each, entries=tuple(entries.get(i, ()))) for i, each in enumerate(parsed.passages))
    return replace(parsed, passages=tuple(passages))


def _without_repeats(parsed: ParsedDocument, runs: Sequence[Run]) -> Iterator[Run]:
    """Yield the entries but those whose release has them with more words, too (an overview above the details), and but
    prose that several releases share (what the project is, who made it)."""
    rows = [
        (
            parsed.passages[run.atoms[0].passage].release,
            one_line(run.atoms[0].words.partition("\n\n")[0]),
            one_line(" ".join(atom.words for atom in run.atoms)),
            run,
        )
        for run in runs
    ]
    longer = {(release, opening) for release, opening, text, _ in rows if opening != text}
    shared = Counter(text for _, text in {(release, text) for release, _, text, _ in rows})
    for release, _, text, run in rows:
        is_own = run.first.is_entry or run.first.act is Act.REQUIRES or shared[text] < _MANY_RELEASES
        if is_own and (release, text) not in longer:
            yield run


def _openings(parsed: ParsedDocument) -> Iterator[Span]:
    """Yield the spans of passages at the top of a release's notes, if at least two of its sections are nested below."""
    for _, passages in groupby(parsed.passages, key=lambda passage: passage.release):
        notes = list(passages)
        (above, first), *sections = ((path, list(run)) for path, run in groupby(notes, key=lambda each: each.heading))
        if sum(path[: len(above)] == above for path, _ in sections) > 1:
            yield from (passage.span for passage in first)


def _entry(run: Run, product: str, version: Version | None) -> Entry:
    """Return the entry of a run in the notes of release `version`; if that is None, of the release that it states."""
    change = Change.SECURITY if security_of(run) else change_of(run, version)
    is_below = change in (None, Change.BEHAVIOUR) and breaks_below(run)
    change = Change.BREAKS if is_below else change
    if change is None and run.section not in (Section.FIX, *LISTED) and not is_english(run.lead):
        change = _CHANGES_ABROAD.get(kind_abroad(run.lead) or Kind.OTHER)
    shifts = change is Change.BEHAVIOUR
    change = None if shifts else change
    counts = is_below or change is Change.SECURITY or is_plain(run)
    release = None if version is not None else guided_release(run.heading, product) or stated_release(run.lead)
    return Entry(
        span=Span(run.atoms[0].item.span.start, run.atoms[-1].item.span.end),
        section=run.section,
        kind=_kind_of(run, change if counts or run.section not in _KIND_OF_SECTION else None),
        change=change,
        is_plain=change is not None and counts,
        is_listed=run.is_listed,
        is_marked=change is not None and (run.section is Section.BREAKS or is_marked(run)),
        leads=any(map(is_highlight, run.heading[1:])) and run.first.act is not Act.PLANNED and not is_advice(run.lead),
        reverts=Act.REVERTED in (run.first.act, first_act(run.lead, version)[0])
        or "revert" in split_tokens(without_names(run.lead)[:_BEGINNING_CHARACTERS]),
        shifts=shifts,
        title=run.title,
        stem=run.stem.item.span if run.stem else None,
        release=release,
    )


def _kind_of(run: Run, change: Change | None) -> Kind:
    """Return the kind that lists an entry: by `change`, else by its section or tag, else by its label."""
    first, section_kind = run.first, _KIND_OF_SECTION.get(run.section)
    if first.act in NOT_DONE:
        will_go = first.act is Act.PLANNED and first_act(run.lead)[0] is Act.REMOVED
        return Kind.DEPRECATION if will_go or change is Change.DEPRECATED else Kind.OTHER
    if change is not None:
        return _KIND_OF_CHANGE.get(change, Kind.BREAKING)
    return section_kind or _KIND_OF_LABEL[max(_KIND_OF_LABEL, key=run.likely.__getitem__)]


def stated_release(words: str) -> Version | None:
    """Return the release at the end of an entry that made its change: "The old parser (removed in 8.2)" -> 8.2."""
    match = _STATED.search(words)
    return Version.try_parse(match["version"]) if match else None


def guided_release(heading: Sequence[str], product: str) -> Version | None:
    """Return the release in the innermost heading with one ("Upgrading to 13.0 from 12.x" -> 13.0), no platform's."""
    return next(
        (version for title in reversed(heading) if (version := _release_of(title, product.casefold())) is not None),
        None,
    )


@lru_cache(maxsize=4096)
def _release_of(title: str, product: str) -> Version | None:
    """Return the release that a title leads to, None for a platform's ("Upgrading to Python 3.12")."""
    match = _TO.search(one_line(title))
    if match is None or not PLATFORMS.isdisjoint(set(match["name"].casefold().split()) - set(product.split())):
        return None
    return Version.try_parse(match["end"].replace(".x", ""))
