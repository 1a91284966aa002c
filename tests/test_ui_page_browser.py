"""The page in the browser: tabs by mouse, keyboard and address, a theme that lasts, a header at once."""

from typing import TYPE_CHECKING

import pytest
from page_browser import visit

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]

LIGHT, DARK = "rgb(255, 255, 255)", "rgb(18, 22, 29)"


def ground(page: "Page") -> str:
    return str(page.evaluate("getComputedStyle(document.body).backgroundColor"))


def settled(page: "Page") -> None:
    """Wait until nothing is on its way: what a reload cuts off, Gradio reports as an error."""
    page.locator(".rn-coverage").wait_for()


def test_every_tab_opens_and_names_the_page(browser: "Browser", page_address: str) -> None:
    with visit(browser, page_address) as page:
        for name in ("Upgrade", "Review", "Library", "Ask"):
            tab = page.get_by_role("tab", name=name)
            tab.click()
            assert tab.get_attribute("aria-selected") == "true"
            panel = page.get_by_role("tabpanel", name=name)
            panel.wait_for(state="attached")
            assert tab.get_attribute("aria-controls") == panel.get_attribute("id")
            assert page.title() == ("relnotes" if name == "Ask" else f"{name} · relnotes")


def test_arrows_go_round_the_tabs_and_tab_leaves_them(browser: "Browser", page_address: str) -> None:
    with visit(browser, page_address) as page:
        ask = page.get_by_role("tab", name="Ask")
        ask.focus()
        for key, name in (
            ("ArrowRight", "Upgrade"),
            ("End", "Library"),
            ("ArrowRight", "Ask"),
            ("ArrowLeft", "Library"),
        ):
            page.keyboard.press(key)
            page.locator("[role=tab][aria-selected=true]:focus", has_text=name).wait_for()
        assert page.locator("[role=tab][tabindex='0']").all_inner_texts() == ["Library"]
        page.keyboard.press("Tab")
        assert page.locator(":focus").get_attribute("role") != "tab"


def test_the_address_keeps_the_tab(browser: "Browser", page_address: str) -> None:
    with visit(browser, page_address) as page:
        page.get_by_role("tab", name="Library").click()
        page.wait_for_url("**/?tab=library")
    with visit(browser, f"{page_address}/?tab=library") as page:
        page.locator("[role=tab][data-tab=library][aria-selected=true]").wait_for()
        page.get_by_role("tab", name="Ask").click()
        page.wait_for_url(lambda url: "tab=" not in url)


def test_a_tab_that_cannot_be_loaded_says_so(browser: "Browser", page_address: str) -> None:
    with visit(browser, page_address) as page:
        page.route("**/config", lambda route: route.fulfill(json={"detail": "Too many questions"}))
        page.get_by_role("tab", name="Library").click()
        page.get_by_text("This can't be loaded now.").wait_for()
        page.get_by_role("tab", name="Ask").click()
        assert page.locator("#rn-question").is_visible()


@pytest.mark.parametrize(("system", "choice", "shown"), [("light", "Dark theme", DARK), ("dark", "Light theme", LIGHT)])
def test_a_chosen_theme_lasts(browser: "Browser", page_address: str, system: str, choice: str, shown: str) -> None:
    with visit(browser, page_address, color_scheme=system) as page:
        page.locator("#rn-question").wait_for()
        before = ground(page)
        page.get_by_role("button", name=choice).click()
        assert ground(page) == shown != before
        settled(page)
        page.reload()
        assert page.get_by_role("button", name=choice).get_attribute("aria-pressed") == "true"
        page.locator("#rn-question").wait_for()
        assert ground(page) == shown
        page.get_by_role("button", name="System theme").click()
        assert ground(page) == before
        page.emulate_media(color_scheme="dark" if system == "light" else "light")
        page.wait_for_function("shown => getComputedStyle(document.body).backgroundColor === shown", arg=shown)


def test_the_header_is_there_before_any_script_ran(browser: "Browser", page_address: str) -> None:
    with visit(browser, page_address, java_script_enabled=False) as page:
        assert page.get_by_role("heading", level=1).inner_text() == "relnotes"
        assert "relnotes ask" in page.locator("noscript").inner_text()
        assert page.title() == "relnotes"


def test_the_footer_leads_to_how_far_to_trust_answers(browser: "Browser", page_address: str) -> None:
    with visit(browser, page_address) as page:
        page.get_by_role("link", name="How far to trust answers").click()
        page.get_by_role("heading", name="How far to trust answers").wait_for()
        assert (
            "documents that come with relnotes"
            in page.get_by_role("region", name="Figures by set of questions").inner_text()
        )
        page.get_by_role("link", name="relnotes").click()
        page.locator("#rn-question").wait_for()
