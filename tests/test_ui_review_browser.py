"""The Markdown of a review in a browser: bodies open on a click, and nothing of a quote leaves its block."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from markdown_it import MarkdownIt
from reviews_by_hand import HOSTILE_REVIEW, PLAIN

from retrieval.reviews.model import Review
from ui.review_choices import ReviewFormat
from ui.review_formats import render_review

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

CHROMIUM, CHROMEDRIVER = Path("/usr/bin/chromium"), Path("/usr/bin/chromedriver")

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.skipif(not (CHROMIUM.exists() and CHROMEDRIVER.exists()), reason="Chromium isn't installed"),
]


@pytest.fixture(scope="module")
def chrome() -> "Iterator[Chrome]":
    from selenium.webdriver import Chrome, ChromeOptions
    from selenium.webdriver.chrome.service import Service

    options = ChromeOptions()
    options.binary_location = str(CHROMIUM)
    for flag in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1000,1400"):
        options.add_argument(flag)
    options.add_argument("--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1")
    driver = Chrome(options=options, service=Service(str(CHROMEDRIVER)))
    try:
        yield driver
    finally:
        driver.quit()


def show(chrome: "Chrome", review: Review, folder: Path) -> None:
    """Open the review as a forge shows it, HTML let through."""
    page = MarkdownIt("gfm-like", {"html": True, "linkify": False}).render(render_review(review, ReviewFormat.MARKDOWN))
    file = folder / "review.html"
    file.write_text(f"<!doctype html><meta charset=utf-8><title>review</title><main>{page}</main>", encoding="utf-8")
    chrome.get(file.as_uri())


def test_bodies_open_on_a_click(chrome: "Chrome", tmp_path: Path) -> None:
    from selenium.webdriver.common.by import By

    show(chrome, PLAIN, tmp_path)
    bodies = chrome.find_elements(By.CSS_SELECTOR, "main > details")
    assert len(bodies) == 4
    quote = bodies[0].find_element(By.CSS_SELECTOR, "pre")
    assert not quote.is_displayed()
    bodies[0].find_element(By.TAG_NAME, "summary").click()
    assert quote.is_displayed()
    assert quote.text == "- `widget.spin` is deprecated. Use `widget.turn` instead."
    assert [row.text for row in chrome.find_elements(By.CSS_SELECTOR, "tbody tr td:first-child")] == [
        "Widget",
        "Gadget",
    ]


def test_hostile_text_stays_text(chrome: "Chrome", tmp_path: Path) -> None:
    from selenium.webdriver.common.by import By

    show(chrome, HOSTILE_REVIEW, tmp_path)
    assert chrome.execute_script("return window.owned === undefined")
    assert chrome.find_elements(By.CSS_SELECTOR, "main script, main img, main h1, main em, details details") == []
    quotes = chrome.find_elements(By.CSS_SELECTOR, "main > details pre")
    assert len(quotes) == len(chrome.find_elements(By.CSS_SELECTOR, "pre")) == 5
    assert all("</details>" in quote.get_attribute("textContent") for quote in quotes)
    addresses = {link.get_attribute("href")[:22] for link in chrome.find_elements(By.CSS_SELECTOR, "main a")}
    assert addresses == {"https://evil.example/a"}
