"""Review in the browser: examples, a diff and a text that are pasted, each beside what the notes say."""

from typing import TYPE_CHECKING

import pytest
from page_browser import visit

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


def review(page: "Page", text: str) -> None:
    """Paste `text`, and have it reviewed with the keyboard."""
    page.get_by_label("Diff, or text that says something about releases").fill(text)
    page.get_by_role("button", name="Review", exact=True).press("Enter")
    page.locator(".rn-review").wait_for()
    page.wait_for_load_state()


def test_each_line_of_a_diff_stands_beside_what_the_notes_say(browser: "Browser", page_address: str) -> None:
    with visit(browser, f"{page_address}/review") as page:
        review(page, DIFF)
        said = "Read as a diff of 2 files. The notes speak of 1 dependency and 2 names on changed lines."
        assert page.locator(".rn-summary").inner_text().startswith(said)
        assert page.locator(".rn-beside").first.locator(".rn-at").inner_text() == "app.py:2"
        row = page.locator(".rn-beside", has_text="widget==1.5.0")
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
        assert "unheard-of: No release notes in the library." in page.locator(".rn-unknown").inner_text()
        page.get_by_role("link", name="Open in Upgrade").click()
        page.get_by_role("heading", name="widget 1.5.0 → 2.0.0").wait_for()
