"""robots.txt: what a site asks programs to leave alone.

Source: RFC 9309.
"""

import re
from urllib.parse import urlsplit

from protego import Protego

from ingest.sources.web import WebError
from ingest.sources.web.client import WebClient

_NAME = "relnotes"
_MAX_BYTES = 512 * 1024
_AGENT = re.compile(rf"\s*user[- ]?agent(?:\s*:|\s)\s*(?:(?P<name>\*|{_NAME})(?![\w-]))?", re.IGNORECASE)


def parse_robots(text: str) -> Protego:
    """The rules of a robots.txt for relnotes, whatever version it is named with, and for everybody."""
    named = ((line, _AGENT.match(line)) for line in text.splitlines())
    # One name for all others: thousands of them, each with the same thousands of rules, would fill the memory.
    return Protego.parse(
        "\n".join(f"User-agent: {found['name'] or 'other'}" if found else line for line, found in named)
    )


def may_fetch(rules: Protego, url: str) -> bool:
    """Whether `url` may be fetched."""
    return bool(rules.can_fetch(url, _NAME))


class RobotsGuard:
    """Asks each site's robots.txt once; threads may share it."""

    def __init__(self, client: WebClient) -> None:
        self._client = client
        self._known: dict[str, Protego] = {}

    def permit(self, url: str) -> None:
        """Return where the site lets `url` be fetched.

        Raises:
            WebError: it doesn't, or its robots.txt can't be had.
        """
        parts = urlsplit(url)
        if parts.scheme.lower() not in ("http", "https"):
            return  # the client says what is wrong with it
        site = f"{parts.scheme}://{parts.netloc}"
        if site not in self._known:
            self._known[site] = self._ask(f"{site}/robots.txt")
        if not may_fetch(self._known[site], url):
            raise WebError(
                "is closed to programs by the site's robots.txt; open it in a browser, save it, and give the file"
            )

    def _ask(self, url: str) -> Protego:
        try:
            answer = self._client.get(url, max_bytes=_MAX_BYTES)
        except WebError as error:
            if error.status is None:
                raise
            is_open = 400 <= error.status < 500 and error.status != 429
            return parse_robots("" if is_open else "User-agent: *\nDisallow: /")
        return parse_robots(answer.content.decode("utf-8-sig", errors="replace"))
