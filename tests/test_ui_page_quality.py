"""The page that says how far to trust answers: one table of the last figures of each suite."""

import re
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from page_html import PageHtml

from evals.run_history import RecordedRun, SuiteFigures
from ui.web.quality import Panel, load_panels, render_quality_html


def _run(day: int, suite: str, figure: float, *, split: str = "") -> RecordedRun:
    figures = SuiteFigures(suite, split, 1200, {"end_to_end": figure})
    return RecordedRun(datetime(2026, 3, day, tzinfo=UTC), "gate", (figures,))


def test_each_suite_has_its_figures_of_the_last_run_that_asked_it() -> None:
    runs = (
        *(_run(1, "bundled", 0.5), _run(2, "bundled", 0.75), _run(3, "bundled", 0.1, split="dev")),
        *(_run(1, "<b>", 1.0), _run(4, "corpus", 0.5)),
    )
    found = PageHtml(render_quality_html(runs, ()))
    assert found.texts("tr")[1:] == [
        "About documents that come with relnotes1,2002 March 202675.0%–––––",
        "<b>1,2001 March 2026100.0%–––––",
    ]


def test_it_begins_with_how_far_answers_can_be_trusted() -> None:
    first = PageHtml(render_quality_html((), ())).texts("p")[0]
    assert first.startswith("The quotes can be trusted: each is cut word for word")
    assert first.endswith("so read them before you rely on an answer.")


def test_without_a_run_it_says_so() -> None:
    assert PageHtml(render_quality_html((), ())).texts("p")[1:] == ["How often wasn't measured here."]


def test_panels_are_bars_and_a_table_of_the_same_shares() -> None:
    day = date(2026, 3, 2)
    panels = (
        Panel(day, "First <b>", 200, 0.5, 0.125, 0.125, 0.125, unfit=0.125),
        Panel(day, "Second", 100, 1.0, 0.0, 0.0, 0.0),
    )
    markup = render_quality_html((), panels)
    found = PageHtml(markup)
    assert found.texts("tr")[1:] == ["First <b>2 March 202620050%12%12%12%12%", "Second2 March 2026100100%–0%0%0%"]
    assert "First <b> 2 March 2026, 200 questions, 50% good (43% to 57%)" in found.texts("p")
    assert "were answered well; 12% right but unfit, 12% partly right, 12% wrong" in found.text
    bars = re.findall(r'<rect class="rn-share-(\w+)"[^>]* width="([0-9.]+)"', markup)
    told = {"good": 300, "unfit": 75, "partly": 75, "wrong": 75, "refused": 75}
    assert [(name, float(width) + 2) for name, width in bars] == [*told.items(), ("good", 600)]


def test_the_panels_that_are_told_add_up() -> None:
    panels = load_panels()
    assert panels
    assert list(panels) == sorted(panels, key=lambda panel: panel.date, reverse=True)
    for panel in panels:
        assert sum(share or 0 for share in panel.shares.values()) == pytest.approx(1, abs=0.02), panel.set
        low, high = panel.interval
        assert low <= panel.good <= high


def test_every_panel_that_judges_read_is_told() -> None:
    """docs/quality.md and the page tell the same panels, but for answers of an older program to the same questions."""
    page = (Path(__file__).parents[1] / "docs" / "quality.md").read_text("utf-8")
    rows = [
        [cell.strip() for cell in line.split("|")[1:-2]]
        for table in page.split("\n\n")
        if "good by judges" in table.split("\n")[0]
        for line in table.split("\n")[2:]
    ]
    judged = [row[-4:] for row in rows if row[-4] and not row[0].startswith("the same by the program before")]
    figures = re.compile(r"\**([\d.]+) \(.*?(?:and ([\d.]+) right|$)")
    written = [(*figures.findall(good)[0], *others) for good, *others in judged]
    told = [[f"{share:.2f}" if share is not None else "" for share in panel.shares.values()] for panel in load_panels()]
    assert sorted(map(list, written)) == sorted(told)
