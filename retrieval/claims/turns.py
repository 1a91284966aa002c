"""What evidence makes of the things that an assertion speaks of: their status, a "not", the opposite word."""

import re
from collections.abc import Iterator, Mapping

from corpus.lexicon import split_tokens
from corpus.model import Kind
from retrieval.claims.antonyms import antonyms
from retrieval.claims.aspects import Aspect, excludes, read_aspects
from retrieval.claims.assertion import Assertion
from retrieval.claims.differences import Difference, Facet
from retrieval.claims.evidence import Evidence, Statement
from retrieval.claims.names import find_name
from retrieval.verification.reading import read_text
from retrieval.verification.status_words import INSTEAD, NOT

_STATUS = re.compile(
    r"\b(?:add(?:s|ed)?|new|introduc\w+|remov\w+|drop\w*|deprecat\w+|support(?:s|ed)?|gain\w*|first)\b", re.IGNORECASE
)
_SUPPORT_OF = re.compile(r"\W*(?:the )?support (?:for|of)\b(?!.*\b(?:is|was|has|are|were|have)\b)", re.IGNORECASE)
"""A thing that a list names, and no sentence: the heading says what becomes of it."""
_BESIDE = 25
_CAN = re.compile(
    r"\b(?:can|supports?|supported|works?|allows?|accepts?|handles?|is able to|(?:may|can) be used|possible)\b",
    re.IGNORECASE,
)
_CANNOT = re.compile(
    r"\b(?:do(?:es)? not|don['’]t|doesn['’]t|cannot|can['’]t|can not|not yet) (?:\w+ )?"
    r"(?:support|work|allow|accept|handle|be used)\b",
    re.IGNORECASE,
)
_ONLY = re.compile(r"\b(?:only|solely|exclusively|nothing but|alone)\b", re.IGNORECASE)
_ONLY_IN_A_WAY = re.compile(
    r"\b(?:only|solely|exclusively|alone|just|limited to|restricted to|initial(?:ly)?|merely|no other|sole)\b",
    re.IGNORECASE,
)
_NOT_ONLY = re.compile(r"\b(?:in addition(?: to)?|as well(?: as)?|besides|not only|also)\b", re.IGNORECASE)
_STILL = re.compile(r"\b(?:still|ke(?:eps?|pt)|remains?|stays?|continues? to|unchanged)\b", re.IGNORECASE)
_CHANGES = re.compile(
    r"\b(?:now|no longer|any ?more|instead|changed|renamed|moved|replaced|switched|removed|dropped|becomes?|became"
    r"|new)\b",
    re.IGNORECASE,
)
_DENIES = re.compile(
    r"\b(?:not|no longer|never|cannot|no)\b|n['’]t\b|\b(?:instead of|rather than|un(?:able|supported))\b", re.IGNORECASE
)
_REPLACED = re.compile(r"\b(?:instead of|rather than)\s+(?P<former>[^,;()]+)", re.IGNORECASE)
_FORMER = re.compile(r"\b(?:used to|previously|formerly|instead of|rather than|instead)\b", re.IGNORECASE)
_WEAK = re.compile(r"\b(?:without|unless|except|excluding|fails?|failed|lack(?:s|ing)?|nor|neither)\b", re.IGNORECASE)
_PIECE_END = re.compile(r"[,;:()]\s+|\s[–—]\s")
_LEANS_BACK = re.compile(
    r"\W*(?:is|are|was|were|now|still|and (?:is|are|now)|which|but|previously|no longer|it)\b", re.IGNORECASE
)
_COMING = re.compile(
    r"\b(?:planned|planning) (?:to|for|on)\b|\bplans? to\b|\bwill\b.{0,60}\b(?:future|coming|upcoming|next)\b"
    r"|\bin (?:an?|the|some) (?:future|coming|upcoming|later) (?:\w+ )?(?:release|version)"
    r"|\bfuture (?:release|version)s?\b.{0,20}\bwill\b|[A-Z]\w* \d+(?:\.\d+)* will\b",
)
_AHEAD = re.compile(
    r"\b(?:will|planned|plans?|planning|future|coming|upcoming|next|going to|scheduled|later|soon|yet)\b", re.IGNORECASE
)
_MANY_PIECES = 3
_MET = 0.5


