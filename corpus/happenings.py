"""Whether words report an act as done, planned, denied or undone, which parts of an entry are true in its release, and
whether an item reports the requested act. Items, questions and claims are read alike, here alone."""

import re
from enum import Enum, auto
from functools import lru_cache

from corpus.affirming import CODE, SENTENCE_END, VERB, is_plain, split_stated
from corpus.model import Act
from corpus.plain_words import stated_words
from corpus.version_mentions import find_versions
from corpus.versions import Version, VersionConstraint

_BASE = re.compile(
    r"(?:un-?|re-?|soft-?)?(?:add|introduce|enable|fix|resolve|repair|remove|drop|delete|discontinue|retire|withdraw"
    r"|deprecate|rename|replace|supersede|revert|reinstate|restore|implement|ship|undo|(?:roll|bring) back|back out)",
    re.IGNORECASE,
)
"""A verb in its base form: a command, or an intention."""
_NOUN = re.compile(r".*(?:al|ion)s?", re.IGNORECASE)
_DEED = re.compile(r"fix|rename|.*ing", re.IGNORECASE)
"""A verb form that may also be a noun: "the fix was postponed"."""
_CLAUSE_END = re.compile(r"[.;:!?,]\s+|\s(?:and|but|so|because|since|while|although)\s|\s[\u2013\u2014-]+\s")
_NEAR = r"(?:\s+(?!(?:are|is|was|were|has|had|that|which)\b)\S+){0,5}\s*\Z"
"""A few words up to the verb, without another verb."""
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
"""Words before the release in which something is planned."""
_BESIDE = 40  # Characters read beside a release, so that many releases in a long entry don't make it slow.
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
"""Words before something called wrong, or from an earlier time."""
_WHICH = re.compile(
    r"\b(?:the|an?|any|some|these|those|this|that|its|their|our|your|my|previously|already|of|for|using|other|no)\s+\Z",
    re.IGNORECASE,
)
"""Words before a participle that only identifies a thing: "the removed option"."""
_PART_END = re.compile(
    r"(?<=[.;!?])\s+|(?<!\s)\s++(?=\()|\s[\u2013\u2014-]+\s|,?(?<!\s)\s++(?=(?:but|so|while|whereas|although|though)\s"
    r"|and\s+(?:is|are|was|were|has|have|will|we|its?|they)\s)",
    re.IGNORECASE,
)
"""The end of one reported fact and the beginning of the next."""
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
"""Words for something still to come, if a later release or day is named."""
_PASSIVE = re.compile(r"\b(?:is|are|was|were|been|being|be|get|gets|got)\s+(?:\w+\s+)?\Z", re.IGNORECASE)
_OPENS = re.compile(r"\A(?>(?:\[[^\]]*\]|\W|\w[\w`./()!-]*+:)*)")
_ASKED = re.compile(rf"\b(?:did|does|do)\b{_NEAR}", re.IGNORECASE)
_BY = re.compile(r"\bby\s+\Z", re.IGNORECASE)
_CAN = re.compile(r"\b(?:to|can|may|might|could|would|should) be\s+\Z", re.IGNORECASE)
"""Words before a participle for what may happen in a program: "Allow columns to be dropped"."""


ISSUES = re.compile(
    r"\b(?:known|open|outstanding|unresolved|unfixed|remaining)\s+(?:[\w-]+\s+)?(?:issues?|problems?|bugs?|defects?"
    r"|limitations?|restrictions?|regressions?|errors?|faults?)\b"
    r"|^\W*(?:(?:current|general|technical|important)\s+)?(?:errata|limitations|caveats|gotchas|restrictions)\b",
    re.IGNORECASE,
)
"""Names of known issues."""
NOT_DONE = frozenset({Act.PLANNED, Act.KNOWN_ISSUE})  # Acts that haven't happened in an item's release.
_IMPROVEMENTS = frozenset({Act.ADDED, Act.FIXED, Act.SECURED, Act.FASTER})
_AGAINST = {
    Act.ADDED: {Act.REMOVED, Act.DEPRECATED, Act.REVERTED},
    Act.DEFAULT: {Act.ADDED, Act.FIXED, Act.REMOVED, Act.DEPRECATED, Act.REVERTED},
    Act.REQUIRES: {Act.ADDED, Act.DEPRECATED, Act.REVERTED},
    Act.DEPRECATED: {Act.REMOVED, Act.REVERTED, *_IMPROVEMENTS},
    Act.REMOVED: {Act.DEPRECATED, *_IMPROVEMENTS},
    Act.REPLACED: {Act.DEPRECATED, *_IMPROVEMENTS},
    Act.REVERTED: {Act.DEPRECATED, *_IMPROVEMENTS},
    Act.FIXED: {Act.DEPRECATED},
    Act.SECURED: {Act.DEPRECATED},
}
"""By requested act, the acts that report something else; any other act leaves it open."""


