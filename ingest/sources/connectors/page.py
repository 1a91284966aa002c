"""`https://…`: a page or a file."""

import json
import re
from contextlib import suppress
from urllib.parse import unquote, urlsplit

from corpus.errors import SourceError, UsageError
from corpus.repository_links import parse_repository_link
from ingest.releases.identity import Hints
from ingest.sources.connectors import ConnectorSettings, Fetched, SourceGone
from ingest.sources.files import FetchedDocument
from ingest.sources.web import WebError
from ingest.sources.web.client import WebClient
from ingest.web_addresses import address_fault, is_web_address

_NO_TEXT = ("image/", "audio/", "video/", "font/", "model/", "multipart/")
_NO_DOCUMENT = frozenset(
    "application/zip application/gzip application/x-gzip application/x-tar application/x-bzip2 application/x-xz"
    " application/x-7z-compressed application/java-archive application/vnd.debian.binary-package"
    " application/wasm application/javascript text/javascript text/css".split()
)
# Not all of Python's codecs, because some take quadratic time.
_LEGACY = re.compile(r"(?:iso-8859-\d+|windows-\d+|cp\d+|koi8-[ru]|shift_jis|euc-(?:jp|kr)|gb(?:k|2312|18030)|big5)")


class PageConnector:
    """Fetches the document at an address."""

    def __init__(self, settings: ConnectorSettings) -> None:
        self._client = WebClient(settings.web)

    def name(self, argument: str) -> str:
        """See `Connector`. Returns the address without its fragment, with scheme and host in lower case."""
        scheme, _, rest = argument.partition("#")[0].strip().partition(":")
        address = f"{scheme.lower()}:{rest}"
        if fault := address_fault(address):
            # Before an @ may be a password, and messages end in logs.
            shown = "this address" if "@" in argument else repr(argument)
            raise UsageError(f"Cannot ingest {shown}: it {fault}.")
        parts = urlsplit(address)
        return parts._replace(netloc=parts.netloc.lower(), path=parts.path or "/").geturl()

    def fetch(self, uri: str, *, state: str) -> Fetched | None:
        """See `Connector`."""
        # A conditional request: RFC 9110, section 13.1.
        conditions = zip(("If-None-Match", "If-Modified-Since"), json.loads(state) if state else (), strict=False)
        headers = {name: stated for name, stated in conditions if stated}
        try:
            answer = self._client.get(uri, headers=headers)
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
        stated = [answer.headers.get(name, "") for name in ("etag", "last-modified")]
        kept = json.dumps(stated) if any(stated) else ""
        content = answer.content
        # The formats read UTF-8 first; a server may state another encoding.
        if _LEGACY.fullmatch(answer.charset):
            with suppress(LookupError, UnicodeError):
                content = content.decode(answer.charset).encode()
        place, home = _place_and_home(answer.url)
        # A redirect may end at an address that mustn't be shown.
        url = answer.url if is_web_address(answer.url) else uri
        return Fetched((FetchedDocument(uri, place, home, content, Hints(url=url)),), state=kept)


def _place_and_home(url: str) -> tuple[str, str]:
    """Return the path of an address, and what it is relative to: its repository, else its folder or site."""
    parts = urlsplit(url)
    folder, _, name = unquote(parts.path).strip("/").rpartition("/")
    if file := parse_repository_link(url):
        return unquote(file.path) or name, file.home
    return name or "index.html", f"{parts.hostname}/{folder}".rstrip("/")
