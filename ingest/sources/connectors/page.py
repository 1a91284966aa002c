"""`https://…`: a page, a file or a feed, if the site's robots.txt lets programs fetch it."""

import json
import re
from urllib.parse import unquote, urlsplit

from corpus.errors import SourceError, UsageError
from corpus.formats import format_of_bytes
from corpus.repository_links import parse_repository_link
from ingest.releases.identity import Hints
from ingest.sources.connectors import ConnectorSettings, Fetched, SourceGone
from ingest.sources.connectors.feeds import is_feed, read_feed
from ingest.sources.files import FetchedDocument
from ingest.sources.web import Validators, WebAnswer, WebError
from ingest.sources.web.client import WebClient
from ingest.sources.web.robots import RobotsGuard
from ingest.sources.web_addresses import address_fault

_NO_TEXT = ("image/", "audio/", "video/", "font/", "model/", "multipart/")
_NO_DOCUMENT = frozenset(
    "application/zip application/gzip application/x-gzip application/x-tar application/x-bzip2 application/x-xz"
    " application/x-7z-compressed application/java-archive application/vnd.debian.binary-package"
    " application/wasm application/javascript text/javascript text/css".split()
)
# Not every codec that Python has: some take a time that grows with the square of the length.
_LEGACY = re.compile(r"(?:iso-8859-\d+|windows-\d+|cp\d+|koi8-[ru]|shift_jis|euc-(?:jp|kr)|gb(?:k|2312|18030)|big5)")


class PageConnector:
    """Fetches what stands at an address."""

    def __init__(self, settings: ConnectorSettings) -> None:
        self._client = WebClient(settings.web)
        self._robots = RobotsGuard(self._client)

    def name(self, argument: str) -> str:
        """The address without its fragment, scheme and host in lower case."""
        scheme, _, rest = argument.partition("#")[0].strip().partition(":")
        address = f"{scheme.lower()}:{rest}"
        if fault := address_fault(address):
            # A password stands before an @, and messages end in logs.
            shown = "this address" if "@" in argument else repr(argument)
            raise UsageError(f"Cannot ingest {shown}: it {fault}.")
        parts = urlsplit(address)
        return parts._replace(netloc=parts.netloc.lower(), path=parts.path or "/").geturl()

    def fetch(self, uri: str, *, state: str) -> Fetched | None:
        """See `Connector`."""
        validators = Validators(*json.loads(state)) if state else Validators()
        try:
            answer = self._client.get(uri, validators=validators, permission=self._robots.permit)
        except WebError as error:
            if error.is_gone:
                raise SourceGone(str(error)) from error
            raise
        if answer.is_unchanged:
            return None
        if answer.media_type.startswith(_NO_TEXT) or answer.media_type in _NO_DOCUMENT:
            raise SourceError(f"is {answer.media_type[:80]}, no document; give the address of the notes themselves")
        if not answer.content.strip():
            raise SourceError("is empty; nothing to ingest")
        stated = answer.validators
        kept = json.dumps([stated.etag, stated.last_modified]) if stated.headers else ""
        if is_feed(answer.content, answer.media_type):
            return Fetched(read_feed(answer.content, uri=uri, url=answer.url), state=kept, is_whole=False)
        content = _as_utf8(answer)
        place, home = _place(answer.url)
        return Fetched((FetchedDocument(uri, place, home, content, Hints(url=answer.url)),), state=kept)


def _place(url: str) -> tuple[str, str]:
    """The path of an address, and what it is relative to: its repository, else the folder or site that it lies in."""
    parts = urlsplit(url)
    folder, _, name = unquote(parts.path).strip("/").rpartition("/")
    if file := parse_repository_link(url):
        return unquote(file.path) or name, file.home
    return name or "index.html", f"{parts.hostname}/{folder}".rstrip("/")


def _as_utf8(answer: WebAnswer) -> bytes:
    """The content in the encoding that the formats read first, where the server states another one."""
    charset = answer.charset
    if not _LEGACY.fullmatch(charset) or format_of_bytes(answer.content):
        return answer.content
    try:
        return answer.content.decode(charset).encode()
    except (LookupError, UnicodeError):
        return answer.content
