"""Answers from the catalogue: which versions are indexed, how many, the latest or oldest, whether one exists, when it
came out, and which documents there are for it.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import date

from corpus.catalogue import CatalogueProduct, CatalogueRelease
from corpus.lexicon import split_tokens
from corpus.model import Span
from corpus.stored import DocumentSummary, StoredPassage
from corpus.versions import VersionConstraint, VersionMatch
from retrieval.answers.coverage import MOST_NAMED, describe_absence, describe_coverage, describe_indexed
from retrieval.answers.fact import draft_fact
from retrieval.drafting import Draft, Statement, is_withdrawn, safe
from retrieval.findings import Findings
from retrieval.model import Status
from retrieval.page_lines import product_positions, release_positions
from retrieval.quotes import MAX_QUOTE_CHARACTERS, Quote

_LISTED = 40
_CITED = 12
_COVERAGE_WORDS = frozenset(
    split_tokens(
        """version versions release releases product products project projects library libraries document documents docs
        notes cover covered covers coverage have know index indexed available all list here many latest newest"""
    )
)
_DATE = re.compile(
    r"\b(?:19|20)\d\d-\d\d-\d\d\b|\b[A-Z][a-z]{2,8}\.? \d{1,2}, (?:19|20)\d\d\b"
    r"|\b\d{1,2} [A-Z][a-z]{2,8} (?:19|20)\d\d\b"
)
_READ_AT_ONCE = 200
_PLACES = 8
"""How many places of one release are looked at for its heading."""
_EXISTS = re.compile(
    r"\b(?:exists?|is there|are there|do(?:es)? (?:you|we|the \w+) (?:have|cover|know|include))\b"
    r"|^(?:is|are|has|was)\b.*\b(?:out|released|available|published|covered|indexed|included|documented)\b",
    re.IGNORECASE,
)
_LISTS = re.compile(r"\b(?:which|what|how many|list|name|all|every)\b", re.IGNORECASE)
_NEWEST = re.compile(r"\b(?:latest|newest|most recent|current|last)\b", re.IGNORECASE)
_OLDEST = re.compile(r"\b(?:oldest|earliest|first)\b", re.IGNORECASE)
_WHEN = re.compile(r"\b(?:when|date)\b", re.IGNORECASE)
_DOCUMENTS = re.compile(
    r"\b(?:which|what|how many|list)\b.*\b(?:pages?|documents?|docs|files?|guides?)\b", re.IGNORECASE
)
_VERSIONS = re.compile(r"\b(?:versions?|releases?)\b", re.IGNORECASE)
_COUNTS = re.compile(r"\bhow many\b", re.IGNORECASE)
_IS = re.compile(r"\W*(?:is|was|are)\b", re.IGNORECASE)
_WITHDRAWN = re.compile(r"\b(?:yanked|withdrawn|pulled|retracted)\b", re.IGNORECASE)
_ORDER = re.compile(r"\b(?:older|oldest|newer|newest|latest|earlier|later|first)\b", re.IGNORECASE)
_NEXT = re.compile(
    r"\b(?:version|release)\b.*\b(?:comes|came|follows|followed|is)\b.*\b(?:after|before)\b", re.IGNORECASE
)
_STRICTLY_AFTER = re.compile(r"\b(?:after|newer than|later than|following|beyond)\b", re.IGNORECASE)


def draft_catalogue(findings: Findings) -> Draft:
    """Say what the index knows of releases, citing their headings."""
    products = meant_products(findings)
    if not products:
        return Draft(Status.ANSWERED, f"The index covers {describe_coverage(findings.index)}.", ())
    drafts = [_draft_product(findings, product) for product in products]
    answered = [one for one in drafts if one.status is Status.ANSWERED] or drafts[:1]
    lead = " ".join(one.lead for one in answered if one.lead)
    return Draft(answered[0].status, lead, tuple(statement for one in answered for statement in one.statements))


def _draft_product(findings: Findings, product: CatalogueProduct) -> Draft:
    constraint, text = findings.query.constraint, findings.query.text
    releases = _asked_releases(product, constraint)
    if constraint is not None and constraint.includes_low and constraint.high is None and _STRICTLY_AFTER.search(text):
        releases = tuple(one for one in releases if one.version != constraint.low)
    exists = constraint is not None and len(constraint.versions) == 1 and bool(_EXISTS.search(text))
    if constraint is not None and (told := _told_of_one(findings, product, releases)):
        return told
    if not releases and exists and product.releases:
        nearest = tuple(_statements(findings, product, product.releases[:1]))
        no = f"No: no notes for {safe(product.name)} {constraint} are indexed; {describe_indexed(product)}. The latest:"
        return Draft(Status.ANSWERED, no, nearest)
    if not releases:
        return Draft(Status.NOT_FOUND, f"Not found. {describe_absence(product, constraint)}", ())
    if _DOCUMENTS.search(text) and not _VERSIONS.search(text):
        return _draft_documents(findings, product, releases if constraint is not None else ())
    if _WHEN.search(text) and not any(one.date for one in releases):
        return _dated_by_words(findings, product, releases[0])
    if first_or_last := _of_period(findings, releases):
        return _draft_releases(findings, product, (first_or_last,), lead="")
    if _OLDEST.search(text) and not _WHEN.search(text):
        return _draft_releases(findings, product, releases[-1:], lead=_among(product, constraint, "oldest"))
    if constraint is None and _LISTS.search(text) and not _NEWEST.search(text):
        return _draft_list(findings, product, releases)
    if constraint is None:
        return _draft_releases(findings, product, releases[:1], lead=_among(product, constraint, "latest"))
    if not constraint.versions and (_NEWEST.search(text) or _NEXT.search(text)):
        is_last = constraint.high is None and not _NEWEST.search(text)
        return _draft_releases(findings, product, releases[-1:] if is_last else releases[:1], lead="")
    is_listed = len(releases) > 1 and not exists and bool(_LISTS.search(text))
    if not constraint.versions or is_listed:
        return _draft_list(findings, product, releases)
    return _draft_releases(findings, product, releases[:_CITED], lead="Yes." if exists else "")


def _told_of_one(findings: Findings, product: CatalogueProduct, releases: Sequence[CatalogueRelease]) -> Draft | None:
    """What a question asks of releases it names: whether one is the latest or oldest, or withdrawn, and which of two
    came first; None where it asks nothing of the sort."""
    text, constraint = findings.query.text, findings.query.constraint
    if constraint is None or not constraint.versions or not releases:
        return None
    if len(constraint.versions) == 1 and _WITHDRAWN.search(text):
        heading = _withdrawn_heading(findings, product, releases[0])
        if heading is not None:
            return Draft(Status.ANSWERED, "Yes.", (Statement(f"{_name(product, releases[0])}, yanked", (heading,)),))
        return _draft_releases(findings, product, releases[:1], lead="No: nothing in its notes says so.")
    if len(constraint.versions) == 1 and _IS.match(text) and (which := _NEWEST.search(text) or _OLDEST.search(text)):
        finals = tuple(one for one in product.releases if not one.version.is_prerelease) or product.releases
        last = finals[0] if _NEWEST.search(text) else finals[-1]
        word = which.group().lower()
        says = "Yes, of those indexed." if last.version in {one.version for one in releases} else f"No. The {word}:"
        return _draft_releases(findings, product, (last,), lead=says)
    if len(constraint.versions) == 2 and len(releases) == 2 and (which := _ORDER.search(text)):
        order = sorted(releases, key=lambda one: (one.date or date.min, one.version))
        if not all(one.date for one in releases):
            order = sorted(releases, key=lambda one: one.version)
        is_first = which.group().lower() in ("older", "oldest", "earlier", "first")
        chosen = order[0] if is_first else order[-1]
        return _draft_releases(findings, product, order, lead=f"The {which.group().lower()} one is {chosen.version}.")
    return None


def _withdrawn_heading(findings: Findings, product: CatalogueProduct, release: CatalogueRelease) -> Quote | None:
    passages = findings.index.load_passages(release_positions(findings.index, product, release.version))
    marked = (one for one in passages if any(is_withdrawn(heading) for heading in one.heading))
    return next(filter(None, (_first_line(one, findings) for one in marked)), None)


def _of_period(findings: Findings, releases: Sequence[CatalogueRelease]) -> CatalogueRelease | None:
    """The latest or first release, by date, of the period that a question names; None where it asks for neither."""
    named_as = findings.query.versions_named_as
    dated = [(one.date, one.version, one) for one in releases if one.date is not None]
    text = findings.query.text.replace(named_as, "")
    is_newest, is_oldest = bool(_NEWEST.search(text)), bool(_OLDEST.search(text))
    if not named_as or not dated or is_newest == is_oldest:
        return None
    return (max if is_newest else min)(dated)[2]


def _among(product: CatalogueProduct, constraint: VersionConstraint | None, which: str) -> str:
    if constraint is not None:
        return ""
    return f"Of {safe(product.name)}, {describe_indexed(product)} indexed. The {which} of them:"


def _draft_list(findings: Findings, product: CatalogueProduct, releases: Sequence[CatalogueRelease]) -> Draft:
    """All releases in one line, newest first, with the headings of the first of them."""
    lead = (
        f"Of {safe(product.name)}, {describe_indexed(product)} indexed."
        if findings.query.constraint is None
        else f"{len(releases)} releases of {safe(product.name)} fit."
    )
    if findings.query.constraint is None and _COUNTS.search(findings.query.text) and 1 < len(releases) <= MOST_NAMED:
        lead = f"{lead.removesuffix('.')}: {len(releases)} releases."
    listed = ", ".join(
        f"**{one.version}**{f' ({one.date.isoformat()})' if one.date else ''}" for one in releases[:_LISTED]
    )
    more = f" and {len(releases) - _LISTED} older ones" if len(releases) > _LISTED else ""
    words = f"{safe(product.name)}: {listed}{more}"
    quotes = (_heading_quote(findings, product, release) for release in releases[:_CITED])
    cited = tuple(quote for quote in quotes if quote is not None)
    return (
        Draft(Status.ANSWERED, lead, (Statement(words, cited),))
        if cited
        else Draft(Status.ANSWERED, f"{lead} {words}", ())
    )


def _draft_releases(
    findings: Findings, product: CatalogueProduct, releases: Sequence[CatalogueRelease], *, lead: str
) -> Draft:
    statements = tuple(_statements(findings, product, releases))
    if statements:
        return Draft(Status.ANSWERED, lead, statements)
    named = ", ".join(_name(product, release) for release in releases)
    return Draft(Status.ANSWERED, " ".join(filter(None, (lead, named))), ())


def _statements(
    findings: Findings, product: CatalogueProduct, releases: Sequence[CatalogueRelease]
) -> Iterator[Statement]:
    for release in releases:
        if (quote := _heading_quote(findings, product, release)) is not None:
            mark = ", yanked" if any(map(is_withdrawn, quote.passage.heading)) else ""
            yield Statement(f"{_name(product, release)}{mark}", (quote,))


def _name(product: CatalogueProduct, release: CatalogueRelease) -> str:
    day = f", {release.date.isoformat()}" if release.date else ""
    return f"**{safe(product.name)} {release.version}**{day}"


def _draft_documents(findings: Findings, product: CatalogueProduct, releases: Sequence[CatalogueRelease]) -> Draft:
    """The documents of a product, or of some of its releases, each by its place and its first words."""
    wanted = {source for release in releases for source in release.sources}
    documents = [
        one
        for one in findings.index.documents
        if one.product == product.name and (not releases or one.source in wanted)
    ]
    statements: list[Statement] = []
    firsts = _first_passages(findings, product, releases, documents[:_LISTED])
    for document in documents[:_LISTED]:
        quote = _first_line(firsts[document.id], findings) if document.id in firsts else None
        if quote is not None:
            statements.append(Statement(f"{safe(document.source)}: {safe(document.title)}", (quote,)))
    which = ", ".join(str(one.version) for one in releases)
    lead = f"{len(documents)} documents of {' '.join(filter(None, (safe(product.name), which)))} are indexed."
    return Draft(Status.ANSWERED, lead, tuple(statements))


def _first_passages(
    findings: Findings,
    product: CatalogueProduct,
    releases: Sequence[CatalogueRelease],
    documents: Sequence[DocumentSummary],
) -> dict[int, StoredPassage]:
    """Where each of some documents speaks first of some releases, or at all; by the document's number."""
    positions = sorted(p for one in releases for p in release_positions(findings.index, product, one.version))
    positions = positions or list(product_positions(findings.index, product))
    missing = {document.id for document in documents}
    firsts: dict[int, StoredPassage] = {}
    for start in range(0, len(positions), _READ_AT_ONCE):
        for passage in findings.index.load_passages(positions[start : start + _READ_AT_ONCE]):
            firsts.setdefault(passage.document.id, passage)
        if missing <= firsts.keys():
            break
    return firsts


