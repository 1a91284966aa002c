"""What each tool does: checked arguments in, a body out. It brings in all that answers: imported at the first call."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from corpus.catalogue import CatalogueProduct
from corpus.errors import UsageError
from corpus.index.stored import DocumentSummary
from corpus.model import Span
from corpus.plain_words import one_line
from corpus.versions import Version, VersionConstraint
from retrieval.answers.catalogue_releases import describe_product
from retrieval.assistant import Assistant
from retrieval.composing import shorten
from retrieval.model import Query, RankedPassage
from retrieval.products.known import find_product
from retrieval.quoting.links import quote_link
from ui.contract.answer import AnswerBody, Body
from ui.contract.index import version_list_body
from ui.contract.upgrade import UpgradeBody
from ui.mcp import tools
from ui.mcp.excerpts import MAX_EXCERPT_CHARACTERS, TextId, cut_excerpt, parse_text_id, resource_uri

_FOUND = 10
_ASKED_PASSAGES = 5
"""An answer brings its quotes; what was found besides is there for a not_found, and `search` gives more."""
_CHANGES_ON_A_PAGE = 40
_TITLE_CHARACTERS = 200


def find_document(document_id: int, assistant: Assistant) -> DocumentSummary:
    """The document of that number.

    Raises:
        UsageError: there is none.
    """
    for document in assistant.index.documents:
        if document.id == document_id:
            return document
    raise UsageError(
        f"There is no document {document_id} in the index; one that is ingested anew gets a new number. "
        "Search again, and fetch by the ids of the results."
    )


def _found(passage: RankedPassage, assistant: Assistant) -> tools.FoundBody:
    document = find_document(passage.document_id, assistant)
    place = Span(passage.start, passage.end)
    section = one_line(passage.heading[-1]) if passage.heading else ""
    return tools.FoundBody(
        id=str(TextId(document.id, place)),
        title=_title(passage.product, passage.version, section or one_line(document.title)),
        url=_address(document, place, assistant),
    )


def _fetch(arguments: tools.FetchArguments, assistant: Assistant) -> tools.FetchedBody:
    wanted = parse_text_id(arguments.id)
    document = find_document(wanted.document_id, assistant)
    text = assistant.index.document_text(document.id)
    releases = assistant.index.document_releases(document.id)
    span = cut_excerpt(text, wanted.place, releases)
    inside = [release for release in releases if release.span.meets(span) and release.version]
    only = inside[0] if len(inside) == 1 else None
    version = only.version.label if only and only.version else None if inside else document.version
    before = Span(max(0, span.start - MAX_EXCERPT_CHARACTERS), span.start)
    after = Span(span.end, min(len(text), span.end + MAX_EXCERPT_CHARACTERS))
    return tools.FetchedBody(
        id=arguments.id,
        title=_title(document.product, version, one_line(document.title)),
        text=span.slice(text),
        url=_address(document, wanted.place, assistant),
        metadata=tools.FetchedMetadataBody(
            source=document.source,
            product=document.product,
            version=version,
            date=(only.date if only else None) or document.date,
            authority=document.authority,
            resource=resource_uri(document.id),
            start=span.start,
            end=span.end,
            document_characters=len(text),
            previous=str(TextId(document.id, before)) if len(before) else None,
            next=str(TextId(document.id, after)) if len(after) else None,
        ),
    )


def _changes(arguments: tools.ChangesArguments, assistant: Assistant) -> tools.ChangesBody:
    """The changes from number `offset` on, in the order of the whole list, vulnerabilities last."""
    product = find_product(assistant.catalogue(), arguments.product)
    upgrade = assistant.upgrade(product.name, arguments.start, arguments.end)
    whole = UpgradeBody.model_validate(upgrade)
    first, end = arguments.offset, arguments.offset + _CHANGES_ON_A_PAGE
    releases = []
    listed = 0
    for release in whole.releases:
        items = release.items[max(0, first - listed) : max(0, end - listed)]
        if items:
            releases.append(replace(release, items=items))
        listed += len(release.items)
    security = whole.security[max(0, first - listed) : max(0, end - listed)]
    changes = listed + len(whole.security)
    # As it was resolved: `latest` is one that is indexed. The notes of the version before are no part of the list;
    # what lies between and has none is in `missing_releases`.
    asked = [version] if (version := Version.try_parse(upgrade.end)) else []
    return tools.ChangesBody(
        **{**dict(whole), "releases": tuple(releases), "security": security},
        changes=changes,
        next_offset=end if end < changes else None,
        version_not_indexed=_version_gaps(product, asked),
    )


def _title(product: str, version: str | None, words: str) -> str:
    name = f"{product} {version}" if version else product
    title = words if words.casefold().startswith(name.casefold()) else f"{name}: {words}"
    return shorten(title, max_characters=_TITLE_CHARACTERS)


def _address(document: DocumentSummary, place: Span | None, assistant: Assistant) -> str:
    text = assistant.index.document_text(document.id)
    return quote_link(document, text, place or Span(0, len(text))) or resource_uri(document.id)


def _gaps_of_query(query: Query, products: Sequence[CatalogueProduct]) -> tuple[tools.VersionGapBody, ...]:
    """The versions that a question about one product numbers and that no release in the index is; none for `latest`."""
    constraint = query.constraint
    named = [product for product in products if product.name in query.products]
    if constraint is None or len(named) != 1 or query.versions_named_as:
        return ()
    low = (constraint.low,) if constraint.low is not None and constraint.includes_low else ()
    high = (constraint.high,) if constraint.high is not None and constraint.includes_high else ()
    return _version_gaps(named[0], constraint.versions or (*low, *high))


def _version_gaps(product: CatalogueProduct, asked: Iterable[Version]) -> tuple[tools.VersionGapBody, ...]:
    """Those of the versions `asked` about that aren't indexed, in that order."""
    return tuple(
        tools.VersionGapBody(
            product=product.name,
            version=version.label,
            detail=f"Version not indexed: {product.name} {version}. Indexed: {describe_product(product)}.",
        )
        for version in asked
        if not any(VersionConstraint.exactly(version).contains(release.version) for release in product.releases)
    )


def perform(arguments: tools.Arguments, assistant: Assistant) -> Body:
    """Do what one call of the tool that takes `arguments` asks for.

    Raises:
        UsageError: an unknown product, document or id, or a malformed version.
    """
    match arguments:
        case tools.SearchArguments():
            return tools.FoundListBody(
                results=tuple(
                    _found(passage, assistant) for passage in assistant.search(arguments.query, limit=_FOUND).passages
                )
            )
        case tools.FetchArguments():
            return _fetch(arguments, assistant)
        case tools.AskArguments():
            question, history = arguments.question, arguments.history
            product, version = arguments.product, arguments.version
            answer = assistant.ask(question, history=history, product=product, version=version, limit=_ASKED_PASSAGES)
            query = assistant.understand(question, history=history, product=product, version=version)
            gaps = _gaps_of_query(query, assistant.catalogue())
            return tools.AskedBody(**dict(AnswerBody.model_validate(answer)), version_not_indexed=gaps)
        case tools.ListVersionsArguments():
            return version_list_body(assistant, arguments.product)
        case tools.ChangesArguments():
            return _changes(arguments, assistant)
        case tools.CiteArguments():
            check = assistant.cite(arguments.text, product=arguments.product, version=arguments.version)
            return tools.CitedBody.model_validate(check)
    raise TypeError(f"No tool takes {type(arguments).__name__}.")
