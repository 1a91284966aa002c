"""How one piece of evidence stands to an assertion: what it holds of it, what it lacks, and what it says otherwise."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from corpus.everyday_words import is_everyday
from corpus.lexicon import content_words, split_tokens
from corpus.model import Kind
from corpus.symbols import find_references, find_symbols
from corpus.versions import VersionMatch
from retrieval.claims.antonyms import antonyms
from retrieval.claims.aspects import Aspect, excludes, read_aspects
from retrieval.claims.assertion import Assertion, is_hard_name, name_class
from retrieval.claims.evidence import Evidence, Statement
from retrieval.claims.figures import Figure, read_figures
from retrieval.claims.names import find_name, is_denied, stands_in
from retrieval.claims.release_fit import ReleaseFit, fit_release
from retrieval.llm.reading import read_text
from retrieval.llm.status_words import INSTEAD, MAY, NOT, stand_ins
from retrieval.question_words import QuestionWord

_SHARE_ABOVE = 0.9
_SHARE_NEAR = 0.85
"""What the headings, and what the neighbours hold, counts a little less than what the item says itself."""
_MET = 0.5
_FIGURE_WEIGHT = 4.0
_PIECE_END = re.compile(r"[,;:()]\s+|\s[–—]\s")
_MANY_PIECES = 3
_STATUS = re.compile(
    r"\b(?:add(?:s|ed)?|new|introduc\w+|remov\w+|drop\w*|deprecat\w+|support(?:s|ed)?|gain\w*|first)\b", re.IGNORECASE
)
_BESIDE = 25
_STILL = re.compile(r"\b(?:still|remains?|stays?|continues? to|unchanged)\b", re.IGNORECASE)
_CHANGES = re.compile(
    r"\b(?:now|no longer|any ?more|instead|changed|renamed|moved|replaced|switched|removed|dropped|becomes?|became|new)\b",
    re.IGNORECASE,
)
_DENIES = re.compile(r"\b(?:not|no longer|never|cannot|no)\b|n['’]t\b|\b(?:instead of|rather than|un(?:able|supported))\b", re.IGNORECASE)
_RECORDS = frozenset(("#", "CVE", "PEP", "RFC"))
_LOOSE = frozenset(("name", "acronym", "word"))
_REPLACES = re.compile(r"\b(?:instead|in favou?r of|replaced|renamed|use|migrate)\b", re.IGNORECASE)
_CREDIT = re.compile(r"\s(?:by|thanks(?: to)?|contributed by) @[\w-]+.*$|\(?#\d+\)?", re.IGNORECASE)
_FORMER = re.compile(r"\b(?:used to|previously|formerly|instead of|rather than|instead)\b", re.IGNORECASE)
_WEAK = re.compile(r"\b(?:without|unless|except|excluding|fails?|failed|lack(?:s|ing)?|nor|neither)\b", re.IGNORECASE)
"""Words that deny only what follows them, which is seldom what a claim turns on."""
_OF_BEFORE = frozenset("from was were previously formerly before until than".split())
_DENYING = frozenset("not no without except instead".split())
_LEANS_BACK = re.compile(
    r"\W*(?:is|are|was|were|now|still|and (?:is|are|now)|which|but|previously|no longer|it)\b", re.IGNORECASE
)


class Facet(StrEnum):
    """In what a claim and the notes differ."""

    VERSION = "version"
    NUMBER = "number"
    NAME = "name"
    POLARITY = "polarity"
    STATUS = "status"


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that the claim and the notes say differently, both as written."""

    facet: Facet
    claimed: str
    told: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """An assertion held against one piece of evidence."""

    evidence: Evidence
    statement: Statement
    """The sentence or heading of it that is nearest to the assertion."""
    coverage: float
    """The share of the assertion's words, names and figures, by weight, that it holds with its neighbours, 0 to 1."""
    grip: float
    """The share that it holds without its neighbours, of what it doesn't say otherwise."""
    shared: int
    """How many words and names of the assertion it holds without its neighbours."""
    shared_names: int
    missing: tuple[str, ...]
    """Names, figures and words of status of the assertion that it doesn't hold, with its neighbours."""
    lacking: tuple[str, ...]
    """Those that it neither holds without its neighbours nor says otherwise."""
    differences: tuple[Difference, ...]
    fit: ReleaseFit
    cosine: float
    """Of the item with what was searched, -1 to 1."""
    is_turned: bool
    """It denies something, and the assertion nothing."""
    tells_status: bool
    """Whether it says what the assertion says has happened, where that says that something has."""
    is_about_coming: bool
    """What it says has come or gone is what the assertion names."""
    is_planned: bool
    """What the assertion says has happened is planned here."""


