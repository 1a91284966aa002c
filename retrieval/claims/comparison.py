"""How one piece of evidence stands to an assertion: what it holds of it, what it lacks, and what it says otherwise."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from corpus.lexicon import content_words, split_tokens
from corpus.model import Kind
from corpus.symbols import find_references, find_symbols
from corpus.versions import VersionMatch
from retrieval.claims.aspects import Aspect, excludes, read_aspects
from retrieval.claims.assertion import Assertion, is_hard_name, name_class
from retrieval.claims.evidence import Evidence, Statement
from retrieval.claims.figures import Figure, read_figures
from retrieval.claims.release_fit import ReleaseFit, fit_release
from retrieval.llm.reading import read_text
from retrieval.llm.status_words import MAY, NOT, OPPOSITES, stand_ins
from retrieval.question_words import QuestionWord

_SHARE_ABOVE = 0.9
_SHARE_NEAR = 0.85
"""What the headings, and what the neighbours hold, counts a little less than what the item says itself."""
_MET = 0.5
_FIGURE_WEIGHT = 4.0
_PIECE_END = re.compile(r"[,;:()]\s+|\s[–—]\s")
_MANY_PIECES = 3
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
    missing: tuple[str, ...]
    """Names, figures and words of status of the assertion that it doesn't hold, with its neighbours."""
    lacking: tuple[str, ...]
    """Those that it neither holds without its neighbours nor says otherwise."""
    differences: tuple[Difference, ...]
    fit: ReleaseFit
    tells_status: bool
    """Whether it says what the assertion says has happened, where that says that something has."""
    is_planned: bool
    """What the assertion says has happened is planned here."""


