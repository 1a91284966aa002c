"""The changes of some releases as one table, a row for each entry as it was read when it was ingested: what it does,
how much it matters, and its share of the question's subject."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

from corpus.catalogue import CatalogueProduct, CatalogueRelease, stable_releases
from corpus.deadline import waited_for
from corpus.entry_words import without_metadata
from corpus.errors import UsageError
from corpus.item_sentences import is_advice
from corpus.lexicon import STOP_WORDS, split_tokens
from corpus.model import Act, Change, Kind, Section
from corpus.plain_words import one_line
from corpus.sections import grade_of_tag
from corpus.versions import Version
from retrieval.answers.catalogue_releases import releases_that_fit
from retrieval.answers.list_ranker import Figures, load_list_ranker, read_list_figures
from retrieval.model import Form, Query
from retrieval.question.relative import LATEST
from retrieval.question.subject import COMPARING, KINDS_OF_THINGS
from retrieval.question.words import QuestionWord, share_met
from retrieval.quoting.findings import Findings
from retrieval.upgrades.bounds import Bounds, read_range
from retrieval.upgrades.entries import NotedEntry, read_entries
from retrieval.upgrades.released_changes import read_changes
from retrieval.upgrades.repeats import FoundChange, tell_once

FEW = 3
_NAME_CHARACTERS = 40  # Of what an entry begins with as the part that it is about.
SURELY = 0.5  # That what no list has breaks something.
_SURELY_READ, _SURELY_NOTHING = 0.8, 0.95
"""Least certainty of an act to list it, and of "no act" to leave an entry out. Chosen by hand, never fitted."""
WORDS = ("Breaking", "Removed", "Deprecated", "Security", "New", "Faster", "Fixed", "Changed")
GROUPS = dict(zip(Kind, WORDS, strict=True))
"""The label that changes of a kind are listed under, in the order of the list."""
HIGHLIGHTS = "Highlights"
_LEAVES_OPEN = frozenset({GROUPS[Kind.BREAKING], GROUPS[Kind.OTHER], HIGHLIGHTS})
"""The words of sections in which anything may have happened."""
NOT_DONE = {Act.PLANNED: "Announced", Act.KNOWN_ISSUE: "Known issues"}
_GROUPS_OF_ACT = {
    Act.ADDED: GROUPS[Kind.FEATURE],
    Act.FASTER: GROUPS[Kind.PERFORMANCE],
    Act.FIXED: GROUPS[Kind.FIX],
    Act.REMOVED: GROUPS[Kind.REMOVAL],
    Act.DEPRECATED: GROUPS[Kind.DEPRECATION],
    Act.SECURED: GROUPS[Kind.SECURITY],
}
_TELLS_NOTHING = re.compile(
    r"\W*(?:(?:the )?(?:\w+ )?changes? (?:is|are|were) (?:\w+ )?(?:few|minor|small)\b"
    r"|see (?:the|our) [^.]*\b(?:changelog|release notes|commits)\b|\w+ (?:people|contributors|developers) contributed"
    r"|no (?:\w+ )?(?:changes?|action|steps?) (?:should be|is|are|was|were) (?:needed|required|necessary)"
    r"|(?:there (?:is|are|were) )?no (?:breaking|incompatible) changes?\b"
    r"|(?:some|the following) (?:\w+ ){1,3}(?:have|has|are|were) (?:been )?(?:now )?\w+\W*\Z)",
    re.IGNORECASE,
)
"""What only says how much changed, where to read on, or who did it."""


@dataclass(frozen=True, slots=True, eq=False)
class NewsItem:
    """One entry of a release in a list of changes."""

    entry: NotedEntry
    change: Change | None  # What an upgrade lists it as.
    subject: float  # The share of the question's subject (beside the release) in it, 0 to 2.
    tokens: frozenset[str]
    group: str  # The label that it is listed under.
    figures: Figures  # By which it is ranked.

    @property
    def act(self) -> Act:
        """What it says happened."""
        return self.entry.first.act

    @property
    def breaking(self) -> float:
        """The learned probability that it breaks something, 0 to 1."""
        is_secured = self.change is Change.SECURITY or self.entry.stored.section is Section.SECURITY
        return 0.0 if is_secured else self.entry.first.breaking

    @property
    def breaks(self) -> bool:
        """Whether an upgrade lists it as what breaks something."""
        return self.change not in (None, Change.DEPRECATED, Change.SECURITY)


def asked_range(query: Query, product: CatalogueProduct) -> tuple[Version, Version] | None:
    """Return the ends of the question's range, the first one excluded; None if it has no range."""
    constraint, form = query.constraint, query.form
    if constraint is None or constraint.includes_low:
        return None
    named = constraint.versions if form.traits.is_move or form is Form.COMPARE else ()
    low, high = (named[0], named[-1]) if len(named) > 1 else (constraint.low, constraint.high)
    if low is None or not (high or form.traits.is_move):
        return None
    try:
        return read_range(product, str(low), str(high or LATEST))
    except UsageError:
        return None