def meant_products(findings: Findings) -> tuple[CatalogueProduct, ...]:
    """The products a catalogue question means: those it names, or the only one that has the versions it names."""
    query = findings.query
    if query.products:
        return findings.products
    if query.constraint is None:
        return ()
    fitting = tuple(one for one in findings.index.products if _asked_releases(one, query.constraint))
    return fitting if len(fitting) == 1 else ()


def _asked_releases(product: CatalogueProduct, constraint: VersionConstraint | None) -> tuple[CatalogueRelease, ...]:
    """Newest first: the very releases that were asked for, else their series; finals before candidates hide these."""
    releases = product.releases
    if constraint is not None:
        exact = tuple(one for one in releases if constraint.match(one.version) is VersionMatch.EXACT)
        releases = exact or tuple(one for one in releases if constraint.contains(one.version))
    return tuple(one for one in releases if not one.version.is_prerelease) or releases


def _dated_by_words(findings: Findings, product: CatalogueProduct, release: CatalogueRelease) -> Draft:
    """The date where a sentence of the notes states it, since no heading does; else that none is stated."""
    draft = draft_fact(findings)
    stated = tuple(one for one in draft.statements if _DATE.search(one.text))
    if stated:
        return Draft(Status.ANSWERED, "", stated[:1])
    quote = _heading_quote(findings, product, release)
    words = f"**{safe(product.name)} {release.version}** is indexed; its notes state no date."
    return Draft(Status.ANSWERED, "" if quote else words, (Statement(words, (quote,)),) if quote else ())


def asks_coverage(findings: Findings) -> bool:
    """Whether a question without a product asks what the index holds, and not about some product it doesn't know."""
    return _COVERAGE_WORDS.issuperset(findings.outcome.tokens)


def _heading_quote(findings: Findings, product: CatalogueProduct, release: CatalogueRelease) -> Quote | None:
    """The heading of the release's notes, of those that state its date if any do; else their opening words."""
    places = release_positions(findings.index, product, release.version)
    known = set(places)
    opening = [position for position in places if position - 1 not in known][:_PLACES]
    passages = findings.index.load_passages(opening)
    quotes = [quote for passage in passages if (quote := _first_line(passage, findings)) is not None]
    dated = [one for one in quotes if release.date is not None and one.passage.release_date == release.date]
    return next(iter(dated or quotes), None)


def _first_line(passage: StoredPassage, findings: Findings) -> Quote | None:
    text = findings.index.text_of(passage)
    for line in passage.span.slice(text).splitlines():
        words = line.strip()
        if sum(c.isalnum() for c in words) >= 3:
            start = text.index(words, passage.span.start)
            span = Span(start, start + min(len(words), MAX_QUOTE_CHARACTERS))
            return Quote(passage, span, span, retracted=False)
    return None
