"""`GET /quality`: how good the answers are, as a chart of panels, and as a table of what was measured last."""

from dataclasses import dataclass
from datetime import date
from importlib.resources import files

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse
from markupsafe import Markup
from pydantic import TypeAdapter

from evals.metrics import wilson_interval
from evals.run_history import RecordedRun, load_history
from ui.web.html import render
from ui.web.shell import page_response

QUALITY_PATH = "/quality"
_GROUNDLESS = "false_answer_rate"
_RETIRED = frozenset({"corpus"})
"""Suites that are asked no more: PyTorch's digests, with no other product beside them."""


def add_quality_page(app: FastAPI) -> None:
    @app.api_route(QUALITY_PATH, methods=["GET", "HEAD"], include_in_schema=False)
    def show_quality(request: Request) -> HTMLResponse:
        return page_response(request, "Quality", "quality", render_quality_html(load_history(), load_panels()))


@dataclass(frozen=True, slots=True)
class Panel:
    """Questions that nobody had seen, asked once, on `date`; the shares of their answers as judges read them.

    `unfit` is what was right but not fit to be pasted; None where the judges counted it as good.
    """

    date: date
    set: str
    questions: int
    good: float
    partly: float
    wrong: float
    refused: float
    unfit: float | None = None

    @property
    def interval(self) -> tuple[float, float]:
        """In which the true share of good ones lies in 95 of 100 such panels."""
        return wilson_interval(round(self.good * self.questions), self.questions)

    @property
    def shares(self) -> dict[str, float | None]:
        """What stands in the chart, in its order."""
        return {name: getattr(self, name) for name in ("good", "unfit", "partly", "wrong", "refused")}


_PANEL = TypeAdapter(Panel)


def load_panels() -> tuple[Panel, ...]:
    """The panels that were read by judges, the newest one first."""
    lines = files("evals").joinpath("results/panels.jsonl").read_text("utf-8").splitlines()
    return tuple(_PANEL.validate_json(line) for line in lines)


def render_quality_html(history: tuple[RecordedRun, ...], panels: tuple[Panel, ...]) -> Markup:
    """The panels as bars, then a row for each suite as it was asked last."""
    latest = {
        figures.suite: (run.at, figures)
        for run in history
        for figures in run.suites
        if not figures.split and figures.suite not in _RETIRED
    }
    groundless = [share for _, figures in latest.values() if (share := figures.metrics.get(_GROUNDLESS)) is not None]
    return render(
        "quality",
        "page",
        panels=panels,
        groundless=max(groundless, default=None),
        asked=[(at.date(), figures) for at, figures in latest.values()],
    )