def asked_releases(findings: Findings, product: CatalogueProduct) -> tuple[CatalogueRelease, ...]:
    """Return the releases that a question is about, newest first: without a version the newest stable one."""
    constraint = findings.query.constraint
    if constraint is None:
        return stable_releases(product.releases)[:1]
    if product.releases and (ends := asked_range(findings.query, product)):
        bounds = Bounds.between(product, *ends)
        return tuple(release for release in product.releases if bounds.hold(release.version))
    return releases_that_fit(product, constraint)


def changes_of(findings: Findings, releases: Sequence[CatalogueRelease]) -> list[NewsItem]:
    """Return each informative entry of the product's releases and their candidates once, the most important first;
    entries of others' opinions only if there are no own ones, and a repeated change by the best of its places."""
    exact = {release.version for release in releases}
    reading = read_changes(findings.index, findings.products[0], lambda v: v in exact or v.base in exact)
    return _ranked(findings, [change for change in reading.changes if change.entry.passage.is_own] or reading.changes)


def changes_to_come(findings: Findings, releases: Sequence[CatalogueRelease]) -> list[NewsItem]:
    """Return the entries of the unreleased sections of the product's notes and of some releases, ranked like those."""
    index, name = findings.index, findings.products[0].name
    places = index.release_positions(name, {release.version for release in releases}.__contains__)
    passages = list(index.load_passages(places))
    for document in index.documents_of(name):
        # A section with a date is out, even if its heading says unreleased.
        sections = (s for s in index.document_releases(document.id) if s.version is None and s.label and not s.date)
        passages += chain.from_iterable(index.document_passages(document.id, within=s.span) for s in sections)
    noted = read_entries([passage for passage in passages if not (passage.is_foreign or passage.boilerplate)], index)
    return _ranked(findings, tell_once([FoundChange(entry, entry.stored.change) for entry in noted]))


def asked_changes(findings: Findings, items: Sequence[NewsItem]) -> list[NewsItem]:
    """Return the changes that a question asks for, by their kind and by what it is about."""
    query = findings.query
    if query.form is Form.BREAKS:
        return [item for item in items if item.change not in (None, Change.SECURITY)]
    act = query.act if query.form is Form.WHATS_NEW else None
    if act in (None, Act.CHANGED):
        # A title of its own makes an entry of what its first sentence doesn't tell.
        silent = {item for item in items if item.act is Act.OTHER and item.entry.first.certainty >= _SURELY_NOTHING}
        wanted = [item for item in items if item.entry.title or item not in silent]
        is_elsewhere = all(item.act is Act.OTHER for item in wanted) and _subject_words(findings) and len(items) > FEW
        wanted = [] if is_elsewhere else wanted or list(items)
    else:
        group = _GROUPS_OF_ACT.get(act)
        least = _SURELY_READ if any(item.group == group for item in items) else 0.0
        # Entries under that heading, or that say so below a heading of no other kind.
        wanted = [
            item
            for item in items
            if item.group in (group, GROUPS[Kind.SECURITY] if act is Act.FIXED else group)
            or (item.act is act and (not group or (item.group in _LEAVES_OPEN and least <= item.entry.first.certainty)))
        ]
        # Without any, take those that surely did, under whatever heading.
        surely = (item for item in items if item.entry.first.certainty >= _SURELY_READ)
        wanted = wanted or [item for item in surely if item.act is act]
        # What the release itself did comes before what its candidates did.
        wanted.sort(key=lambda item: bool(item.entry.version and item.entry.version.is_prerelease))
    # Whether to upgrade depends on all that a release brings, whatever else was asked about.
    most = max((item.subject for item in wanted), default=0.0) * (query.form is not Form.SHOULD_UPGRADE)
    return [item for item in wanted if item.subject >= most / 2]


