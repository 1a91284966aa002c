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
    assert found.texts("tr")[1:] == [
        "About the documents that come with relnotes1,20075.0%–––––",
        "<b>1,200100.0%–––––",
    ]
    assert "Measured on 2 March 2026." in found.text


def test_it_begins_with_how_far_answers_can_be_trusted() -> None:
    figures = SuiteFigures("corpus", "", 100, (Score("end_to_end", 0.5), Score("false_answer_rate", 0.25)))
    better = SuiteFigures("seeds", "", 300, (Score("end_to_end", 0.9), Score("false_answer_rate", 0.1)))
    run = RecordedRun(datetime(2026, 3, 1, tzinfo=UTC), "gate", (figures, better))
    first = PageHtml(render_quality_html((run,))).texts("p")[1]
    assert first.startswith("You can trust the quotes: each is cut word for word")
    assert first.endswith(
        "of 400 questions whose right answers are known, 80% were answered right, and where the notes hold no answer, "
        "up to 25% got one all the same."
    )


def test_without_a_run_it_says_so() -> None:
    assert "How often wasn't measured here." in render_quality_html(())
