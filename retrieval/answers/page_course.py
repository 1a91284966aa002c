"""The first and the last release whose page of documentation says something, where nobody announced it."""

from collections.abc import Iterator

from corpus.catalogue import CatalogueProduct
from corpus.versions import Version
from retrieval.drafting import Draft, Statement, attribution, safe, wording
from retrieval.findings import Findings
from retrieval.model import Status
from retrieval.page_differences import likeness
from retrieval.page_lines import PageLine, PagePair, is_one_page, page_lines
from retrieval.quotes import ItemScore, Quote

_SAME = 0.85
"""Share of words (Dice) from which an older page says the same thing."""
_STILL = 0.6
"""Share of words from which a newer page may still speak of it, however it is put."""


def draft_by_pages(findings: Findings, best: ItemScore, *, is_removal: bool) -> Draft | None:
    """The first release whose page says what an item says, or for a removal the last one; None where the item is no
    line of a page that several releases have.

    A removal of what the newest page still says is not found.
    """
    passage = best.hit.passage
    product = next((one for one in findings.index.products if one.name == passage.document.product), None)
    if product is None or not passage.release:
        return None
    release = Version.parse(passage.release)
    own = page_lines(findings.index, product, release, like=passage.document.source)
    line = next((one for one in own if one.span == best.item.span and one.passage.position == passage.position), None)
    if line is None:
        return None
    course = list(_course(findings, product, line, own, release=release, is_removal=is_removal))
    if not course:
        return None
    said = [twin for twin in course if twin is not None]
    last = said[-1] if said else line
    quote = Quote(last.passage, last.span, last.span, retracted=best.item.retracted)
    words = wording(quote, findings.index.document_text(last.passage.document.id))
    place = attribution(quote)
    if is_removal and None not in course:
        return Draft(Status.NOT_FOUND, f"Not found: {place}, the newest indexed page, still says: {safe(words)}", ())
    which = "last" if is_removal else "first"
    return Draft(
        Status.ANSWERED,
        "",
        (Statement(f"{place} is the {which} indexed release whose page says so: {words}", (quote,)),),
    )


def _course(
    findings: Findings,
    product: CatalogueProduct,
    line: PageLine,
    page: tuple[PageLine, ...],
    *,
    release: Version,
    is_removal: bool,
) -> Iterator[PageLine | None]:
    """The line in the page of one release after the other, towards older ones, or newer for a removal; None, at the end,
    for the release that doesn't have it. Nothing where no other release has the page."""
    others = [
        one.version for one in product.releases if (one.version > release if is_removal else one.version < release)
    ]
    for other in sorted(others, reverse=not is_removal):
        lines = page_lines(findings.index, product, other, like=line.passage.document.source)
        if not lines or not is_one_page(PagePair(lines, page)):
            continue
        least = _STILL if is_removal else _SAME
        twins = [one for one in lines if one.words == line.words] or [
            one for one in lines if one.section == line.section and likeness(one, line) >= least
        ]
        yield twins[0] if twins else None
        if not twins:
            return
        line, page = twins[0], lines
