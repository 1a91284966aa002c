"""Names of an assertion in a piece of evidence: held, denied, or another one in their place."""

import re
from collections.abc import Iterator

from corpus.everyday_words import is_everyday
from corpus.lexicon import content_words, split_tokens
from corpus.symbols import find_references, find_symbols
from retrieval.claims.assertion import Assertion, is_hard_name, name_class
from retrieval.claims.evidence import Evidence, Statement
from retrieval.claims.names import is_denied, stands_in
from retrieval.claims.words import SHARE_ABOVE, held
from retrieval.question_words import QuestionWord

_RECORDS = frozenset(("#", "CVE", "PEP", "RFC"))
_LIKE_CAMEL = ("camel", "code", "name")
_SPOKEN = frozenset(("word", "system", "device", "maker", "database", "browser", "language", "compiler", "platform"))
"""Names that are spoken of by other names too: PostgreSQL by "postgres"."""
LOOSE = frozenset(("name", "acronym", "word", "camel"))
_REPLACES = re.compile(r"\b(?:instead|in favou?r of|replaced|renamed|use|migrate)\b", re.IGNORECASE)
_CREDIT = re.compile(r"\s(?:by|thanks(?: to)?|contributed by) @[\w-]+.*$|\(?#\d+\)?", re.IGNORECASE)


def held_name(name: QuestionWord, evidence: Evidence, statement: Statement) -> float:
    """How well an item and its headings hold a name."""
    if name_class(name.text) in _RECORDS:
        told = statement.text if find_references(statement.text) else evidence.own_text
        return float(stands_in(name.text, told))
    if stands_in(name.text, evidence.own_text):
        return 1.0
    soft = held(name, evidence) if name_class(name.text) in _SPOKEN else 0.0
    return max(soft, SHARE_ABOVE * stands_in(name.text, evidence.above_text))


def denies_name(name: str, assertion: Assertion, statement: Statement) -> bool:
    """Whether a statement has a name under a "not", and the assertion without one."""
    return is_denied(name, statement.text) and not is_denied(name, assertion.text)


def rival_name(name: QuestionWord, assertion: Assertion, evidence: Evidence, statement: Statement) -> str:
    """A name of the same class that the closest statement has and the assertion doesn't; empty without one.

    Of several the one that stands between the same words as the assertion's, else the first.
    """
    claimed = frozenset(split_tokens(assertion.text))
    wanted = name_class(name.text)
    told = _CREDIT.sub(" ", _replacing_text(evidence, statement) if wanted == "code" else statement.text)
    if wanted in _RECORDS:
        told = statement.text if find_references(statement.text) else evidence.own_text
    rivals = [
        found
        for found in _names_in(told)
        if (tokens := split_tokens(found.lstrip("#")))
        and not claimed.issuperset(tokens)
        and name_class(found) in (_LIKE_CAMEL if wanted == "camel" else (wanted,))
        and not _of_product(found, evidence)
    ]
    around = _neighbours(name.text, assertion.text)
    parts = frozenset(split_tokens(name.text)[1:])

    def nearness(one: str) -> tuple[int, int]:
        return len(around & _neighbours(one, told)), len(parts & frozenset(split_tokens(one)[1:]))

    if wanted in LOOSE:
        # Any word with a capital is one of these: only the same place in the sentence tells.
        rivals = [one for one in rivals if nearness(one)[0]]
    return max(rivals, key=nearness, default="")


def _replacing_text(evidence: Evidence, statement: Statement) -> str:
    """The statement with those beside it that say what to use in place of something."""
    others = (one.text for one in evidence.statements if one is not statement and _REPLACES.search(one.text))
    return " . ".join((statement.text, *others))


def _neighbours(name: str, text: str) -> frozenset[tuple[str, int]]:
    """The words right before and after a name, each with its side."""
    match = re.search(rf"(?P<before>[\w.-]+)?\W+{re.escape(name.lstrip('#'))}\W+(?P<after>[\w.-]+)?", f" {text} ")
    if match is None:
        return frozenset()
    beside = ((match["before"], -1), (match["after"], 1))
    return frozenset((word.casefold(), side) for word, side in beside if word)


def _names_in(text: str) -> Iterator[str]:
    seen: set[str] = set()
    words = content_words(text)
    first = text.split(maxsplit=1)[0].strip("*`'\"(") if text.split() else ""
    for word in (*find_references(text), *find_symbols(text), *words):
        is_opening = word == first and word[:1].isupper() and word[1:].islower()
        is_telling = is_hard_name(word) or (word.isalpha() and not is_everyday(word))
        is_name = word.startswith("#") or (is_telling and not word[0].isdigit())
        if word not in seen and is_name and not is_opening:
            seen.add(word)
            yield word


def _of_product(name: str, evidence: Evidence) -> bool:
    document = evidence.scored.hit.passage.document
    return any(name.casefold() == other.casefold() for other in (document.product, *document.aliases))
