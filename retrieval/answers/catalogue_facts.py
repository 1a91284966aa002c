"""What is asked of releases that a question names: the latest or oldest, withdrawn, or which of two came first."""

import re
from collections.abc import Sequence
from datetime import date

from corpus.catalogue import CatalogueProduct, CatalogueRelease
from corpus.stored import StoredPassage
from retrieval.answers.catalogue_releases import draft_releases, first_line, is_yanked, name_release
from retrieval.drafting import Draft, Statement, is_withdrawn
from retrieval.findings import Findings
from retrieval.model import Status
from retrieval.page_lines import release_positions
from retrieval.quotes import MAX_QUOTE_CHARACTERS, Quote

NEWEST = re.compile(r"\b(?:latest|newest|most recent|current|last)\b", re.IGNORECASE)
OLDEST = re.compile(r"\b(?:oldest|earliest|first)\b", re.IGNORECASE)
_IS = re.compile(r"\W*(?:is|was|are)\b", re.IGNORECASE)
_WITHDRAWN = re.compile(r"\b(?:yanked|withdrawn|pulled|retracted)\b", re.IGNORECASE)
_ORDER = re.compile(r"\b(?:older|oldest|newer|newest|latest|earlier|later|first)\b", re.IGNORECASE)


def told_of_one(findings: Findings, product: CatalogueProduct, releases: Sequence[CatalogueRelease]) -> Draft | None:
    """What a question asks of releases it names: whether one is the latest or oldest, or withdrawn, and which of two
    came first; None where it asks nothing of the sort."""
    text, constraint = findings.query.text, findings.query.constraint
    if constraint is None or not constraint.versions or not releases:
        return None
    if len(constraint.versions) == 1 and _WITHDRAWN.search(text):
        heading = _withdrawn_heading(findings, product, releases[0])
        if heading is not None:
            return Draft(
                Status.ANSWERED, "Yes.", (Statement(f"{name_release(product, releases[0])}, yanked", (heading,)),)
            )
        return draft_releases(findings, product, releases[:1], lead="No: nothing in its notes says so.")
    if len(constraint.versions) == 1 and _IS.match(text) and (which := NEWEST.search(text) or OLDEST.search(text)):
        finals = tuple(one for one in product.releases if not one.version.is_prerelease) or product.releases
        last = finals[0] if NEWEST.search(text) else finals[-1]
        word = which.group().lower()
        says = "Yes, of those indexed." if last.version in {one.version for one in releases} else f"No. The {word}:"
        return draft_releases(findings, product, (last,), lead=says)
    if len(constraint.versions) == 2 and len(releases) == 2 and (which := _ORDER.search(text)):
        order = sorted(releases, key=lambda one: (one.date or date.min, one.version))
        if not all(one.date for one in releases):
            order = sorted(releases, key=lambda one: one.version)
        is_first = which.group().lower() in ("older", "oldest", "earlier", "first")
        chosen = order[0] if is_first else order[-1]
        return draft_releases(findings, product, order, lead=f"The {which.group().lower()} one is {chosen.version}.")
    return None


def _withdrawn_heading(findings: Findings, product: CatalogueProduct, release: CatalogueRelease) -> Quote | None:
    passages = findings.index.load_passages(release_positions(findings.index, product, release.version))
    marked = [one for one in passages if is_yanked(one, findings)]
    headings = (first_line(one, findings) for one in marked if any(map(is_withdrawn, one.heading)))
    notices = (notice for one in marked if (notice := _notice(one, findings)))
    return next(filter(None, (*headings, *notices)), None)


def _notice(passage: StoredPassage, findings: Findings) -> Quote | None:
    """What a passage says of its release's being taken back."""
    text = findings.index.text_of(passage)
    spans = (item.span for item in passage.items if _WITHDRAWN.search(item.span.slice(text)))
    return next(
        (Quote(passage, span, span, retracted=False) for span in spans if len(span) <= MAX_QUOTE_CHARACTERS), None
    )
