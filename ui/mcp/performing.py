"""What each tool does: an assistant and checked arguments in, a body out.

Nothing here speaks the protocol. This module brings in all that answers, so it is imported at the first call.
"""

from corpus.catalogue import CatalogueProduct
from corpus.errors import UsageError
from corpus.index.stored import DocumentSummary
from corpus.model import Span
from corpus.plain_words import one_line
from corpus.versions import Version
from retrieval.assistant import Assistant
from retrieval.drafting import shorten
from retrieval.model import RankedPassage
from retrieval.quoting.links import quote_link
from retrieval.upgrades.model import Upgrade
from ui.contract.answer import AnswerBody, Body
from ui.contract.upgrade import UpgradeBody, UpgradeItemBody, UpgradeReleaseBody
from ui.mcp.arguments import (
    AskArguments,
    ChangesArguments,
    CiteArguments,
    FetchArguments,
    ListVersionsArguments,
    SearchArguments,
    ToolArguments,
)
from ui.mcp.bodies import (
    AskedBody,
    ChangesBody,
    CitedBody,
    FetchedBody,
    FetchedMetadataBody,
    FoundBody,
    FoundListBody,
    IndexedVersionBody,
    ProductVersionsBody,
    VersionListBody,
)
from ui.mcp.excerpts import MAX_EXCERPT_CHARACTERS, TextId, cut_excerpt, parse_text_id, resource_uri
from ui.mcp.version_gaps import gaps_of_query, version_gaps

_FOUND = 10
_ASKED_PASSAGES = 5
"""An answer brings its quotes; what was found besides is there for a not_found, and `search` gives more."""
_CHANGES_ON_A_PAGE = 40
_VERSIONS_OF_EACH = 10
_TITLE_CHARACTERS = 200


def perform(arguments: ToolArguments, assistant: Assistant) -> Body:
    """Do what one call asks for.

    Raises:
        UsageError: an unknown product, document or id, or a malformed version.
    """
    match arguments:
        case SearchArguments():
            return _search(arguments, assistant)
        case FetchArguments():
            return _fetch(arguments, assistant)
        case AskArguments():
            return _ask(arguments, assistant)
        case ListVersionsArguments():
            return _list_versions(arguments, assistant)
        case ChangesArguments():
            return _changes(arguments, assistant)
        case CiteArguments():
            check = assistant.cite(arguments.text, product=arguments.product, version=arguments.version)
            return CitedBody.model_validate(check)


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


def _search(arguments: SearchArguments, assistant: Assistant) -> FoundListBody:
    passages = assistant.search(arguments.query, limit=_FOUND).passages
    return FoundListBody(results=tuple(_found(passage, assistant) for passage in passages))


def _found(passage: RankedPassage, assistant: Assistant) -> FoundBody:
    document = find_document(passage.document_id, assistant)
    place = Span(passage.start, passage.end)
    section = one_line(passage.heading[-1]) if passage.heading else ""
    return FoundBody(
        id=str(TextId(document.id, place)),
        title=_title(passage.product, passage.version, section or one_line(document.title)),
        url=_address(document, place, assistant),
    )


def _fetch(arguments: FetchArguments, assistant: Assistant) -> FetchedBody:
    wanted = parse_text_id(arguments.id)
    document = find_document(wanted.document_id, assistant)
    text = assistant.index.document_text(document.id)
    releases = assistant.index.document_releases(document.id)
    span = cut_excerpt(text, wanted.place, releases)
    inside = [one for one in releases if one.span.meets(span) and one.version]
    release = inside[0] if len(inside) == 1 else None
    version = release.version.label if release and release.version else None if inside else document.version
    before = Span(max(0, span.start - MAX_EXCERPT_CHARACTERS), span.start)
    after = Span(span.end, min(len(text), span.end + MAX_EXCERPT_CHARACTERS))
    return FetchedBody(
        id=arguments.id,
        title=_title(document.product, version, one_line(document.title)),
        text=span.slice(text),
        url=_address(document, wanted.place, assistant),
        metadata=FetchedMetadataBody(
            source=document.source,
            product=document.product,
            version=version,
            date=(release.date if release else None) or document.date,
            authority=document.authority,
            resource=resource_uri(document.id),
            start=span.start,
            end=span.end,
            document_characters=len(text),
            previous=str(TextId(document.id, before)) if len(before) else None,
            next=str(TextId(document.id, after)) if len(after) else None,
        ),
    )


