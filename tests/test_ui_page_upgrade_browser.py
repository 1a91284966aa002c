"""The Upgrade tab in the browser: an example, one's own list, files that mark it, an address that shows it again."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from page_browser import WIDTHS, running_page, visit
from ui_small_index import ingest

from corpus.embedding import Embedder

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]

LINK = "?tab=upgrade&product=widget&from=1.5&to=2.0.0"
CODE = "import widget\n\n\nwidget.spin(90)\n"
REQUIREMENTS = "# ours\nwidget==1.6.2\n"


@pytest.fixture
def own_files(tmp_path: Path) -> list[Path]:
    """Code that uses what 2.0.0 deprecates, and the requirements beside it."""
    files = {"app.py": CODE, "requirements.txt": REQUIREMENTS}
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return [tmp_path / name for name in files]


@pytest.fixture(scope="module")
def many_versions_address(default_embedder: Embedder, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server over notes of so many releases that a list of them scrolls."""
    folder = tmp_path_factory.mktemp("many")
    notes = folder / "documents" / "sprocket" / "CHANGELOG.md"
    notes.parent.mkdir(parents=True)
    releases = (f"## 1.{minor}.0\n\n### Removed\n\n- The tooth{minor} was removed.\n" for minor in range(60, 0, -1))
    notes.write_text("# Changelog\n\n" + "\n".join(releases), encoding="utf-8")
    assert not ingest(folder / "documents", index=folder / "index", embedder=default_embedder).failed
    with running_page(folder / "index") as address:
        yield address


def shown_changes(page: "Page") -> list[str]:
    """The summaries of the changes that can be seen."""
    return [words.inner_text() for words in page.locator("[data-change]:not([hidden]) .rn-words").all()]


def headings(page: "Page") -> list[str]:
    """The kinds that can be seen, with their counts."""
    return [" ".join(heading.inner_text().split()) for heading in page.locator(".rn-kind:not([hidden]) h3").all()]


def announced(page: "Page", words: str) -> None:
    """Wait until a screen reader is told this."""
    page.locator("body > [role=status]", has_text=words).wait_for(state="attached")


def test_the_tab_opens_with_an_example_and_leaves_the_address_alone(browser: "Browser", page_address: str) -> None:
    with visit(browser, f"{page_address}/?tab=upgrade") as page:
        page.get_by_text("This is an example:").wait_for()
        product, start, end = (
            page.locator(f"#rn-upgrade-{name} input").input_value() for name in ("product", "from", "to")
        )
        assert page.locator(".rn-upgrade h2").inner_text() == f"{product} {start} → {end}"
        assert shown_changes(page)
        assert parse_qs(urlsplit(page.url).query) == {"tab": ["upgrade"]}
        assert page.locator("body > [role=status]").inner_text() == ""
        page.get_by_role("button", name="Show changes").click()
        page.get_by_text("This is an example:").wait_for(state="detached")


def test_from_the_form_to_the_marked_quote_with_the_keyboard_alone(browser: "Browser", page_address: str) -> None:
    with visit(browser, page_address) as page:
        page.get_by_role("tab", name="Upgrade").focus()
        page.keyboard.press("Enter")
        # The form fills itself when the page has loaded.
        page.wait_for_function("document.querySelector('#rn-upgrade-to input')?.value")
        product = page.get_by_label("Product", exact=True).last
        product.click()
        product.fill("widget")
        page.get_by_role("option", name="widget").first.wait_for()
        page.keyboard.press("Enter")
        page.wait_for_function("document.querySelector('#rn-upgrade-to input')?.value === '2.0.0'")
        assert page.locator("#rn-upgrade-from input").input_value() == "1.5.0"
        page.get_by_role("button", name="Show changes").focus()
        page.keyboard.press("Enter")
        announced(page, "widget 1.5.0 → 2.0.0. 1 deprecation and 1 new requirement.")
        assert page.locator(".rn-summary").inner_text() == "2 changes in 1 release: 2.0.0 (1 May 2024)."
        page.wait_for_function("location.search.includes('product=widget')")
        assert parse_qs(urlsplit(page.url).query) == {
            "tab": ["upgrade"],
            "product": ["widget"],
            "from": ["1.5.0"],
            "to": ["2.0.0"],
        }
        page.get_by_role("link", name="Requirements 1").focus()
        page.keyboard.press("Enter")
        assert parse_qs(urlsplit(page.url).query)["product"] == ["widget"]
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        assert page.locator(".rn-evidence mark").last.is_visible()
        assert page.locator(".rn-evidence mark").last.inner_text().startswith("Support for Python 3.7 was removed")


