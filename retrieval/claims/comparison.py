"""How one piece of evidence stands to an assertion: what it holds of it, what it lacks, and what it says otherwise."""

from dataclasses import dataclass

from retrieval.claims.aspects import Aspect, excludes, read_aspects
from retrieval.claims.assertion import Assertion, name_class
from retrieval.claims.differences import Difference, Facet
from retrieval.claims.evidence import Evidence, Statement
from retrieval.claims.figure_rivals import told_figure, written
from retrieval.claims.figures import read_figures
from retrieval.claims.name_rivals import LOOSE, denies_name, held_name, rival_name
from retrieval.claims.names import stands_in
from retrieval.claims.release_fit import ReleaseFit, as_stated, fit_release
from retrieval.claims.turns import (
    is_about_coming,
    is_planned,
    is_turned,
    status_differences,
    tells_status,
    told_aspects,
    turned_words,
)
from retrieval.claims.words import closest, held

_SHARE_NEAR = 0.85
"""What the neighbours of an item hold counts a little less than what it says itself."""
_MET = 0.5
_FIGURE_WEIGHT = 4.0
_STATUS_WEIGHT = 1.5


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
    told_words: float
    """The share of the assertion's ordinary words that it holds with its neighbours; 1 where there are none."""
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
    claims_status: bool
    """Whether the assertion says that something has happened."""
    tells_status_itself: bool
    """The same, but not by its neighbours."""
    tells_status: bool
    """Whether it says what the assertion says has happened, where that says that something has."""
    is_about_coming: bool
    """What it says has come or gone is what the assertion names."""
    is_planned: bool
    """What the assertion says has happened is planned here."""


def compare(assertion: Assertion, evidence: Evidence) -> Comparison:
    """Hold an assertion against evidence, by words, names, figures, status, "not", and release."""
    statement = closest(assertion, evidence)
    tally = _Tally()
    for word in assertion.words:
        tally.count(word.weight, held(word, evidence), _SHARE_NEAR * word.met_by(evidence.near))
    for name in assertion.names:
        own = held_name(name, evidence, statement)
        near = _SHARE_NEAR * stands_in(name.text, evidence.near_text)
        # What is named beside it isn't put in its place, but for "on the CPU" before "now on the GPU".
        may_have_rival = own < _MET and (near < _MET or name_class(name.text) not in (*LOOSE, "code", "flag"))
        rival = rival_name(name, assertion, evidence, statement) if may_have_rival else ""
        tally.count_facet(
            name.weight,
            own,
            near,
            name.text,
            Difference(Facet.NAME, name.text, rival) if rival else None,
        )
    for figure in assertion.figures:
        told = told_figure(figure, assertion, evidence, statement)
        near = any(figure.equals(other) for other in read_figures(evidence.near_text))
        tally.count_facet(
            _FIGURE_WEIGHT,
            float(told is None),
            _SHARE_NEAR * near * (not told),
            figure.text,
            Difference(Facet.NUMBER, written(figure), told) if told else None,
        )
    for aspect in (Aspect.STABILITY, Aspect.DEFAULT, Aspect.SPEED):
        if claimed := assertion.aspects.get(aspect):
            heading = read_aspects(evidence.heading_text).get(aspect, frozenset())
            own_values = told_aspects(assertion, statement).get(aspect, frozenset()) or heading
            if not any(excludes(one, own_values) for one in claimed) or claimed & own_values:
                tally.count_facet(_FIGURE_WEIGHT, float(bool(claimed & own_values)), 0.0, min(claimed), None)
    for aspect in (Aspect.NEED, Aspect.DIRECTION):
        if claimed := assertion.aspects.get(aspect):
            tally.count(
                _STATUS_WEIGHT, float(bool(claimed & told_aspects(assertion, statement).get(aspect, frozenset()))), 0.0
            )
    denied = next((name for name in assertion.names if denies_name(name.text, assertion, statement)), None)
    if denied is not None:
        tally.differences.append(Difference(Facet.POLARITY, denied.text, f"not {denied.text}"))
    fit = fit_release(assertion, evidence, statement)
    below = closest(assertion, evidence, headings=False) if statement.is_heading else statement
    statuses = tuple(status_differences(assertion, evidence, statement)) or (
        tuple(status_differences(assertion, evidence, below))
        if below is not statement and not told_aspects(assertion, statement)
        else ()
    )
    differences = [*tally.differences, *statuses, *(() if statuses or denied else turned_words(assertion, below))]
    if fit.is_other and fit.told is not None and assertion.releases is not None:
        differences.append(Difference(Facet.VERSION, str(as_stated(assertion.releases)), str(fit.told)))
    said = {difference.claimed for difference in differences}
    return Comparison(
        evidence=evidence,
        statement=statement,
        coverage=tally.coverage,
        grip=tally.grip,
        told_words=_share_of_words(assertion, evidence),
        shared=tally.shared,
        shared_names=tally.shared_names,
        missing=tuple(one for one in tally.missing if one not in said),
        lacking=tuple(one for one in tally.lacking if one not in said),
        differences=tuple(differences),
        fit=fit,
        is_turned=is_turned(assertion, below),
        cosine=evidence.scored.cosine,
        claims_status=bool(assertion.aspects),
        tells_status=tells_status(assertion, evidence, statement, with_neighbours=True),
        tells_status_itself=tells_status(assertion, evidence, statement, with_neighbours=False),
        is_about_coming=is_about_coming(assertion, statement),
        is_planned=is_planned(assertion, statement),
    )


def _share_of_words(assertion: Assertion, evidence: Evidence) -> float:
    total = sum(word.weight for word in assertion.words)
    met = sum(word.weight * max(held(word, evidence), word.met_by(evidence.near)) for word in assertion.words)
    return met / total if total else 1.0


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
