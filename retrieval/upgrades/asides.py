"""Sentences of release notes that speak of what this release doesn't change: plans, denials, what others did, the
project's own tools.
"""

import re
from functools import lru_cache

from retrieval.upgrades.effect_patterns import DEPRECATES, PLATFORM, REMOVES, pattern

_SENTENCE = re.compile(r"(?<=[.;])\s+")
INTENDS = pattern(
    r"\b(?:the )?(?:next|future|coming|upcoming|following|later|subsequent) (?:[\w.-]+ ){0,3}?(?:releases?|versions?"
    r"|series)\b[^;]{0,40}\b(?:will|may|might|is going to|should|is planned)\b"
    r"|\b(?:will|may|might|is going to|are going to|going to)\b[^;]{0,80}\b(?:in|with|by|from) (?:the |an? )?(?:next"
    r"|future|coming|upcoming|later|subsequent) (?:[\w.-]+ ){0,3}?(?:releases?|versions?|series)\b"
    r"|\bis the (?:last|final) (?:[\w.-]+ ){0,3}(?:that|which|to) (?:requires?|needs?|depends?)\b",
)
"""What a later release will do, or this one is the last to."""
STAYS = pattern(
    r"\b(?:remains?|remained|stays?|stayed|is still|are still|continues? to be) (?:[\w-]+ ){0,2}(?:disabled|enabled"
    r"|supported|required|deprecated|off|on by default|the default)\b",
)
"""What is as it was, unless the sentence names what isn't."""
DENIES = pattern(
    r"\b(?:do|does|did)(?:n['\u2019]t| not) (?:plan|intend|expect|break|drop|remove|change|deprecate|make)\b"
    r"|\b(?:is|are) not (?:an? |yet |being |considered )?(?:breaking|deprecated|removed|required|dropped)\b"
    r"|\b(?:no|without|not contain (?:any )?) ?(?:any )?(?:known )?(?:breaking|backwards?[- ]incompatible"
    r"|incompatible) changes?\b",
)
"""What the release doesn't do."""
OTHERS = pattern(
    rf"\b{PLATFORM} v?\d[\w.]*,? (?:which|that|where|who) (?:\w+ ){{0,2}}(?:deprecat|remov|drop|chang|break|no longer)"
    rf"|\b(?:as|since|because|given that) {PLATFORM} v?\d[\w.]* (?:has |have )?(?:deprecat|remov|drop)\w+",
)
"""What another project did."""
TOOLING = pattern(
    r"^\W*(?:(?:chore|build)\((?:[\w-]*deps[\w-]*|dev|ci|tests?)\)|ci|tests?|dev)(?:\([^()]*\))?: "
    r"(?:bump|upgrade|update|pin)"
    r"|\b(?:upgrad|bump|updat|rais|pin|requir)\w*\b[^;]{0,80}\b(?:dev(?:elopment)?|test(?:ing)?|docs?|ci|lint\w*"
    r"|tooling)[- ](?:dependenc\w+|requirements?|deps|extras?)\b"
    r"|\b(?:upgrad|bump|updat|rais|pin)(?:e|es|ed|ing)?\b[^;]{0,30}\b(?:ruff|mypy|black|flake8|isort|tox|nox"
    r"|pre-commit|eslint|prettier|rubocop|actions/[\w-]+|dependabot|codecov|golangci-lint)\b",
)
"""The tools by which the project itself is made."""
WIDENS = pattern(
    r"^(?![^;]*\b(?:drop|remov|no longer))[^;]*(?:\b(?:relax|loosen|widen|lift|extend|allow)\w*\b[^;]{0,80}"
    r"(?:<=?\s*v?\d|\bupper)|\bupper (?:bounds?|limits?|pins?|caps?)\b)",
)
"""A dependency of which newer versions may be used."""
ANNOUNCES = pattern(
    r"\b(?:proud|happy|pleased|excited|thrilled|delighted) to announce\b|\bupgrade urgency\b"
    r"|\bno need to (?:upgrade|update|hurry)\b"
    r"|\boverhead\b[^;]{0,80}\b(?:reduced|removed|eliminated|lowered|dropped|gone)\b",
)
"""Praise, and how urgent it is to upgrade."""


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
    return any(aside.search(sentence) for aside in (DENIES, OTHERS, WIDENS, ANNOUNCES))