def _ask(arguments: AskArguments, assistant: Assistant) -> AskedBody:
    question, history = arguments.question, arguments.history
    product, version = arguments.product, arguments.version
    answer = assistant.ask(question, history=history, product=product, version=version, limit=_ASKED_PASSAGES)
    query = assistant.understand(question, history=history, product=product, version=version)
    body = AnswerBody.model_validate(answer)
    return AskedBody(**dict(body), version_not_indexed=gaps_of_query(query, assistant.catalogue()))


def _list_versions(arguments: ListVersionsArguments, assistant: Assistant) -> VersionListBody:
    if arguments.product is not None:
        product = _find_product(arguments.product, assistant)
        return VersionListBody(products=(_versions(product, limit=len(product.releases)),))
    return VersionListBody(
        products=tuple(_versions(product, limit=_VERSIONS_OF_EACH) for product in assistant.catalogue())
    )


def _versions(product: CatalogueProduct, *, limit: int) -> ProductVersionsBody:
    return ProductVersionsBody(
        name=product.name,
        aliases=product.aliases,
        documents=product.documents,
        releases=len(product.releases),
        versions=tuple(
            IndexedVersionBody(version=release.version.label, date=release.date) for release in product.releases[:limit]
        ),
        older_versions=max(0, len(product.releases) - limit),
    )


def _changes(arguments: ChangesArguments, assistant: Assistant) -> ChangesBody:
    product = _find_product(arguments.product, assistant)
    upgrade = assistant.upgrade(product.name, arguments.start, arguments.end)
    return _page(upgrade, arguments.offset, product)


def _page(upgrade: Upgrade, offset: int, product: CatalogueProduct) -> ChangesBody:
    """The changes from number `offset` on, in the order of the whole list, vulnerabilities last."""
    whole = UpgradeBody.model_validate(upgrade)
    listed = [(release, item) for release in whole.releases for item in release.items]
    changes = len(listed) + len(whole.security)
    end = offset + _CHANGES_ON_A_PAGE
    items_of: dict[str, list[UpgradeItemBody]] = {}
    for release, item in listed[offset:end]:
        items_of.setdefault(release.version, []).append(item)
    fixed = whole.security[max(0, offset - len(listed)) : max(0, end - len(listed))]
    releases = tuple(
        UpgradeReleaseBody(version=release.version, date=release.date, items=tuple(items_of[release.version]))
        for release in whole.releases
        if release.version in items_of
    )
    # As it was resolved: `latest` is one that is indexed. The notes of the version before are no part of the list;
    # what lies between and has none is in `missing_releases`.
    asked = [version] if (version := Version.try_parse(upgrade.end)) else []
    return ChangesBody(
        **{**dict(whole), "releases": releases, "security": fixed},
        changes=changes,
        next_offset=end if end < changes else None,
        version_not_indexed=version_gaps(product, asked),
    )


def _find_product(name: str, assistant: Assistant) -> CatalogueProduct:
    (canonical,) = assistant.understand(name, product=name).products
    return next(product for product in assistant.catalogue() if product.name == canonical)


def _title(product: str, version: str | None, words: str) -> str:
    name = f"{product} {version}" if version else product
    title = words if words.casefold().startswith(name.casefold()) else f"{name}: {words}"
    return shorten(title, max_characters=_TITLE_CHARACTERS)


def _address(document: DocumentSummary, place: Span | None, assistant: Assistant) -> str:
    text = assistant.index.document_text(document.id)
    return quote_link(document, text, place or Span(0, len(text))) or resource_uri(document.id)
