"""What counted for an answer, as two small tables for a terminal."""

from collections.abc import Sequence

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from retrieval.model import Decision, Explanation, PassagePoints, RankedPassage
from ui.rendering.words import STATUS_WORDS, printable, product_version

_LARGEST = 3
"""Contributions to show of each passage; the JSON has them all."""


def render_explanation(explanation: Explanation, passages: Sequence[RankedPassage]) -> RenderableType:
    """What counted for the decision to answer, and for the order of the answer's first `passages`; fits 80 columns."""
    parts: list[RenderableType] = [_heading("What counted for the decision", _decision_line(explanation.decision))]
    if explanation.decision.signals:
        parts.append(_signals(explanation.decision))
    if explanation.passages:
        parts += [_heading("What counted for the order", "points added to the search's score")]
        parts.append(_order(explanation.passages, passages))
    return Group(*parts)


def _heading(title: str, about: str) -> Text:
    return Text(title, style="bold").append(f"  {about}", style="not bold dim")


def _decision_line(decision: Decision) -> str:
    said, probability = STATUS_WORDS[decision.status].lower(), f"probability {decision.probability:.2f}"
    if not decision.by_confidence:
        return f"{said} by a rule, {probability}"
    return f"{said}: {probability}, threshold {decision.threshold:.2f}"


def _signals(decision: Decision) -> Table:
    table = _table()
    table.add_column("signal")
    for column in ("value", "typical", "points"):
        table.add_column(column, justify="right", no_wrap=True)
    for one in decision.signals:
        table.add_row(_words(one.signal), f"{one.value:.2f}", f"{one.typical:.2f}", _points(one.points, digits=2))
    return table


def _order(explained: Sequence[PassagePoints], passages: Sequence[RankedPassage]) -> Table:
    table = _table()
    table.add_column("", justify="right", no_wrap=True)
    table.add_column("passage", overflow="fold", max_width=28)
    table.add_column("search", justify="right", no_wrap=True)
    table.add_column("ranked", justify="right", no_wrap=True)
    table.add_column("by", overflow="fold")
    for one in explained:
        heading = passages[one.place - 1].heading
        about = Text(printable(" › ".join((product_version(one.product, one.release), *heading[-1:]))))
        table.add_row(str(one.place), about, f"{one.search_score:.3f}", f"{one.ranked_score:.3f}", _counted(one))
    return table


def _counted(one: PassagePoints) -> str:
    """The largest contributions, one a line, and how many more there are."""
    lines = [f"{_points(part.points, digits=3)} {_words(part.feature)}" for part in one.contributions[:_LARGEST]]
    if smaller := len(one.contributions) - len(lines):
        lines.append(f"and {smaller} smaller")
    return "\n".join(lines) or "–"


def _table() -> Table:
    return Table(box=box.SIMPLE_HEAD, pad_edge=False)


def _words(name: str) -> str:
    return name.replace("_", " ")


def _points(points: float, *, digits: int) -> str:
    # Adding 0 turns the -0.0 of a rounded trifle into 0.
    rounded = round(points, digits) + 0.0
    return f"{rounded:+.{digits}f}" if rounded else f"{rounded:.{digits}f}"
