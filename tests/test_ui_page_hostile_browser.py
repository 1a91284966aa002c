"""Documents that want to be more than text: in the browser they are text, and nothing of them runs, links or loads."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from page_browser import WIDTHS, running_page, visit
from ui_small_index import ingest

from corpus.embedding import Embedder

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]

OWNED = "window.owned = true"
NOTES = f"""# Trap {{{{value}}}} ${{alert(1)}} <img src=x onerror="{OWNED}"> 2.0

Released 2024-05-01.

## Changes <script>{OWNED}</script>

- The setting `marble` was removed. <script>{OWNED}</script><img src="https://evil.example/x.png" onerror="{OWNED}">
- The default of pebble is now [seven](javascript:{OWNED}) ![x](https://evil.example/y.png) </mark></details></template>
- The quartz timeout was raised to 90 seconds. \u202eEVIL txet sdrawkcab\u202c <svg onload="{OWNED}"></svg>
- The granite buffer holds {"x" * 20_000} bytes.
- The basalt flag is deprecated. <style>body {{ display: none }}</style><base href="https://evil.example/">
"""
QUESTIONS = (
    ("Was marble removed in Trap 2.0?", "<script>"),
    ("What is the default of pebble in Trap 2.0?", "javascript:"),
    ("What is the quartz timeout in Trap 2.0?", "EVIL txet"),
    ("What does the granite buffer hold in Trap 2.0?", "xxxxxxxxxx"),
    ("Is the basalt flag deprecated in Trap 2.0?", "<style>"),
)
FOREIGN = ", ".join(
    f"#rn-tabs {tag}"
    for tag in ("script", "style", "img", "iframe", "object", "embed", "base", "form:not(.rn-feedback)")
)


@pytest.fixture(scope="module")
def hostile_address(default_embedder: Embedder, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A real server over hostile notes."""
    folder = tmp_path_factory.mktemp("hostile")
    notes = folder / "documents" / "trap" / "2.0.md"
    notes.parent.mkdir(parents=True)
    notes.write_text(NOTES, encoding="utf-8")
    assert not ingest(folder / "documents", index=folder / "index", embedder=default_embedder).failed
    with running_page(folder / "index") as address:
        yield address


def assert_harmless(page: "Page") -> None:
    """Nothing of a document became an element, a handler or a link that runs, and the page keeps its shape."""
    assert page.evaluate("window.owned === undefined")
    assert page.evaluate("document.baseURI.startsWith(location.origin)")
    assert page.locator(FOREIGN).evaluate_all("found => found.map(one => one.outerHTML.slice(0, 120))") == []
    handlers = "found => found.flatMap(one => one.getAttributeNames()).filter(name => name.startsWith('on'))"
    assert page.locator("#rn-tabs .html-container *").evaluate_all(handlers) == []
    assert "\u202e" not in str(page.locator("#rn-answer").text_content())
    links = page.locator("#rn-tabs a[href]").evaluate_all("found => found.map(one => one.protocol)")
    assert set(links) <= {"http:", "https:"}
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize(("question", "shown"), QUESTIONS, ids=["script", "link", "bidi", "long", "style"])
def test_a_hostile_quote_is_text(browser: "Browser", hostile_address: str, question: str, shown: str) -> None:
    with visit(browser, hostile_address, viewport={"width": WIDTHS["phone"], "height": 900}) as page:
        page.locator("#rn-question textarea").fill(question)
        page.keyboard.press("Enter")
        page.locator("#rn-answer .rn-answer").first.wait_for()
        page.locator("#rn-answer .rn-marker").first.click()
        assert shown in str(page.locator("#rn-answer").text_content())
        assert_harmless(page)


def test_a_name_that_turns_its_line_round_turns_itself_only(browser: "Browser", hostile_address: str) -> None:
    with visit(browser, hostile_address) as page:
        page.locator("#rn-question textarea").fill(QUESTIONS[2][0])
        page.keyboard.press("Enter")
        page.locator("#rn-answer mark").first.wait_for(state="attached")
        turned = page.locator("#rn-answer :is(mark, .rn-title)").evaluate_all(
            "found => found.map(one => getComputedStyle(one).unicodeBidi)"
        )
        assert set(turned) == {"isolate"}


def test_a_hostile_question_is_text_too(browser: "Browser", hostile_address: str) -> None:
    with visit(browser, hostile_address) as page:
        page.locator("#rn-question textarea").fill(f"<img src=x onerror='{OWNED}'> {{{{value}}}} </textarea>?")
        page.keyboard.press("Enter")
        page.locator("#rn-answer .rn-answer").first.wait_for()
        assert_harmless(page)
