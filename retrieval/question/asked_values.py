"""What the values that questions ask for look like in a text.

"How much faster is it?" is not answered by a sentence without a figure, "which PR added it?" not by one without a
number of a PR. Which kind a question asks for is read by example (`retrieval.question.forms`).
"""

import re
from dataclasses import dataclass

from retrieval.model import Wanted

_COUNTS = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|single|both|no|none|dozens?|hundreds?"
_DAYS = r"\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* \d|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day"
_MONTHS = "(?:January|February|March|April|May|June|July|August|September|October|November|December)"
_UNITS = r"%|percent\b|x\b|×|-?fold\b|times\b|m?s\b|seconds?\b|minutes?\b|hours?\b|[KMGT]?i?B\b|bytes\b"
_SHAPES = {
    Wanted.CVE: r"(?i:CVE-\d)",
    Wanted.SCORE: r"(?i:\bCVSS\b|\bseverity\b|\b\d\.\d\s*/\s*10\b)",
    Wanted.CHANGE: r"#\d+|/pull/\d+|:\w+:`!?\d+|\bgh-\d+|(?<![\d.])\b\d{4,6}\b(?![\d.])",
    Wanted.PERSON: (
        r"@\w|\bby [A-Z@]|[Tt]hanks|[Cc]redit|[Cc]ontributed by|[Pp]atch by|(?<![.!?] )\b[A-Z][a-z]+ [A-Z][a-z]+\b"
    ),
    Wanted.RATIO: rf"(?i:\d\s*(?:{_UNITS})|\b(?:twice|half|halves|double|doubles|triple|orders? of magnitude)\b)",
    Wanted.AMOUNT: rf"(?i:\d\s*(?:{_UNITS})|\b(?:half|twice|no) )",
    Wanted.LIMIT: r"(?i:\d|\b(?:no|any|unlimited|infinite)\b)",
    Wanted.COUNT: rf"(?i:(?<![\w.#-])\d[\d,]*\b(?![\w-]*\.\d)|\b(?:{_COUNTS})\b)",
    Wanted.DAY: rf"\b(?:19|20)\d\d\b|{_DAYS}|\b{_MONTHS}\b",
    Wanted.EXCEPTION: r"\b[A-Za-z_]*(?:Error|Warning|Exception|Interrupt|Exit|Group)\b",
}
_NAMES = {Wanted.CVE: "CVE", Wanted.CHANGE: "pull request"}


@dataclass(frozen=True, slots=True)
class AskedValue:
    """One kind of value, by its name for people, and what it looks like in a text."""

    name: str
    value: re.Pattern[str]

    def is_in(self, text: str) -> bool:
        """Whether `text` holds a value of this kind."""
        return self.value.search(text) is not None


_KINDS = {wanted: AskedValue(_NAMES.get(wanted, wanted.value), re.compile(one)) for wanted, one in _SHAPES.items()}


def asked_values(wanted: Wanted | None) -> tuple[AskedValue, ...]:
    """The kind of value that a question asks for; empty where none can be told from the outside."""
    return (_KINDS[wanted],) if wanted in _KINDS else ()
