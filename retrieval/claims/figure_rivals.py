"""Figures of an assertion in a piece of evidence: held, or another number of the same thing in their place."""

from retrieval.claims.assertion import Assertion
from retrieval.claims.evidence import Evidence, Statement
from retrieval.claims.figures import Figure, read_figures

_OF_BEFORE = frozenset("from was were previously formerly before until than".split())
_CLEARLY_BETTER = 2
_DENYING = frozenset("not no without except instead".split())


def told_figure(figure: Figure, assertion: Assertion, evidence: Evidence, statement: Statement) -> str | None:
    """None where the item holds the figure; else the figure it has instead, empty where it has none."""
    own = read_figures(statement.text)
    equal = [other for other in own if figure.equals(other)]
    turned = [_turned_figure(figure, other, own) for other in equal]
    if equal and None in turned:
        better = _better_placed(figure, equal, own)
        return written(better) if better else None
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


def _better_placed(figure: Figure, equal: list[Figure], own: tuple[Figure, ...]) -> Figure | None:
    """Another figure of the statement that stands among more of the assertion's words: of "command line options: 278,
    options: 312" the first, for 312 command line options."""
    best = max(len(figure.around & one.around) for one in equal)
    others = [one for one in own if not figure.equals(one) and one.unit == figure.unit]
    found = max(others, key=lambda one: len(figure.around & one.around), default=None)
    return found if found and len(figure.around & found.around) >= best + _CLEARLY_BETTER else None


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
