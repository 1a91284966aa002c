"""Feedback for a terminal and as JSON."""

from collections.abc import Sequence
from typing import Self

from pydantic import BaseModel
from rich.console import RenderableType
from rich.text import Text

from ui.feedback.log import StoredFeedback
from ui.rendering.index import cells, table
from ui.rendering.words import product_version


class FeedbackBody(BaseModel):
    """All of them, oldest first."""

    good: int
    bad: int
    entries: tuple[StoredFeedback, ...]

    @classmethod
    def from_stored(cls, stored: Sequence[StoredFeedback]) -> Self:
        """What is kept, with its counts."""
        good = sum(kept.feedback.good for kept in stored)
        return cls(good=good, bad=len(stored) - good, entries=tuple(stored))


def render_feedback(stored: Sequence[StoredFeedback]) -> RenderableType:
    """A line a verdict, oldest first; says how some comes about where there is none."""
    if not stored:
        return Text("No feedback yet. People give it below an answer, on the page or in Slack.")
    rows = table("when", "verdict", "status", "filter", "question", "reason")
    for kept in stored:
        said = kept.feedback
        row = (
            kept.at.strftime("%Y-%m-%d %H:%M"),
            "good" if said.good else "bad",
            said.status,
            product_version(said.product or "", said.version).strip(),
            said.question or "(not kept)",
            said.reason or "",
        )
        rows.add_row(*cells(*(" ".join(cell.split()) for cell in row)))
    return rows