def status_differences(assertion: Assertion, evidence: Evidence, statement: Statement) -> Iterator[Difference]:
    told = told_aspects(assertion, statement)
    if _is_ahead(assertion, statement):
        for aspect in (Aspect.DEFAULT, Aspect.STABILITY, Aspect.LIFE):
            if same := assertion.aspects.get(aspect, frozenset()) & told.get(aspect, frozenset()):
                yield Difference(Facet.STATUS, min(same), f"planned for later to be {min(same)}")
                return
    for aspect, claimed in assertion.aspects.items():
        values = told.get(aspect, frozenset())
        if aspect is Aspect.LIFE and (not values or _SUPPORT_OF.match(statement.text)):
            values = heading_values(aspect, evidence) or values
        if not values or claimed & values:
            continue
        if aspect is Aspect.MANNER and (_DENIES.search(assertion.text) or _DENIES.search(statement.text)):
            continue
        others = [(one, other) for one in sorted(claimed) if (other := excludes(one, values)) is not None]
        if others and all(excludes(one, values) for one in claimed if aspect is not Aspect.LIFE or one != "supported"):
            one, other = others[0]
            turned = {one, other} in ({"removed", "supported"}, {"removed", "kept"}, {"removed", "added"})
            yield Difference(Facet.POLARITY if turned else Facet.STATUS, one, other)


def told_aspects(assertion: Assertion, statement: Statement) -> Mapping[Aspect, frozenset[str]]:
    return read_aspects(speaking_of(assertion, statement))


def speaking_of(assertion: Assertion, statement: Statement) -> str:
    """The pieces of a statement that speak of the assertion, and those that lean on them: in a list of news one thing
    is stable and another is experimental."""
    pieces = _PIECE_END.split(statement.text)
    if len(pieces) < _MANY_PIECES:
        return statement.text
    kept: list[str] = []
    was_kept = False
    for piece in pieces:
        tokens = frozenset(split_tokens(piece))
        speaks = any(word.met_by(tokens) >= _MET for word in (*assertion.words, *assertion.names))
        was_kept = speaks or (was_kept and bool(_LEANS_BACK.match(piece)))
        if was_kept:
            kept.append(piece)
    return " , ".join(kept) or statement.text


def heading_values(aspect: Aspect, evidence: Evidence) -> frozenset[str]:
    passage = evidence.scored.hit.passage
    for heading in reversed(passage.heading):
        if values := read_aspects(heading).get(aspect):
            return values
    return {
        Kind.REMOVAL: frozenset(("removed",)),
        Kind.DEPRECATION: frozenset(("deprecated",)),
        Kind.FEATURE: frozenset(("added",)),
        Kind.FIX: frozenset(("fixed",)),
    }.get(passage.kind, frozenset())


def tells_status(assertion: Assertion, evidence: Evidence, statement: Statement, *, with_neighbours: bool) -> bool:
    claimed = assertion.aspects.get(Aspect.LIFE, frozenset()) - {"supported", "kept"}
    if not claimed:
        return True
    told = read_aspects(statement.text).get(Aspect.LIFE, frozenset())
    if with_neighbours and not told & claimed:
        told |= read_aspects(evidence.near_text).get(Aspect.LIFE, frozenset())
    return bool(claimed & (told | heading_values(Aspect.LIFE, evidence)))


