"""The page that says how far to trust answers: one table of the last figures of each suite."""

import re
from datetime import UTC, datetime

import pytest
from page_html import PageHtml

from evals.run_history import RecordedRun, SuiteFigures
from ui.web.quality import Panel, load_panels, render_quality_html


def _run(day: int, suite: str, figure: float, *, split: str = "") -> RecordedRun:
    figures = SuiteFigures(suite, split, 1200, {"end_to_end": figure})
    return RecordedRun(datetime(2026, 3, day, tzinfo=UTC), "gate", (figures,))


def test_each_suite_has_its_figures_of_the_last_run_that_asked_it() -> None:
    runs = (_run(1, "corpus", 0.5), _run(2, "corpus", 0.75), _run(3, "corpus", 0.1, split="dev"), _run(1, "<b>", 1.0))
    found = PageHtml(render_quality_html(runs, ()))
    assert found.texts("tr")[1:] == [
        "About the documents that come with relnotes1,20075.0%–––––",
        "<b>1,200100.0%–––––",
    ]
    assert "Measured on 2 March 2026." in found.text


def test_it_begins_with_how_far_answers_can_be_trusted() -> None:
    first = PageHtml(render_quality_html((), ())).texts("p")[0]
    assert first.startswith("The quotes can be trusted: each is cut word for word")
    assert first.endswith("so read them before you rely on an answer.")


def test_without_a_run_it_says_so() -> None:
    assert PageHtml(render_quality_html((), ())).texts("p")[1:] == ["How often wasn't measured here."]


def test_panels_are_bars_and_a_table_of_the_same_shares() -> None:
    panels = (Panel("First <b>", 200, 0.5, 0.25, 0.125, 0.125), Panel("Second", 100, 1.0, 0.0, 0.0, 0.0))
    markup = render_quality_html((), panels)
    found = PageHtml(markup)
    assert found.texts("tr")[1:] == ["First <b>20050%25%12%12%", "Second100100%0%0%0%"]
    assert "First <b> 200 questions, 50% good (43% to 57%)" in found.texts("p")
    widths = [float(width) + 2 for width in re.findall(r'<rect class="rn-share-\w+"[^>]* width="([0-9.]+)"', markup)]
    assert widths[:4] == [300, 150, 75, 75]


def test_the_panels_that_are_told_add_up() -> None:
    panels = load_panels()
    assert panels
    for panel in panels:
        assert sum(share for _, share in panel.shares) == pytest.approx(1, abs=0.02), panel.set
        low, high = panel.interval
        assert low <= panel.good <= high