class Modality(Enum):
    """How words report an act."""

    DONE = auto()
    PLANNED = auto()
    COMING = auto()  # In the future, at no stated time: "X will be removed".
    DENIED = auto()
    UNDONE = auto()  # As fixed or taken back: "Fixed the removal of X".
    SAID = auto()
    """As quoted, asked, supposed or otherwise not plainly stated: "if X is removed", "X escaped being removed"."""


UNTOLD = frozenset({Modality.DENIED, Modality.UNDONE, Modality.SAID})  # Modalities of acts that didn't happen.


@lru_cache(maxsize=8192)
def find_acts(words: str, release: Version | None = None) -> tuple[tuple[Act, Modality], ...]:
    """Return each act that words report with its modality, in order; one planned for their own `release` is done.

    Acts without a verb of their own (a default) aren't found. `find_acts('Removed X.')` -> `((REMOVED, DONE),)`.
    """
    acts: list[tuple[Act, Modality]] = []
    for sentence in split_stated(words):
        sentence_acts = _sentence_acts(sentence, release)
        is_later, is_own, is_dated = _times(sentence, release)
        is_awaited = is_dated or (is_later and (_FUTURE.search(sentence) or _AWAITED.search(sentence)))
        if not sentence_acts and not is_own and (is_awaited or _PLANS.search(sentence) or _WE_WILL.search(sentence)):
            sentence_acts = [(Act.ADDED if _COMING.search(sentence) else Act.CHANGED, Modality.PLANNED)]
        acts += sentence_acts
    return tuple(acts)


def modality_at(sentence: str, start: int, end: int, release: Version | None = None) -> Modality:
    """Return the modality of the verb, or its noun, at `[start, end)` in a sentence; an act announced for `release`,
    whose notes the sentence is in, is done."""
    verb = sentence[start:end]
    left, right = _ASIDE.sub("", sentence[:end])[: start - end], sentence[end:]
    before, behind = _CLAUSE_END.split(left)[-1], _CLAUSE_END.split(right)[0]
    is_noun = _is_noun(verb, before)
    is_deed = is_noun or verb.casefold().endswith("ing")
    is_later, is_own, is_dated = _times(sentence, release)
    is_denied = (_DENIED.search(before) and not _WHICH.search(before)) or (is_noun and _NO.search(before))
    if is_denied or _NAUGHT.match(right) or _UN.match(verb):
        return Modality.DENIED
    is_meant = _INTENT.search(before) or (is_deed and (_INTENDED.search(behind) or _LATER.match(behind.lstrip())))
    is_later_deed = is_dated and not verb.casefold().endswith(("ed", "wn"))
    if is_meant or is_later_deed or (is_later and _MAY.search(before)) or (not is_own and _WE_WILL.search(before)):
        return Modality.PLANNED
    if not is_own and _GOING.search(before):
        return Modality.COMING
    is_said = (
        sentence.endswith("?")
        or _SAID.search(left)
        or (VERB.fullmatch(verb) and not _CAN.search(before) and is_plain(sentence, start, end) is False)
    )
    return Modality.SAID if is_said else Modality.DONE


@lru_cache(maxsize=1024)
def _times(sentence: str, release: Version | None) -> tuple[bool, bool, bool]:
    """Return whether a sentence is about later releases, whether about its own release or the present, and whether it
    names a later release as the time of its act."""
    is_named, names_later = place_of(sentence, release)
    is_later = names_later or bool(_LATER.search(sentence))
    return is_later, not is_later and (is_named or bool(_NOW.search(sentence))), names_later


def _is_noun(verb: str, before: str) -> bool:
    """Return whether a verb's form is used as a noun: "removal", "the fix"."""
    return bool(_NOUN.fullmatch(verb) or (_DEED.fullmatch(verb) and _WHICH.search(before)))


def _sentence_acts(sentence: str, release: Version | None) -> list[tuple[Act, Modality]]:
    """Return a sentence's acts and modalities in order; none for a label ("Removal") or qualifier ("the removed X")."""
    acts: list[tuple[Act, Modality]] = []
    ends = list(_CLAUSE_END.finditer(sentence))
    for begin, end in zip(
        (0, *(mark.end() for mark in ends)), (*(mark.start() for mark in ends), len(sentence)), strict=True
    ):
        reports: list[tuple[Act, Modality]] = []
        is_fixing = False
        for match in VERB.finditer(sentence, begin, end):
            act, verb, before = Act(match.lastgroup or ""), match[0], sentence[begin : match.start()]
            modality = Modality.UNDONE
            if not is_fixing or _BY.search(before):
                modality = modality_at(sentence, match.start(), match.end(), release)
            if is_noun := _is_noun(verb, before):
                # A noun alone is only a label.
                is_report = bool(before.strip() or sentence[match.end() : end].strip())
            elif _BASE.fullmatch(verb):
                is_report = bool(_OPENS.fullmatch(before) or _ASKED.search(before) or _WE_WILL.search(before))
            else:
                is_report = not (_WHICH.search(before) or _CAN.search(before))
            if modality is Modality.SAID and not (is_report or sentence.endswith("?")):
                modality = Modality.UNDONE
            is_done = modality in (Modality.DONE, Modality.SAID)
            is_over = is_done and bool(_PASSIVE.search(before))
            if is_over and act is Act.REMOVED and reports and reports[-1][1] in (Modality.PLANNED, Modality.UNDONE):
                # The plan was dropped, not the feature.
                reports[-1] = (reports[-1][0], Modality.UNDONE)
            elif is_report or not is_done:
                reports.append((act, modality))
                if is_done and not is_noun:
                    is_fixing = act in (Act.FIXED, Act.REVERTED)
                if is_over and act in (Act.FIXED, Act.REVERTED):
                    reports[:-1] = [(fixed, Modality.UNDONE) for fixed, _ in reports[:-1]]
        acts += reports
    return acts