def compare(assertion: Assertion, evidence: Evidence) -> Comparison:
    """Hold an assertion against evidence, by words, names, figures, status, "not", and release."""
    statement = _closest(assertion, evidence)
    tally = _Tally()
    for word in assertion.words:
        tally.count(word.weight, _held(word, evidence), _SHARE_NEAR * word.met_by(evidence.near))
    for name in assertion.names:
        own = _held_name(name, assertion, evidence, statement)
        near = _SHARE_NEAR * stands_in(name.text, evidence.near_text)
        # What is named beside it isn't put in its place, but for "on the CPU" before "now on the GPU".
        may_have_rival = own < _MET and (near < _MET or name_class(name.text) not in ("code", "name", "acronym", "flag"))
        rival = _rival_name(name, assertion, evidence, statement) if may_have_rival else ""
        tally.count_facet(
            name.weight,
            own,
            near,
            name.text,
            Difference(Facet.NAME, name.text, rival) if rival else None,
        )
    for figure in assertion.figures:
        told = _told_figure(figure, assertion, evidence, statement)
        near = any(figure.equals(other) for other in read_figures(evidence.near_text))
        tally.count_facet(
            _FIGURE_WEIGHT,
            float(told is None),
            _SHARE_NEAR * near * (not told),
            figure.text,
            Difference(Facet.NUMBER, written(figure), told) if told else None,
        )
    for aspect in (Aspect.STABILITY, Aspect.DEFAULT):
        if claimed := assertion.aspects.get(aspect):
            heading = read_aspects(evidence.heading_text).get(aspect, frozenset())
            own_values = _told_aspects(assertion, statement).get(aspect, frozenset()) or heading
            if not any(excludes(one, own_values) for one in claimed) or claimed & own_values:
                tally.count_facet(_FIGURE_WEIGHT, float(bool(claimed & own_values)), 0.0, min(claimed), None)
    fit = fit_release(assertion, evidence, statement)
    below = _closest(assertion, evidence, headings=False) if statement.is_heading else statement
    statuses = tuple(_status_differences(assertion, evidence, statement)) or (
        tuple(_status_differences(assertion, evidence, below))
        if below is not statement and not _told_aspects(assertion, statement)
        else ()
    )
    differences = [*tally.differences, *statuses, *(() if statuses else _turned_words(assertion, below))]
    if fit.is_other and fit.told is not None:
        differences.append(Difference(Facet.VERSION, str(assertion.releases), str(fit.told)))
    said = {difference.claimed for difference in differences}
    return Comparison(
        evidence=evidence,
        statement=statement,
        coverage=tally.coverage,
        grip=tally.grip,
        shared=tally.shared,
        shared_names=tally.shared_names,
        missing=tuple(one for one in tally.missing if one not in said),
        lacking=tuple(one for one in tally.lacking if one not in said),
        differences=tuple(differences),
        fit=fit,
        is_turned=_is_turned(assertion, below),
        cosine=evidence.scored.cosine,
        tells_status=_tells_status(assertion, evidence, statement),
        is_about_coming=_is_about_coming(assertion, statement),
        is_planned=_is_planned(assertion, statement),
    )


class _Tally:
    """Adds up what evidence holds of an assertion."""

    def __init__(self) -> None:
        self._total = self._met = self._held = self._excused = 0.0
        self.shared = self.shared_names = 0
        self.missing: list[str] = []
        self.lacking: list[str] = []
        self.differences: list[Difference] = []

    def count(self, weight: float, own: float, near: float) -> None:
        """A word, with how well it is held without the neighbours and with them."""
        self._total += weight
        self._held += weight * own
        self._met += weight * max(own, near)
        self.shared += own >= _MET

    def count_facet(self, weight: float, own: float, near: float, text: str, difference: Difference | None) -> None:
        """Something that must be held, or be told otherwise."""
        self.count(weight, own, near)
        if max(own, near) < _MET:
            self.missing.append(text)
        self.shared_names += own >= _MET
        if own < _MET:
            if difference is not None:
                self._excused += weight
                self.differences.append(difference)
            else:
                self.lacking.append(text)

    @property
    def coverage(self) -> float:
        return self._met / self._total if self._total else 0.0

    @property
    def grip(self) -> float:
        left = self._total - self._excused
        return min(1.0, self._held / left) if left > 0 else 0.0


def _closest(assertion: Assertion, evidence: Evidence, *, headings: bool = True) -> Statement:
    """The statement that holds most of the assertion, the first of several."""

    def held(statement: Statement) -> float:
        words = sum(word.weight * word.met_by(statement.tokens) for word in (*assertion.words, *assertion.names))
        figures = {figure.text for figure in read_figures(statement.text)}
        return words + 2.0 * sum(figure.text in figures for figure in assertion.figures)

    return max((one for one in evidence.statements if headings or not one.is_heading), key=held)


