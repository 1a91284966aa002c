"""Pages of products and releases: counts, quotes and addresses, whatever a product is called."""

import html
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from case_files import read_rows
from fastapi.testclient import TestClient
from page_answers import HOSTILE
from page_app import page_app
from page_browser import running_page, visit
from page_html import PageHtml, assert_harmless, main_of
from ui_small_index import NOTES, index_notes

from corpus.embedding import Embedder
from ui.web.html import product_address

if TYPE_CHECKING:
    from playwright.sync_api import Browser

LAMP = (NOTES / "releases-of-lamp" / "lamp.md").read_text("utf-8")
BULB = "# Bulb\n\n## 1.0.0 (2025-05-01)\n\n### Fixed\n\n- Fixed the thread.\n\n### Added\n\n" + "".join(
    f"- Added the colour number {number} to all bulbs.\n" for number in range(99)
)
NAMES = ("@scope/name", "two words", "変更 🦀", "C++ & 50% #1?", "../up", "a//b", HOSTILE, "x" * 90)
COUNTS = {
    "3.0.0": ("1", "0", "0", "undated"),
    "2.0.0": ("5", "2", "1", "1 May 2025"),
    "1.1.0": ("1", "0", "0", "10 February 2024"),
    "1.0.0": ("1", "0", "0", "10 February 2023"),
}


@pytest.fixture(scope="module")
def index(default_embedder: Embedder, tmp_path_factory: pytest.TempPathFactory) -> Path:
    hostile = f"# Notes\n\n## 1.0.0 (2025-05-01)\n\n### {HOSTILE}\n\n- Added {HOSTILE}.\n"
    texts = {"Lamp": LAMP, "Bulb": BULB, "Plain": "# Plain\n\n- It works.\n", **dict.fromkeys(NAMES, hostile)}
    notes = {f"{number}.md": text for number, text in enumerate(texts.values())}
    notes["sources.toml"] = "".join(
        f'[[document]]\npath = "{number}.md"\nproduct = {json.dumps(name, ensure_ascii=False)}\n'
        for number, name in enumerate(texts)
    )
    return index_notes(tmp_path_factory.mktemp("products"), default_embedder, notes)


@pytest.fixture(scope="module")
def pages(index: Path, default_embedder: Embedder) -> Iterator[TestClient]:
    with page_app(index, default_embedder) as client:
        yield client


def _main(pages: TestClient, address: str) -> str:
    response = pages.get(address)
    assert response.status_code == 200
    return main_of(response.text)


def test_bars_and_table_have_the_counts_of_the_notes(pages: TestClient) -> None:
    markup = _main(pages, "/p/Lamp")
    rows = re.findall(r'<tr role="row"><th scope="row".*?</tr>', markup)
    cells = [PageHtml(row).texts("th", "td") for row in rows]
    assert {version: tuple(counts) for version, *counts in cells} == COUNTS
    told = [label for label in PageHtml(markup).values("aria-label") if label.startswith("Lamp ")]
    assert told == [
        "Lamp 1.0.0, 1 change, 10 February 2023",
        "Lamp 1.1.0, 1 change, 10 February 2024",
        "Lamp 2.0.0, 5 changes, 2 breaking or removed, 1 on security, 1 May 2025",
        "Lamp 3.0.0, 1 change",
    ]
    parts = dict(re.findall(r'<rect class="rn-bar(-break|-sec)" [^>]*?height="([0-9.]+)"', markup))
    assert float(parts["-break"]) == pytest.approx(2 * float(parts["-sec"]), abs=0.2)


def test_a_release_has_its_entries_by_kind(pages: TestClient) -> None:
    found = PageHtml(_main(pages, "/p/lamp/v2.0.0"))
    assert found.texts("h1") == ["Lamp 2.0.0"]
    assert found.texts("h3") == ["Breaking 1", "Removed 1", "Security 1", "New 2"]
    assert "From 1.1.0 to 2.0.0: what breaks" in found.texts("a")


@pytest.mark.parametrize(
    ("address", "said"),
    [*read_rows("ui-what-is-not-there-is-told-with-a-way-on"), pytest.param(f"/p/{'x' * 5_000}", "Unknown product")],
)
def test_what_is_not_there_is_told_with_a_way_on(pages: TestClient, address: str, said: str) -> None:
    response = pages.get(address)
    found = assert_harmless(main_of(response.text))
    assert (response.status_code, found.texts("h1")) == (404, ["Not in the library"])
    assert said in found.text
    assert "relnotes status" not in found.text
    assert found.values("href") == ["/library"]


@pytest.mark.parametrize(
    ("address", "text"), [("/p/Lamp", LAMP), ("/p/Lamp/2.0.0", LAMP), ("/p/Bulb/1.0.0", BULB)], ids=lambda it: it[:12]
)
def test_quotes_are_slices_of_the_document(pages: TestClient, address: str, text: str) -> None:
    markup = _main(pages, address)
    marked = re.findall(r"(?s)<mark>.*?rn-telling\">(.*?)</b>.*?</mark>", markup)
    places = re.findall(r'<p class="rn-place"><a href="/documents/\d+\?start=(\d+)&amp;end=(\d+)#quote"', markup)
    assert [html.unescape(words) for words in marked] == [text[int(start) : int(end)] for start, end in places] != []


@pytest.mark.parametrize("name", NAMES, ids=range(len(NAMES)))
def test_whatever_a_product_is_called_its_pages_have_addresses(pages: TestClient, name: str) -> None:
    address = product_address(name)
    assert pages.head(address).status_code == 200
    assert address in PageHtml(_main(pages, "/library")).values("href")
    for place, heading in ((address, name), (product_address(name, "1.0.0"), f"{name} 1.0.0")):
        found = assert_harmless(_main(pages, place))
        assert found.texts("h1") == [heading]
        assert product_address(name, "1.0.0") in found.values("href")


# The last one: a browser keeps a loop of its own, in which nothing else may begin one.
@pytest.mark.browser
@pytest.mark.slow
def test_on_a_small_phone_nothing_scrolls_sideways(browser: "Browser", index: Path) -> None:
    with (
        running_page(index) as address,
        visit(browser, address + "/p/Lamp", viewport={"width": 360, "height": 800}) as page,
    ):
        for place in (
            "/library",
            *(product_address(name, version) for name in ("Lamp", *NAMES[-2:]) for version in ("", "1.0.0")),
        ):
            page.goto(address + place)
            for summary in page.locator("main summary").all():
                summary.click()
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), place
