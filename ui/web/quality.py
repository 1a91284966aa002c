"""`GET /quality`: how good the answers are, by the newest panel of questions, and those before in a line each."""

from dataclasses import dataclass
from datetime import date
from importlib.resources import files

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse
from pydantic import TypeAdapter

from evals.metrics import wilson_interval
from ui.web.html import render
from ui.web.shell import page_response


def add_quality_page(app: FastAPI) -> None:
    @app.api_route("/quality", methods=["GET", "HEAD"], include_in_schema=False)
    def show_quality(request: Request) -> HTMLResponse:
        """The newest panel, large, and the others one line each."""
        lines = files("evals").joinpath("results/panels.jsonl").read_text("utf-8").splitlines()
        newest, *others = map(TypeAdapter(Panel).validate_json, lines)
        return page_response(request, "Quality", "quality", render("quality", "page", newest=newest, others=others))


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
