"""What has happened: whether words tell an act as done, planned, denied or undone, whether a section tells what its
release did or its known issues and plans, and whether an item tells an act that is asked about. Items, questions and
claims are read the same way, here alone.
"""

import re
from enum import Enum, auto
from functools import lru_cache

from corpus.affirming import CODE, SENTENCE_END, VERB, is_plain, split_told
from corpus.model import Act
from corpus.plain_words import told_words
from corpus.version_mentions import find_versions
from corpus.versions import Version, VersionConstraint

_BASE = re.compile(
    r"(?:un-?|re-?|soft-?)?(?:add|introduce|enable|fix|resolve|repair|remove|drop|delete|discontinue|retire|withdraw"
    r"|deprecate|rename|replace|supersede|revert|reinstate|restore|implement|ship|undo|(?:roll|bring) back|back out)",
    re.IGNORECASE,
)
"""A verb without an end: a command, or what somebody means to do."""
_NOUN = re.compile(r".*(?:al|ion)s?", re.IGNORECASE)
_DEED = re.compile(r"fix|rename|.*ing", re.IGNORECASE)
"""A verb that may also be what is spoken of: "the fix was postponed"."""
_CLAUSE_END = re.compile(r"[.;:!?,]\s+|\s(?:and|but|so|because|since|while|although)\s|\s[\u2013\u2014-]+\s")
_NEAR = r"(?:\s+(?!(?:are|is|was|were|has|had|that|which)\b)\S+){0,5}\s*\Z"
"""A few words up to the verb, none of them another one's."""
_INTENT = re.compile(
    r"(?<!\bour )\b(?:(?:intend|plan|aim|hope|propos|expect|want|schedul|slat|prepar)\w* (?:to|on|for)"
    r"|(?:going|about|likely|supposed|meant|yet|remains?|is|are|was|were) to|due (?:to be|for)|consider(?:s|ing)?"
    r"|(?:candidates?|marked|considered) for|pending|planned|future|upcoming|(?:announc|postpon|defer|delay)\w+"
    rf"|(?:discuss|debat)\w*|(?:put|push)\w* (?:off|back)){_NEAR}",
    re.IGNORECASE,
)
_INTENDED = re.compile(
    r"\b(?:is|are|was|were|been|be) (?:now |also |currently )?(?:planned|scheduled|slated|intended|expected|announced"
    r"|proposed|considered|pending|postponed|deferred|delayed|on hold|put off|pushed (?:back|out))\b"
    r"|\bwill (?:happen|take place|come|follow|occur|land)\b",
    re.IGNORECASE,
)
_WILL = r"(?:\b(?:will|shall)|['\u2019]ll)\b"
_FUTURE = re.compile(_WILL, re.IGNORECASE)
_COMING = re.compile(r"\b(?:is|are|will be) coming\b|\b(?:intend|plan)(?:s|ned|ning)? (?:to|on)\b", re.IGNORECASE)
_GOING = re.compile(rf"{_WILL}(?:\s+\w+)?\s+(?:be|get)\s+(?:\w+\s+)?\Z", re.IGNORECASE)
_WE_WILL = re.compile(rf"\bwe(?:\s?{_WILL}|(?:\s+are|['\u2019]re)\s+going\s+to\b)(?:\s+\w+)?\s*", re.IGNORECASE)
_MAY = re.compile(rf"(?:{_WILL}|\b(?:to be|may|might|could|would|should|gets?)\b){_NEAR}", re.IGNORECASE)
_LATER = re.compile(
    r"\b(?:future|upcoming|forthcoming|next|later|subsequent|coming) (?:\w+ )?(?:releases?|versions?|updates?|majors?"
    r"|months?|years?)\b|\bin (?:the )?(?:near |distant )?future\b|\bsoon\b|\beventually\b|\bat some point\b"
    r"|\b(?:in|by|after|until|from|of|early|late|mid)[ -](?:[A-Z]\w+ )?20\d\d\b",
    re.IGNORECASE,
)
_WHEN = re.compile(r"\b(?:in|by|with|for|from|until|before|after|as of|to)\s+(?:\w+\s+)?v?\Z", re.IGNORECASE)
_IN = re.compile(r"\b(?:in|for|with|from|as of|upcoming|(?:back|deferred|postponed) to) v?\Z", re.IGNORECASE)
"""Before the release in which something is to happen."""
_BESIDE = 40  # Characters beside a release that are read: of many in one entry each would be read to its ends.
_NOW = re.compile(r"\bnow\b|\b(?:as of|with|in|from|by) (?:this|the current) (?:release|version)\b", re.IGNORECASE)
_DENIED = re.compile(
    r"(?:\b(?:not(?! (?:only|just|merely)\b)|never|no longer|without|cannot|instead of|rather than)|n['\u2019]t)"
    rf"\b{_NEAR}"
    r"|\b(?:nobody|no one|nothing|none|neither|nor)\b[^,;:]*\Z|\b(?:almost|nearly|hardly|barely)\s+\Z"
    r"|\bno\s(?:\S+\s+){1,6}?(?:is|are|was|were|has|have)\s+(?:been\s+)?\Z",
    re.IGNORECASE,
)
_UN = re.compile(r"un(?!-?de|do)", re.IGNORECASE)
_NAUGHT = re.compile(
    r"\s+(?:(?:nothing|none|neither|no)(?![\w-])|(?:the|an?)\s+(?:\w+\s+)?(?:statement|claim|note|sentence|remark)s?\s+that\b"
    r"|from (?:the |our )?(?:lists?|plans?|candidates|roadmap|docs|documentation)\b)",
    re.IGNORECASE,
)
_NO = re.compile(r"\bno\s+(?:\w+\s+)?\Z", re.IGNORECASE)
_ASIDE = re.compile(r"\s*\([^()]*\)|,\s[^,]{1,60},(?=\s+(?:be|been|being|\w+ed)\b)")
_SAID = re.compile(
    r"^\W*(?:false|wrong|untrue|not? \w+|todo|proposals?|ideas?|rejected|declined|wontfix|rfc|draft|later"
    r"|(?:cancel|postpon|defer|plann)\w+)\b[^:;]{0,40}[:,]|\bhad\b[^,;:]*\Z",
    re.IGNORECASE,
)
"""Before what is called wrong, or told of an earlier time."""
_WHICH = re.compile(
    r"\b(?:the|an?|any|some|these|those|this|that|its|their|our|your|my|previously|already|of|for|using|other|no)\s+\Z",
    re.IGNORECASE,
)
"""Before a participle that only says which thing is meant: "the removed option"."""
_PART_END = re.compile(
    r"(?<=[.;!?])\s+|\s+(?=\()|\s[\u2013\u2014-]+\s|,?\s+(?=(?:but|so|while|whereas|although|though)\s"
    r"|and\s+(?:is|are|was|were|has|have|will|we|its?|they)\s)",
    re.IGNORECASE,
)
"""Where one thing that is told ends and another begins."""
_PLANS = re.compile(
    r"\b(?:is|are|was|were|be|been) (?:\w+ )?(?:planned|slated|scheduled for|postponed|going to|due to be)\b|\bcoming "
    r"soon\b|\b(?:is|are) (?:\w+ )?to be \w+(?:ed|en)\b|\b(?:intend|plan|hope)(?:s|ning)? to\b|\bplanned (?:for|in"
    r"|to)\b"
    r"|\b(?:is|are|was|were|been) (?:\w+ )?(?:deferred|delayed)\b(?! (?:until|till|to|for|by)\b)",
    re.IGNORECASE,
)
_AWAITED = re.compile(
    r"\b(?:planned|scheduled|slated|expected|announced?|proposed|targeted|deferred|delayed|postponed|pushed|due"
    r"|(?<!used )to be|may|might|could|should|intended|com(?:es?|ing)|arriv(?:es?|ing)|lands?|landing|follows?"
    r"|aims? (?:for|to)|(?:this|it|that) (?:has been|was|is) (?:deferred|postponed|delayed|pushed back|rescheduled))\b",
    re.IGNORECASE,
)
"""What is still to come where it is of a later release, or a later day."""
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
NOT_DONE = frozenset({Act.PLANNED, Act.KNOWN_ISSUE})  # What an item may tell that hasn't happened in its release.
_OTHERS = frozenset({Act.ADDED, Act.FIXED, Act.SECURED, Act.FASTER})
_AGAINST = {
    Act.ADDED: {Act.REMOVED, Act.DEPRECATED, Act.REVERTED},
    Act.DEFAULT: {Act.ADDED, Act.FIXED, Act.REMOVED, Act.DEPRECATED, Act.REVERTED},
    Act.REQUIRES: {Act.ADDED, Act.DEPRECATED, Act.REVERTED},
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
    COMING = auto()  # As what will be, whenever: "X will be removed".
    DENIED = auto()
    UNDONE = auto()  # As what is fixed or taken back: "Fixed the removal of X".
    SAID = auto()
    """As what is quoted, asked, supposed or told in no plain way: "if X is removed", "X escaped being removed"."""


UNTOLD = frozenset({Modality.DENIED, Modality.UNDONE, Modality.SAID})  # How what didn't happen is told.


@lru_cache(maxsize=8192)
def find_acts(words: str, release: Version | None = None) -> tuple[tuple[Act, Modality], ...]:
    """Each act that words tell, and how, in order; what they plan for `release`, which they are about, is done in it.

    Acts that have no verb of their own (a default, a requirement) aren't read.
    """
    acts: list[tuple[Act, Modality]] = []
    for sentence in split_told(words):
        found = _read_sentence(sentence, release)
        is_later, is_own, is_dated = _times(sentence, release)
        is_awaited = is_dated or (is_later and (_FUTURE.search(sentence) or _AWAITED.search(sentence)))
        if not found and not is_own and (is_awaited or _PLANS.search(sentence) or _WE_WILL.search(sentence)):
            found = [(Act.ADDED if _COMING.search(sentence) else Act.CHANGED, Modality.PLANNED)]
        acts += found
    return tuple(acts)


def modality_at(sentence: str, start: int, end: int, release: Version | None = None) -> Modality:
    """Return how a sentence tells what its words from `start` to `end` say, a verb or the noun of one; what it plans
    for `release`, which it is about, is done."""
    verb = sentence[start:end]
    told, after = _ASIDE.sub("", sentence[:end])[: start - end], sentence[end:]
    before, behind = _CLAUSE_END.split(told)[-1], _CLAUSE_END.split(after)[0]
    is_noun = _is_noun(verb, before)
    is_deed = is_noun or verb.casefold().endswith("ing")
    is_later, is_own, is_dated = _times(sentence, release)
    is_denied = (_DENIED.search(before) and not _WHICH.search(before)) or (is_noun and _NO.search(before))
    if is_denied or _NAUGHT.match(after) or _UN.match(verb):
        return Modality.DENIED
    is_meant = _INTENT.search(before) or (is_deed and (_INTENDED.search(behind) or _LATER.match(behind.lstrip())))
    is_later_deed = is_dated and not verb.casefold().endswith(("ed", "wn"))
    if is_meant or is_later_deed or (is_later and _MAY.search(before)) or (not is_own and _WE_WILL.search(before)):
        return Modality.PLANNED
    if not is_own and _GOING.search(before):
        return Modality.COMING
    is_told = (
        sentence.endswith("?")
        or _SAID.search(told)
        or (VERB.fullmatch(verb) and not _CAN.search(before) and is_plain(sentence, start, end) is False)
    )
    return Modality.SAID if is_told else Modality.DONE


@lru_cache(maxsize=1024)
def _times(sentence: str, release: Version | None) -> tuple[bool, bool, bool]:
    """Return whether a sentence speaks of later releases, whether of its own or of now, and whether it names a later
    one as when what it tells is so."""
    is_named, names_later = place_of(sentence, release)
    is_later = names_later or bool(_LATER.search(sentence))
    return is_later, not is_later and (is_named or bool(_NOW.search(sentence))), names_later


def _is_noun(verb: str, before: str) -> bool:
    return bool(_NOUN.fullmatch(verb) or (_DEED.fullmatch(verb) and _WHICH.search(before)))


def _read_sentence(sentence: str, release: Version | None) -> list[tuple[Act, Modality]]:
    acts: list[tuple[Act, Modality]] = []
    ends = list(_CLAUSE_END.finditer(sentence))
    for begin, end in zip(
        (0, *(one.end() for one in ends)), (*(one.start() for one in ends), len(sentence)), strict=True
    ):
        told: list[tuple[Act, Modality]] = []
        mends = False
        for found in VERB.finditer(sentence, begin, end):
            act, verb, before = Act(found.lastgroup or ""), found[0], sentence[begin : found.start()]
            how = Modality.UNDONE
            if not mends or _BY.search(before):
                how = modality_at(sentence, found.start(), found.end(), release)
            if is_noun := _is_noun(verb, before):
                # A noun that stands alone only names, as a label does.
                is_told = bool(before.strip() or sentence[found.end() : end].strip())
            elif _BASE.fullmatch(verb):
                is_told = bool(_OPENS.fullmatch(before) or _ASKED.search(before) or _WE_WILL.search(before))
            else:
                is_told = not (_WHICH.search(before) or _CAN.search(before))
            if how is Modality.SAID and not (is_told or sentence.endswith("?")):
                how = Modality.UNDONE
            is_done = how in (Modality.DONE, Modality.SAID)
            is_over = is_done and bool(_PASSIVE.search(before))
            if is_over and act is Act.REMOVED and told and told[-1][1] in (Modality.PLANNED, Modality.UNDONE):
                # What was dropped is the plan.
                told[-1] = (told[-1][0], Modality.UNDONE)
            elif is_told or not is_done:
                told.append((act, how))
                if is_done and not is_noun:
                    mends = act in (Act.FIXED, Act.REVERTED)
                if is_over and act in (Act.FIXED, Act.REVERTED):
                    told[:-1] = [(other, Modality.UNDONE) for other, _ in told[:-1]]
        acts += told
    return acts


@lru_cache(maxsize=8192)
def asserted(words: str, release: Version | None = None) -> str:
    """Return the parts of words that tell what is so in `release`, on one line, as written; what they plan, put off or
    announce for later is left out, with the bare name that it is said of."""
    plain, kept, start = " ".join(words.split()), [""], 0
    ends = _PART_END.finditer(CODE.sub(lambda code: "X" * len(code[0]), plain))
    for end, following in (*(found.span() for found in ends), (len(plain), len(plain))):
        part, start = plain[start:end], following
        if not _is_ahead(part, release):
            kept.append(part)
            continue
        is_bare = _AWAITED.match(part.strip("(* ")) and not find_acts(kept[-1], release)
        kept[-1] = "" if is_bare or not kept[-1] else kept[-1] + ";" * kept[-1][-1].isalnum()
    return " ".join(filter(None, kept))


def _is_ahead(part: str, release: Version | None) -> bool:
    """Return whether what is told in one breath is all to come."""
    ways = {how for _, how in find_acts(part, release)}
    is_meant = not ways.isdisjoint({Modality.PLANNED, Modality.COMING}) or _PLANS.search(part)
    return bool(ways and is_meant) and Modality.DONE not in ways


def place_of(words: str, release: Version | None) -> tuple[bool, bool]:
    """Return whether words name a release, and whether they tell of one that follows it: 5.0 of "3.0 will require oven
    5.0" is none."""
    is_own = is_later = False
    when = _WHEN if _FUTURE.search(words) else _IN
    for found in find_versions(words):
        if release is None:
            break
        own, named = release.release, found.version.release
        if VersionConstraint.exactly(found.version).contains(release):
            is_own = True
        elif release < found.version and (named[:1] == own[:1] or not any(named[1:])):
            before, after = words[max(0, found.start - _BESIDE) : found.start], words[found.end : found.end + _BESIDE]
            is_later |= bool(when.search(before) or _FUTURE.match(after.lstrip()))
    return is_own, is_later


def asserted_act(words: str) -> Act | None:
    """Return the first act that a question or a claim says has happened, or will; None where it says none."""
    if ISSUES.search(words):
        return Act.KNOWN_ISSUE
    told = (one for one in find_acts(words) if one[1] not in (Modality.DENIED, Modality.UNDONE))
    act, how = next(told, (None, None))
    return act if how in (Modality.DONE, Modality.SAID) else act and Act.PLANNED


def first_act(
    words: str, release: Version | None = None, *, at_once: bool = False
) -> tuple[Act, Modality] | tuple[None, None]:
    """Return the first act that words tell as done, planned or coming, `at_once`: in their first sentence; None and
    None where they tell none so."""
    acts = find_acts(SENTENCE_END.split(words, maxsplit=1)[0] if at_once else words, release)
    return next((one for one in acts if one[1] not in UNTOLD), (None, None))


def is_untold(asked: Act, act: Act, words: str) -> bool:
    """Return whether an item that tells an act tells the asked one only as denied, undone, planned or said; or another,
    and all of that so, or takes it back."""
    if act is Act.REVERTED and reports_act(asked, act, words) is False:
        return True
    acts = find_acts(words)
    verb = Act.FIXED if asked is Act.SECURED else asked
    ways = {how for told, how in acts if told is verb} or {how for _, how in acts if act is not asked}
    return bool(ways) and ways.isdisjoint((Modality.DONE, Modality.COMING))


def reports_act(asked: Act, act: Act, words: str) -> bool | None:
    """Return whether an item that tells an act tells the asked one as done; None where its words leave that open."""
    if act in NOT_DONE or asked in NOT_DONE:
        return act is asked or (None if asked in NOT_DONE else False)
    acts = find_acts(words)
    verb = Act.FIXED if asked is Act.SECURED else asked
    ways = {how for told, how in acts if told is verb}
    # "Deprecated. Its makers no longer support it."
    is_aside = act in _AGAINST.get(asked, ()) and (verb, Modality.DONE) not in find_acts(
        SENTENCE_END.split(words, maxsplit=1)[0]
    )
    if (Modality.DONE in ways and not is_aside) or (asked is Act.DEFAULT and "default" in words.casefold()):
        return True
    # What no verb tells may have been read of what is struck out or asked.
    if (
        any(told is verb and how is not Modality.COMING for told, how in acts)
        or "?" in words
        or told_words(words) != words
    ):
        return False
    if act is Act.REVERTED and asked is Act.REMOVED:
        return (Act.DEPRECATED, Modality.UNDONE) not in acts
    if act is asked or (act is Act.REPLACED and asked is Act.REMOVED):
        return True
    return False if act in _AGAINST.get(asked, ()) else None
