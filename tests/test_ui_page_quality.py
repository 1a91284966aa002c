"""The page that says how far to trust answers: one table of the last figures of each suite."""

from datetime import UTC, datetime

from page_html import PageHtml

from evals.grading import Score
from evals.run_history import RecordedRun, SuiteFigures
from ui.web.quality import render_quality_html


def _run(day: int, suite: str, figure: float, *, split: str = "") -> RecordedRun:
    figures = SuiteFigures(suite, split, 1200, (Score("end_to_end", figure),))
    return RecordedRun(datetime(2026, 3, day, tzinfo=UTC), "gate", (figures,))


def test_each_suite_has_its_figures_of_the_last_run_that_asked_it() -> None:
    runs = (_run(1, "corpus", 0.5), _run(2, "corpus", 0.75), _run(3, "corpus", 0.1, split="dev"), _run(1, "<b>", 1.0))
    body = render_quality_html(runs).partition("<body>")[2].partition("</body>")[0]
    found = PageHtml(body)
    assert found.texts("tr")[1:] == ["Bundled documents1,20075.0%–––––", "<b>1,200100.0%–––––"]
    assert "Measured on 2 March 2026." in found.text


def test_without_a_run_it_says_how_to_make_one() -> None:
    assert "make eval" in render_quality_html(())
