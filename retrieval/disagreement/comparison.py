"""Whether two statements of release notes disagree about one thing, and about what.

Precision first. Both must tell of the same product in the same release (or name the same version), of the same subject
in nearly the same words, under the same limits, and give one slot values that can't both be true. "Experimental" in 2.9
and "stable" in 2.12 is history; CUDA 12 and CUDA 13 are two subjects.
"""

from dataclasses import dataclass
from functools import lru_cache

from corpus.lexicon import content_words, split_tokens
from corpus.versions import Version
from retrieval.disagreement.claims import ClauseClaim, read_claims
from retrieval.disagreement.states import ClauseSlot
from retrieval.disagreement.values import Amount

_WORDS_FOR_ONE_OTHER = 6
"""A word of the shorter statement that the longer one lacks makes another subject, unless there are so many words."""
_MIN_SHARE_OF_LONGER = 0.3
_ABOUT_WORDS = 6


@dataclass(frozen=True, slots=True)
class StatementScope:
    """Of which product and release a statement tells; `names` are the product's, in lower case."""

    names: frozenset[str]
    release: Version | None


@dataclass(frozen=True, slots=True)
class Saying:
    """A sentence or entry of release notes, and where it stands."""

    text: str
    scope: StatementScope


def find_disagreement(one: Saying, other: Saying) -> str | None:
    """The first thing that two statements disagree about; None where there is nothing decidable.

    It is told by its subject in the words of the first statement, and both values: "wheel variants: experimental or
    stable".
    """
    if one.scope.names.isdisjoint(other.scope.names):
        return None
    for first in read_claims(one.text):
        for second in read_claims(other.text):
            if _disagree(first, second, one.scope, other.scope):
                return _about(first, second, one.scope)
    return None


def _disagree(first: ClauseClaim, second: ClauseClaim, scope: StatementScope, other: StatementScope) -> bool:
    return (
        first.slot is second.slot
        and first.key == second.key
        and first.is_plan == second.is_plan
        and _values_disagree(first, second)
        and _same_limits(first, second, scope)
        and _same_time(first, second, scope, other)
        and _same_subject(first, second, scope)
    )


def _values_disagree(first: ClauseClaim, second: ClauseClaim) -> bool:
    one, two = first.value, second.value
    if isinstance(one, Amount) and isinstance(two, Amount):
        return one.disagrees(two)
    if isinstance(one, Version) and isinstance(two, Version):
        shorter = min(len(one.release), len(two.release))
        return one.release[:shorter] != two.release[:shorter]
    return one != two


def _same_limits(first: ClauseClaim, second: ClauseClaim, scope: StatementScope) -> bool:
    def others(claim: ClauseClaim) -> set[str]:
        return {limit for limit in claim.limits if limit.split()[0] not in scope.names}

    return others(first) == others(second)


def _same_time(first: ClauseClaim, second: ClauseClaim, scope: StatementScope, other: StatementScope) -> bool:
    """What was done in a version stays true; anything else holds for the release it is told of."""
    if first.slot is ClauseSlot.EVENT and not first.is_plan:
        return True
    own, theirs = _told_of(first, scope), _told_of(second, other)
    return bool(own) and own == theirs


def _told_of(claim: ClauseClaim, scope: StatementScope) -> frozenset[Version]:
    """The versions of the product that a claim puts itself into, else the release it stands in."""
    named = frozenset(version for name, version in claim.versions if not name or name in scope.names)
    return named or frozenset((scope.release,) if scope.release else ())


def _same_subject(first: ClauseClaim, second: ClauseClaim, scope: StatementScope) -> bool:
    no_subject = _name_tokens(scope.names) | {first.key}
    ours, theirs = first.subject - no_subject, second.subject - no_subject
    if not _same_names(first, second):
        return False
    if first.slot is ClauseSlot.MINIMUM:
        return ours == theirs
    if ours == theirs:
        return bool(ours)
    shared = len(ours & theirs)
    shorter, longer = sorted((len(ours), len(theirs)))
    is_named = bool(first.names & second.names)
    enough = shared >= (1 if is_named else 2)
    return enough and shorter - shared <= shorter // _WORDS_FOR_ONE_OTHER and shared >= _MIN_SHARE_OF_LONGER * longer


@lru_cache(maxsize=512)
def _name_tokens(names: frozenset[str]) -> frozenset[str]:
    return frozenset(token for name in names for token in split_tokens(name))


def _same_names(first: ClauseClaim, second: ClauseClaim) -> bool:
    """What comes or goes is exactly what is named first; elsewhere the longer of two accounts may name more."""
    if first.slot in (ClauseSlot.LIFECYCLE, ClauseSlot.EVENT):
        same_head = first.head in second.words and second.head in first.words
        return same_head and (first.slot is ClauseSlot.EVENT or first.names == second.names)
    return not (first.names and second.names) or first.names <= second.names or second.names <= first.names


def _about(first: ClauseClaim, second: ClauseClaim, scope: StatementScope) -> str:
    shared = (first.subject & second.subject) - _name_tokens(scope.names)
    words = [word for word in content_words(first.clause) if not shared.isdisjoint(split_tokens(word)[:1])]
    subject = " ".join(words[:_ABOUT_WORDS])
    told = " or ".join((first.shown, second.shown))
    topic = f"{first.cue} ({subject})" if first.cue and subject else first.cue or subject
    return f"{topic}: {told}" if topic else told
