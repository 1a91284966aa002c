"""What a sentence claims: a subject in its own words, a slot ("stability", "default"), and the value put into it.

Read conservatively, because a false alarm costs more than a conflict that is missed: a clause about former or planned
behaviour, one that reports what others say, a question or a fix claims nothing about how things are.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from corpus.lexicon import content_words, split_tokens
from corpus.plain_words import one_line
from corpus.symbols import find_symbols
from corpus.versions import Version
from retrieval.disagreement.amounts import read_amounts
from retrieval.disagreement.measures import (
    named_versions,
    read_events,
    read_exclusive_platforms,
    read_minimums,
    read_platforms,
)
from retrieval.disagreement.states import ClauseSlot, read_states, read_verbs
from retrieval.disagreement.values import Amount, Value

MAX_CHARACTERS = 700
_MIN_CHARACTERS = 12

_CLAUSE_END = re.compile(
    r"(?<!e\.g)(?<!i\.e)(?<! vs)(?<!etc)[.!]\s+|;\s+|(?<=\?)\s+|\s[–—]\s"
    r"|,?\s(?:but|so|whereas|while|although|however|yet)\s"
)
_NO_CLAIM = re.compile(
    r"\?\s*$|^\W*(?:this|these|those|it|they|he|she|its|their|such|that)\b(?! (?:release|version)\b)"
    r"|\bthe following\b|\b(?:section|listed)\b|^\W*(?:bump|upgrade)(?:s|d|ed)?\b"
    r"|\bthese (?:features|functions|methods|classes|modules|apis|options)\b"
    r"|\b(?:previously|formerly|used to|(?:until|before|up to) (?:this|that|now)|in the past|earlier|prior)\b"
    r"|\b(?:originally|old|was to|would)\b|\boverstates\b"
    r"|\b(?:reports?|claims?|writes?|says?|said|argues?|believes?|states?|according)\b (?:that|to)\b",
    re.IGNORECASE,
)
_NO_STATE = re.compile(
    r"^\W*(?:#\d+:?\s*)?(?:bug|fix(?:e[sd])?|fixing|regression|resolve[sd]?|avoid(?:s|ed)?|prevent(?:s|ed)?"
    r"|corrected)\b"
    r"|\b(?:will|shall|plan(?:s|ned|ning)?|going to|to be|upcoming|future|may|might|could|should|aims?|goal)\b",
    re.IGNORECASE,
)
_CONDITION = re.compile(r"\b(?:if|when|unless|except|without|whenever|in case|as long as|other than)\b", re.IGNORECASE)
_IN_VERSION = re.compile(
    r"\b(?:in|since|as of|for|with|from)\s+(?:(?:the\s+)?(?:version|release|(?P<name>[A-Za-z][\w-]*))\s+)?"
    r"v?(?P<version>\d+(?:\.\d+)+(?:(?:a|b|rc)\d+)?)\b",
    re.IGNORECASE,
)
_WORDS_OF_CLAIMS = """
    still currently already note release version feature features new yet default supports supported support covers
    cover later newer instead minimum requires require required needs need least only alone initial initially
"""
_WORDS_OF_CHANGES = "deprecated deprecate removed remove dropped drop deleted delete added add introduced old legacy"
_WORDS_OF_STATES = """
    experimental stable unstable beta prototype preview api deprecated deprecate removed remove dropped drop deleted
    delete enabled disabled on off active inactive opt optional mandatory unsupported works work compatible incompatible
    longer true false full complete limited partial available fully add adds added make made change changes generally
    production-ready defaults backend backends
"""


def _tokens(words: str) -> frozenset[str]:
    return frozenset(token for word in words.split() for token in split_tokens(word))


@dataclass(frozen=True, slots=True)
class ClauseClaim:
    """One thing that one clause says."""

    slot: ClauseSlot
    key: str
    """What of the subject is told where a slot has several: a unit, an event, the thing that is needed."""
    value: str | Amount | Version | frozenset[str]
    shown: str
    """The value as people read it."""
    cue: str
    """What is told of the subject, where the value doesn't say so itself; else empty."""
    clause: str
    subject: frozenset[str]
    """Tokens of the clause's words that carry meaning, without the slot's own."""
    head: str
    """Token of the first word that carries meaning: of a change to a thing, mostly the thing."""
    words: frozenset[str]
    """Tokens of all words that carry meaning."""
    names: frozenset[str]
    """Code names in the clause, in lower case."""
    limits: frozenset[str]
    """What the claim holds for: platforms, versions of other things ("cuda 12.8"); "if" where it has a condition."""
    versions: tuple[tuple[str, Version], ...]
    """Versions the clause puts itself into ("in 2.9"), with the name before each in lower case, or an empty one."""
    is_plan: bool = False


