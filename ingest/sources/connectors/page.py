"""`https://…`: a page or a file, if the site's robots.txt lets programs fetch it."""

import json
import re
from contextlib import suppress
from urllib.parse import unquote, urlsplit

from protego import Protego

from corpus.errors import SourceError, UsageError
from corpus.repository_links import parse_repository_link
from ingest.releases.identity import Hints
from ingest.sources.connectors import ConnectorSettings, Fetched, SourceGone
from ingest.sources.files import FetchedDocument
from ingest.sources.web import WebError
from ingest.sources.web.client import WebClient
from ingest.web_addresses import address_fault, is_web_address

_NAME = "relnotes"
_MAX_BYTES = 512 * 1024
_AGENT = re.compile(rf"\s*user[- ]?agent(?:\s*:|\s)\s*(?:(?P<name>\*|{_NAME})(?![\w-]))?", re.IGNORECASE)
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
        self._robots = RobotsGuard(self._client)

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
            answer = self._client.get(uri, headers=headers, permission=self._robots.permit)
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


def parse_robots(text: str) -> Protego:
    """Return a robots.txt's rules for relnotes, whatever version of it they name, and for everybody (`*`)."""
    matched = ((line, _AGENT.match(line)) for line in text.splitlines())
    # One name for all other agents: thousands, each with the same thousands of rules, would fill the memory.
    return Protego.parse(
        "\n".join(f"User-agent: {agent['name'] or 'other'}" if agent else line for line, agent in matched)
    )


class RobotsGuard:
    """Checks addresses by their site's robots.txt, fetched once per site; threads may share it."""

    def __init__(self, client: WebClient) -> None:
        self._client = client
        self._known: dict[str, Protego] = {}

    def permit(self, url: str) -> None:
        """Raise if the site doesn't allow an address to be fetched.

        Raises:
            WebError: it doesn't, or its robots.txt can't be fetched.
        """
        parts = urlsplit(url)
        if parts.scheme.lower() not in ("http", "https"):
            return  # the client reports its fault
        site = f"{parts.scheme}://{parts.netloc}"
        if site not in self._known:
            self._known[site] = self._fetch_rules(f"{site}/robots.txt")
        if not self._known[site].can_fetch(url, _NAME):
            raise WebError(
                "is closed to programs by the site's robots.txt; open it in a browser, save it, and give the file"
            )

    def _fetch_rules(self, url: str) -> Protego:
        """Return a site's rules: no robots.txt allows all, a failing server nothing; raise WebError if it is silent."""
        try:
            answer = self._client.get(url, max_bytes=_MAX_BYTES)
        except WebError as error:
            if error.status is None:
                raise
            is_open = 400 <= error.status < 500 and error.status != 429
            return parse_robots("" if is_open else "User-agent: *\nDisallow: /")
        return parse_robots(answer.content.decode("utf-8-sig", errors="replace"))
