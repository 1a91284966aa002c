"""Feedback for a terminal and as JSON."""

from collections.abc import Sequence
from typing import Self

from pydantic import BaseModel
from rich import box
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from ui.feedback.log import StoredFeedback
from ui.rendering.words import printable, product_version


class FeedbackBody(BaseModel):
    """All of them, oldest first."""

    good: int
    bad: int
    entries: tuple[StoredFeedback, ...]

    @classmethod
    def from_stored(cls, stored: Sequence[StoredFeedback]) -> Self:
        """What is kept, with its counts."""
        good = sum(one.feedback.good for one in stored)
        return cls(good=good, bad=len(stored) - good, entries=tuple(stored))


def render_feedback(stored: Sequence[StoredFeedback]) -> RenderableType:
    """A line a verdict, oldest first; says how some comes about where there is none."""
    if not stored:
        return Text("No feedback yet. People give it below an answer, on the page or in Slack.")
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in ("when", "verdict", "status", "filter", "question", "reason"):
        table.add_column(column, overflow="fold", no_wrap=column in ("when", "verdict", "status"))
    for one in stored:
        said = one.feedback
        row = (
            one.at.strftime("%Y-%m-%d %H:%M"),
            "good" if said.good else "bad",
            said.status,
            product_version(said.product or "", said.version).strip(),
            said.question or "(not kept)",
            said.reason or "",
        )
        table.add_row(*(Text(printable(" ".join(cell.split()))) for cell in row))
    return table
