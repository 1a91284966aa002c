"""The page that says how far to trust answers: the newest panel in words, the others in a line each."""

import re
from datetime import date
from pathlib import Path

from page_html import PageHtml

from ui.web.quality import Panel, load_panels, render_quality_html


def test_the_newest_panel_is_told_in_words_and_the_others_in_a_line_each() -> None:
    day = date(2026, 3, 2)
    panels = (
        Panel(day, "First <b>", 200, 0.5, 0.125, 0.14, 0.11, unfit=0.125),
        Panel(day, "Second", 100, 0.9, 0.0, 0.1, 0.0),
    )
    found = PageHtml(render_quality_html(panels))
    assert found.texts("p")[0].startswith("50% of 200 questions")
    assert "12% were partly right, 14% wrong, and to 11%" in found.texts("p")[1]
    assert found.texts("li") == ["Second, 2 March 2026: 90% of 100 good (83% to 94%), 10% wrong"]
    assert "paste them" not in PageHtml(render_quality_html(panels[1:])).text


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
    panels = load_panels()
    shares = [[panel.good, panel.unfit, panel.partly, panel.wrong, panel.refused] for panel in panels]
    told = [["" if share is None else f"{share:.2f}" for share in row] for row in shares]
    assert sorted(map(list, written)) == sorted(told)
    assert list(panels) == sorted(panels, key=lambda panel: panel.date, reverse=True)