def _held(word: QuestionWord, evidence: Evidence) -> float:
    same = stand_ins(word.tokens[0])
    own = 1.0 if not same.isdisjoint(evidence.own) else word.met_by(evidence.own)
    return max(own, _SHARE_ABOVE * word.met_by(evidence.above))


def _held_name(name: QuestionWord, assertion: Assertion, evidence: Evidence, statement: Statement) -> float:
    """How well an item and its headings hold a name; a name that the statement denies isn't held."""
    if name_class(name.text) in _RECORDS:
        return float(stands_in(name.text, statement.text))
    if is_denied(name.text, statement.text) and not is_denied(name.text, assertion.text):
        return 0.0
    if stands_in(name.text, evidence.own_text):
        return 1.0
    soft = _held(name, evidence) if name_class(name.text) == "word" else 0.0
    return max(soft, _SHARE_ABOVE * stands_in(name.text, evidence.above_text))


def _rival_name(name: QuestionWord, assertion: Assertion, evidence: Evidence, statement: Statement) -> str:
    """A name of the same class that the closest statement has and the assertion doesn't; empty without one.

    Of several the one that stands between the same words as the assertion's, else the first.
    """
    claimed = frozenset(split_tokens(assertion.text))
    wanted = name_class(name.text)
    told = _CREDIT.sub(" ", _replacing_text(evidence, statement) if wanted == "code" else statement.text)
    rivals = [
        found
        for found in _names_in(told)
        if (tokens := split_tokens(found.lstrip("#")))
        and not claimed.issuperset(tokens)
        and name_class(found) == wanted
        and not _of_product(found, evidence)
    ]
    around = _neighbours(name.text, assertion.text)
    parts = frozenset(split_tokens(name.text)[1:])

    def nearness(one: str) -> tuple[int, int]:
        return len(around & _neighbours(one, told)), len(parts & frozenset(split_tokens(one)[1:]))

    if wanted in _LOOSE:
        # Any word with a capital is one of these: only the same place in the sentence tells.
        rivals = [one for one in rivals if nearness(one)[0]]
    return max(rivals, key=nearness, default="")


def _replacing_text(evidence: Evidence, statement: Statement) -> str:
    """The statement with those beside it that say what to use in place of something."""
    others = (one.text for one in evidence.statements if one is not statement and _REPLACES.search(one.text))
    return " . ".join((statement.text, *others))


def _neighbours(name: str, text: str) -> frozenset[tuple[str, int]]:
    """The words right before and after a name, each with its side."""
    match = re.search(rf"(?P<before>[\w.-]+)?\W+{re.escape(name.lstrip('#'))}\W+(?P<after>[\w.-]+)?", f" {text} ")
    if match is None:
        return frozenset()
    beside = ((match["before"], -1), (match["after"], 1))
    return frozenset((word.casefold(), side) for word, side in beside if word)


def _names_in(text: str) -> Iterator[str]:
    seen: set[str] = set()
    words = content_words(text)
    first = text.split(maxsplit=1)[0].strip("*`'\"(") if text.split() else ""
    for word in (*find_references(text), *find_symbols(text), *words):
        is_opening = word == first and word[:1].isupper() and word[1:].islower()
        is_telling = is_hard_name(word) or (word.isalpha() and not is_everyday(word))
        is_name = word.startswith("#") or (is_telling and not word[0].isdigit())
        if word not in seen and is_name and not is_opening:
            seen.add(word)
            yield word


def _of_product(name: str, evidence: Evidence) -> bool:
    document = evidence.scored.hit.passage.document
    return any(name.casefold() == other.casefold() for other in (document.product, *document.aliases))


def _told_figure(figure: Figure, assertion: Assertion, evidence: Evidence, statement: Statement) -> str | None:
    """None where the item holds the figure; else the figure it has instead, empty where it has none."""
    own = read_figures(statement.text)
    equal = [other for other in own if figure.equals(other)]
    turned = [_turned_figure(figure, other, own) for other in equal]
    if equal and None in turned:
        return None
    if turned:
        return turned[0]
    claimed = {one.text for one in assertion.figures}
    rivals = [other for other in own if figure.is_rival(other) and other.text not in claimed]
    named = [other for other in rivals if figure.thing and figure.thing == other.thing]
    rivals = named or rivals
    if rivals:
        after = [other for other in rivals if other.lead in ("to", "→", "now", "is")]
        return written((after or rivals)[-1])
    around = (*read_figures(evidence.own_text), *read_figures(evidence.heading_text))
    is_near = any(figure.equals(other) and figure.thing in ("", other.thing) for other in around)
    return None if is_near else ""


