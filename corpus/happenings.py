"""What has happened: whether words tell an act as done, planned, denied or undone, whether a section tells what its
release did or its known issues and plans, and whether an item tells an act that is asked about. Items, questions and
claims are read the same way, here alone.
"""

import re
from enum import Enum, auto
from functools import lru_cache

from corpus.model import Act
from corpus.plain_words import one_line
from corpus.version_mentions import find_versions
from corpus.versions import Version, VersionConstraint

_VERBS = {
    Act.REVERTED: r"revert(?:s|ed|ing)?|roll(?:s|ed|ing)? back|back(?:s|ed|ing)? out|undo(?:es|ne|ing)?|reinstat\w+"
    r"|restor(?:e[sd]?|ing)|re-?(?:add|introduc|enabl)\w*|br(?:ing|ings|inging|ought) back|un-?deprecat\w+",
    Act.REMOVED: r"remov(?:e[sd]?|ing|als?)|drop(?:s|ped|ping)?|delet(?:e[sd]?|ing|ions?)|discontinu\w+"
    r"|retire[sd]?|withdr(?:aw|awn|ew)|end(?:s|ed|ing)? (?:of )?support"
    r"|no longer (?:supported|available|exists?|included|shipped|supports?|ships?)",
    Act.DEPRECATED: r"(?:soft-?|pending )?deprecat(?:e[sd]?|ing|ions?)",
    Act.REPLACED: r"renam(?:e[sd]?|ing)|replac(?:e[sd]?|ing)|supersed(?:e[sd]?|ing)",
    Act.FIXED: r"fix(?:e[sd]|ing)?|resolv(?:e[sd]?|ing)|correct(?:s|ed)|repair(?:s|ed)?|solve[sd]|patch(?:es|ed)"
    r"|address(?:es|ed)",
    Act.ADDED: r"add(?:s|ed|ing)?|introduc(?:e[sd]?|ing)|implement(?:s|ed|ing)?|shipp(?:ed|ing)|ships?",
}
_VERB = re.compile(
    "|".join(rf"(?P<{act.value}>(?<![\w./-])(?:{verbs})(?![\w/(-]|\.\w))" for act, verbs in _VERBS.items()),
    re.IGNORECASE,
)
_BASE = re.compile(
    r"(?:un-?|re-?|soft-?)?(?:add|introduce|enable|fix|resolve|repair|remove|drop|delete|discontinue|retire|withdraw"
    r"|deprecate|rename|replace|supersede|revert|reinstate|restore|implement|ship|undo|(?:roll|bring) back|back out)",
    re.IGNORECASE,
)
"""A verb without an end: a command, or what somebody means to do."""
_NOUN = re.compile(r".*(?:al|ion)s?", re.IGNORECASE)
_CODE = re.compile(r"`+[^`]*`+")
_CLAUSE_END = re.compile(r"[.;:!?,]\s+|\s(?:and|but|so|because|since|while|although)\s|\s[\u2013\u2014-]+\s")
_SENTENCE_END = re.compile(r"[.;!?]\s+")
_NEAR = r"(?:\s+(?!(?:are|is|was|were|has|had|that|which)\b)\S+){0,5}\s*\Z"
"""A few words up to the verb, none of them another one's."""
_INTENT = re.compile(
    r"(?<!\bour )\b(?:(?:intend|plan|aim|hope|propos|expect|want|schedul|slat|prepar)\w* (?:to|on|for)"
    r"|(?:going|about|likely|supposed|meant|yet|remains?) to|due (?:to be|for)|consider(?:s|ing)?|announc\w+"
    rf"|(?:candidates?|marked|considered) for|pending|planned|future|upcoming){_NEAR}",
    re.IGNORECASE,
)
_INTENDED = re.compile(
    r"\b(?:is|are|been|be) (?:now |also |currently )?(?:planned|scheduled|slated|intended|expected|announced|proposed"
    r"|considered|pending)\b|\bwill (?:happen|take place|come|follow|occur|land)\b",
    re.IGNORECASE,
)
_WILL = r"(?:\b(?:will|shall)|['\u2019]ll)\b"
_FUTURE = re.compile(_WILL, re.IGNORECASE)
_COMING = re.compile(r"\b(?:is|are|will be) coming\b|\b(?:intend|plan)(?:s|ned|ning)? (?:to|on)\b", re.IGNORECASE)
_GOING = re.compile(rf"{_WILL}(?:\s+\w+)?\s+(?:be|get)\s+(?:\w+\s+)?\Z", re.IGNORECASE)
_MAY = re.compile(rf"(?:{_WILL}|\b(?:to be|may|might|could|would|should|gets?)\b){_NEAR}", re.IGNORECASE)
_LATER = re.compile(
    r"\b(?:future|upcoming|forthcoming|next|later|subsequent|coming) (?:\w+ )?(?:releases?|versions?|updates?|majors?"
    r"|months?|years?)\b|\bin (?:the )?(?:near |distant )?future\b|\bsoon\b|\beventually\b|\bat some point\b"
    r"|\b(?:in|by|after|until|from|of|early|late|mid)[ -](?:[A-Z]\w+ )?20\d\d\b",
    re.IGNORECASE,
)
_NOW = re.compile(r"\bnow\b|\b(?:as of|with|in|from|by) (?:this|the current) (?:release|version)\b", re.IGNORECASE)
_DENIED = re.compile(r"(?:\b(?:not|never|no longer|without)|n['\u2019]t)(?:\s+\w+){0,2}\s*\Z", re.IGNORECASE)
_WHICH = re.compile(
    r"\b(?:the|an?|any|some|these|those|this|that|its|their|our|your|my|previously|already|of|for|using|other|no)\s+\Z",
    re.IGNORECASE,
)
"""Before a participle that only says which thing is meant: "the removed option"."""
_PASSIVE = re.compile(r"\b(?:is|are|was|were|been|being|be|get|gets|got)\s+(?:\w+\s+)?\Z", re.IGNORECASE)
_OPENS = re.compile(r"\W*(?:(?:\[[^\]]*\]|[\w`./()!-]+:)\s*)*\W*")
_ASKED = re.compile(rf"\b(?:did|does|do)\b{_NEAR}", re.IGNORECASE)
_BY = re.compile(r"\bby\s+\Z", re.IGNORECASE)
_CAN = re.compile(r"\b(?:to|can|may|might|could|would|should) be\s+\Z", re.IGNORECASE)
"""Before a participle of what may happen in a program: "Allow columns to be dropped"."""


