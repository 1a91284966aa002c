"""What is asked of releases that a question names: the latest or oldest, withdrawn, or which of two came first."""

import re
from collections.abc import Sequence
from datetime import date

from corpus.catalogue import CatalogueProduct, CatalogueRelease, stable_releases
from corpus.index.stored import StoredPassage
from retrieval.answers.catalogue_releases import draft_releases, first_line, is_yanked, name_release
from retrieval.drafting import Draft, Statement, is_of_withdrawn
from retrieval.findings import Findings
from retrieval.model import Status, Wanted
from retrieval.pages.lines import release_positions
from retrieval.quoting.quotes import MAX_QUOTE_CHARACTERS, Quote

_WITHDRAWN = re.compile(r"\b(?:yanked|withdrawn|pulled|retracted)\b", re.IGNORECASE)


def told_of_one(findings: Findings, product: CatalogueProduct, releases: Sequence[CatalogueRelease]) -> Draft | None:
    """What a question asks of releases it names: whether one is the latest or oldest, or withdrawn, and which of two
    came first; None where it asks nothing of the sort."""
    wanted, constraint = findings.query.wanted, findings.query.constraint
    if constraint is None or not constraint.versions or not releases:
        return None
    if len(constraint.versions) == 1 and wanted is Wanted.WITHDRAWN:
        heading = _withdrawn_heading(findings, product, releases[0])
        if heading is not None:
            return Draft(
                Status.ANSWERED, "Yes.", (Statement(f"{name_release(product, releases[0])}, yanked", (heading,)),)
            )
        return draft_releases(findings, product, releases[:1], lead="No: nothing in its notes says so.")
    if len(constraint.versions) == 1 and wanted in (Wanted.IS_NEWEST, Wanted.IS_OLDEST):
        finals = stable_releases(product.releases)
        last, word = (finals[0], "newest") if wanted is Wanted.IS_NEWEST else (finals[-1], "oldest")
        says = "Yes, of those indexed." if last.version in {one.version for one in releases} else f"No. The {word}:"
        return draft_releases(findings, product, (last,), lead=says)
    if len(constraint.versions) == 2 and len(releases) == 2 and wanted is Wanted.ORDER:
        is_dated = all(one.date for one in releases)
        first, last = sorted(releases, key=lambda one: ((is_dated and one.date) or date.min, one.version))
        lead = f"The older one is {first.version}, the newer one {last.version}."
        return draft_releases(findings, product, (first, last), lead=lead)
    return None


def _withdrawn_heading(findings: Findings, product: CatalogueProduct, release: CatalogueRelease) -> Quote | None:
    passages = findings.index.load_passages(release_positions(findings.index, product, release.version))
    marked = [one for one in passages if is_yanked(one, findings)]
    headings = (first_line(one, findings) for one in marked if is_of_withdrawn(one))
    notices = (notice for one in marked if (notice := _notice(one, findings)))
    return next(filter(None, (*headings, *notices)), None)


def _notice(passage: StoredPassage, findings: Findings) -> Quote | None:
    """What a passage says of its release's being taken back."""
    text = findings.index.text_of(passage)
    spans = (item.span for item in passage.items if _WITHDRAWN.search(item.span.slice(text)))
    return next(
        (Quote(passage, span, span, retracted=False) for span in spans if len(span) <= MAX_QUOTE_CHARACTERS), None
    )
