"""The changes of one kind, or about one subject, over several releases: removals since 2.0, the course of an option."""

from collections.abc import Sequence
from itertools import groupby

from corpus.catalogue import CatalogueProduct, CatalogueRelease, final_releases
from corpus.model import Act, Change
from corpus.versions import Version, VersionConstraint
from retrieval.answers.changes import GROUPS_OF_ACT, NewsItem, changes_of
from retrieval.answers.news import close_list, name_range, repeats, select_statements, without_quoted
from retrieval.model import Status, Wanted
from retrieval.quoting.composing import Draft
from retrieval.quoting.findings import Findings

_MOST = 6  # A matter of display.
_CHANGES = {
    Act.REMOVED: frozenset({Change.REMOVED, Change.REQUIREMENT}),
    Act.REPLACED: frozenset({Change.REMOVED}),
    Act.REQUIRES: frozenset({Change.REQUIREMENT}),
    Act.DEPRECATED: frozenset({Change.DEPRECATED}),
    Act.SECURED: frozenset({Change.SECURITY}),
}
"""The changes that an upgrade lists which are of the kind asked for; a dropped platform is removed as well."""
_NAMES = {Act.REMOVED: "removal", Act.DEPRECATED: "deprecation", Act.REQUIRES: "requirement"}


def draft_history(findings: Findings) -> Draft | None:
    """List the changes that a question about several releases asks for by kind or subject, in the order of releases.

    None if it asks for no course of one product, or fewer than two changes are found.
    """
    query = findings.query
    if query.wanted is not Wanted.COURSE or len(query.products) != 1:
        return None
    product = findings.products[0]
    releases = asked_course(product, query.constraint)
    items = changes_of(findings, product, releases) if releases else []
    wanted = _distinct(without_quoted(findings, _of_kind(items, query.act)))
    if len(wanted) < 2:
        return None
    statements = select_statements(findings, first_of_each(wanted), releases)
    count = f"{len(wanted)} {_NAMES.get(query.act, 'change')}s" if query.act else f"{len(wanted)} changes"
    lead = name_range(findings, product, releases, statements) + f": {count}."
    closing = close_list(findings, product, (), wanted, len(wanted) - len(statements))
    return Draft(Status.ANSWERED, lead, statements, closing=closing)


def asked_course(
    product: CatalogueProduct, constraint: VersionConstraint | None
) -> tuple[CatalogueRelease, ...]:
    """Return the final releases of a range with both ends, newest first; of all where none is named."""
    finals = final_releases(product.releases)
    if constraint is None:
        return finals
    ends = [*constraint.versions, *filter(None, (constraint.low, constraint.high))]
    if len(ends) > 1:
        constraint = VersionConstraint.through(min(ends), max(ends))
    return tuple(release for release in finals if constraint.contains(release.version))


def first_of_each(items: Sequence[NewsItem]) -> list[NewsItem]:
    """Return the most important of `items` (given by importance), of each release one before a second of any, in the
    order of releases."""
    ranks = {item: rank for rank, item in enumerate(items)}
    ordered = sorted(items, key=lambda item: (_release(item) or Version.parse("0"), ranks[item]))
    turns = {
        item: turn for _, those in groupby(ordered, key=_release) for turn, item in enumerate(those)
    }
    chosen = sorted(items, key=lambda item: (turns[item], ranks[item]))[:_MOST]
    return [item for item in ordered if item in chosen]


def _release(item: NewsItem) -> Version | None:
    return item.entry.version.base if item.entry.version else None


def _of_kind(items: Sequence[NewsItem], act: Act | None) -> list[NewsItem]:
    """Return the items of the asked kind, about the question's subject if it has one; if too few are both, those about
    the subject; nothing for a question with neither."""
    most = max((item.subject for item in items), default=0.0)
    about = [item for item in items if most and item.subject >= most / 2]
    group, changes = GROUPS_OF_ACT.get(act), _CHANGES.get(act, frozenset())
    of_kind = [
        item for item in about or items if item.act is act or item.group == group or item.change in changes
    ]
    return of_kind if len(of_kind) > 1 else about


def _distinct(items: Sequence[NewsItem]) -> list[NewsItem]:
    """Return the items, in their order, without those that repeat an earlier release's."""
    kept: list[NewsItem] = []
    for item in sorted(items, key=lambda item: _release(item) or Version.parse("0")):
        if not repeats(item.tokens, [one.tokens for one in kept]):
            kept.append(item)
    return [item for item in items if item in kept]
