"""robots.txt: what a site asks programs to leave alone.

Source: RFC 9309.
"""

import re
import threading
from dataclasses import dataclass
from urllib.parse import quote, unquote, urlsplit

from ingest.sources.web.client import WebClient
from ingest.sources.web.model import WebError

_NAME = "relnotes"
_MAX_BYTES = 512 * 1024
_MAX_PATTERN = 2_000


@dataclass(frozen=True, slots=True)
class _Rule:
    pattern: str
    allows: bool


@dataclass(frozen=True, slots=True)
class RobotsRules:
    """The rules that a robots.txt has for us."""

    rules: tuple[_Rule, ...]

    def allows(self, path: str) -> bool:
        """Whether a path with its query may be fetched: the longest rule that matches says so, and leave wins a tie."""
        target = _normal(path)
        matching = [rule for rule in self.rules if _matches(rule.pattern, target)]
        return max(matching, key=lambda rule: (len(rule.pattern), rule.allows)).allows if matching else True


ALLOW_ALL = RobotsRules(())
DISALLOW_ALL = RobotsRules((_Rule("/", allows=False),))


def parse_robots(text: str) -> RobotsRules:
    """The rules of the group that names relnotes, else of the one for everybody; several such groups count as one."""
    groups: dict[str, list[_Rule]] = {}
    agents: list[str] = []
    naming = False
    for line in text.removeprefix("\ufeff").splitlines():
        key, colon, value = line.partition("#")[0].partition(":")
        key, value = key.strip().lower(), value.strip()
        if not colon:
            continue
        if key == "user-agent":
            agents = [*agents, value.lower()] if naming else [value.lower()]
            groups.setdefault(value.lower(), [])
            naming = True
        elif key in ("allow", "disallow"):
            naming = False
            if value and len(value) <= _MAX_PATTERN:
                for agent in agents:
                    groups[agent].append(_Rule(_normal(value), allows=key == "allow"))
    named = next((agent for agent in groups if re.match(r"[a-z_-]*", agent)[0] == _NAME), None)  # type: ignore[index]
    return RobotsRules(tuple(groups.get(named if named is not None else "*", ())))


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
    """Asks each site's robots.txt once; safe to share between threads."""

    def __init__(self, client: WebClient) -> None:
        self._client = client
        self._known: dict[str, RobotsRules] = {}
        self._lock = threading.Lock()

    def permit(self, url: str) -> None:
        """Return where the site lets `url` be fetched.

        Raises:
            WebError: it doesn't, or its robots.txt can't be had.
        """
        parts = urlsplit(url)
        if parts.scheme.lower() not in ("http", "https"):
            return  # the client says what is wrong with it
        site = f"{parts.scheme}://{parts.netloc}"
        with self._lock:
            rules = self._known.get(site)
        if rules is None:
            rules = self._ask(f"{site}/robots.txt")
            with self._lock:
                self._known[site] = rules
        if not rules.allows((parts.path or "/") + (f"?{parts.query}" if parts.query else "")):
            raise WebError(
                "is closed to programs by the site's robots.txt; open it in a browser, save it, and give the file"
            )

    def _ask(self, url: str) -> RobotsRules:
        try:
            answer = self._client.get(url, max_bytes=_MAX_BYTES)
        except WebError as error:
            if error.status is not None and 400 <= error.status < 500 and error.status != 429:
                return ALLOW_ALL
            if error.status is not None:
                return DISALLOW_ALL
            raise
        return parse_robots(answer.content.decode("utf-8", errors="replace"))
