"""robots.txt: what a site asks programs to leave alone.

Source: RFC 9309.
"""

import re
from dataclasses import dataclass
from urllib.parse import quote, unquote, urlsplit

from ingest.sources.web import WebError
from ingest.sources.web.client import WebClient

_NAME = "relnotes"
_MAX_BYTES = 512 * 1024
_MAX_PATTERN = 2_000


@dataclass(frozen=True, slots=True)
class RobotsRules:
    """The rules that a robots.txt has for us."""

    rules: tuple[tuple[str, bool], ...]
    """Patterns of paths, and whether what matches may be fetched."""

    def allows(self, path: str) -> bool:
        """Whether a path with its query may be fetched: the longest rule that matches says so, and leave wins a tie."""
        target = _normal(path)
        matching = [(len(pattern), allows) for pattern, allows in self.rules if _matches(pattern, target)]
        return max(matching, default=(0, True))[1]


def parse_robots(text: str) -> RobotsRules:
    """The rules of the group that names relnotes, else of the one for everybody; several such groups count as one."""
    groups: dict[str, list[tuple[str, bool]]] = {}
    agents: list[str] = []
    naming = False
    for line in text.removeprefix("\ufeff").splitlines():
        key, _, value = line.partition("#")[0].partition(":")
        key, value = key.strip().lower(), value.strip()
        if key == "user-agent":
            agents = [*agents, value.lower()] if naming else [value.lower()]
            groups.setdefault(value.lower(), [])
            naming = True
        elif key in ("allow", "disallow"):
            naming = False
            if value and len(value) <= _MAX_PATTERN:
                for agent in agents:
                    groups[agent].append((_normal(value), key == "allow"))
    named = next((agent for agent in groups if re.match(rf"{_NAME}(?![a-z_-])", agent)), "*")
    return RobotsRules(tuple(groups.get(named, ())))


def _normal(path: str) -> str:
    """One spelling of each percent-encoded path."""
    return quote(unquote(path), safe="/?=&*$:@!',;()+~%")


def _matches(pattern: str, path: str) -> bool:
    """Whether a rule's pattern, with `*` for anything and `$` for the end, begins a path; in linear time."""
    anchored = pattern.endswith("$")
    first, *rest = pattern.removesuffix("$").split("*")
    if not path.startswith(first):
        return False
    at = len(first)
    for number, part in enumerate(rest):
        if anchored and number == len(rest) - 1:
            return path.endswith(part) and len(path) - len(part) >= at
        found = path.find(part, at)
        if found < 0:
            return False
        at = found + len(part)
    return not anchored or at == len(path)


class RobotsGuard:
    """Asks each site's robots.txt once; threads may share it."""

    def __init__(self, client: WebClient) -> None:
        self._client = client
        self._known: dict[str, RobotsRules] = {}

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
        if not self._known[site].allows((parts.path or "/") + (f"?{parts.query}" if parts.query else "")):
            raise WebError(
                "is closed to programs by the site's robots.txt; open it in a browser, save it, and give the file"
            )

    def _ask(self, url: str) -> RobotsRules:
        try:
            answer = self._client.get(url, max_bytes=_MAX_BYTES)
        except WebError as error:
            if error.status is None:
                raise
            allows = 400 <= error.status < 500 and error.status != 429
            return RobotsRules((("/", allows),))
        return parse_robots(answer.content.decode("utf-8", errors="replace"))
