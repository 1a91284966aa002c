"""What an entry's own words do to those who upgrade: removed, broken, required, changed by default, to act on,
deprecated, or nothing of the kind.

Two readings: a strict one for entries of sections that list other things (features, fixes), where the words must say it
of the software itself, and a loose one that names what an entry of a list of breaking changes does.
"""

from functools import lru_cache

from retrieval.upgrades.effect_patterns import (
    ADDS,
    ASKS,
    BREAKS,
    CLAUSE_END,
    DEFAULTS,
    DEPRECATES,
    FAILS,
    FIXES,
    FLIPS,
    MARKED,
    OWN_HOUSE,
    REMOVES,
    SHIFTS,
    SIGNED,
    TUNES,
    find_requirement,
    in_clauses,
)
from retrieval.upgrades.model import Change

_STRONG = (
    (Change.REQUIREMENT, find_requirement),
    (Change.REMOVED, REMOVES.search),
    (Change.DEPRECATED, DEPRECATES.search),
    (Change.BREAKS, FAILS.search),
    (Change.DEFAULT, FLIPS.search),
)
_ALL = (
    (Change.REQUIREMENT, find_requirement),
    (Change.REMOVED, REMOVES.search),
    (Change.DEPRECATED, DEPRECATES.search),
    (Change.DEFAULT, DEFAULTS.search),
    (Change.BREAKS, FAILS.search),
    (Change.BREAKS, BREAKS.search),
    (Change.ACTION, ASKS.search),
)


@lru_cache(maxsize=8192)
def is_shift(words: str) -> bool:
    """Whether the words speak of a difference to before at all, in whatever words."""
    return bool(SHIFTS.search(words))


def is_marked_breaking(words: str) -> bool:
    """Whether an entry says by a mark or in so many words that it breaks: `feat!:`, "BREAKING:", "incompatible"."""
    return bool(SIGNED.search(words) or MARKED.search(words))


def is_signed_breaking(words: str) -> bool:
    """Whether a sign marks an entry as breaking: `feat!:`, "[BREAKING]", an exclamation mark."""
    return bool(SIGNED.search(words))


def is_mere_fix(words: str) -> bool:
    """Whether an entry begins as a fix or speaks of a regression: what it says of breaking is about the past."""
    return bool(FIXES.search(in_clauses(words)))


@lru_cache(maxsize=8192)
def is_own_house(words: str) -> bool:
    """Whether what an entry removes or renames is the project's own affair: unused imports, tests, restrictions."""
    return bool(OWN_HOUSE.search(in_clauses(words)))


def is_tuning(words: str) -> bool:
    """Whether an entry begins as an improvement that asks nothing of anyone: faster, clearer, better documented."""
    return bool(TUNES.search(words))


def is_addition(words: str) -> bool:
    """Whether an entry begins as something new: what else changes with it is an aside."""
    return bool(ADDS.search(words))


@lru_cache(maxsize=8192)
def stated_change(words: str) -> Change | None:
    """What the words say the release removes, requires or deprecates; None where they don't say it of the software
    itself ("removed unused imports")."""
    clauses = in_clauses(words)
    for change, find in _STRONG:
        found = find(clauses)
        if found is not None and not is_own_house(_clause(clauses, found.start(), found.end())):
            return change
    return None


def _clause(words: str, start: int, end: int) -> str:
    """The clause around a range, from comma to comma."""
    before = max((found.end() for found in CLAUSE_END.finditer(words, 0, start)), default=0)
    after = CLAUSE_END.search(words, end)
    return words[before : after.start() if after else len(words)]


@lru_cache(maxsize=8192)
def told_change(words: str) -> Change | None:
    """The same of any change, behaviour, defaults and calls to act among them; the first in words that say several."""
    clauses = in_clauses(words)
    return next((change for change, find in _ALL if find(clauses)), None)
