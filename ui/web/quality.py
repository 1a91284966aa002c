"""`GET /quality`: how far to trust answers, in words and in one table of what the evals measured last."""

from fastapi import FastAPI
from fastapi.responses import HTMLResponse

from evals.run_history import RecordedRun, load_history
from ui.web.html import page_styles, render

QUALITY_PATH = "/quality"
_RIGHT, _GROUNDLESS = "end_to_end", "false_answer_rate"
_MEASURES = {
    _RIGHT: "Answered right",
    "recall@5": "Passage among the first five",
    "citation_precision": "Citations that prove the answer",
    "quote_verbatim": "Quotes word for word",
    _GROUNDLESS: "Answered, though the notes don't",
    "over_abstention_rate": "Not found, though it is there",
}
_SUITES = {
    "corpus": "About the documents that come with relnotes",
    "seeds": "About five web pages",
    "corpora-part": "About the notes of five projects",
    "corpora": "About the notes of many projects",
    "versions": "About versions of made-up products",
}


def add_quality_page(app: FastAPI) -> None:
    """Add the page to `app`."""

    @app.get(QUALITY_PATH, include_in_schema=False)
    def show_quality() -> HTMLResponse:
        return HTMLResponse(render_quality_html(load_history()))


def render_quality_html(history: tuple[RecordedRun, ...]) -> str:
    """What it comes to in two sentences, then a row for each suite with its figures in the last run that asked it."""
    latest = {figures.suite: (run.at, figures) for run in history for figures in run.suites if not figures.split}
    rows = [
        (_SUITES.get(suite, suite), figures.questions, [figures.figure(measure) for measure in _MEASURES])
        for suite, (_, figures) in latest.items()
    ]
    measured = [figures for _, figures in latest.values()]
    right = [(figures.questions, share) for figures in measured if (share := figures.figure(_RIGHT)) is not None]
    asked = sum(questions for questions, _ in right)
    groundless = [share for figures in measured if (share := figures.figure(_GROUNDLESS)) is not None]
    return render(
        "document",
        "quality",
        rows=rows,
        asked=asked,
        right=sum(questions * share for questions, share in right) / asked if asked else None,
        groundless=max(groundless, default=None),
        heads=tuple(_MEASURES.values()),
        measured=max((at.date() for at, _ in latest.values()), default=None),
        styles=page_styles(),
    )