@lru_cache(maxsize=8192)
def asserted(words: str, release: Version | None = None) -> str:
    """Return the parts of `words` that are true in `release`, on one line, as written, without parts that only plan,
    postpone or announce something and the bare name before them."""
    plain, parts, start = " ".join(words.split()), [""], 0
    ends = _PART_END.finditer(CODE.sub(lambda code: "X" * len(code[0]), plain))
    for end, following in (*(mark.span() for mark in ends), (len(plain), len(plain))):
        part, start = plain[start:end], following
        if not _is_ahead(part, release):
            parts.append(part)
            continue
        is_bare = _AWAITED.match(part.strip("(* ")) and not find_acts(parts[-1], release)
        parts[-1] = "" if is_bare or not parts[-1] else parts[-1] + ";" * parts[-1][-1].isalnum()
    return " ".join(filter(None, parts))


def _is_ahead(part: str, release: Version | None) -> bool:
    """Return whether everything reported in a part of an entry is still to come."""
    modalities = {modality for _, modality in find_acts(part, release)}
    is_meant = not modalities.isdisjoint({Modality.PLANNED, Modality.COMING}) or _PLANS.search(part)
    return bool(modalities and is_meant) and Modality.DONE not in modalities


def place_of(words: str, release: Version | None) -> tuple[bool, bool]:
    """Return whether words name `release`, and whether they name a later one as the time of an act: in "3.0 will
    require oven 5.0", 5.0 is none."""
    is_own = is_later = False
    when = _WHEN if _FUTURE.search(words) else _IN
    for mention in find_versions(words):
        if release is None:
            break
        own_numbers, named_numbers = release.release, mention.version.release
        if VersionConstraint.exactly(mention.version).contains(release):
            is_own = True
        elif release < mention.version and (named_numbers[:1] == own_numbers[:1] or not any(named_numbers[1:])):
            before, after = (
                words[max(0, mention.start - _BESIDE) : mention.start],
                words[mention.end : mention.end + _BESIDE],
            )
            is_later |= bool(when.search(before) or _FUTURE.match(after.lstrip()))
    return is_own, is_later


def asserted_act(words: str) -> Act | None:
    """Return the first act that a question or claim reports, PLANNED if it is still to come; None if denied or none."""
    if ISSUES.search(words):
        return Act.KNOWN_ISSUE
    reported = (report for report in find_acts(words) if report[1] not in (Modality.DENIED, Modality.UNDONE))
    act, modality = next(reported, (None, None))
    return act if modality in (Modality.DONE, Modality.SAID) else act and Act.PLANNED


def first_act(
    words: str, release: Version | None = None, *, at_once: bool = False
) -> tuple[Act, Modality] | tuple[None, None]:
    """Return the first act that words (their first sentence, if `at_once`) report as done, planned or coming, with its
    modality; (None, None) if there is none."""
    acts = find_acts(SENTENCE_END.split(words, maxsplit=1)[0] if at_once else words, release)
    return next((report for report in acts if report[1] not in UNTOLD), (None, None))


def reports_act(requested: Act, act: Act, words: str) -> bool | None:
    """Return whether an item with the act `act` reports `requested` as done; None if its `words` leave that open."""
    if act in NOT_DONE or requested in NOT_DONE:
        return act is requested or (None if requested in NOT_DONE else False)
    acts = find_acts(words)
    verb = Act.FIXED if requested is Act.SECURED else requested
    modalities = {modality for each, modality in acts if each is verb}
    # Only an aside: "Deprecated. Its makers no longer support it."
    is_aside = act in _AGAINST.get(requested, ()) and (verb, Modality.DONE) not in find_acts(
        SENTENCE_END.split(words, maxsplit=1)[0]
    )
    if (Modality.DONE in modalities and not is_aside) or (requested is Act.DEFAULT and "default" in words.casefold()):
        return True
    # Without a verb, the item's act may come from words that are struck out or a question.
    if (
        any(each is verb and modality is not Modality.COMING for each, modality in acts)
        or "?" in words
        or stated_words(words) != words
    ):
        return False
    if act is Act.REVERTED and requested is Act.REMOVED:
        return (Act.DEPRECATED, Modality.UNDONE) not in acts
    if act is requested or (act is Act.REPLACED and requested is Act.REMOVED):
        return True
    return False if act in _AGAINST.get(requested, ()) else None
