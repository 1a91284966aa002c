"""What each tool does: checked arguments in, a body out. It brings in all that answers: imported at the first call."""

import re
from collections.abc import Iterable, Sequence

from corpus.catalogue import CatalogueProduct
from corpus.errors import UsageError
from corpus.index.stored import DocumentSummary
from corpus.model import Release, Span
from corpus.plain_words import one_line
from corpus.versions import Version, VersionConstraint
from retrieval.answers.catalogue_releases import describe_product
from retrieval.assistant import Assistant
from retrieval.model import Query, RankedPassage
from retrieval.products.known import find_product
from retrieval.quoting.links import quote_link
from retrieval.quoting.wording import shorten
from ui.contract.answer import AnswerBody
from ui.contract.index import version_list_body
from ui.contract.upgrade import UpgradeBody
from ui.mcp import bodies

__all__ = ["ask", "changes", "cut_excerpt", "document_text", "fetch", "search", "version_list_body"]

MAX_EXCERPT_CHARACTERS = 20_000  # About 5,000 tokens.
_FOUND = 10
_ASKED_PASSAGES = 5
"""An answer brings its quotes; what was found besides is there for a not_found, and `search` gives more."""
_CHANGES_ON_A_PAGE = 40
_LONGEST_LINE = 2_000  # An excerpt ends with a whole one.
_TITLE_CHARACTERS = 200
_NUMBER = r"[0-9]{1,15}"
_ID = re.compile(rf"({_NUMBER})(?::({_NUMBER})-({_NUMBER}))?")


def search(assistant: Assistant, query: str) -> bodies.FoundListBody:
    """Return the best passages, each with an `id`: `12:1766-2407` is document 12 and the place in it."""

    def found(passage: RankedPassage) -> bodies.FoundBody:
        document, place = _document(assistant, passage.document_id), Span(passage.start, passage.end)
        words = one_line(passage.heading[-1]) if passage.heading else ""
        title = _title(passage.product, passage.version, words or one_line(document.title))
        text = assistant.index.document_text(document.id)
        return bodies.FoundBody(id=_id(document, place), title=title, url=_address(document, text, place))

    return bodies.FoundListBody(results=tuple(map(found, assistant.search(query, limit=_FOUND).passages)))


def fetch(assistant: Assistant, wanted: str) -> bodies.FetchedBody:
    """Return the document, from its beginning or around the place that an id names.

    Raises:
        UsageError: it is no id, or names no document or a place behind its end.
    """
    found = _ID.fullmatch(wanted)
    if found is None or (found[2] is not None and int(found[2]) >= int(found[3])):
        raise UsageError(f"Not an id: {wanted!r}. Take one from the results of `search`, like '12:1766-2407' or '12'.")
    document = _document(assistant, int(found[1]))
    place = Span(int(found[2]), int(found[3])) if found[2] is not None else None
    text = assistant.index.document_text(document.id)
    releases = assistant.index.document_releases(document.id)
    span = cut_excerpt(text, place, releases)
    inside = [release for release in releases if release.span.meets(span) and release.version]
    only = inside[0] if len(inside) == 1 else None
    version = only.version.label if only and only.version else None if inside else document.version
    before = Span(max(0, span.start - MAX_EXCERPT_CHARACTERS), span.start)
    after = Span(span.end, min(len(text), span.end + MAX_EXCERPT_CHARACTERS))
    return bodies.FetchedBody(
        id=wanted,
        title=_title(document.product, version, one_line(document.title)),
        text=span.slice(text),
        url=_address(document, text, place or Span(0, len(text))),
        metadata=bodies.FetchedMetadataBody(
            source=document.source,
            product=document.product,
            version=version,
            date=(only.date if only else None) or document.date,
            authority=document.authority,
            resource=_resource(document),
            start=span.start,
            end=span.end,
            document_characters=len(text),
            previous=_id(document, before) if len(before) else None,
            next=_id(document, after) if len(after) else None,
        ),
    )