def test_tab_leads_from_box_to_box_and_lists_shut_behind_it(browser: "Browser", many_versions_address: str) -> None:
    with visit(browser, f"{many_versions_address}/?tab=upgrade") as page:
        page.get_by_text("This is an example:").wait_for()
        boxes = [page.locator(f"#rn-upgrade-{name} input") for name in ("product", "from", "to")]
        boxes[0].focus()
        for box in boxes:
            assert box.evaluate("box => box === document.activeElement")
            page.locator("gradio-app [role=combobox][aria-expanded=true]").wait_for()
            page.wait_for_function("document.querySelectorAll('gradio-app [role=listbox]').length === 1")
            assert box.get_attribute("aria-expanded") == "true"
            page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.id") == "rn-upgrade-show"
        page.get_by_role("listbox").wait_for(state="detached")
        assert page.locator("gradio-app [role=combobox][aria-expanded=true]").count() == 0
        page.keyboard.press("Shift+Tab")
        assert boxes[2].evaluate("box => box === document.activeElement")
        page.get_by_role("listbox").wait_for()
        page.keyboard.press("Escape")
        page.get_by_role("listbox").wait_for(state="detached")
        # A version is chosen with the keys as before.
        page.keyboard.press("ArrowDown")
        page.get_by_role("listbox").wait_for()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        page.wait_for_function("document.querySelector('#rn-upgrade-to input').value !== '1.60.0'")


@pytest.mark.parametrize("tab", ["upgrade", "review", "library"])
def test_a_phone_has_no_field_to_zoom_in_on(browser: "Browser", page_address: str, tab: str) -> None:
    with visit(browser, f"{page_address}/?tab={tab}", viewport={"width": WIDTHS["phone"], "height": 900}) as page:
        fields = page.locator(f"#rn-panel-{tab} :is(input:not([type=radio], [type=checkbox]), textarea):visible")
        fields.first.wait_for()
        sizes = fields.evaluate_all("fields => fields.map((field) => parseFloat(getComputedStyle(field).fontSize))")
        assert min(sizes) >= 16


def test_an_address_lists_again_and_words_narrow(browser: "Browser", page_address: str) -> None:
    with visit(browser, f"{page_address}/{LINK}") as page:
        page.locator(".rn-upgrade").wait_for()
        assert page.get_by_role("tab", name="Upgrade").get_attribute("aria-selected") == "true"
        assert page.locator("#rn-upgrade-product input").input_value() == "widget"
        assert page.locator("#rn-upgrade-from input").input_value() == "1.5"
        assert page.get_by_text("This is an example:").count() == 0
        box = page.get_by_label("Show only entries with")
        box.fill("PYTHON 3.7")
        assert headings(page) == ["Requirements 1"]
        assert len(shown_changes(page)) == 1
        assert page.locator("[data-shown]").inner_text() == "1 of 2 entries shown"
        assert not page.get_by_role("link", name="Deprecated 1").is_visible()
        box.fill("nothing like it")
        assert shown_changes(page) == []
        box.fill("")
        assert page.locator("[data-shown]").inner_text() == "All 2 entries shown"
        assert headings(page) == ["Deprecated 1", "Requirements 1"]


@pytest.mark.parametrize("width", ["phone", "desk"])
def test_own_files_fill_in_the_version_and_bring_what_they_use_to_the_top(
    browser: "Browser", page_address: str, own_files: list[Path], width: str
) -> None:
    viewport = {"width": WIDTHS[width], "height": 900}
    with visit(browser, f"{page_address}/{LINK}", viewport=viewport, color_scheme="dark") as page:
        page.locator(".rn-upgrade").wait_for()
        page.locator("#rn-own-files").set_input_files(own_files)
        announced(page, "requirements.txt, line 2, names widget 1.6.2, so From is 1.6.2.")
        announced(page, "1 change used in your code and 1 new requirement.")
        assert headings(page) == ["Used in your code 1", "Requirements 1"]
        assert page.locator(".rn-uses").all_inner_texts() == ["Used in your code: app.py:4"]
        assert page.locator("#rn-upgrade-from input").input_value() == "1.6.2"
        page.wait_for_function("location.search.includes('from=1.6.2')")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        exported = unquote(page.get_by_role("link", name="Download").get_attribute("href") or "").partition(",")[2]
        assert (
            "### Used in your code (1)\n\n- **2.0.0**, deprecated: <code>widget.spin</code> is deprecated." in exported
        )
        assert "Used in app.py:4." in exported
        page.get_by_role("button", name="Forget them").click()
        page.locator(".rn-uses").wait_for(state="detached")
        assert headings(page) == ["Deprecated 1", "Requirements 1"]
        assert page.evaluate("document.activeElement.id") == "rn-own-files"