ISSUES = re.compile(
    r"\b(?:known|open|outstanding|unresolved|unfixed|remaining)\s+(?:[\w-]+\s+)?(?:issues?|problems?|bugs?|defects?"
    r"|limitations?|restrictions?|regressions?|errors?|faults?)\b"
    r"|^\W*(?:(?:current|general|technical|important)\s+)?(?:errata|limitations|caveats|gotchas|restrictions)\b",
    re.IGNORECASE,
)
"""What known issues are called."""
NOT_DONE = frozenset({Act.PLANNED, Act.KNOWN_ISSUE})
"""What an item may tell that hasn't happened in its release."""
_OTHERS = frozenset({Act.ADDED, Act.FIXED, Act.SECURED, Act.FASTER})
_AGAINST = {
    Act.ADDED: {Act.REMOVED, Act.DEPRECATED, Act.REVERTED},
    Act.DEFAULT: {Act.ADDED, Act.FIXED, Act.REMOVED, Act.DEPRECATED, Act.REVERTED},
    Act.REQUIRES: {Act.DEPRECATED, Act.REVERTED},
    Act.DEPRECATED: {Act.REMOVED, Act.REVERTED, *_OTHERS},
    Act.REMOVED: {Act.DEPRECATED, *_OTHERS},
    Act.REPLACED: {Act.DEPRECATED, *_OTHERS},
    Act.REVERTED: {Act.DEPRECATED, *_OTHERS},
    Act.FIXED: {Act.DEPRECATED},
    Act.SECURED: {Act.DEPRECATED},
}
"""What tells of another happening than the one that is asked about; any other act leaves it open."""


class Modality(Enum):
    """How words tell an act."""

    DONE = auto()
    PLANNED = auto()
    COMING = auto()
    """As what will be, whenever: "X will be removed"."""
    DENIED = auto()
    UNDONE = auto()
    """As what is fixed or taken back: "Fixed the removal of X"."""