def cut_excerpt(text: str, place: Span | None, releases: Sequence[Release]) -> Span:
    """Return the range of `text` to give for `place`: the release around it, or what of that fits from the place's line
    on, in whole lines where there are any. None gives the beginning of the text.

    Raises:
        UsageError: `place` is behind the end of the text.
    """
    if place is not None and place.start >= len(text):
        raise UsageError(
            f"The document has {len(text):,} characters, and the id names a place behind them. Search again: the "
            "document may have been ingested anew."
        )
    place = place or Span(0, len(text))
    around = next((one.span for one in releases if one.span.start <= place.start < one.span.end), place)
    start, whole = around.start, min(max(around.end, place.end), len(text))
    if min(place.end, whole) - start > MAX_EXCERPT_CHARACTERS:
        # A line without an end begins where the place does.
        start = max(text.rfind("\n", 0, place.start) + 1, place.start - MAX_EXCERPT_CHARACTERS // 2, start)
    if whole - start <= MAX_EXCERPT_CHARACTERS:
        return Span(start, whole)
    end = start + MAX_EXCERPT_CHARACTERS
    cut = (text.rfind(mark, end - _LONGEST_LINE, end) + 1 for mark in "\n ")
    return Span(start, next(filter(None, cut), end))


def ask(
    assistant: Assistant, question: str, history: Sequence[str], product: str | None, version: str | None
) -> bodies.AskedBody:
    """Return the answer, and which versions that the question numbers aren't indexed."""
    answer = assistant.ask(question, history=history, product=product, version=version, limit=_ASKED_PASSAGES)
    query = assistant.understand(question, history=history, product=product, version=version)
    gaps = _gaps_of_query(query, assistant.catalogue())
    return bodies.AskedBody(**dict(AnswerBody.model_validate(answer)), version_not_indexed=gaps)


def changes(assistant: Assistant, name: str, start: str, end: str, offset: int) -> bodies.ChangesBody:
    """Return the changes from number `offset` on, in the order of the whole list, vulnerabilities last."""
    product = find_product(assistant.catalogue(), name)
    upgrade = assistant.upgrade(product.name, start, end)
    whole = UpgradeBody.model_validate(upgrade)
    behind = offset + _CHANGES_ON_A_PAGE
    releases = []
    listed = 0
    for release in whole.releases:
        items = release.items[max(0, offset - listed) : max(0, behind - listed)]
        if items:
            releases.append(release.model_copy(update={"items": items}))
        listed += len(release.items)
    security = whole.security[max(0, offset - listed) : max(0, behind - listed)]
    total = listed + len(whole.security)
    # As it was resolved: `latest` is one that is indexed. The notes of the version before are no part of the list;
    # what lies between and has none is in `missing_releases`.
    asked = [version] if (version := Version.try_parse(upgrade.end)) else []
    return bodies.ChangesBody(
        **{**dict(whole), "releases": tuple(releases), "security": security},
        changes=total,
        next_offset=behind if behind < total else None,
        version_not_indexed=_version_gaps(product, asked),
    )


def document_text(assistant: Assistant, number: str) -> str:
    """Return the whole text of a document.

    Raises:
        UsageError: there is none of that number.
    """
    return assistant.index.document_text(_document(assistant, int(number) if re.fullmatch(_NUMBER, number) else 0).id)


def _document(assistant: Assistant, number: int) -> DocumentSummary:
    for document in assistant.index.documents:
        if document.id == number:
            return document
    raise UsageError(
        f"There is no document {number} in the index; one that is ingested anew gets a new number. "
        "Search again, and fetch by the ids of the results."
    )


def _id(document: DocumentSummary, place: Span) -> str:
    return f"{document.id}:{place.start}-{place.end}"


def _resource(document: DocumentSummary) -> str:
    return f"relnotes://documents/{document.id}"


def _address(document: DocumentSummary, text: str, place: Span) -> str:
    return quote_link(document, text, place) or _resource(document)


def _title(product: str, version: str | None, words: str) -> str:
    name = f"{product} {version}" if version else product
    title = words if words.casefold().startswith(name.casefold()) else f"{name}: {words}"
    return shorten(title, max_characters=_TITLE_CHARACTERS)


def _gaps_of_query(query: Query, products: Sequence[CatalogueProduct]) -> tuple[bodies.VersionGapBody, ...]:
    """Return the versions that a question about one product numbers and the index has none of; none for `latest`."""
    constraint = query.constraint
    named = [product for product in products if product.name in query.products]
    if constraint is None or len(named) != 1 or query.versions_named_as:
        return ()
    low = (constraint.low,) if constraint.low is not None and constraint.includes_low else ()
    high = (constraint.high,) if constraint.high is not None and constraint.includes_high else ()
    return _version_gaps(named[0], constraint.versions or (*low, *high))


def _version_gaps(product: CatalogueProduct, asked: Iterable[Version]) -> tuple[bodies.VersionGapBody, ...]:
    """Those of the versions `asked` about that aren't indexed, in that order."""
    return tuple(
        bodies.VersionGapBody(
            product=product.name,
            version=version.label,
            detail=f"Version not indexed: {product.name} {version}. Indexed: {describe_product(product)}.",
        )
        for version in asked
        if not any(VersionConstraint.exactly(version).contains(release.version) for release in product.releases)
    )
