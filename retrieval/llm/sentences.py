"""A language model's reply as sentences, each in clauses that name the quotes they rest on.

What cites nothing asserts nothing that could be checked, so it is counted and left out here.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

MAX_SENTENCES = 12
"""More than an answer has; what comes after them isn't read."""
_MAX_CHARACTERS = 600
_MAX_REPLY = 16_000

_THOUGHTS = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_MARKERS = re.compile(r"(?:\s*[\[【]\s*\d{1,4}(?:\s*,\s*\d{1,4})*\s*[\]】](?!\())+")
_END = re.compile(
    r"(?<=[.!?])(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\bvs\.)(?<!\betc\.)\s+(?=[^\W\d_a-z]|[`'\"“(*\[])|(?<=[\]】][.!?])\s+"
)
_LATE_MARKERS = re.compile(rf"([.!?])({_MARKERS.pattern})")
_VERDICT = re.compile(r"\A\s*(?:yes|no)\s*[,.:;!–—-]\s*", re.IGNORECASE)
_BULLET = re.compile(r"\A\s*(?:[-*+•>#]+\s+|\d{1,2}[.)]\s+)*")


@dataclass(frozen=True, slots=True)
class Clause:
    """Some words and the numbers of the quotes that are said to hold them, distinct, in order."""

    text: str
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Sentence:
    """At least one clause; the last one may have lost its full stop."""

    clauses: tuple[Clause, ...]


@dataclass(frozen=True, slots=True)
class CitedReply:
    """The sentences that cite something, and how many don't."""

    sentences: tuple[Sentence, ...]
    uncited: int


def parse_reply(text: str) -> CitedReply:
    """Split a reply into sentences; one without a marker is only counted. An empty reply has none.

    A "Yes," or "No," before a sentence is left out: it speaks of the question, and quotes can't prove that.
    """
    cited: list[Sentence] = []
    uncited = 0
    for words in _split(unicodedata.normalize("NFC", _THOUGHTS.sub("\n", text[:_MAX_REPLY]))):
        clauses = tuple(_clauses(words))
        is_cited = any(clause.numbers for clause in clauses) and len(words) <= _MAX_CHARACTERS
        if is_cited and len(cited) < MAX_SENTENCES:
            cited.append(Sentence(clauses))
        else:
            uncited += 1
    return CitedReply(tuple(cited), uncited)


def _split(text: str) -> Iterator[str]:
    for line in text.splitlines():
        # "It hums. [1] It glows. [2]": the marker belongs to what it follows.
        whole = _LATE_MARKERS.sub(r"\2\1", _BULLET.sub("", " ".join(line.split())))
        for sentence in _END.split(whole):
            words = _VERDICT.sub("", sentence).strip()
            if any(map(str.isalnum, words)):
                yield words


def _clauses(sentence: str) -> Iterator[Clause]:
    groups = list(_MARKERS.finditer(sentence))
    start = 0
    for place, group in enumerate(groups):
        is_last = place == len(groups) - 1
        rest = sentence[group.end() :].rstrip(" .!") if is_last else ""
        text = " ".join((sentence[start : group.start()] + rest).split())
        yield Clause(text, tuple(dict.fromkeys(map(int, re.findall(r"\d+", group[0])))))
        start = group.end()
    if not groups:
        yield Clause(sentence, ())
