"""The first and the last release whose page of documentation says something, where nobody announced it."""

from collections.abc import Iterator, Sequence

from corpus.catalogue import CatalogueProduct
from corpus.versions import Version
from retrieval.drafting import Draft, Statement, attribution, wording
from retrieval.findings import Findings
from retrieval.model import Status
from retrieval.pages.lines import PageLine, PagePair, is_one_page, likeness, page_lines
from retrieval.question.token_weights import TokenWeights
from retrieval.quoting.quotes import ItemScore, Quote
from retrieval.quoting.safe_text import safe

_SAME = 0.85
"""Share of words (Dice) from which an older page says the same thing."""
_COURSE = 0.4
"""Share of words from which it is the same line that changed."""
_STILL = 0.6
"""Share of words from which a newer page may still speak of it, however it is put."""
_NAMED = 0.8
"""The share of what a line names of the subject that its twin must name too: a list that lacks the very thing asked
about is another statement."""


def draft_by_pages(findings: Findings, best: ItemScore, subject: TokenWeights, *, is_removal: bool) -> Draft | None:
    """The first release whose page says what an item says of the subject, or for a removal the last one; None where the
    item is no line of a page that several releases have.

    A removal of what the newest page still says is not found.
    """
    passage = best.hit.passage
    product = next(iter(findings.index.products_named([passage.document.product])), None)
    if product is None or not passage.release:
        return None
    release = Version.parse(passage.release)
    own = page_lines(findings.index, product, release, like=passage.document.source)
    line = next((one for one in own if one.span == best.item.span and one.passage.position == passage.position), None)
    if line is None:
        return None
    course = list(_course(findings, product, line, own, subject, release=release, is_removal=is_removal))
    if not course:
        return None
    said = [twin for twin in course if twin is not None]
    last = said[-1] if said else line
    quote = Quote(last.passage, last.span, last.span, retracted=best.item.retracted)
    words = wording(quote, findings.index.text_of(last.passage))
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
    subject: TokenWeights,
    *,
    release: Version,
    is_removal: bool,
) -> Iterator[PageLine | None]:
    """The line in the page of one release after the other, towards older ones, or newer for a removal; at the end None
    for the release that doesn't have it. Nothing where no other release has the page."""
    named = _NAMED * subject.coverage(line.tokens)
    others = [
        one.version for one in product.releases if (one.version > release if is_removal else one.version < release)
    ]
    for other in sorted(others, reverse=not is_removal):
        lines = page_lines(findings.index, product, other, like=line.passage.document.source)
        if not lines or not is_one_page(PagePair(lines, page)):
            continue
        least = _STILL if is_removal else _SAME
        twin = find_twin(line, lines, least=least)
        if twin is not None and subject.coverage(twin.tokens) < named:
            twin = None
        yield twin
        if twin is None:
            return
        line, page = twin, lines


def find_twin(line: PageLine, page: Sequence[PageLine], *, least: float) -> PageLine | None:
    """The line of another release's page that says the same, else the likest of its section that shares `least` of its
    words; None where there is none."""
    same = next((one for one in page if line.words == one.words or line.unversioned == one.unversioned), None)
    if same is not None:
        return same
    here = [one for one in page if one.section == line.section and one.is_heading == line.is_heading]
    likest = max(here, key=lambda one: likeness(one, line), default=None)
    return likest if likest is not None and likeness(likest, line) >= least else None


def draft_course(findings: Findings, best: ItemScore) -> Draft | None:
    """What a line says in each release whose page puts it otherwise than the one before; None where it isn't a line of
    pages, or never changes."""
    pages, line = _pages_and_line(findings, best)
    if line is None:
        return None
    said: list[PageLine] = []
    for page in pages:
        twin = find_twin(said[-1] if said else line, page, least=_COURSE) or find_twin(line, page, least=_COURSE)
        if twin is not None and (not said or twin.unversioned != said[-1].unversioned):
            said.append(twin)
    if len(said) < 2:
        return None
    return Draft(Status.ANSWERED, "", tuple(_state(findings, one) for one in said))


def draft_releases_that_say(findings: Findings, best: ItemScore, subject: TokenWeights) -> Draft | None:
    """Every release whose page says of the subject what an item says; None where the item is no line of a page that
    several releases have."""
    pages, line = _pages_and_line(findings, best)
    if line is None or len(pages) < 2:
        return None
    named = _NAMED * subject.coverage(line.tokens)
    twins = [find_twin(line, page, least=_STILL) for page in pages]
    saying = [one for one in twins if one is not None and subject.coverage(one.tokens) >= named]
    product = safe(line.passage.document.product)
    releases = [f"**{safe(one.passage.release or '')}**" for one in saying]
    listed = " and ".join(filter(None, (", ".join(releases[:-1]), releases[-1])))
    quotes = tuple(Quote(one.passage, one.span, one.span, retracted=False) for one in saying)
    words = wording(quotes[-1], findings.index.text_of(quotes[-1].passage))
    which = "Of the indexed releases, only" if len(saying) == 1 else "These pages say so:"
    return Draft(Status.ANSWERED, "", (Statement(f"{which} {product} {listed}: {words}", quotes),))


def _pages_and_line(findings: Findings, best: ItemScore) -> tuple[list[tuple[PageLine, ...]], PageLine | None]:
    """The page that an item stands on, of all releases that have it, the oldest first; and the item's line of it."""
    passage = best.hit.passage
    product = next(iter(findings.index.products_named([passage.document.product])), None)
    if product is None or not passage.release:
        return [], None
    pages = [page_lines(findings.index, product, one.version, like=passage.document.source) for one in product.releases]
    pages = [page for page in reversed(pages) if page]
    lines = (one for page in pages for one in page)
    line = next((one for one in lines if one.span == best.item.span and one.passage.position == passage.position), None)
    return pages, line


def _state(findings: Findings, line: PageLine) -> Statement:
    quote = Quote(line.passage, line.span, line.span, retracted=False)
    words = wording(quote, findings.index.text_of(line.passage))
    return Statement(f"{attribution(quote)}: {words}", (quote,))