def _turned_figure(figure: Figure, other: Figure, own: tuple[Figure, ...]) -> str | None:
    """What the figure should be where the statement has it as what was before: "to 18" of "from 18 to 20"."""
    others = [one for one in own if not one.equals(figure) and figure.is_rival(one)]
    if other.lead == "from" and figure.lead not in _OF_BEFORE:
        return next((written(one) for one in own if one.lead in ("to", "is") and not one.equals(figure)), None)
    if other.lead in _DENYING and figure.lead not in _DENYING and others:
        return written(others[0])
    if figure.bound and other.bound and figure.bound != other.bound:
        return f"at {other.bound} {written(other)}"
    return None


def written(figure: Figure) -> str:
    """A figure with its unit, as people write it."""
    unit = figure.unit
    return f"{figure.text}{unit}" if unit in ("%", "x", "d") else f"{figure.text} {unit}" if unit else figure.text


def _status_differences(assertion: Assertion, evidence: Evidence, statement: Statement) -> Iterator[Difference]:
    told = _told_aspects(assertion, statement)
    for aspect, claimed in assertion.aspects.items():
        values = told.get(aspect) or (_heading_values(aspect, evidence) if aspect is Aspect.LIFE else frozenset())
        if not values or claimed & values:
            continue
        others = [(one, other) for one in sorted(claimed) if (other := excludes(one, values)) is not None]
        if others and all(excludes(one, values) for one in claimed if aspect is not Aspect.LIFE or one != "supported"):
            one, other = others[0]
            turned = {one, other} in ({"removed", "supported"}, {"removed", "kept"}, {"removed", "added"})
            yield Difference(Facet.POLARITY if turned else Facet.STATUS, one, other)


def _told_aspects(assertion: Assertion, statement: Statement) -> Mapping[Aspect, frozenset[str]]:
    return read_aspects(_speaking_of(assertion, statement))


def _speaking_of(assertion: Assertion, statement: Statement) -> str:
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


def _heading_values(aspect: Aspect, evidence: Evidence) -> frozenset[str]:
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


def _tells_status(assertion: Assertion, evidence: Evidence, statement: Statement) -> bool:
    claimed = assertion.aspects.get(Aspect.LIFE, frozenset()) - {"supported", "kept"}
    if not claimed:
        return True
    told = read_aspects(statement.text).get(Aspect.LIFE, frozenset())
    told = told | read_aspects(evidence.near_text).get(Aspect.LIFE, frozenset()) if not told & claimed else told
    return bool(claimed & (told | _heading_values(Aspect.LIFE, evidence)))


def _turned_words(assertion: Assertion, statement: Statement) -> Iterator[Difference]:
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
    speaking = read_text(_WEAK.sub(" ", _speaking_of(assertion, statement)))
    new, missing = claim.stems - told.stems, speaking.stems - claim.stems
    for stem in sorted(new):
        if opposite := antonyms().get(stem, frozenset()) & missing:
            yield Difference(Facet.POLARITY, _as_written(stem, assertion.text), _as_written(min(opposite), statement.text))
            return


def _as_written(stem: str, text: str) -> str:
    """The word of a text that has a stem."""
    return next((word for word in re.findall(r"[\w-]+", text) if stem in split_tokens(word)[:1]), stem)


def _is_turned(assertion: Assertion, statement: Statement) -> bool:
    told = _speaking_of(assertion, statement)
    if _STILL.search(assertion.text) and _CHANGES.search(told) and not _STILL.search(told):
        return True
    claim_denies, told_denies = (bool(_DENIES.search(text)) for text in (assertion.text, told))
    return told_denies and not (claim_denies or _removes(assertion.text) or _FORMER.search(assertion.text))


def _removes(text: str) -> bool:
    return bool(read_aspects(text).get(Aspect.LIFE, frozenset()) & {"removed"})


def _is_about_coming(assertion: Assertion, statement: Statement) -> bool:
    """Whether the statement's words of status stand beside a name of the assertion: "Add x", not "Add y … of x"."""
    statuses = [match.span() for match in _STATUS.finditer(statement.text)]
    if not statuses or statement.is_heading:
        return True
    places = [place for name in assertion.names for place in find_name(name.text, statement.text)]
    return any(
        max(start - end, begin - stop) <= _BESIDE for begin, end in statuses for start, stop in places
    ) or not places


def _is_planned(assertion: Assertion, statement: Statement) -> bool:
    if assertion.reading.count(MAY):
        return False
    told = read_text(statement.text)
    statuses = [
        word for word in told.words if read_aspects(word.stem) or re.match("remov|deprecat|add|drop", word.stem)
    ]
    return bool(statuses) and all(MAY in word.turned for word in statuses) and told.count(MAY) > 0


def is_exact(fit: ReleaseFit) -> bool:
    """Whether the evidence is of a release that the assertion names, not of one of its series."""
    return fit.match is VersionMatch.EXACT
