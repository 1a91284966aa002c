"""The page in the browser, from typing to the marked quote."""

from typing import TYPE_CHECKING

import pytest
from page_browser import visit

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_every_tab_opens(browser: "Browser", page_address: str) -> None:
    with visit(browser, page_address) as page:
        for name in ("Upgrade", "Review", "Library", "Quality", "Ask"):
            page.get_by_role("tab", name=name).click()
            assert page.get_by_role("tab", name=name).get_attribute("aria-selected") == "true"