@lru_cache(maxsize=8192)
def find_acts(words: str, release: Version | None = None) -> tuple[tuple[Act, Modality], ...]:
    """Each act that words tell, and how, in order; what they plan for `release`, which they are about, is done in it.

    Acts that have no verb of their own (a default, a requirement) aren't read.
    """
    acts: list[tuple[Act, Modality]] = []
    for sentence in _SENTENCE_END.split(one_line(_CODE.sub("X", words))):
        is_named, names_later = place_of(sentence, release)
        is_later = names_later or bool(_LATER.search(sentence))
        is_own = not is_later and (is_named or bool(_NOW.search(sentence)))
        clauses = _CLAUSE_END.split(sentence)
        found = [one for clause in clauses for one in _read_clause(clause, is_later=is_later, is_own=is_own)]
        if not found and is_later and (_COMING.search(sentence) or _FUTURE.search(sentence)):
            found = [(Act.ADDED if _COMING.search(sentence) else Act.CHANGED, Modality.PLANNED)]
        acts += found
    return tuple(acts)


def _read_clause(clause: str, *, is_later: bool, is_own: bool) -> list[tuple[Act, Modality]]:
    acts: list[tuple[Act, Modality]] = []
    mends = False
    for found in _VERB.finditer(clause):
        act, verb, before, after = Act(found.lastgroup or ""), found[0], clause[: found.start()], clause[found.end() :]
        is_base, is_noun = bool(_BASE.fullmatch(verb)), bool(_NOUN.fullmatch(verb))
        is_meant = _INTENT.search(before) or (is_noun and (_INTENDED.search(after) or _LATER.match(after.lstrip())))
        if mends and not _BY.search(before):
            acts.append((act, Modality.UNDONE))
        elif _DENIED.search(before):
            acts.append((act, Modality.DENIED))
        elif is_meant or (is_later and _MAY.search(before)):
            acts.append((act, Modality.PLANNED))
        elif not is_own and _GOING.search(before):
            acts.append((act, Modality.COMING))
        elif is_base:
            if _OPENS.fullmatch(before) or _ASKED.search(before):
                acts.append((act, Modality.DONE))
                mends = act in (Act.FIXED, Act.REVERTED)
        # A noun that stands alone only names, as a label does.
        elif before.strip() or after.strip() if is_noun else not (_WHICH.search(before) or _CAN.search(before)):
            acts.append((act, Modality.DONE))
            mends = act in (Act.FIXED, Act.REVERTED)
            if mends and _PASSIVE.search(before):
                acts[:-1] = [(other, Modality.UNDONE) for other, _ in acts[:-1]]
    return acts


def place_of(words: str, release: Version | None) -> tuple[bool, bool]:
    """Return whether words name a release, and whether they name a later one."""
    named = [found.version for found in find_versions(words)] if release is not None else []
    is_own = [release is not None and VersionConstraint.exactly(version).contains(release) for version in named]
    later = [release is not None and release < version for version in named]
    return any(is_own), any(one and not own for one, own in zip(later, is_own, strict=True))


def looks_ahead(words: str) -> bool:
    """Return whether words speak of what is to come at all."""
    return bool(_FUTURE.search(words) or _LATER.search(words)) or first_act(words)[1] not in (None, Modality.DONE)


def asserted_act(words: str) -> Act | None:
    """Return the first act that a question or a claim says has happened, or will; None where it says none."""
    if ISSUES.search(words):
        return Act.KNOWN_ISSUE
    act, how = first_act(words)
    return act if how is Modality.DONE else act and Act.PLANNED


def first_act(
    words: str, release: Version | None = None, *, at_once: bool = False
) -> tuple[Act, Modality] | tuple[None, None]:
    """Return the first act that words tell as done, planned or coming, `at_once`: in their first sentence; None and
    None where they tell none so."""
    acts = find_acts(_SENTENCE_END.split(words, maxsplit=1)[0] if at_once else words, release)
    return next((one for one in acts if one[1] not in (Modality.DENIED, Modality.UNDONE)), (None, None))


def reports_act(asked: Act, act: Act, words: str) -> bool | None:
    """Return whether an item that tells an act tells the asked one as done; None where its words leave that open."""
    if act in NOT_DONE or asked in NOT_DONE:
        return act is asked or (None if asked in NOT_DONE else False)
    acts = find_acts(words)
    verb = Act.FIXED if asked is Act.SECURED else asked
    if (verb, Modality.DONE) in acts or (asked is Act.DEFAULT and "default" in words.casefold()):
        return True
    if (verb, Modality.DENIED) in acts:
        return False
    if act is Act.REVERTED and asked is Act.REMOVED:
        return not {(Act.REMOVED, Modality.UNDONE), (Act.DEPRECATED, Modality.UNDONE)} & set(acts)
    if act is asked or (act is Act.REPLACED and asked is Act.REMOVED):
        return True
    return False if act in _AGAINST.get(asked, ()) else None
