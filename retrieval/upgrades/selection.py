"""Which entries matter to who upgrades, and how: what their section promises weighed against what they say."""

import re
from dataclasses import replace
from functools import lru_cache

from corpus.model import Act, Authority
from retrieval.quoting.securing import ADVISORY, secures, unsecured
from retrieval.upgrades.effects import (
    deprecates,
    find_in_clauses,
    is_addition,
    is_called_breaking,
    is_mere_fix,
    is_own_house,
    is_shift,
    is_signed,
    is_tuning,
    removes,
    stated_change,
    told_change,
)
from retrieval.upgrades.entries import Entry
from retrieval.upgrades.model import Change
from retrieval.upgrades.scopes import LISTED, Scope, scope_of_title

_MARK_CHARACTERS = 240
_OTHER_VOICES = frozenset({Authority.NEWS, Authority.ANALYST})
_TOLD_IN_PROSE = frozenset({Change.DEFAULT, Change.ACTION})
"""What a sentence between others may say without naming it; "previously" alone says nothing there."""
_SURE = frozenset({Change.REQUIREMENT, Change.DEPRECATED})
_LIKELY = 0.2
"""The learned probability that an item breaks, from which on what words leave open is taken to break."""
_OF_CHANGES = re.compile(r"(?:\w+ )?changes\W*", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.;])\s+")
_intends = find_in_clauses(
    r"\b(?:the )?(?:next|future|coming|upcoming|following|later|subsequent) (?:[\w.-]+ ){0,3}?(?:releases?|versions?"
    r"|series)\b[^;]{0,40}\b(?:will|may|might|is going to|should|is planned)\b"
    r"|\b(?:will|may|might|is going to|are going to|going to)\b[^;]{0,80}\b(?:in|with|by|from) (?:the |an? )?(?:next"
    r"|future|coming|upcoming|later|subsequent) (?:[\w.-]+ ){0,3}?(?:releases?|versions?|series)\b"
)
"""What a later release will do."""
_stays = find_in_clauses(
    r"\b(?:remains?|remained|stays?|stayed|is still|are still|continues? to be) (?:[\w-]+ ){0,2}(?:disabled|enabled"
    r"|supported|required|deprecated|off|on by default|the default)\b",
)
"""What is as it was, unless the sentence names what isn't."""
_denies = find_in_clauses(
    r"\b(?:do|does|did)(?:n['\u2019]t| not) (?:plan|intend|expect|break|drop|remove|change|deprecate|make)\b|\b(?:is"
    r"|are) not (?:an? |yet |being |considered )?(?:breaking|deprecated|removed|required|dropped)\b|\b(?:no|without"
    r"|not contain (?:any )?) ?(?:any )?(?:known )?(?:breaking|backwards?[- ]incompatible|incompatible) changes?\b",
)
"""What the release doesn't do."""
_is_tooling = find_in_clauses(
    r"^\W*(?:(?:chore|build)\((?:[\w-]*deps[\w-]*|dev|ci|tests?)\)|ci|tests?|dev)(?:\([^()]*\))?: (?:bump|upgrade"
    r"|update|pin)|\b(?:upgrad|bump|updat|rais|pin|requir)\w*\b[^;]{0,80}\b(?:dev(?:elopment)?|test(?:ing)?|docs?|ci"
    r"|lint\w*|tooling)[- ](?:dependenc\w+|requirements?|deps|extras?)\b|\b(?:upgrad|bump|updat|rais|pin)(?:e|es|ed"
    r"|ing)?\b[^;]{0,30}\b(?:ruff|mypy|black|flake8|isort|tox|nox|pre-commit|eslint|prettier|rubocop|actions/[\w-]+"
    r"|dependabot|codecov|golangci-lint)\b",
)
"""The tools by which the project itself is made."""
_widens = find_in_clauses(
    r"^(?![^;]*\b(?:drop|remov|no longer))[^;]*(?:\b(?:relax|loosen|widen|lift|extend|allow)\w*\b[^;]{0,80}"
    r"(?:<=?\s*v?\d|\bupper)|\bupper (?:bounds?|limits?|pins?|caps?)\b)",
)
"""A dependency of which newer versions may be used."""


def security_of(entry: Entry) -> bool:
    """Whether an entry tells of a vulnerability that the release fixes."""
    if entry.scope in LISTED:
        return False
    if ADVISORY.search(entry.lead):
        return not unsecured(_first_sentence(entry))
    is_below = Scope.SECURITY in (entry.scope, scope_of_title(entry.title) if entry.title else None)
    return is_below and any(secures(atom.item, atom.words, is_below=True) for atom in entry.atoms)


