"""Sentences of release notes that speak of what this release doesn't change: plans, denials, what others did, the
project's own tools.
"""

import re
from functools import lru_cache

from retrieval.upgrades.effects import DEPRECATES, REMOVES, pattern

_SENTENCE = re.compile(r"(?<=[.;])\s+")
INTENDS = pattern(
    r"\b(?:the )?(?:next|future|coming|upcoming|following|later|subsequent) (?:[\w.-]+ ){0,3}?(?:releases?|versions?"
    r"|series)\b[^;]{0,40}\b(?:will|may|might|is going to|should|is planned)\b"
    r"|\b(?:will|may|might|is going to|are going to|going to)\b[^;]{0,80}\b(?:in|with|by|from) (?:the |an? )?(?:next"
    r"|future|coming|upcoming|later|subsequent) (?:[\w.-]+ ){0,3}?(?:releases?|versions?|series)\b"
)
"""What a later release will do."""
STAYS = pattern(
    r"\b(?:remains?|remained|stays?|stayed|is still|are still|continues? to be) (?:[\w-]+ ){0,2}(?:disabled|enabled"
    r"|supported|required|deprecated|off|on by default|the default)\b",
)
"""What is as it was, unless the sentence names what isn't."""
DENIES = pattern(
    r"\b(?:do|does|did)(?:n['\u2019]t| not) (?:plan|intend|expect|break|drop|remove|change|deprecate|make)\b|\b(?:is"
    r"|are) not (?:an? |yet |being |considered )?(?:breaking|deprecated|removed|required|dropped)\b|\b(?:no|without"
    r"|not contain (?:any )?) ?(?:any )?(?:known )?(?:breaking|backwards?[- ]incompatible|incompatible) changes?\b",
)
"""What the release doesn't do."""
TOOLING = pattern(
    r"^\W*(?:(?:chore|build)\((?:[\w-]*deps[\w-]*|dev|ci|tests?)\)|ci|tests?|dev)(?:\([^()]*\))?: (?:bump|upgrade"
    r"|update|pin)|\b(?:upgrad|bump|updat|rais|pin|requir)\w*\b[^;]{0,80}\b(?:dev(?:elopment)?|test(?:ing)?|docs?|ci"
    r"|lint\w*|tooling)[- ](?:dependenc\w+|requirements?|deps|extras?)\b|\b(?:upgrad|bump|updat|rais|pin)(?:e|es|ed"
    r"|ing)?\b[^;]{0,30}\b(?:ruff|mypy|black|flake8|isort|tox|nox|pre-commit|eslint|prettier|rubocop|actions/[\w-]+"
    r"|dependabot|codecov|golangci-lint)\b",
)
"""The tools by which the project itself is made."""
WIDENS = pattern(
    r"^(?![^;]*\b(?:drop|remov|no longer))[^;]*(?:\b(?:relax|loosen|widen|lift|extend|allow)\w*\b[^;]{0,80}"
    r"(?:<=?\s*v?\d|\bupper)|\bupper (?:bounds?|limits?|pins?|caps?)\b)",
)
"""A dependency of which newer versions may be used."""


@lru_cache(maxsize=8192)
def without_asides(words: str) -> str:
    """`words` without the sentences that tell of no change of this release; empty where all are of the kind."""
    sentences = _SENTENCE.split(words)
    return " ".join(one for one in sentences if not _is_aside(one.rstrip(".")))


def _is_aside(sentence: str) -> bool:
    if INTENDS.search(sentence) and not DEPRECATES.search(sentence):
        return True
    if STAYS.search(sentence) and not REMOVES.search(sentence):
        return True
    if TOOLING.search(sentence) and "minim" not in sentence.casefold():
        return True
    return any(aside.search(sentence) for aside in (DENIES, WIDENS))
