"""Feedback for a terminal and as JSON."""

from collections.abc import Sequence
from typing import Self

from pydantic import BaseModel
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ui.feedback.log import FeedbackLog, StoredFeedback, Unanswered
from ui.rendering.index import cells, table
from ui.rendering.words import product_version

_FULL = (
    "There is no room for more: new verdicts are refused. Read these, and delete old ones with --forget --older-than."
)
_WHEN = "%Y-%m-%d %H:%M"


class FeedbackBody(BaseModel):
    """Verdicts, oldest first, and questions without an answer, asked last first."""

    good: int
    bad: int
    full: bool  # No more verdicts are taken.
    entries: tuple[StoredFeedback, ...]
    unanswered: tuple[Unanswered, ...]

    @classmethod
    def from_logs(cls, logs: Sequence[FeedbackLog]) -> Self:
        """What all of them keep, with its counts."""
        stored = sorted((told for log in logs for told in log.feedback()), key=lambda told: told.at)
        missed = (question for log in logs for question in log.unanswered())
        unanswered = sorted(missed, key=lambda question: question.last_asked, reverse=True)
        good = sum(kept.feedback.good for kept in stored)
        return cls(
            good=good,
            bad=len(stored) - good,
            full=any(log.is_full for log in logs),
            entries=tuple(stored),
            unanswered=tuple(unanswered),
        )


def render_feedback(body: FeedbackBody) -> RenderableType:
    """A line a verdict, then a line a question without an answer; says how some comes about where there is none."""
    parts: list[Table | Text] = [Text(_FULL)] if body.full else []
    if body.entries:
        verdicts = table("when", "verdict", "status", "filter", "question", "reason")
        for kept in body.entries:
            said = kept.feedback
            about = product_version(said.product or "", said.version).strip()
            row = (said.status, about, said.question or "(not kept)", said.reason or "")
            verdict = (kept.at.strftime(_WHEN), "good" if said.good else "bad")
            verdicts.add_row(*cells(*verdict, *(" ".join(cell.split()) for cell in row)))
        parts.append(verdicts)
    if body.unanswered:
        questions = table("when", "times", "question without an answer")
        for missed in body.unanswered:
            questions.add_row(*cells(missed.last_asked.strftime(_WHEN), missed.times, missed.question))
        parts.append(questions)
    return Group(*parts) if parts else Text("No feedback yet. People give it below an answer, on the page or in Slack.")
