"""The changes of one kind, or about one subject, over several releases: removals since 2.0, the course of an option."""

import re
from collections.abc import Sequence

from corpus.catalogue import CatalogueRelease, stable_releases
from corpus.model import Act, Change, Kind
from corpus.versions import Version, VersionConstraint
from retrieval.answers.changes import GROUPS, GROUPS_OF_ACT, NewsItem, changes_of, subject_words
from retrieval.answers.news import close_list, in_turn, name_range, repeats, select_statements, without_quoted
from retrieval.model import Status
from retrieval.question.words import QuestionWord
from retrieval.quoting.composing import Draft
from retrieval.quoting.findings import Findings

_ABOUT = 0.3  # The share of the fullest item's words that one must hold to be about the subject. Chosen by hand.
_OPEN_END = re.compile(
    r"\d[\w.]*,? (?:on(?:wards?)?\b|(?:up )?(?:to|till|until) (?:now|today|date|the present)|and (?:up|later|newer)\b)"
)
"""A version that a range begins with."""
_CHANGES = {
    Act.REMOVED: frozenset({Change.REMOVED, Change.REQUIREMENT}),
    Act.REPLACED: frozenset({Change.REMOVED}),
    Act.REQUIRES: frozenset({Change.REQUIREMENT}),
    Act.DEPRECATED: frozenset({Change.DEPRECATED}),
    Act.SECURED: frozenset({Change.SECURITY}),
}
"""The changes that an upgrade lists which are of the kind asked for; a dropped platform is a removal, too."""
_NAMES = {Act.REMOVED: "removal", Act.DEPRECATED: "deprecation", Act.REQUIRES: "requirement"}


def draft_history(findings: Findings) -> Draft | None:
    """List the changes that a question about several releases asks for by kind or subject, in the order of releases.

    None if it isn't about one product, or fewer than two changes are found.
    """
    query = findings.query
    if len(query.products) != 1:
        return None
    releases = _asked_releases(findings)
    items = changes_of(findings, releases) if releases else []
    wanted = _distinct(without_quoted(findings, _of_kind(findings, items)))
    if len(wanted) < 2:
        return None
    chosen = select_statements(findings, in_turn(wanted, by_series=True), releases)
    statements = tuple(sorted(chosen, key=lambda statement: statement.quotes[0].passage.release_order))
    kind = _NAMES.get(query.act or Act.OTHER, "change")
    lead = name_range(findings, releases, statements) + f": {len(wanted)} {kind}s."
    return Draft(Status.ANSWERED, lead, statements, closing=close_list(findings, wanted, statements))


def _asked_releases(findings: Findings) -> list[CatalogueRelease]:
    """Return the releases from the lowest to the highest version named, newest first; all if none is named."""
    constraint, text = findings.query.constraint, findings.query.text
    ends = [*constraint.versions, *filter(None, (constraint.low, constraint.high))] if constraint else []
    if ends and min(ends) < max(ends):
        constraint = VersionConstraint.through(min(ends), max(ends))
    elif ends and _OPEN_END.search(text.lower()):
        constraint = VersionConstraint.since(*ends)
    releases = stable_releases(findings.products[0].releases)
    return [release for release in releases if constraint is None or constraint.contains(release.version)]


def _release(item: NewsItem) -> Version:
    assert item.entry.version is not None  # Its notes are those of a release.
    return item.entry.version.base


def _of_kind(findings: Findings, items: Sequence[NewsItem]) -> list[NewsItem]:
    """Return the items of the asked kind, about the question's subject if it has one, fixes last and before them
    what holds most of its words; if too few are both, those about the subject, or of the kind if it names none."""
    act = findings.query.act
    words = subject_words(findings)
    shares = {item: _share(words, item) for item in items}
    least = _ABOUT * max(shares.values(), default=0.0)
    ordered = sorted(items, key=lambda item: (item.group == GROUPS[Kind.FIX], -round(shares[item], 1)))
    about = [item for item in ordered if least and shares[item] >= least]
    if act not in _CHANGES:
        return about
    group, changes = GROUPS_OF_ACT.get(act), _CHANGES[act]
    of_kind = [item for item in ordered if item.act is act or item.group == group or item.change in changes]
    both = [item for item in about if item in of_kind]
    both.sort(key=_release, reverse=True)
    return both if len(both) > 1 else about if any(word.is_name for word in words) else of_kind


def _share(words: Sequence[QuestionWord], item: NewsItem) -> float:
    """Return the share of the words' weight that an item holds, 0 to 1; of two joined by a slash one is enough."""
    met = (w for w in words if w.met_by(item.tokens) or ("/" in w.text and not item.tokens.isdisjoint(w.tokens)))
    return sum(word.weight for word in met) / max(sum(word.weight for word in words), 1.0)


def _distinct(items: Sequence[NewsItem]) -> list[NewsItem]:
    """Return the items, in their order, without those that repeat an earlier release's."""
    kept: list[NewsItem] = []
    for item in sorted(items, key=_release):
        if not repeats(item.tokens, [other.tokens for other in kept]):
            kept.append(item)
    return [item for item in items if item in kept]
