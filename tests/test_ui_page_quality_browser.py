"""Quality in the browser: figures of the kept runs, a choice of suite and measure, and what people asked in vain."""

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from page_browser import running_page, visit

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def choose(page: "Page", label: str, option: str) -> None:
    """Choose by keyboard alone."""
    page.get_by_role("combobox", name=label).focus()
    page.get_by_role("combobox", name=label).fill(option)
    page.keyboard.press("Enter")


def test_a_suite_and_a_measure_are_chosen(browser: "Browser", page_address: str) -> None:
    with visit(browser, f"{page_address}/?tab=quality") as page:
        page.get_by_role("heading", name="How good the answers are").wait_for()
        chosen = page.locator("#rn-quality-chosen")
        chosen.get_by_role("heading", name="Right from end to end").wait_for()
        assert "since when" in chosen.inner_text()
        assert chosen.get_by_role("img").count() == 1
        choose(page, "Measure", "Found in the first five")
        chosen.get_by_role("heading", name="Found in the first five").wait_for()
        choose(page, "Suite", "Versions of made-up products")
        page.wait_for_function("!document.querySelector('#rn-quality-chosen').innerText.includes('since when')")
        chosen.get_by_text("The values as a table").click()
        assert chosen.get_by_role("region", name="Values over the runs").is_visible()
        assert "Questions are not kept" in page.locator("#rn-quality-gaps").inner_text()


def test_what_was_asked_in_vain_is_listed_where_it_is_kept(
    browser: "Browser", small_index: Path, tmp_path: Path
) -> None:
    index = Path(shutil.copytree(small_index, tmp_path / "index"))
    with running_page(index, RELNOTES_LOG_QUESTIONS="1") as address, visit(browser, address) as page:
        page.locator("#rn-question textarea").fill("How do I bake <b>sourdough</b> bread?")
        page.keyboard.press("Enter")
        page.locator("#rn-answer .rn-not_found").first.wait_for()
        page.get_by_role("tab", name="Quality").click()
        listed = page.get_by_role("region", name="Questions asked here without an answer")
        listed.wait_for()
        assert "How do I bake <b>sourdough</b> bread?" in listed.inner_text()
    assert (index / "unanswered.jsonl").stat().st_mode & 0o077 == 0
