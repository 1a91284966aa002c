"""Documents that want to be more than text: in the browser they are text, and nothing of them runs, links or loads."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from page_browser import WIDTHS, running_page, visit
from ui_small_index import index_notes

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
NAME = f"1.0 <img src=x onerror='{OWNED}'> {{{{value}}}} \u202e.md"
QUESTIONS = {
    f'Was marble removed in Trap 2.0? <img src=x onerror="{OWNED}"> {{{{value}}}} ${{alert(1)}}': "<script>",
    "What is the default of pebble in Trap 2.0?": "javascript:",
    "What is the quartz timeout in Trap 2.0?": "EVIL txet",
    "What does the granite buffer hold in Trap 2.0?": "xxxxxxxxxx",
    "Is the basalt flag deprecated in Trap 2.0?": "<style>",
}
FOREIGN = ", ".join(
    f"{panel} {tag}" for panel in ("main",) for tag in ("script", "style", "img", "iframe", "object", "embed", "base")
)


@pytest.fixture(scope="module")
def hostile_address(default_embedder: Embedder, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A real server over hostile notes."""
    # Older notes under a name that wants to be more than a name.
    older = "# Trap 1.0\n\nReleased 2023-05-01.\n\n- It begins.\n"
    notes = {"trap/2.0.md": NOTES, f"trap/{NAME}": older}
    with running_page(index_notes(tmp_path_factory.mktemp("hostile"), default_embedder, notes)) as address:
        yield address


def assert_harmless(page: "Page") -> None:
    """Nothing of a document became an element, a handler or a link that runs, and the page keeps its shape."""
    assert page.evaluate("window.owned === undefined")
    assert page.evaluate("document.baseURI.startsWith(location.origin)")
    assert page.locator(FOREIGN).evaluate_all("found => found.map(one => one.outerHTML.slice(0, 120))") == []
    handlers = "found => found.flatMap(one => one.getAttributeNames()).filter(name => name.startsWith('on'))"
    assert page.locator("main *").evaluate_all(handlers) == []
    assert "\u202e" not in "".join(page.locator("#rn-answer").all_text_contents())
    links = page.locator("a[href]:not([data-markdown], svg a)").evaluate_all("found => found.map(one => one.protocol)")
    assert set(links) <= {"http:", "https:"}
    # Our own export, made in the browser.
    exports = page.locator("a[data-markdown]").evaluate_all("found => found.map(one => one.href)")
    assert all(export.startswith("data:text/markdown") for export in exports)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_hostile_quote_is_text(browser: "Browser", hostile_address: str) -> None:
    with visit(browser, hostile_address, viewport={"width": WIDTHS["phone"], "height": 900}) as page:
        for number, (question, shown) in enumerate(QUESTIONS.items(), start=1):
            page.locator("#rn-question").fill(question)
            page.keyboard.press("Enter")
            turn = page.locator(f"#rn-turn-{number}")
            turn.locator(".rn-marker").first.click()
            assert shown in str(turn.text_content())
            assert turn.locator("h2").inner_text() == question
            assert_harmless(page)
        # A name that turns its line round turns itself only.
        turned = page.locator("#rn-answer :is(mark, .rn-title)").evaluate_all(
            "found => found.map(one => getComputedStyle(one).unicodeBidi)"
        )
        assert set(turned) == {"isolate"}


def test_a_hostile_document_is_text_on_its_page(browser: "Browser", hostile_address: str) -> None:
    with visit(browser, f"{hostile_address}/library") as page:
        page.locator("#rn-documents").wait_for()
        addresses = page.locator("#rn-documents tbody th a").evaluate_all("found => found.map(one => one.href)")
    for address in addresses:
        with visit(browser, address, viewport={"width": WIDTHS["phone"], "height": 900}) as page:
            page.locator("main .rn-read").first.wait_for()
            assert page.evaluate("window.owned === undefined")
            assert page.locator("main :is(script, img, svg, iframe, base, form, style)").count() == 0
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            # An address in its text may be opened, in a tab that knows nothing of this one.
            links = page.locator("main a[href]").evaluate_all("found => found.map(one => `${one.protocol} ${one.rel}`)")
            assert set(links) <= {"https: noopener nofollow"} | {f"http: {rel}" for rel in ("", "prev", "next")}
