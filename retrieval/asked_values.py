"""What kind of value a question asks for, and whether a text holds one of that kind.

"How much faster is it?" is not answered by a sentence without a figure, "which PR added it?" not by one without a
number of a PR. Only kinds that can be told from the outside are here; a question of any other sort asks for none.
"""

import re
from dataclasses import dataclass

_COUNTS = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|single|both|no|none|dozens?|hundreds?"
_DAYS = r"\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* \d|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day"
_NO_AUTHOR = "is affected|are affected|can|should|needs?|may|might|must|has to|have to|gets?|uses?"
_MONTHS = "(?:January|February|March|April|May|June|July|August|September|October|November|December)"
_UNITS = r"%|percent\b|x\b|×|-?fold\b|times\b|m?s\b|seconds?\b|minutes?\b|hours?\b|[KMGT]?i?B\b|bytes\b"


@dataclass(frozen=True, slots=True)
class AskedValue:
    """One kind of value: how questions ask for it, and what it looks like in a text."""

    name: str
    question: re.Pattern[str]
    value: re.Pattern[str]

    def is_in(self, text: str) -> bool:
        """Whether `text` holds a value of this kind."""
        return self.value.search(text) is not None


def _kind(name: str, question: str, value: str, *, any_case: bool = False) -> AskedValue:
    return AskedValue(name, re.compile(question, re.IGNORECASE), re.compile(value, re.IGNORECASE if any_case else 0))


_KINDS = (
    _kind(
        "CVE",
        r"\b(?:which|what)\s+(?:\w+\s+)?(?:cves?\b|vulnerabilit)|\bcve\s+(?:ids?|numbers?|identifiers?)\b",
        r"CVE-\d",
        any_case=True,
    ),
    _kind(
        "score",
        r"\bcvss\b|\bseverity (?:score|rating)\b",
        r"\bCVSS\b|\bseverity\b|\b\d\.\d\s*/\s*10\b",
        any_case=True,
    ),
    _kind(
        "pull request",
        r"\b(?:which|what)\s+(?:prs?|pull requests?|issue|tickets?|commit)\b|\b(?:pr|issue|ticket) (?:number|no)\b"
        r"|\b(?:which|what)\b[^?]*\bcommit (?:hash|id|sha)\b",
        r"#\d+|/pull/\d+|:\w+:`!?\d+|\bgh-\d+|(?<![\d.])\b\d{4,6}\b(?![\d.])",
    ),
    _kind(
        "person",
        rf"^\W*(?:and |so |but )?who\b(?! (?:{_NO_AUTHOR})\b)|\bby whom\b|\b(?:which|what) (?:company|person|people|"
        r"contributor|developer|author|engineer)s?\b|\bwho (?:wrote|reported|found|discovered|contributed|implemented|"
        r"sponsored)\b|\b(?:reporter|author|contributor)(?:'s)?(?: name)?\W*$",
        r"@\w|\bby [A-Z@]|[Tt]hanks|[Cc]redit|[Cc]ontributed by|[Pp]atch by|(?<![.!?] )\b[A-Z][a-z]+ [A-Z][a-z]+\b",
    ),
    _kind(
        "ratio",
        r"\bper ?cent(?:age)?\b(?![- ]?(?:encod|escap|format|sign|decod))|\b(?:how|as) much (?:\w+ ){0,3}?(?:faster|"
        r"quicker|slower|smaller|larger|bigger|less|more|speed|gain|cheaper|shorter|longer)|\bby how much\b"
        r"|\bhow many times\b|\bspeed-?up factor\b|\b(?:benchmark|speed-?up) (?:figure|number)s?\b",
        rf"\d\s*(?:{_UNITS})|\b(?:twice|half|halves|double|doubles|triple|orders? of magnitude)\b",
        any_case=True,
    ),
    _kind(
        "amount",
        r"\bhow much (?:memory|space|disk|ram|time|overhead)\b|\bhow many (?:[kmg]i?b|bytes|ms|milliseconds|seconds|"
        r"minutes|hours)\b|\b(?:how (?:long|large|big|much)|what(?:'s| is| was) the)\b[^?]*\bin (?:[kmg]i?b|bytes|ms|"
        r"milliseconds|seconds)\b|\b(?:what|which|how (?:large|big))\b[^?]*\b(?:image|install|download|binary|wheel)"
        r" size\b",
        rf"\d\s*(?:{_UNITS})|\b(?:half|twice|no) ",
        any_case=True,
    ),
    _kind(
        "limit",
        r"\b(?:what|which)(?:'s| is| was)? (?:the )?(?:new |default |current )?(?:max(?:imum)?|min(?:imum)?|upper|"
        r"lower|highest|lowest|largest|smallest)\b|\bhow (?:large|big|deep) (?:can|may|is|are|was)\b",
        r"\d|\b(?:no|any|unlimited|infinite)\b",
        any_case=True,
    ),
    _kind(
        "count",
        r"\bhow many\b(?! times| (?:[kmg]i?b|bytes|ms|milliseconds|seconds|minutes|hours)\b)",
        rf"(?<![\w.#-])\d[\d,]*\b(?![\w-]*\.\d)|\b(?:{_COUNTS})\b",
        any_case=True,
    ),
    _kind(
        "day",
        r"\b(?:which|what) (?:day|date|month)\b(?! (?:format|type|field|part|pars|lib|string|class))|\brelease date\b"
        r"|\buntil when\b|\bon what date\b",
        rf"\b(?:19|20)\d\d\b|{_DAYS}|\b{_MONTHS}\b",
    ),
    _kind(
        "exception",
        r"\b(?:which|what) (?:exception|(?:error|warning) (?:class|type|category|name))\b",
        r"\b[A-Za-z_]*(?:Error|Warning|Exception|Interrupt|Exit|Group)\b",
    ),
    _kind(
        "reason",
        r"\bwhy (?:was|were) (?:\S+ ){1,6}?(?:removed|dropped|deprecated|renamed|reverted|yanked|withdrawn|thrown|"
        r"moved)\b"
        r"|\bfor what reason\b|\bwhat(?:'s| is| was) the reason\b",
        r"\bbecause\b|\bsince\b|\bdue to\b|\bas (?:it|they|the|this|these|we)\b|\bso that\b|\bin order to\b"
        r"|\bto (?:avoid|prevent|allow|reduce|make|improve|match|align|simplify|support|ensure|keep|fix|be)\b"
        r"|\bin favou?r of\b|\bcaus(?:e|ed|ing)\b"
        r"|\breason\b|\bno longer\b|\bunused\b|\bunmaintained\b|\breplaced\b|\bend of\b",
        any_case=True,
    ),
)


def asked_values(question: str) -> tuple[AskedValue, ...]:
    """The kinds of value that a question asks for; mostly none."""
    return tuple(kind for kind in _KINDS if kind.question.search(question))
