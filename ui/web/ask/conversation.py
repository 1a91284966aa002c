"""A question of the page with all that it is asked with, as an address; what comes of it; and what somebody saw of an
answer, short enough for a link that can tell later what has changed."""

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from types import MappingProxyType
from typing import Any
from urllib.parse import urlencode

from retrieval.blocks import Run, lines_of
from retrieval.model import MAX_QUESTION_LENGTH, Answer, Facet
from ui.question_lengths import MAX_FILTER_CHARACTERS
from ui.web.source import Surroundings

MAX_HISTORY = 10  # Earlier questions that a question is asked with.
_SEEN = re.compile(r"(\d{8})\.([0-9a-f]{12})")


@dataclass(frozen=True, slots=True)
class Asking:
    """A question with all that it is asked with; a link to it holds just this."""

    question: str
    history: tuple[str, ...] = ()
    product: str | None = None
    version: str | None = None
    without: frozenset[Facet] = frozenset()

    @property
    def choices(self) -> dict[str, Any]:
        """What goes with the question, as `Assistant.ask` and `understand` take it."""
        return {name: getattr(self, name) for name in ("history", "product", "version", "without")}

    @property
    def address(self) -> str:
        """`/?q=…` with the filters, the earlier questions (`after`) and the facets that aren't read (`without`)."""
        pairs = [("q", self.question)]
        pairs += [("product", self.product)] if self.product else []
        pairs += [("version", self.version)] if self.version else []
        pairs += [("without", facet.value) for facet in Facet if facet in self.without]
        pairs += [("after", question) for question in self.history]
        return f"/?{urlencode(pairs)}"


def parse_address(pairs: Iterable[tuple[str, str]]) -> Asking | None:
    """Return the question that a query string holds; None where it holds none, or one that is longer than it may be."""
    values: dict[str, list[str]] = {}
    for name, value in pairs:
        values.setdefault(name, []).append(value.strip())
    question, product, version = (next(iter(values.get(name, ())), "") for name in ("q", "product", "version"))
    history = tuple(earlier for earlier in values.get("after", ()) if earlier)[-MAX_HISTORY:]
    longest = max(map(len, (question, *history)))
    if not question or longest > MAX_QUESTION_LENGTH or max(len(product), len(version)) > MAX_FILTER_CHARACTERS:
        return None
    without = frozenset(facet for facet in Facet if facet.value in values.get("without", ()))
    return Asking(question, history, product or None, version or None, without)


@dataclass(frozen=True, slots=True)
class Seen:
    """What was seen of an answer: the day, and a digest of its text and quotes."""

    day: date
    digest: str

    def __str__(self) -> str:
        """`20261123.8f3a…`."""
        return f"{self.day:%Y%m%d}.{self.digest}"


def see(answer: Answer, *, today: date) -> Seen:
    runs = (part.text for line in lines_of(answer.blocks) for part in line.parts if isinstance(part, Run))
    words = [" ".join(text.split()) for text in (" ".join(runs), *(cited.quote for cited in answer.citations))]
    # It tells texts apart and keeps nobody from making one up: a link may be written by hand.
    return Seen(today, hashlib.sha256("\0".join(words).encode()).hexdigest()[:12])


def parse_seen(text: str) -> Seen | None:
    """Return what a link says was seen; None where it says nothing that can be read."""
    if (found := _SEEN.fullmatch(text)) is None:
        return None
    try:
        return Seen(date.fromisoformat(found[1]), found[2])
    except ValueError:
        return None


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer with what the page shows of the index beside it."""

    answer: Answer
    surroundings: Mapping[int, Surroundings] = field(
        default_factory=lambda: MappingProxyType({})
    )  # By citation number.
    upgrade: tuple[str, str, str] | None = None
    """Product and ends of a range that was asked about, where the answer doesn't lead to its list itself."""
    offered: tuple[str, ...] = ()  # Questions to go on with.
    covered: str = ""  # What there is to ask about, as HTML that `ui.web.html` made; only where nothing was found.
    before: Seen | None = None  # What was seen of it before, where that can be compared.


@dataclass(frozen=True, slots=True)
class Failure:
    """Why there is no answer; the same question may fare better later where `can_retry`."""

    message: str
    can_retry: bool
