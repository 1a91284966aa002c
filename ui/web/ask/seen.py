"""What somebody saw of an answer, short enough for a link, so that the same link can tell later what has changed."""

import hashlib
import re
from dataclasses import dataclass
from datetime import date

from retrieval.model import Answer

_SEEN = re.compile(r"(\d{8})((?:\.[0-9a-f]{8}){1,65})")
_MARKER = re.compile(r"\s*\[\d+\]")


@dataclass(frozen=True, slots=True)
class Seen:
    """The day, and digests of the text and of each quote."""

    day: date
    text: str
    quotes: tuple[str, ...]

    def __str__(self) -> str:
        """`20261123.8f3a…`: the day, the text's digest, the quotes' digests."""
        return ".".join((f"{self.day:%Y%m%d}", self.text, *self.quotes))


@dataclass(frozen=True, slots=True)
class Changed:
    """How an answer differs from what was seen on `since`."""

    since: date
    new: tuple[int, ...]
    """Numbers of the citations that weren't there."""
    gone: int
    """Citations that no longer are."""
    is_reworded: bool

    def __bool__(self) -> bool:
        """Whether anything differs."""
        return bool(self.new or self.gone or self.is_reworded)


def see(answer: Answer, *, today: date) -> Seen:
    """What is seen of `answer` today."""
    text = _MARKER.sub("", answer.answer)
    return Seen(today, _digest(text), tuple(_digest(citation.quote) for citation in answer.citations))


def parse_seen(text: str) -> Seen | None:
    """What a link says was seen; None where it says nothing that can be read."""
    found = _SEEN.fullmatch(text)
    if found is None:
        return None
    try:
        day = date.fromisoformat(found[1])
    except ValueError:
        return None
    _, digest, *quotes = found[2].split(".")
    return Seen(day, digest, tuple(quotes))


def compare(before: Seen, answer: Answer) -> Changed:
    """What of `answer` is other than it was."""
    now = see(answer, today=before.day)
    new = tuple(
        citation.n for citation, quote in zip(answer.citations, now.quotes, strict=True) if quote not in before.quotes
    )
    gone = sum(quote not in now.quotes for quote in before.quotes)
    return Changed(before.day, new, gone, is_reworded=now.text != before.text)


def _digest(text: str) -> str:
    # It tells texts apart and keeps nobody from making one up: a link may be written by hand.
    return hashlib.sha256(" ".join(text.split()).encode()).hexdigest()[:8]