@lru_cache(maxsize=4096)
def read_claims(text: str) -> tuple[ClauseClaim, ...]:
    """The claims of a sentence or entry, clause by clause; none of more than 700 characters."""
    plain = one_line(text) if len(text) <= MAX_CHARACTERS else ""
    return tuple(claim for clause in _CLAUSE_END.split(plain) for claim in _clause_claims(clause.strip(" -–•*")))


def _clause_claims(clause: str) -> tuple[ClauseClaim, ...]:
    if len(clause) < _MIN_CHARACTERS:
        return ()
    found: list[tuple[ClauseSlot, Value]] = []
    if any(map(str.isdigit, clause)):
        found += ((ClauseSlot.NUMBER, one) for one in read_amounts(clause))
        found += ((ClauseSlot.EVENT, one) for one in read_events(clause))
        found += ((ClauseSlot.MINIMUM, one) for one in read_minimums(clause))
    states = [*_states(clause), *((ClauseSlot.PLATFORMS, one) for one in read_exclusive_platforms(clause))]
    if states and not _NO_STATE.search(clause):
        found += states
    if not found or _NO_CLAIM.search(clause):
        return ()
    return tuple(_claim(clause, slot, measured) for slot, measured in found)


def _states(clause: str) -> Iterator[tuple[ClauseSlot, Value]]:
    """The states that a clause puts its subject into, as values at no place: their words aren't cut out of it."""
    for slot, state in read_states(clause).items():
        yield slot, Value("", state, state, 0, 0)
    yield from ((ClauseSlot.VERB, one) for one in read_verbs(clause))


def _claim(clause: str, slot: ClauseSlot, measured: Value) -> ClauseClaim:
    rest = f"{clause[: measured.start]} {clause[measured.end :]}"
    if slot is ClauseSlot.MINIMUM:
        rest = f"{rest} {measured.key}"
    limits = {f"{name} {version}" for name, version in named_versions(rest)}
    if slot is not ClauseSlot.PLATFORMS:
        limits |= read_platforms(rest)
    if _CONDITION.search(rest):
        limits.add("if")
    words = (word for word in content_words(rest) if any(map(str.isalpha, word)))
    tokens = tuple(token for word in words for token in split_tokens(word)[:1] if len(token) > 1)
    return ClauseClaim(
        slot=slot,
        key=measured.key,
        value=measured.value,
        shown=measured.shown,
        cue=measured.cue,
        clause=clause,
        subject=frozenset(tokens)
        - _words_of(slot)
        - (read_platforms(clause) if slot is ClauseSlot.PLATFORMS else frozenset()),
        head=next((token for token in tokens if token not in _changes()), ""),
        words=frozenset(tokens),
        names=frozenset(name.casefold() for name in find_symbols(rest)),
        limits=frozenset(limits),
        versions=_own_versions(clause) if slot is not ClauseSlot.EVENT else (),
        is_plan=measured.is_plan,
    )


@lru_cache(maxsize=len(ClauseSlot))
def _words_of(slot: ClauseSlot) -> frozenset[str]:
    """Tokens of a claim's own words; what was added or removed is part of the subject where a number is claimed."""
    words = _tokens(_WORDS_OF_CLAIMS)
    return words if slot is ClauseSlot.NUMBER else words | _tokens(_WORDS_OF_STATES)


@lru_cache(maxsize=1)
def _changes() -> frozenset[str]:
    return _tokens(_WORDS_OF_CHANGES)


def _own_versions(clause: str) -> tuple[tuple[str, Version], ...]:
    return tuple(
        ((match["name"] or "").casefold(), version)
        for match in _IN_VERSION.finditer(clause)
        if (version := Version.try_parse(match["version"])) is not None
    )