def _ranked(findings: Findings, listed: Iterable[FoundChange]) -> list[NewsItem]:
    kept: list[tuple[NotedEntry, Change | None]] = []
    for entry, change in waited_for((finding.entry, finding.change) for finding in listed):
        # A stem, a title or a bare word says nothing by itself.
        is_stem = len(entry.items) == 1 and entry.lead.rstrip("*_ ").endswith((":", "...", "…"))
        is_step = entry.stored.section is Section.GUIDE and entry.first.act is Act.OTHER
        is_told = not (is_stem or is_step or is_advice(entry.lead))
        if not _TELLS_NOTHING.match(entry.lead) and (
            change or (is_told and (len(entry.lead.split()) > 1 or "`" in entry.lead))
        ):
            kept.append((entry, change))
    entries, groups = [entry for entry, _ in kept], [_group(entry, change) for entry, change in kept]
    subjects = _subjects(findings, entries)
    figures = read_list_figures(entries, [change.value if change else "" for _, change in kept], groups, subjects)
    items = [
        NewsItem(entry, change, subject, entry_tokens(entry.lead), group, row)
        for (entry, change), subject, group, row in zip(kept, subjects, groups, figures, strict=True)
    ]
    ranker, form = load_list_ranker(), findings.query.form
    # What the project itself calls grave, minor or housekeeping.
    graded = {id(item): min(grade_of_tag(item.entry.lead), 2 - 2 * bool(item.change)) for item in items}
    return sorted(items, key=lambda item: (graded[id(item)], -ranker.score(item.figures, form)))


def _subject_words(findings: Findings) -> tuple[QuestionWord, ...]:
    """Return the words for the question's subject beside releases and changes; empty for most questions."""
    named = (word for word in findings.focus.keywords if any(map(str.isalpha, word.text)))
    words = (word for word in named if word.is_name or not word.is_generic)
    return tuple(word for word in words if (COMPARING | KINDS_OF_THINGS).isdisjoint(word.tokens))


def _subjects(findings: Findings, entries: Sequence[NotedEntry]) -> list[float]:
    """Return the share of the question's subject in each entry, from 0 (no word) to 2 (all, and nearest); all 0 if the
    question has no subject beside the release. Words that no entry has are left out of the subject, as are ordinary
    ones that no title or file name has and whose entries are no nearer to the question than others."""
    words = _subject_words(findings)
    if not (words and entries):
        return [0.0] * len(entries)
    places = [_place_tokens(entry) for entry in entries]
    tokens = [entry_tokens(entry.lead) | place for entry, place in zip(entries, places, strict=True)]
    subject = [word for word in words if any(map(word.met_by, tokens if word.is_name else places))]
    return [2 * share_met(subject, words) for words in tokens]


def _place_tokens(entry: NotedEntry) -> frozenset[str]:
    """Return the tokens of an entry's file name and headings, and of the name that it begins with."""
    name, colon, _ = entry.lead.partition(":")
    document, heading = entry.passage.document, entry.passage.heading
    place = (document.source, *heading, name * bool(colon and len(name) <= _NAME_CHARACTERS))
    return frozenset(split_tokens(" ".join(place)))


def _group(entry: NotedEntry, change: Change | None) -> str:
    """Return the label that an entry is listed under."""
    if not_done := NOT_DONE.get(entry.first.act):
        return not_done
    kind = entry.stored.kind
    if change not in (None, Change.DEPRECATED, Change.SECURITY) and kind is Kind.OTHER:
        kind = Kind.BREAKING
    if kind is Kind.PERFORMANCE and entry.first.act in _GROUPS_OF_ACT:
        return _GROUPS_OF_ACT[entry.first.act]  # What is called optimisation is improvement to many.
    return HIGHLIGHTS if entry.stored.leads and kind in (Kind.OTHER, Kind.FEATURE) else GROUPS[kind]


def entry_tokens(text: str) -> frozenset[str]:
    """Return an entry's tokens without tickets' and authors' addresses, which all entries of a list share."""
    return frozenset(split_tokens(without_metadata(one_line(text)))) - STOP_WORDS
