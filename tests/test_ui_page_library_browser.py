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


def _file(name: str, text: str) -> Any:
    return {"name": name, "mimeType": "text/markdown", "buffer": text.encode()}


def _add(page: "Page", *files: Any) -> str:
    page.get_by_label("Files").set_input_files(list(files))
    page.get_by_role("button", name="Add", exact=True).click()
    page.locator("#rn-ingest-outcome .rn-note").wait_for()
    page.wait_for_load_state()
    return page.locator("#rn-ingest-outcome").inner_text()


def test_an_uploaded_file_is_asked_about_and_removed(browser: "Browser", own_address: str) -> None:
    with visit(browser, own_address + "/library") as page:
        printed = _add(page, _file("CHANGELOG.md", NEWS))
        assert "Added 1 document. The library has 3 documents about 3 products now." in printed
        assert "Sprocket 4.1.0: 1 document, " in printed
        assert page.locator("#rn-library-coverage tbody th").all_inner_texts() == ["Gadget", "Sprocket", "widget"]
        page.get_by_label("Search documents").fill("sprocket")
        assert page.locator("#rn-documents tbody tr:visible").count() == 1
        assert page.locator("[data-count-of]").inner_text() == "1 of 3 documents"

        page.get_by_role("link", name="Ask about it").click()
        page.get_by_text("hardened in argon").first.wait_for()
        page.get_by_role("link", name="Library").click()
        page.wait_for_url(f"{own_address}/library")

        page.get_by_role("button", name="Remove sprocket/CHANGELOG.md").click()
        dialog = page.get_by_role("dialog", name="Remove a document")
        assert (
            "Remove “sprocket/CHANGELOG.md” from the library? Answers will no longer quote it." in dialog.inner_text()
        )
        dialog.get_by_role("button", name="Remove").click()
        page.locator("#rn-removed", has_text="Removed “sprocket/CHANGELOG.md”. Answers no longer quote it.").wait_for()
        assert page.get_by_role("button", name="Remove sprocket/CHANGELOG.md").count() == 0
        page.locator("#rn-library-coverage", has_text="Sprocket").wait_for(state="detached")
        assert page.locator("#rn-library-coverage tbody th").all_inner_texts() == ["Gadget", "widget"]
        assert page.locator("[data-count-of]").inner_text() == "2 documents"


def test_of_several_files_each_is_told_of_and_one_that_is_refused_begins_nothing(
    browser: "Browser", own_address: str
) -> None:
    with visit(browser, own_address + "/library") as page:
        page.get_by_label("Files").set_input_files([_file("empty.md", "")])
        page.get_by_role("button", name="Add", exact=True).click()
        # Not "Sending 1 of 1: empty.md": files are chosen anew once that is over.
        page.locator("#rn-uploading", has_text="empty.md:").wait_for()
        assert page.locator("#rn-ingest-outcome").inner_text() == ""
        printed = _add(page, _file("lever.md", NEWS.replace("Sprocket", "Lever")), _file("empty.md", ""))
        assert "Added 1 document." in printed
        assert "empty.md" in page.locator("#rn-uploading").inner_text()
        page.reload()
        assert page.locator("#rn-uploading").inner_text() == ""


def test_keeping_a_document_needs_only_escape(browser: "Browser", own_address: str) -> None:
    with visit(browser, own_address + "/library") as page:
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
    with visit(browser, own_address + "/library") as page:
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
        visit(browser, address + "/library") as page,
    ):
        server.pages["/changes.md"] = notes_page(NEWS)
        page.get_by_label("Or a URL or package name").fill(server.url("/changes.md"))
        page.keyboard.press("Enter")
        outcome = page.locator("#rn-ingest-outcome .rn-note")
        outcome.wait_for()
        assert "Added 1 document." in outcome.inner_text()
        page.get_by_role("link", name="Ask about it").click()
        page.get_by_text("hardened in argon").first.wait_for()


@pytest.mark.parametrize(("width", "theme"), [(390, "dark"), (360, "light")])
def test_on_a_phone_every_row_is_a_card_in_sight(browser: "Browser", page_address: str, width: int, theme: str) -> None:
    viewport = {"width": width, "height": 800}
    with visit(browser, page_address + "/library", viewport=viewport, color_scheme=theme) as page:
        for table in ("#rn-library-coverage", "#rn-library-documents"):
            assert not page.locator(f"{table} thead").is_visible()
            for cell in page.locator(f"{table} tbody tr").first.locator(":is(th, td):not(:empty)").all():
                box = cell.bounding_box()
                assert box is not None
                assert 0 <= box["x"] <= box["x"] + box["width"] <= width
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_on_a_desk_the_whole_tables_are_in_sight(browser: "Browser", page_address: str) -> None:
    with visit(browser, page_address + "/library", viewport={"width": 1440, "height": 900}) as page:
        for frame in page.locator(".rn-scroll").all():
            assert frame.evaluate("one => one.scrollHeight <= one.clientHeight && one.scrollWidth <= one.clientWidth")


def test_what_the_page_may_not_read_is_said_and_stays_written(browser: "Browser", own_address: str) -> None:
    with visit(browser, own_address + "/library") as page:
        page.get_by_label("Or a URL or package name").fill("/etc/passwd")
        page.get_by_role("button", name="Add", exact=True).click()
        page.locator("#rn-ingest-outcome .rn-warn", has_text="reads no files of this server").wait_for()
        assert page.get_by_label("Or a URL or package name").input_value() == "/etc/passwd"


def test_headings_sort_by_keyboard(browser: "Browser", page_address: str) -> None:
    with visit(browser, page_address + "/library") as page:
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
    from playwright.sync_api import expect

    with visit(browser, page_address + "/library", viewport={"width": 1440, "height": 400}) as page:
        link = page.locator("#rn-documents a", has_text="widget/changes.md").get_attribute("href")
        for width in WIDTHS.values():
            page.set_viewport_size({"width": width, "height": 400})
            page.goto(f"{page_address}{link}?start={start}&end={start + len(quote)}#quote")
            assert page.locator("mark#quote").inner_text() == quote.replace("`", "")
            expect(page.locator("mark#quote")).to_be_in_viewport(ratio=1)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
