"""Reads RSS and Atom: each entry is a document; nothing that a feed links to is fetched."""

import html
import io
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import date
from email.utils import parsedate_to_datetime
from typing import Any

from corpus.errors import SourceError
from ingest.formats.encodings import decode
from ingest.releases.identity import Hints
from ingest.releases.subjects import read_name_in_title
from ingest.sources.container_kinds import is_feed_start
from ingest.sources.files import FetchedDocument
from ingest.web_addresses import is_web_address, join_url

_MAX_ENTRIES = 2_000
_MAX_TAGS = 200_000  # So many take the library some ten seconds; it skips those in CDATA, where most are.
_MAX_ID_CHARACTERS = 500
_FEED_TYPES = frozenset({"application/rss+xml", "application/atom+xml", "application/rdf+xml"})
_END = re.compile(r"</(?:\w+:)?(?:rss|feed|rdf)\s*>", re.IGNORECASE)
_END_CHARACTERS = 2_000
_ENTITY = re.compile(r"<!ENTITY", re.IGNORECASE)


def is_feed(content: bytes, media_type: str) -> bool:
    """Return whether an answer is a feed, by its media type in lower case or by its first bytes."""
    return media_type in _FEED_TYPES or is_feed_start(content)


def read_feed(content: bytes, *, uri: str, url: str, home: str = "") -> tuple[FetchedDocument, ...]:
    """Return a feed's first `_MAX_ENTRIES` entries as documents, in its order, without those that have no text.

    `url` is the feed's address; empty for a file, whose own stated address is then the base of its links. `home` names
    the product if neither an entry nor the feed's title does; if it is empty, the address does.

    Raises:
        SourceError: the feed breaks off, declares entities, has too many tags, or no entry with text.
    """
    # Importing the library takes a third of a second. It would fetch anything that isn't given to it as a stream.
    import feedparser  # type: ignore[import-untyped]  # it has no type hints

    text = decode(content)
    plain = text.encode(errors="replace")
    # Searched in all of the text, because the library finds declarations that are hidden before the first element.
    if _ENTITY.search(text):
        raise SourceError("is a feed that declares entities, which can be an attack; it isn't read")
    if not _END.search(text[-_END_CHARACTERS:]):
        raise SourceError("is a feed that can't be read: it breaks off; get it anew")
    if sum(part.rpartition("]]>")[2].count("<") for part in text.split("<![CDATA[")) > _MAX_TAGS:
        raise SourceError(f"is a feed of more than {_MAX_TAGS:,} tags; give the address of the notes themselves")
    headers = {"content-type": "application/xml; charset=utf-8", "content-location": url}
    feed = feedparser.parse(
        io.BytesIO(plain), response_headers=headers, sanitize_html=False, resolve_relative_uris=False
    )
    base = url or feed.feed.get("link", "")
    place = read_name_in_title(_plain(feed.feed.get("title_detail"))) or home or re.sub(r"\A\w+://|/[^/]*\Z", "", url)
    documents: dict[str, FetchedDocument] = {}
    for entry in feed.entries[:_MAX_ENTRIES]:
        if document := _document(entry, uri=uri, url=base if is_web_address(base) else "", home=place):
            # All entries may link to the same page.
            if documents.get(document.source, document).hints.title != document.hints.title:
                document = replace(document, source=f"{document.source}#{''.join(str(document.hints.title).split())}")
            documents.setdefault(document.source, document)
    if not documents:
        raise SourceError("is a feed without any entry that has a text")
    return tuple(documents.values())


def _document(entry: Mapping[str, Any], *, uri: str, url: str, home: str) -> FetchedDocument | None:
    """Return one entry as an HTML page with its longest text; None without a title or a text."""
    title = _plain(entry.get("title_detail"))
    body = max(map(_markup, [*entry.get("content", ()), entry.get("summary_detail")]), key=len)
    if not title or not body:
        return None
    link = join_url(url, entry.get("link", ""))
    page = f"<!DOCTYPE html>\n<html><head><title>{html.escape(title)}</title></head>\n<body><main>\n" \
           f"<h1>{html.escape(title)}</h1>\n{body}\n</main></body></html>\n"  # fmt: skip
    source = f"{uri}#{''.join((entry.get('id') or entry.get('link') or title).split())[:_MAX_ID_CHARACTERS]}"
    hints = Hints(title=title, url=link if is_web_address(link) else None, day=_day(entry))
    return FetchedDocument(source, "index.html", home, page.encode(errors="replace"), hints)


def _plain(detail: Mapping[str, str] | None) -> str:
    """Return a text's words on one line, without HTML if it is said to be HTML; empty for None."""
    detail = detail or {}
    text = detail.get("value", "")
    if "html" in detail.get("type", ""):
        text = html.unescape(re.sub(r"<[^<>]{0,500}>", " ", text))
    return " ".join(text.split())


def _markup(detail: Mapping[str, str] | None) -> str:
    """Return a feed's text, which may be plain, as HTML; empty for None."""
    detail = detail or {}
    text = detail.get("value", "").strip()
    if "html" in detail.get("type", "") and re.search(r"<[a-zA-Z/!]|&\w+;", text):
        return text
    paragraphs = map(str.strip, re.split(r"\n\s*\n", text))
    return "\n".join(f"<p>{html.escape(paragraph)}</p>" for paragraph in paragraphs if paragraph)


def _day(entry: Mapping[str, Any]) -> date | None:
    """Return the day of an entry's publication, else update, in its own time zone (the library's is UTC), or None."""
    stated = str(entry.get("published") or entry.get("updated") or "").strip()
    with suppress(ValueError):
        return date.fromisoformat(stated[:10])
    with suppress(ValueError, TypeError, IndexError, OverflowError):
        return parsedate_to_datetime(stated).date()
    return None
