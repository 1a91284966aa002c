"""A question of the page as an address, its outcome, and a digest of the answer for links that report changes."""

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any
from urllib.parse import urlencode

from retrieval.blocks import Run, lines_of
from retrieval.model import MAX_QUESTION_LENGTH, Answer, Facet
from ui.question_lengths import MAX_FILTER_CHARACTERS
from ui.web.source import Surroundings

MAX_HISTORY = 10  # Earlier questions that are sent with a question.
_SEEN = re.compile(r"(\d{8})\.([0-9a-f]{12})")


@dataclass(frozen=True, slots=True)
class Asking:
    """A question with its filters and history; a link to it contains exactly these."""

    question: str
    history: tuple[str, ...] = ()
    product: str | None = None
    version: str | None = None
    without: frozenset[Facet] = frozenset()

    @property
    def choices(self) -> dict[str, Any]:
        """Return all but the question as keyword arguments of `Assistant.ask` and `understand`."""
        return {name: getattr(self, name) for name in ("history", "product", "version", "without")}

    @property
    def address(self) -> str:
        """Return `/?q=…` with the filters, earlier questions (`after`) and facets that are ignored (`without`)."""
        pairs = [("q", self.question)]
        pairs += [("product", self.product)] if self.product else []
        pairs += [("version", self.version)] if self.version else []
        pairs += [("without", facet.value) for facet in Facet if facet in self.without]
        pairs += [("after", question) for question in self.history]
        return f"/?{urlencode(pairs)}"


def parse_address(pairs: Iterable[tuple[str, str]]) -> Asking | None:
    """Return the question in the pairs of a query string; None without one, or if a value is too long."""
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
    """The day on which an answer was shown, and a digest of its text and quotes."""

    day: date
    digest: str

    def __str__(self) -> str:
        """Return the form for links, `20261123.8f3a…`."""
        return f"{self.day:%Y%m%d}.{self.digest}"


def digest_answer(answer: Answer, *, today: date) -> Seen:
    """Return the digest of an answer that is shown `today`."""
    runs = (part.text for line in lines_of(answer.blocks) for part in line.parts if isinstance(part, Run))
    words = [" ".join(text.split()) for text in (" ".join(runs), *(cited.quote for cited in answer.citations))]
    # The digest tells texts apart but proves nothing: a link may be written by hand.
    return Seen(today, hashlib.sha256("\0".join(words).encode()).hexdigest()[:12])


def parse_seen(text: str) -> Seen | None:
    """Return the day and digest in a link's `seen`; None if it is malformed."""
    if (match := _SEEN.fullmatch(text)) is None:
        return None
    try:
        return Seen(date.fromisoformat(match[1]), match[2])
    except ValueError:
        return None


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer with the facts about the index that the page shows beside it."""

    answer: Answer
    surroundings: Mapping[int, Surroundings] = field(default_factory=dict)  # By citation.
    upgrade: tuple[str, str, str] | None = None
    """Product and ends of the range in the question, if the answer itself doesn't link to the range's changes."""
    offered: tuple[str, ...] = ()  # Questions to continue with.
    covered: str = ""  # Links to what the index covers, as HTML by `ui.web.html`; only if nothing was found.
    before: Seen | None = None  # The digest of the answer shown before, if the two can be compared.


@dataclass(frozen=True, slots=True)
class Failure:
    """The reason why there is no answer; `can_retry` if the same question may succeed later."""

    message: str
    can_retry: bool