def compare(assertion: Assertion, evidence: Evidence) -> Comparison:
    """Hold an assertion against evidence, by words, names, figures, status, "not", and release."""
    statement = _closest(assertion, evidence)
    tally = _Tally()
    for word in assertion.words:
        tally.count(word.weight, _held(word, evidence), _SHARE_NEAR * word.met_by(evidence.near))
    for name in assertion.names:
        own = _held(name, evidence)
        rival = "" if own >= _MET else _rival_name(name, assertion, evidence, statement)
        tally.count_facet(
            name.weight,
            own,
            _SHARE_NEAR * name.met_by(evidence.near),
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
    statuses = tuple(_status_differences(assertion, evidence, statement))
    differences = [*tally.differences, *statuses, *(() if statuses else _turned_words(assertion, statement))]
    if fit.is_other and fit.told is not None:
        differences.append(Difference(Facet.VERSION, str(assertion.releases), str(fit.told)))
    said = {difference.claimed for difference in differences}
    return Comparison(
        evidence=evidence,
        statement=statement,
        coverage=tally.coverage,
        grip=tally.grip,
        shared=tally.shared,
        missing=tuple(one for one in tally.missing if one not in said),
        lacking=tuple(one for one in tally.lacking if one not in said),
        differences=tuple(differences),
        fit=fit,
        tells_status=_tells_status(assertion, evidence, statement),
        is_planned=_is_planned(assertion, statement),
    )


class _Tally:
    """Adds up what evidence holds of an assertion."""

    def __init__(self) -> None:
        self._total = self._met = self._held = self._excused = 0.0
        self.shared = 0
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


def _closest(assertion: Assertion, evidence: Evidence) -> Statement:
    """The statement that holds most of the assertion, the first of several."""

    def held(statement: Statement) -> float:
        words = sum(word.weight * word.met_by(statement.tokens) for word in (*assertion.words, *assertion.names))
        figures = {figure.text for figure in read_figures(statement.text)}
        return words + 2.0 * sum(figure.text in figures for figure in assertion.figures)

    return max(evidence.statements, key=held)


def _held(word: QuestionWord, evidence: Evidence) -> float:
    same = stand_ins(word.tokens[0])
    own = 1.0 if not same.isdisjoint(evidence.own) else word.met_by(evidence.own)
    return max(own, _SHARE_ABOVE * word.met_by(evidence.above))


def _rival_name(name: QuestionWord, assertion: Assertion, evidence: Evidence, statement: Statement) -> str:
    """A name of the same class that the closest statement has and the assertion doesn't; empty without one.

    Of several the one that stands between the same words as the assertion's, else the first.
    """
    claimed = frozenset(split_tokens(assertion.text))
    wanted = name_class(name.text)
    rivals = [
        found
        for found in _names_in(statement.text)
        if (tokens := split_tokens(found.lstrip("#")))
        and tokens[0] not in claimed
        and name_class(found) == wanted
        and not _of_product(found, evidence)
    ]
    around = _neighbours(name.text, assertion.text)
    return max(rivals, key=lambda one: len(around & _neighbours(one, statement.text)), default="")


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
        is_name = word.startswith("#") or (is_hard_name(word) and not word[0].isdigit())
        if word not in seen and is_name and not is_opening:
            seen.add(word)
            yield word


def _of_product(name: str, evidence: Evidence) -> bool:
    document = evidence.scored.hit.passage.document
    return any(name.casefold() == other.casefold() for other in (document.product, *document.aliases))


def _told_figure(figure: Figure, assertion: Assertion, evidence: Evidence, statement: Statement) -> str | None:
    """None where the item holds the figure; else the figure it has instead, empty where it has none."""
    own = read_figures(statement.text)
    for other in own:
        if figure.equals(other):
            return _turned_figure(figure, other, own)
    claimed = {one.text for one in assertion.figures}
    rivals = [other for other in own if figure.is_rival(other) and other.text not in claimed]
    if rivals:
        after = [other for other in rivals if other.lead in ("to", "→", "now", "is")]
        return written((after or rivals)[-1])
    around = (*read_figures(evidence.own_text), *read_figures(evidence.heading_text))
    is_near = any(figure.equals(other) and figure.thing in ("", other.thing) for other in around)
    return None if is_near else ""


def _turned_figure(figure: Figure, other: Figure, own: tuple[Figure, ...]) -> str | None:
    """What the figure should be where the statement has it as what was before: "to 18" of "from 18 to 20"."""
    if figure.lead in ("to", "is", "now") and other.lead == "from":
        return next((written(one) for one in own if one.lead in ("to", "is") and not one.equals(figure)), None)
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
    """What the pieces of a statement that speak of the assertion say, and those that lean on them: in a list of news
    one thing is stable and another is experimental."""
    pieces = _PIECE_END.split(statement.text)
    if len(pieces) < _MANY_PIECES:
        return read_aspects(statement.text)
    kept: list[str] = []
    was_kept = False
    for piece in pieces:
        tokens = frozenset(split_tokens(piece))
        speaks = any(word.met_by(tokens) >= _MET for word in (*assertion.words, *assertion.names))
        was_kept = speaks or (was_kept and bool(_LEANS_BACK.match(piece)))
        if was_kept:
            kept.append(piece)
    return read_aspects(" , ".join(kept) or statement.text)


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
    claim, told = assertion.reading, read_text(statement.text)
    stems = {word.stem for word in told.words}
    for word in claim.words:
        if read_aspects(word.stem) or word.stem not in stems:
            continue
        others = [other for other in told.words if other.stem == word.stem]
        is_denied = NOT in word.turned
        if is_denied and not told.count(NOT):
            if not _removes(statement.text):
                yield Difference(Facet.POLARITY, f"not {word.stem}", word.stem)
                return
        elif not claim.count(NOT) and all(NOT in other.turned for other in others) and not _removes(assertion.text):
            yield Difference(Facet.POLARITY, word.stem, f"not {word.stem}")
            return
    new, missing = claim.stems - told.stems, told.stems - claim.stems
    for one, other in OPPOSITES:
        for ours, theirs in ((one, other), (other, one)):
            if ours in new and theirs in missing:
                yield Difference(Facet.POLARITY, ours, theirs)
                return


def _removes(text: str) -> bool:
    return bool(read_aspects(text).get(Aspect.LIFE, frozenset()) & {"removed"})


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
