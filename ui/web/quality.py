"""`GET /quality`: how far to trust answers, in words and in one table of what the evals measured last."""

from fastapi import FastAPI
from fastapi.responses import HTMLResponse

from evals.run_history import RecordedRun, load_history
from ui.web.html import page_styles, render

QUALITY_PATH = "/quality"
_MEASURES = {
    "end_to_end": "Right from end to end",
    "recall@5": "Found in the first five",
    "citation_precision": "Citations that prove",
    "quote_verbatim": "Quotes word for word",
    "false_answer_rate": "Answered without grounds",
    "over_abstention_rate": "Not found, though there",
}
_SUITES = {
    "corpus": "Bundled documents",
    "seeds": "Seed pages",
    "corpora-part": "Corpora, five projects",
    "corpora": "Corpora, all projects",
    "versions": "Versions of made-up products",
}


def add_quality_page(app: FastAPI) -> None:
    """Add the page to `app`."""

    @app.get(QUALITY_PATH, include_in_schema=False)
    def show_quality() -> HTMLResponse:
        return HTMLResponse(render_quality_html(load_history()))


def render_quality_html(history: tuple[RecordedRun, ...]) -> str:
    """A row for each suite, with its figures in the last run that asked it."""
    latest = {figures.suite: (run.at, figures) for run in history for figures in run.suites if not figures.split}
    rows = [
        (_SUITES.get(suite, suite), figures.questions, [figures.figure(measure) for measure in _MEASURES])
        for suite, (_, figures) in latest.items()
    ]
    return render(
        "document",
        "quality",
        rows=rows,
        heads=tuple(_MEASURES.values()),
        measured=max((at.date() for at, _ in latest.values()), default=None),
        styles=page_styles(),
    )
