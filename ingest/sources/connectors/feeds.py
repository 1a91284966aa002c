"""RSS and Atom: each entry is a document; nothing that a feed names is fetched.

Source: RFC 4287 (Atom), the specifications of RSS 2.0 and 1.0.
"""

import html
import re
from datetime import date, datetime
from email.utils import parsedate_to_datetime
from itertools import islice

from lxml import etree  # type: ignore[import-untyped]  # lxml has no type hints

from corpus.errors import SourceError
from ingest.releases.identity import Hints
from ingest.releases.subjects import read_name_in_title
from ingest.sources.container_kinds import is_feed_start
from ingest.sources.files import FetchedDocument
from ingest.web_addresses import is_web_address, joined

_MAX_ENTRIES = 2_000
_MAX_ID_CHARACTERS = 500
_FEED_TYPES = frozenset({"application/rss+xml", "application/atom+xml", "application/rdf+xml"})
_TEXTS = ("encoded", "content", "description", "summary")
"""The fullest first."""
_DAYS = ("published", "pubDate", "date", "issued", "updated")


def is_feed(content: bytes, media_type: str) -> bool:
    """Whether an answer is a feed, by its stated type or by how it begins."""
    return media_type in _FEED_TYPES or is_feed_start(content)


def read_feed(content: bytes, *, uri: str, url: str, home: str = "") -> tuple[FetchedDocument, ...]:
    """The entries of a feed, in its order; those without any text are left out.

    `url` is where it was found; of a file, nothing: then the address that the feed itself states is the base of its
    links. `home` names the product where neither an entry nor the feed's title does; without it, the address does.

    Raises:
        SourceError: it is no well-formed feed, declares entities, or has no entry with text.
    """
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        root = etree.fromstring(content, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise SourceError(f"is a feed that can't be read ({str(error).splitlines()[0][:150]})") from error
    declared = root.getroottree().docinfo.internalDTD
    if declared is not None and next(declared.iterentities(), None) is not None:
        raise SourceError("is a feed that declares entities, which can be an attack; it isn't read")
    channel = _child(root, "channel")
    channel = root if channel is None else channel
    base = url or _plain(_child(channel, "link")) or _link(channel)
    named = read_name_in_title(" ".join(_plain(_child(channel, "title")).split()))
    place = named or home or re.sub(r"\A\w+://|/[^/]*\Z", "", url)
    entries = islice((element for element in root.iter() if _name(element) in ("item", "entry")), _MAX_ENTRIES)
    documents: dict[str, FetchedDocument] = {}
    for entry in entries:
        if found := _document(entry, uri=uri, url=base if is_web_address(base) else "", home=place):
            documents.setdefault(found.source, found)
    if not documents:
        raise SourceError("is a feed without any entry that has a text")
    return tuple(documents.values())


def _document(entry: etree._Element, *, uri: str, url: str, home: str) -> FetchedDocument | None:
    """One entry as a page of its own."""
    title = " ".join(_plain(_child(entry, "title")).split())
    body = next((text for name in _TEXTS if (text := _markup(_child(entry, name)))), "")
    if not title or not body:
        return None
    link = joined(url, _link(entry))
    named = _plain(_child(entry, "guid")) or _plain(_child(entry, "id")) or link or title
    page = f"<!DOCTYPE html>\n<html><head><title>{html.escape(title)}</title></head>\n<body><main>\n" \
           f"<h1>{html.escape(title)}</h1>\n{body}\n</main></body></html>\n"  # fmt: skip
    source = f"{uri}#{''.join(named.split())[:_MAX_ID_CHARACTERS]}"
    hints = Hints(title=title, url=link if is_web_address(link) else None, day=_day(entry))
    return FetchedDocument(source, "index.html", home, page.encode(errors="replace"), hints)


def _name(element: etree._Element) -> str:
    return etree.QName(element).localname if isinstance(element.tag, str) else ""


def _child(entry: etree._Element, name: str) -> etree._Element | None:
    return next((child for child in entry if _name(child) == name), None)


def _plain(element: etree._Element | None) -> str:
    """An element's text; of one that holds HTML, the text of that."""
    if element is None:
        return ""
    text = "".join(str(part) for part in element.itertext())
    is_html = element.get("type") in ("html", "text/html")
    return html.unescape(re.sub(r"<[^<>]{0,500}>", " ", text) if is_html else text).strip()


def _markup(element: etree._Element | None) -> str:
    """An element's content as HTML."""
    if element is None:
        return ""
    if len(element):  # XHTML of Atom: markup, not text
        inner = b"".join(etree.tostring(child, encoding="utf-8") for child in element)
        return (html.escape(element.text or "") + inner.decode()).strip()
    text = (element.text or "").strip()
    if element.get("type") == "text" or not re.search(r"<[a-zA-Z/!]|&\w+;", text):
        paragraphs = map(str.strip, re.split(r"\n\s*\n", text))
        return "\n".join(f"<p>{html.escape(paragraph)}</p>" for paragraph in paragraphs if paragraph)
    return text


def _link(entry: etree._Element) -> str:
    links = [child for child in entry if _name(child) == "link"]
    links.sort(key=lambda link: link.get("rel", "alternate") != "alternate")
    addresses = ((link.get("href") or link.text or "").strip() for link in links)
    return next(filter(None, addresses), "")


def _day(entry: etree._Element) -> date | None:
    for name in _DAYS:
        stated = _plain(_child(entry, name))
        if not stated:
            continue
        for parse in (datetime.fromisoformat, parsedate_to_datetime):
            try:
                return parse(stated).date()
            except (ValueError, TypeError, IndexError, OverflowError):
                continue
    return None
