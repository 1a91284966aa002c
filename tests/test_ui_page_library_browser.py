"""The Library in the browser: upload, watch, ask, remove, cancel; and a quote in its document."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from notes_server import NotesServer
from notes_server import page as notes_page
from page_browser import WIDTHS, running_page, visit
from ui_small_index import WIDGET

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]
NEWS = "# Sprocket changelog\n\n## 4.1.0 (2026-10-02)\n\n- The teeth of Sprocket are hardened in argon.\n"
HOSTILE = (
    "# Cog notes\n\n## 1.0 (2026-10-02)\n\n- <img src=x onerror=window.owned=1> [a](javascript:window.owned=1) {{x}}\n"
    f"- The key is \u202egnirts\u202c.\n- {'long' * 4000}\n"
)


def _open_library(page: "Page") -> None:
    page.get_by_role("tab", name="Library").click()
    page.locator("#rn-documents").wait_for()


def _file(name: str, text: str) -> Any:
    return {"name": name, "mimeType": "text/markdown", "buffer": text.encode()}


def _add(page: "Page", *files: Any) -> str:
    page.get_by_label("Files").set_input_files(list(files))
    page.get_by_role("button", name="Add", exact=True).click()
    page.locator("#rn-ingest-outcome .rn-note").wait_for()
    return page.locator("#rn-ingest-outcome").inner_text()


def test_an_uploaded_file_is_asked_about_and_removed(browser: "Browser", own_address: str) -> None:
    with visit(browser, own_address) as page:
        _open_library(page)
        printed = _add(page, _file("CHANGELOG.md", NEWS))
        assert "Added 1 document. The library has 3 documents about 3 products now." in printed
        assert "Sprocket 4.1.0: 1 document, " in printed
        assert page.locator("#rn-library-coverage tbody th").all_inner_texts() == ["Gadget", "Sprocket", "widget"]
        page.get_by_label("Search documents").fill("sprocket")
        assert page.locator("#rn-documents tbody tr:visible").count() == 1
        assert page.locator("[data-count-of]").inner_text() == "1 of 3 documents"

        page.get_by_role("link", name="Ask about it").click()
        page.get_by_text("hardened in argon").first.wait_for()
        page.go_back()

        _open_library(page)
        page.get_by_role("button", name="Remove sprocket/CHANGELOG.md").click()
        dialog = page.get_by_role("dialog", name="Remove a document")
        assert (
            "Remove “sprocket/CHANGELOG.md” from the library? Answers will no longer quote it." in dialog.inner_text()
        )
        dialog.get_by_role("button", name="Remove").click()
        page.get_by_role("button", name="Remove sprocket/CHANGELOG.md").wait_for(state="detached")
        assert (
            page.locator("#rn-removed").inner_text() == "Removed “sprocket/CHANGELOG.md”. Answers no longer quote it."
        )
        assert page.locator("#rn-library-coverage tbody th").all_inner_texts() == ["Gadget", "widget"]


def test_keeping_a_document_needs_only_escape(browser: "Browser", own_address: str) -> None:
    with visit(browser, own_address) as page:
        _open_library(page)
        button = page.get_by_role("button", name="Remove widget/changes.md")
        button.focus()
        page.keyboard.press("Enter")
        page.get_by_role("dialog").wait_for()
        page.keyboard.press("Escape")
        page.get_by_role("dialog").wait_for(state="hidden")
        assert button.is_visible()


def test_a_cancelled_ingest_leaves_the_list_as_it_was(browser: "Browser", own_address: str) -> None:
    entries = (
        f"- Change {n} of the Flywheel makes part {n * 7} turn {n * 13} times faster than before.\n"
        for n in range(4000)
    )
    with visit(browser, own_address) as page:
        _open_library(page)
        before = page.locator("#rn-documents tbody th").all_inner_texts()
        page.get_by_label("Files").set_input_files(
            [_file("flywheel.md", "# Flywheel changelog\n\n## 1.0 (2026-10-02)\n\n" + "".join(entries))]
        )
        page.get_by_role("button", name="Add", exact=True).click()
        page.get_by_role("button", name="Cancel").click()
        page.locator("#rn-ingest-outcome .rn-note").wait_for()
        assert "Cancelled. The library is as it was before." in page.locator("#rn-ingest-outcome").inner_text()
        assert page.locator("#rn-documents tbody th").all_inner_texts() == before
        assert not page.get_by_role("button", name="Cancel").is_visible()


def test_an_added_address_ends_in_what_can_be_asked_now(browser: "Browser", own_index: Path) -> None:
    with (
        NotesServer() as server,
        running_page(own_index, RELNOTES_ALLOW_PRIVATE_HOSTS=server.host) as address,
        visit(browser, address) as page,
    ):
        server.pages["/changes.md"] = notes_page(NEWS)
        _open_library(page)
        page.get_by_label("Or an address").fill(server.url("/changes.md"))
        page.keyboard.press("Enter")
        outcome = page.locator("#rn-ingest-outcome .rn-note")
        outcome.wait_for()
        assert "Added 1 document." in outcome.inner_text()
        page.get_by_role("link", name="Ask about it").click()
        page.get_by_text("hardened in argon").first.wait_for()


def test_on_a_phone_every_row_is_a_card_in_sight(browser: "Browser", page_address: str) -> None:
    with visit(browser, page_address, viewport={"width": 390, "height": 800}, color_scheme="dark") as page:
        _open_library(page)
        for table in ("#rn-library-coverage", "#rn-library-documents"):
            assert page.locator(f"{table} .rn-scroll").evaluate("frame => frame.scrollWidth <= frame.clientWidth")
            assert not page.locator(f"{table} thead").is_visible()
            cells = page.locator(f"{table} tbody tr").first.locator(":is(th, td):not(:empty)")
            for cell in cells.all():
                box = cell.bounding_box()
                assert box is not None
                assert box["x"] >= 0
                assert box["x"] + box["width"] <= 390
        assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_what_the_page_may_not_read_is_said(browser: "Browser", own_address: str) -> None:
    with visit(browser, own_address) as page:
        _open_library(page)
        for address, said in (
            ("/etc/passwd", "reads no files of this server"),
            ("", "Choose files or write an address first"),
        ):
            page.get_by_label("Or an address").fill(address)
            page.get_by_role("button", name="Add", exact=True).click()
            page.locator("#rn-ingest-outcome .rn-warn", has_text=said).wait_for()


def test_headings_sort_by_keyboard(browser: "Browser", page_address: str) -> None:
    with visit(browser, page_address) as page:
        _open_library(page)
        heading = page.locator("#rn-documents th", has_text="Passages")
        counts = []
        for _ in range(2):
            heading.get_by_role("button").press("Enter")
            counts.append([int(count) for count in page.locator("#rn-documents td.rn-number").all_inner_texts()])
        assert heading.get_attribute("aria-sort") == "descending"
        assert counts[0] == sorted(counts[0])
        assert counts[1] == sorted(counts[1], reverse=True)


def test_a_quote_is_marked_in_its_document_and_in_sight(browser: "Browser", page_address: str) -> None:
    quote = "`widget.turn` rotates a widget"
    start = WIDGET.index(quote)
    with visit(browser, page_address, viewport={"width": 1440, "height": 400}) as page:
        _open_library(page)
        link = page.locator("#rn-documents a", has_text="widget/changes.md").get_attribute("href")
        for width in WIDTHS.values():
            page.set_viewport_size({"width": width, "height": 400})
            page.goto(f"{page_address}{link}?start={start}&end={start + len(quote)}#quote")
            assert page.locator("mark#quote").inner_text() == quote.replace("`", "")
            page.wait_for_function(
                "(r => r.top >= 0 && r.bottom <= innerHeight)(document.querySelector('#quote').getBoundingClientRect())"
            )
            assert page.evaluate("document.documentElement.scrollWidth") == width


def test_markup_in_a_document_is_shown_not_run(browser: "Browser", own_address: str) -> None:
    with visit(browser, own_address, viewport={"width": 390, "height": 800}) as page:
        _open_library(page)
        page.get_by_label("Product").last.fill("Cog")
        assert "Added 1 document." in _add(page, _file("<img src=x onerror=window.owned=1>.md", HOSTILE))
        page.get_by_role("link", name="Open the document").click()
        page.locator(".rn-passage").first.wait_for()
        assert page.locator("main img, main a[href^=javascript]").count() == 0
        page.get_by_text("Show the raw text").click()
        page.get_by_text("Show as it reads").wait_for()
        text = str(page.locator("main").text_content())
        assert "<img src=x onerror=window.owned=1> [a](javascript:window.owned=1) {{x}}" in text
        assert page.locator(".rn-hidden").count() == 2
        assert page.evaluate("window.owned === undefined")
        assert page.locator("main img, main a[href^=javascript]").count() == 0
        assert page.evaluate("document.documentElement.scrollWidth") == 390