def change_of(entry: Entry, *, has_lists: bool, has_marks: bool) -> Change | None:
    """What an entry does to who upgrades; None where it does nothing of the kind, or only speaks about it.

    `has_lists`: its release's notes list what breaks in sections of its own, so that other entries must be plain to
    count; `has_marks`: its document marks the entries that break, so that a section of changes alone proves nothing.
    """
    if entry.scope in LISTED and entry.is_listed:
        return _listed_change(entry.scope, entry.lead)
    words = _without_asides(entry.lead)
    if not words or (entry.title and not _without_asides(entry.title)):
        return None
    entry = replace(entry, lead=words)
    if entry.scope in LISTED:
        return stated_change(words)
    if entry.scope is Scope.PLANS or (entry.scope is Scope.SUMMARY and has_lists):
        return None
    if entry.scope is Scope.POINTER:
        return None if has_lists else told_change(words) or Change.BREAKS
    if is_marked(entry):
        return told_change(words) or Change.BREAKS
    if is_mere_fix(words):
        return None
    stated = stated_change(_main_words(entry))
    if entry.scope is Scope.HOUSEKEEPING:
        return stated if _leaves_the_house(entry, stated) else None
    if entry.scope is Scope.FIX:
        fails = stated is Change.BREAKS and entry.first.breaking >= _LIKELY
        return stated if stated in _SURE or fails else None
    if stated is not None:
        return stated
    if entry.scope is Scope.FEATURE and told_change(words) is Change.DEFAULT:
        return Change.DEFAULT
    if entry.scope is Scope.FEATURE or is_addition(_first_sentence(entry)) or is_own_house(entry.title or words):
        return None
    return _altered(entry, has_lists=has_lists, has_marks=has_marks)


def _leaves_the_house(entry: Entry, stated: Change | None) -> bool:
    """Whether what an entry on the project's own affairs states concerns who upgrades: something is required,
    deprecated or removed of what others use, and it reads as such news."""
    said = _main_words(entry).casefold()
    if stated is Change.REMOVED:
        return "support" in said or "deprecated" in said
    return stated is not None and entry.first.act is not Act.OTHER


def is_marked(entry: Entry) -> bool:
    """Whether the entry itself says that it breaks."""
    if has_sign(entry):
        return True
    is_change = (entry.is_listed or entry.title) and entry.first.breaking >= _LIKELY
    return bool(is_change and is_called_breaking(entry.lead[:_MARK_CHARACTERS]) and not is_mere_fix(entry.lead))


def calls_breaking(entry: Entry) -> bool:
    """Whether the notes call the entry breaking, by their section or at the entry itself."""
    return entry.scope is Scope.BREAKS or is_marked(entry)


def has_sign(entry: Entry) -> bool:
    """Whether a sign before the entry, one that other entries lack on purpose, marks it as breaking."""
    return bool(is_signed(entry.lead[:_MARK_CHARACTERS]))


def _altered(entry: Entry, *, has_lists: bool, has_marks: bool) -> Change | None:
    """What an entry of a section that promises nothing does; the sections of changes promise that something differs."""
    stated = told_change(entry.lead)
    if entry.scope is Scope.INTERFACE and not is_tuning(entry.lead):
        return stated or Change.BREAKS
    if entry.scope is Scope.ALTERED and entry.is_listed and not is_tuning(entry.lead):
        is_likely = entry.first.breaking >= _LIKELY and not has_lists and not has_marks
        return stated or (Change.BREAKS if is_likely else None)
    if entry.scope is Scope.GUIDE and entry.title and (stated or is_shift(entry.lead)):
        return stated or Change.BREAKS
    if entry.title and (told_change(entry.title) or (entry.scope is Scope.OPEN and is_shift(entry.title))):
        return stated or Change.BREAKS
    of_changes = any(map(_OF_CHANGES.fullmatch, entry.passage.heading))
    if of_changes and entry.title and is_shift(entry.lead):
        return stated or Change.BREAKS
    if (has_lists and not of_changes) or entry.passage.document.authority in _OTHER_VOICES:
        return None
    return stated if entry.is_listed or stated in _TOLD_IN_PROSE else None


def _main_words(entry: Entry) -> str:
    """The words in which an entry of another section would state its change: not the aside of something new."""
    first = _first_sentence(entry)
    if entry.title and not told_change(entry.title):
        return first
    return entry.lead[len(first) :] if is_addition(first) else entry.lead


def _first_sentence(entry: Entry) -> str:
    """Up to the first full stop after the title."""
    end = entry.lead.find(". ", len(entry.title) + 2 if entry.title else 0)
    return entry.lead if end < 0 else entry.lead[:end]


def _listed_change(scope: Scope, words: str) -> Change:
    stated = told_change(words)
    if scope is Scope.DEPRECATED:
        return Change.DEPRECATED
    if scope is Scope.REMOVED:
        # "Support for Python 3.7" under "Removed" leaves the verb to its heading.
        said = stated or told_change(f"Removed {words}")
        return said if said in (Change.REQUIREMENT, Change.DEFAULT) else Change.REMOVED
    return stated or Change.BREAKS


@lru_cache(maxsize=8192)
def _without_asides(words: str) -> str:
    """`words` without the sentences that tell of no change of this release; empty where all are of the kind."""
    sentences = _SENTENCE.split(words)
    return " ".join(sentence for sentence in sentences if not _is_aside(sentence.rstrip(".")))


def _is_aside(sentence: str) -> bool:
    if _intends(sentence) and not deprecates(sentence):
        return True
    if _stays(sentence) and not removes(sentence):
        return True
    if _is_tooling(sentence) and "minim" not in sentence.casefold():
        return True
    return bool(_denies(sentence) or _widens(sentence))