def turned_words(assertion: Assertion, statement: Statement) -> Iterator[Difference]:
    """Words that one has under a "not" and the other has not, and words of which the other has the opposite."""
    is_about_former = _FORMER.search(statement.text) or _FORMER.search(assertion.text)
    claim, told = read_text(_WEAK.sub(" ", assertion.text)), read_text(_WEAK.sub(" ", statement.text))
    stems = {word.stem for word in told.words}
    for word in claim.words:
        if read_aspects(word.stem) or word.stem not in stems:
            continue
        others = [other for other in told.words if other.stem == word.stem]
        is_denied = NOT in word.turned
        if is_denied and not told.count(NOT):
            if not _removes(statement.text) and not is_about_former:
                said = _as_written(word.stem, statement.text)
                yield Difference(Facet.POLARITY, f"not {said}", said)
                return
        elif not (claim.count(NOT) or claim.count(INSTEAD)) and all(other.turned & {NOT, INSTEAD} for other in others):
            said = _as_written(word.stem, assertion.text)
            yield Difference(Facet.POLARITY, said, f"not {said}")
            return
    speaking = read_text(_WEAK.sub(" ", speaking_of(assertion, statement)))
    if _ONLY.search(assertion.text) and _NOT_ONLY.search(statement.text) and not _ONLY.search(statement.text):
        yield Difference(Facet.POLARITY, "only", "not only")
        return
    if (
        _CANNOT.search(speaking_of(assertion, statement))
        and _CAN.search(assertion.text)
        and not _DENIES.search(assertion.text)
    ):
        yield Difference(Facet.POLARITY, "possible", "not possible")
        return
    if (
        _STILL.search(assertion.text)
        and _CHANGES.search(speaking_of(assertion, statement))
        and not _STILL.search(statement.text)
    ):
        yield Difference(Facet.POLARITY, "unchanged", "changed")
        return
    new, missing = claim.stems - told.stems, speaking.stems - claim.stems
    for stem in sorted(new):
        if opposite := antonyms().get(stem, frozenset()) & missing:
            yield Difference(
                Facet.POLARITY, _as_written(stem, assertion.text), _as_written(min(opposite), statement.text)
            )
            return


def _as_written(stem: str, text: str) -> str:
    """The word of a text that has a stem."""
    return next((word for word in re.findall(r"[\w-]+", text) if stem in split_tokens(word)[:1]), stem)


def is_turned(assertion: Assertion, statement: Statement) -> bool:
    told = _without_former(speaking_of(assertion, statement), assertion)
    if _ONLY.search(assertion.text) and not _ONLY_IN_A_WAY.search(statement.text):
        return True
    if _STILL.search(assertion.text) and _CHANGES.search(told) and not _STILL.search(told):
        return True
    claim_denies, told_denies = (len(_DENIES.findall(text)) for text in (assertion.text, told))
    return told_denies > claim_denies and not (_removes(assertion.text) or _FORMER.search(assertion.text))


def _without_former(told: str, assertion: Assertion) -> str:
    """Without what the told thing was before, where the assertion says nothing of that: "is now 10 s instead of 30 s"
    denies nothing of 10 s."""
    claimed = frozenset(split_tokens(assertion.text))

    def cut(match: re.Match[str]) -> str:
        beside = frozenset(split_tokens(told[: match.start()]))
        return match[0] if claimed & frozenset(split_tokens(match["former"])) - beside else ""

    return _REPLACED.sub(cut, told)


def _removes(text: str) -> bool:
    return bool(read_aspects(text).get(Aspect.LIFE, frozenset()) & {"removed"})


def is_about_coming(assertion: Assertion, statement: Statement) -> bool:
    """Whether the statement's words of status stand beside a name of the assertion: "Add x", not "Add y … of x"."""
    statuses = [match.span() for match in _STATUS.finditer(statement.text)]
    if not statuses or statement.is_heading:
        return True
    places = [place for name in assertion.names for place in find_name(name.text, statement.text)]
    return (
        any(max(start - end, begin - stop) <= _BESIDE for begin, end in statuses for start, stop in places)
        or not places
    )


def _is_ahead(assertion: Assertion, statement: Statement) -> bool:
    return bool(_COMING.search(speaking_of(assertion, statement))) and not _AHEAD.search(assertion.text)


def is_planned(assertion: Assertion, statement: Statement) -> bool:
    """Whether what the assertion says is so is only planned in the statement."""
    if _is_ahead(assertion, statement):
        return True
    told = read_aspects(statement.text).get(Aspect.LIFE, frozenset())
    claimed = assertion.aspects.get(Aspect.LIFE, frozenset())
    return "removed" in claimed - told and "planned removal" in told
