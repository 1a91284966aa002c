"""The releases whose page of documentation says something, where nobody announced it: the first, the last, all of them,
or what each says.
"""

from collections.abc import Iterable, Iterator, Sequence

from corpus.catalogue import CatalogueProduct
from corpus.versions import Version
from retrieval.drafting import Draft, Statement, attribution, state, wording
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

_Page = tuple[PageLine, ...]


def draft_by_pages(findings: Findings, best: ItemScore, subject: TokenWeights, *, is_removal: bool) -> Draft | None:
    """The first release whose page says what an item says of the subject, or for a removal the last one; None where the
    item is no line of a page that several releases have.

    A removal of what the newest page still says is not found.
    """
    found = _find_line(findings, best)
    if found is None:
        return None
    product, page, line = found
    release = Version.parse(str(best.passage.release))
    versions = sorted(indexed.version for indexed in product.releases)
    following = (
        [version for version in versions if version > release]
        if is_removal
        else [version for version in versions if version < release]
    )
    named = _NAMED * subject.coverage(line.tokens)
    last, is_compared, is_ended = line, False, False
    for other in _pages(findings, product, best, following if is_removal else reversed(following)):
        if is_one_page(PagePair(other, page)):
            twin = find_twin(last, other, least=_STILL if is_removal else _SAME)
            is_compared, is_ended = True, twin is None or subject.coverage(twin.tokens) < named
            if twin is None or is_ended:
                break
            last, page = twin, other
    if not is_compared:
        return None
    quote = Quote(last.passage, last.span, last.span, retracted=best.item.retracted)
    words, place = wording(quote, findings.text_of(quote)), attribution(quote)
    if is_removal and not is_ended:
        return Draft(
            Status.NOT_FOUND, f"Not found: {place}, the newest page in the library, still says: {safe(words)}", ()
        )
    which = "last" if is_removal else "first"
    said = Statement(f"{place} is the {which} release in the library whose page says so: {words}", (quote,))
    return Draft(Status.ANSWERED, "", (said,))


def draft_course(findings: Findings, best: ItemScore) -> Draft | None:
    """What a line says in each release whose page puts it otherwise than the one before; None where it isn't a line of
    pages, or never changes."""
    said: list[PageLine] = []
    for line, page in _every_page(findings, best):
        twin = find_twin(said[-1] if said else line, page, least=_COURSE) or find_twin(line, page, least=_COURSE)
        if twin is not None and (not said or twin.unversioned != said[-1].unversioned):
            said.append(twin)
    quotes = [Quote(line.passage, line.span, line.span) for line in said]
    stated = tuple(state(quote, findings.text_of(quote)) for quote in quotes)
    return Draft(Status.ANSWERED, "", stated) if len(stated) > 1 else None


def draft_releases_that_say(findings: Findings, best: ItemScore, subject: TokenWeights) -> Draft | None:
    """Every release whose page says of the subject what an item says; None where the item is no line of a page that
    several releases have."""
    twins = [(line, find_twin(line, page, least=_STILL)) for line, page in _every_page(findings, best)]
    if len(twins) < 2:
        return None
    saying = [
        twin for line, twin in twins if twin and subject.coverage(twin.tokens) >= _NAMED * subject.coverage(line.tokens)
    ]
    releases = [f"**{safe(line.passage.release or '')}**" for line in saying]
    listed = " and ".join(filter(None, (", ".join(releases[:-1]), releases[-1])))
    quotes = tuple(Quote(line.passage, line.span, line.span) for line in saying)
    words = wording(quotes[-1], findings.text_of(quotes[-1]))
    which = "Of the releases in the library, only" if len(saying) == 1 else "These pages say so:"
    said = f"{which} {safe(best.passage.document.product)} {listed}: {words}"
    return Draft(Status.ANSWERED, "", (Statement(said, quotes),))


def find_twin(line: PageLine, page: Sequence[PageLine], *, least: float) -> PageLine | None:
    """The line of another release's page that says the same, else the likest of its section that shares `least` of its
    words; None where there is none."""
    same = next((other for other in page if line.words == other.words or line.unversioned == other.unversioned), None)
    if same is not None:
        return same
    here = [other for other in page if other.section == line.section and other.is_heading == line.is_heading]
    likest = max(here, key=lambda other: likeness(other, line), default=None)
    return likest if likest is not None and likeness(likest, line) >= least else None


def _find_line(findings: Findings, best: ItemScore) -> tuple[CatalogueProduct, _Page, PageLine] | None:
    passage = best.passage
    product = next(iter(findings.index.products_named([passage.document.product])), None)
    if product is None or not passage.release:
        return None
    page = next(_pages(findings, product, best, (Version.parse(passage.release),)), ())
    lines = (
        candidate
        for candidate in page
        if candidate.span == best.item.span and candidate.passage.position == passage.position
    )
    line = next(lines, None)
    return None if line is None else (product, page, line)


def _pages(
    findings: Findings, product: CatalogueProduct, best: ItemScore, versions: Iterable[Version]
) -> Iterator[_Page]:
    source = best.passage.document.source
    return filter(None, (page_lines(findings.index, product, version, like=source) for version in versions))


def _every_page(findings: Findings, best: ItemScore) -> Iterator[tuple[PageLine, _Page]]:
    """The line of a page that an item is, with that page of each release, the oldest first."""
    if found := _find_line(findings, best):
        product, _, line = found
        versions = (release.version for release in reversed(product.releases))
        yield from ((line, page) for page in _pages(findings, product, best, versions))
