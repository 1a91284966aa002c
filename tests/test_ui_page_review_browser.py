"""Review in the browser: examples, a diff and a text that are pasted, each beside what the notes say."""

from typing import TYPE_CHECKING

import pytest
from page_browser import WIDTHS, visit

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]

DIFF = """\
--- a/requirements.txt
+++ b/requirements.txt
@@ -1,2 +1,2 @@
-widget==1.5.0
+widget==2.0.0
-unheard-of==1.0
+unheard-of==2.0
--- a/app.py
+++ b/app.py
@@ -1,2 +1,2 @@
 import widget
-widget.turn(90)
+widget.spin("<img src=x onerror=alert(1)>")
"""
ROWS = """\
| Release | Change |
| --- | --- |
| Widget 2.0.0 | `widget.spin` was deprecated |

Widget 2.0.0 removed support for:

- Python 3.7
"""


def review(page: "Page", text: str) -> None:
    """Paste `text`, and have it reviewed with the keyboard."""
    review_text(page, text)
    page.locator(".rn-review").wait_for()
    page.wait_for_load_state()


def review_text(page: "Page", text: str) -> None:
    page.get_by_label("Diff, or text that says something about releases").fill(text)
    page.get_by_role("button", name="Review", exact=True).focus()
    page.keyboard.press("Enter")


def test_each_line_of_a_diff_stands_beside_what_the_notes_say(browser: "Browser", page_address: str) -> None:
    with visit(browser, f"{page_address}/review") as page:
        review(page, DIFF)
        assert (
            page.locator(".rn-summary")
            .inner_text()
            .startswith("Read as a diff of 2 files. The notes speak of 1 dependency")
        )
        row = page.locator(".rn-beside").first
        assert row.locator(".rn-at").inner_text() == "requirements.txt:1"
        assert row.locator(".rn-diff").inner_text().split("\n")[:2] == ["- widget==1.5.0", "+ widget==2.0.0"]
        left, right = row.locator(".rn-left").bounding_box(), row.locator(".rn-right").bounding_box()
        assert left is not None
        assert right is not None
        assert left["x"] + left["width"] <= right["x"]
        assert row.locator(".rn-used").first.inner_text() == "In use here: app.py:2"
        page.locator(".rn-evidence summary").first.focus()
        page.keyboard.press("Enter")
        assert page.locator(".rn-evidence mark").first.is_visible()
        assert "unheard-of: There are no release notes of it here." in page.locator(".rn-unknown").inner_text()
        page.get_by_role("link", name="Open in Upgrade").click()
        page.get_by_role("heading", name="widget 1.5.0 → 2.0.0").wait_for()


@pytest.mark.parametrize("width", WIDTHS.values(), ids=WIDTHS.keys())
def test_a_row_and_an_entry_say_what_they_are_read_as_and_why(
    browser: "Browser", page_address: str, width: int
) -> None:
    viewport = {"width": width, "height": 900}
    with visit(browser, f"{page_address}/review", viewport=viewport) as page:
        review(page, ROWS)
        claims = page.locator(".rn-claim")
        assert claims.locator(".rn-left mark").all_inner_texts() == ["widget.spin was deprecated", "Python 3.7"]
        assert claims.locator(".rn-read-as").all_inner_texts() == [
            "Read as “Widget 2.0.0 widget.spin was deprecated”",
            "Read as “Widget 2.0.0 removed support for Python 3.7”",
        ]
        assert claims.locator(".rn-says").all_inner_texts() == ["Supported", "Not sure: read this"]
        for reason in claims.locator(".rn-because").all_inner_texts():
            assert "widget 2.0.0 (" in reason
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_what_it_is_read_as_can_be_said(browser: "Browser", page_address: str) -> None:
    with visit(browser, f"{page_address}/review") as page:
        page.get_by_role("radio", name="Text").check()
        review_text(page, DIFF)
        page.get_by_text("Read as a text.").or_(page.get_by_text("No checkable claim")).first.wait_for()
        # What was pasted and how it was read stay in the form.
        assert page.locator("#rn-review-text").input_value() == DIFF
        assert page.get_by_role("radio", name="Text").is_checked()


def test_examples_fill_the_box_and_find_something(browser: "Browser", page_address: str) -> None:
    with visit(browser, f"{page_address}/review") as page:
        page.locator("#rn-example-diff").click()
        page.get_by_role("heading", name="Review of the diff").wait_for()
        assert page.locator("#rn-review-text").input_value().startswith("--- a/requirements.txt\n")
        page.locator(".rn-beside .rn-evidence").first.wait_for()
        page.locator("#rn-example-claim").click()
        page.get_by_role("heading", name="Claims in the text").wait_for()
        assert page.locator(".rn-says").inner_text() == "Supported"


FAULTS = {
    "@@ -1 +1 @@\n-a\n+b": "Malformed diff, line 1",
    "x" * 20_001: "A text may have 20,000 characters here",
    " ": "Paste a diff or a text first",
}


def test_faults_are_told_with_the_next_step(browser: "Browser", page_address: str) -> None:
    with visit(browser, f"{page_address}/review") as page:
        for text, told in FAULTS.items():
            review_text(page, text)
            page.locator("#rn-review-result .rn-failure", has_text=told).wait_for()


def test_columns_stack_on_a_phone(browser: "Browser", page_address: str) -> None:
    viewport = {"width": WIDTHS["phone"], "height": 800}
    with visit(browser, f"{page_address}/review", viewport=viewport, color_scheme="dark") as page:
        review(page, DIFF)
        # Both at once: the page may be on its way to the result.
        ends = "[document.querySelector('.rn-left').getBoundingClientRect().bottom, "
        bottom, top = page.evaluate(ends + "document.querySelector('.rn-right').getBoundingClientRect().top]")
        assert bottom <= top
        assert page.evaluate("document.documentElement.scrollWidth") <= WIDTHS["phone"]
