"""The states that a clause puts a thing into: experimental or stable, on or off by default, deprecated or removed.

What happened to the thing is read by its act. A pattern fits a finite statement only ("is stable"), never a plan, an
adjective of a name ("the stable ABI") or a negation, which is a state of its own.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

from corpus.acts import read_acts
from corpus.model import Act
from retrieval.disagreement.values import Value


class ClauseSlot(StrEnum):
    """What a claim tells of its subject: two claims can only disagree within one."""

    STABILITY = "stability"
    LIFECYCLE = "lifecycle"
    DEFAULT = "default"
    NEED = "need"
    SUPPORT = "support"
    EXTENT = "extent"
    VERB = "verb"
    NUMBER = "number"
    EVENT = "event"
    MINIMUM = "minimum"
    PLATFORMS = "platforms"


@dataclass(frozen=True, slots=True)
class StatePattern:
    """The words that claim one state."""

    slot: ClauseSlot
    state: str
    cues: tuple[str, ...]
    """One of them, in lower case, is in every clause that the pattern fits: tried first, for speed."""
    pattern: re.Pattern[str]


_BE = (
    r"(?:(?:has|have) (?:now |also )?been|(?:is|are|was|were|be|remains?|stays?)(?:,? (?:now|still|also|considered))?)"
)
_DENIED = r"(?:\bnot|n't|n’t|\bno longer|\bnever|\bcannot)(?: yet| currently| (?:be|being|been))?"
_AFFIRMED = r"(?<!not )(?<!n't )(?<!n’t )(?<!longer )(?<!never )(?<!yet )(?<!not be )"
_NO_NAME = r"(?!-| (?:abi|apis?|subset|branch|channel|order|sort|sorting|identity|releases?|versions?)\b)"


def _state(slot: ClauseSlot, state: str, cues: str, pattern: str) -> StatePattern:
    return StatePattern(slot, state, tuple(cues.split()), re.compile(pattern, re.IGNORECASE))


_STATE_PATTERNS = (
    _state(
        ClauseSlot.STABILITY,
        "stable",
        "stable available ready experimental beta prototype",
        rf"\b{_BE} {_AFFIRMED}(?:stable|generally available|production[- ]ready){_NO_NAME}\b|[(:] ?stable\b{_NO_NAME}"
        r"|\b(?:promoted|graduat\w+|moved) (?:to|from) stable\b|\bno longer (?:an? )?(?:experimental|beta|prototype)\b"
        r"|\bout of beta\b|\b(?:is|are|was)(?: not|n't|n’t) (?:an? )?experimental\b",
    ),
    _state(
        ClauseSlot.STABILITY,
        "experimental",
        "experimental unstable prototype stable preview",
        r"(?<!longer )(?<!longer an )(?<!not )(?<!n't )(?<!n’t )(?<!-)\bexperimental\b(?!-)|\bapi-unstable\b"
        rf"|\b{_BE} (?:an? )?(?:unstable|prototype)\b{_NO_NAME}|\b{_BE} not (?:yet )?stable\b"
        r"|\b(?:tech(?:nical|nology)?|as a|in) preview\b",
    ),
    _state(
        ClauseSlot.STABILITY,
        "beta",
        "beta",
        rf"\b{_BE} (?:in |an? )?{_AFFIRMED}beta\b(?! ?\d)|\(beta\)|\bbeta (?:feature|support|status|quality)\b",
    ),
    _state(
        ClauseSlot.LIFECYCLE,
        "kept",
        "deprecat remov drop remain",
        rf"{_DENIED} (?:been )?(?:deprecated|removed|dropped)\b|\bremains? (?:available|supported)\b",
    ),
    _state(
        ClauseSlot.DEFAULT,
        "on by default",
        "default",
        rf"{_AFFIRMED}\b(?:enabled|on|active|activated|used) by default\b|\b{_BE} {_AFFIRMED}the default\b"
        r"|\bbecomes? the default\b|\bdefaults? to `?(?:true|on|enabled)\b",
    ),
    _state(
        ClauseSlot.DEFAULT,
        "off by default",
        "default opt-in off",
        rf"\b(?:disabled|off|inactive) by default\b|{_DENIED} (?:(?:enabled|on|active|used) by|the) default\b"
        r"|\bopt-in\b|\b(?:is|are) off (?:until|unless)\b|\bdefaults? to `?(?:false|off|disabled)\b",
    ),
    _state(ClauseSlot.NEED, "required", "required mandatory", rf"\b{_BE} {_AFFIRMED}(?:required|mandatory)\b"),
    _state(
        ClauseSlot.NEED,
        "optional",
        "optional required mandatory omitted",
        rf"\b{_BE} {_AFFIRMED}optional\b|{_DENIED} (?:required|mandatory)\b|\b(?:may|can) be omitted\b",
    ),
    _state(
        ClauseSlot.SUPPORT,
        "supported",
        "support work compatible",
        rf"{_AFFIRMED}\b(?:supports|supported|works? (?:with|on)|compatible with)\b"
        r"|\b(?:adds?|added|brings|gains?) support\b|\bsupport for .{1,80} (?:is|was|has been) added\b",
    ),
    _state(
        ClauseSlot.SUPPORT,
        "not supported",
        "support work compatible",
        rf"{_DENIED} (?:support|supports|supported|work|works|compatible)\b|\bunsupported\b|\bincompatible with\b"
        r"|\bno support for\b|\b(?:dropp?(?:ed|s)?|remove[ds]?|end(?:ed|s)) (?:the )?support\b"
        r"|\bsupport (?:for .{1,80} )?(?:is|was|has been) (?:removed|dropped)\b",
    ),
    _state(
        ClauseSlot.EXTENT,
        "full support",
        "full",
        r"\b(?:full|complete) support\b|\bfully supports?\b|\bfully supported\b",
    ),
    _state(
        ClauseSlot.EXTENT,
        "limited support",
        "partial limited initial preliminary basic",
        r"\b(?:partial|limited|initial|preliminary|basic) support\b|\bpartially support(?:s|ed)\b"
        r"|\bsupport\b.{0,60} (?:is|remains) (?:still )?(?:partial|limited)\b",
    ),
)
"""Every state that is read by words: those that something is in rather than what happened to it."""

_ENDED = frozenset({Act.REMOVED, Act.DEPRECATED})
_SURE = 0.7


def read_states(clause: str) -> dict[ClauseSlot, str]:
    """The state of each slot that the clause claims; a clause with two states of one slot claims neither."""
    told: dict[ClauseSlot, set[str]] = {}
    lower = clause.casefold()
    for one in _STATE_PATTERNS:
        if any(cue in lower for cue in one.cues) and one.pattern.search(clause):
            told.setdefault(one.slot, set()).add(one.state)
    if ClauseSlot.LIFECYCLE not in told:
        ((act, certainty),) = read_acts([clause], (), None, digest="")
        if act in _ENDED and certainty >= _SURE:
            told[ClauseSlot.LIFECYCLE] = {act.value}
    return {slot: next(iter(states)) for slot, states in told.items() if len(states) == 1}


_STEMS = (
    "accept affect allow apply block emit ignore include install need provide raise return ship start validate warn"
)
_FORMS = frozenset(form for stem in _STEMS.split() for form in (stem, f"{stem.removesuffix('y')}ies", f"{stem}s"))
_VERBS = rf"(?P<verb>{'|'.join(_STEMS.split())}|appl(?=ies))"
_DENIED_VERB = re.compile(rf"\b(?:do|does|did)(?: not|n't|n’t) (?:yet )?{_VERBS}\b", re.IGNORECASE)
_AFFIRMED_VERB = re.compile(rf"\b{_VERBS}(?:s|ies)\b", re.IGNORECASE)


def read_verbs(clause: str) -> tuple[Value, ...]:
    """What the clause says is done or not; `key` is the verb. A clause that says two things isn't read."""
    if _FORMS.isdisjoint(clause.casefold().split()):
        return ()
    denied = tuple(_DENIED_VERB.finditer(clause))
    found = denied or tuple(_AFFIRMED_VERB.finditer(clause))
    if len(found) != 1:
        return ()
    verb = found[0]["verb"].casefold().removesuffix("y")
    return (Value(verb, "denied" if denied else "affirmed", found[0].group(), *found[0].span()),)
