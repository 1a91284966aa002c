"""The site in the browser: its pages by mouse and keyboard, a theme that lasts, what is there without a script."""

from typing import TYPE_CHECKING

import pytest
from page_browser import visit

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]

LIGHT, DARK = "rgb(251, 251, 250)", "rgb(15, 17, 21)"
PAGES = {"Ask": "/", "Upgrade": "/upgrade", "Review": "/review", "Library": "/library"}


def ground(page: "Page") -> str:
    return str(page.evaluate("getComputedStyle(document.body).backgroundColor"))


def test_every_page_opens_and_names_itself(browser: "Browser", page_address: str) -> None:
    with visit(browser, page_address) as page:
        for name, path in PAGES.items():
            page.get_by_role("navigation", name="Main").get_by_role("link", name=name).press("Enter")
            page.wait_for_url(f"{page_address}{path}")
            assert page.locator("[aria-current=page]").first.inner_text() == name
            assert page.title() == ("relnotes" if name == "Ask" else f"{name} · relnotes")


@pytest.mark.parametrize(("system", "choice", "shown"), [("light", "dark", DARK), ("dark", "light", LIGHT)])
def test_a_chosen_theme_lasts(browser: "Browser", page_address: str, system: str, choice: str, shown: str) -> None:
    with visit(browser, page_address, color_scheme=system) as page:
        before = ground(page)
        button = page.locator("#rn-theme")
        while button.get_attribute("aria-label") != f"Theme: {choice}":
            button.click()
        assert ground(page) == shown != before
        # The next page comes as it was chosen.
        page.goto(f"{page_address}/library")
        assert ground(page) == shown
        while button.get_attribute("aria-label") != "Theme: system":
            button.click()
        page.reload()
        assert ground(page) == before


def test_what_is_there_without_a_script(browser: "Browser", page_address: str) -> None:
    with visit(browser, page_address, java_script_enabled=False) as page:
        assert page.get_by_role("heading", level=1).inner_text() == "What changed?"
        assert "relnotes ask" in page.locator("noscript").inner_text()
        page.goto(f"{page_address}/upgrade?product=PyTorch&from=2.8&to=2.9")
        assert page.locator(".rn-upgrade .rn-changes").count()
