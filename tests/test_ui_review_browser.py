"""The Markdown of a review in a browser: bodies open on a click, and nothing of a quote leaves its block."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from markdown_it import MarkdownIt
from reviews_by_hand import HOSTILE_REVIEW, PLAIN

from retrieval.reviews.model import Review
from ui.rendering.review import ReviewFormat, render_review

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def show(browser: "Browser", review: Review, folder: Path) -> "Page":
    """Open the review as a forge shows it, HTML let through."""
    html = MarkdownIt("gfm-like", {"html": True, "linkify": False}).render(render_review(review, ReviewFormat.MARKDOWN))
    file = folder / "review.html"
    file.write_text(f"<!doctype html><meta charset=utf-8><title>review</title><main>{html}</main>", encoding="utf-8")
    page = browser.new_page()
    page.goto(file.as_uri())
    return page


def test_bodies_open_on_a_click(browser: "Browser", tmp_path: Path) -> None:
    page = show(browser, PLAIN, tmp_path)
    bodies = page.locator("main > details")
    assert bodies.count() == 4
    quote = bodies.first.locator("pre").first
    assert not quote.is_visible()
    bodies.first.locator("summary").click()
    assert quote.is_visible()
    assert quote.inner_text().strip() == "- `widget.spin` is deprecated. Use `widget.turn` instead."
    assert page.locator("tbody tr td:first-child").all_inner_texts() == ["Widget", "Gadget"]
    page.close()


def test_hostile_text_stays_text(browser: "Browser", tmp_path: Path) -> None:
    page = show(browser, HOSTILE_REVIEW, tmp_path)
    assert page.evaluate("window.owned === undefined")
    assert page.locator("main :is(script, img, h1, em), main details details").count() == 0
    quotes = page.locator("main > details pre")
    assert quotes.count() == page.locator("pre").count() == 5
    assert all("</details>" in text for text in quotes.all_text_contents())
    addresses = {str(link.get_attribute("href"))[:22] for link in page.locator("main a").all()}
    assert addresses == {"https://evil.example/a"}
    page.close()