def test_files_that_are_dropped_anywhere_are_taken(browser: "Browser", page_address: str) -> None:
    with visit(browser, f"{page_address}/{LINK}") as page:
        page.locator(".rn-upgrade").wait_for()
        page.evaluate(
            """text => {
              const dataTransfer = new DataTransfer();
              dataTransfer.items.add(new File([text], "app.py"));
              for (const type of ["dragover", "drop"]) {
                document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
              }
            }""",
            CODE,
        )
        page.get_by_text("Used in your code: app.py:4").wait_for()


def test_files_that_hold_no_text_or_too_much_stay_in_the_browser(
    browser: "Browser", page_address: str, tmp_path: Path
) -> None:
    (tmp_path / "code.pyc").write_bytes(b"\x00\x01")
    (tmp_path / "all.py").write_text("x = 1\n" * 400_000, encoding="utf-8")
    with visit(browser, f"{page_address}/{LINK}") as page:
        page.locator(".rn-upgrade").wait_for()
        page.locator("#rn-own-files").set_input_files([tmp_path / "code.pyc", tmp_path / "all.py"])
        said = page.locator("[data-own-said]", has_text=re.compile("."))
        said.wait_for()
        assert said.inner_text() == (
            "code.pyc is left out: it holds no text. all.py is left out: the files may have some 1 MB together."
        )
        assert page.get_by_role("button", name="Forget them").count() == 0


def test_a_hostile_name_and_content_are_text(browser: "Browser", page_address: str, tmp_path: Path) -> None:
    name = "<img src=x onerror=window.owned=1> {{x}} ${y} \u202egnp.py"
    (tmp_path / name).write_text(f"{CODE}# </code></section><script>window.owned = 1</script>\n", encoding="utf-8")
    with visit(browser, f"{page_address}/{LINK}") as page:
        page.locator(".rn-upgrade").wait_for()
        page.locator("#rn-own-files").set_input_files([tmp_path / name])
        page.locator(".rn-uses").wait_for()
        assert "<img src=x onerror=window.owned=1> {{x}} ${y}" in page.locator(".rn-uses").inner_text()
        assert page.evaluate("window.owned === undefined")
        assert page.locator("[data-own] img, .rn-upgrade :is(img, script)").count() == 0


def test_what_is_copied_is_what_is_downloaded(browser: "Browser", page_address: str) -> None:
    permissions = ["clipboard-read", "clipboard-write"]
    with visit(browser, f"{page_address}/{LINK}", permissions=permissions) as page:
        page.get_by_role("button", name="Copy as Markdown").click()
        page.get_by_role("button", name="Copied").wait_for()
        copied = page.evaluate("navigator.clipboard.readText()")
        assert copied.startswith("## Upgrade of widget 1.5 → 2.0.0\n")
        link = page.get_by_role("link", name="Download")
        assert link.get_attribute("download") == "widget-1.5-2.0.0.md"
        assert unquote((link.get_attribute("href") or "").partition(",")[2]) == copied
        with page.expect_download() as download:
            link.click()
        assert download.value.path().read_text(encoding="utf-8") == copied


def test_wrong_requests_are_told_with_the_next_step(browser: "Browser", page_address: str) -> None:
    with visit(browser, f"{page_address}/?tab=upgrade&product=nowhere&from=1&to=2") as page:
        failure = page.locator("#rn-upgrade-result .rn-failure")
        failure.wait_for()
        assert "Unknown product: 'nowhere' isn't in the index." in failure.inner_text()
    with visit(browser, f"{page_address}/?tab=upgrade&product=widget&from=2.0.0&to=1.5.0") as page:
        failure = page.locator("#rn-upgrade-result .rn-failure")
        failure.wait_for()
        assert "Not an upgrade: '2.0.0' is newer than '1.5.0'" in failure.inner_text()
        version = page.locator("#rn-upgrade-from input")
        version.fill("1.4.9")
        version.press("Enter")
        page.locator("#rn-upgrade-to input").fill("latest")
        page.locator("#rn-upgrade-to input").press("Enter")
        page.get_by_role("button", name="Show changes").click()
        page.get_by_role("heading", name="widget 1.4.9 → 2.0.0").wait_for()
