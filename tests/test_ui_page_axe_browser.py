"""axe-core at every step of a conversation and on every page, in both themes and all widths: no grave violation."""

from typing import TYPE_CHECKING, Any

import pytest
from page_browser import visit

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PAGES = (
    "/upgrade?product=PyTorch&from=2.8&to=2.9",
    "/review?example=claim",
    "/review?example=diff",
    "/library",
    "/documents/1",
    "/p/PyTorch",
    "/p/PyTorch/2.9",
    "/p/nothing",
)
GRAVE = frozenset({"serious", "critical"})
RULES: dict[str, dict[str, Any]] = {
    "light": {},
    # The themes differ in their colours alone, and so do the rules that can find something new in the second one.
    "dark": {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}},
}
# What stands on which ground depends on whether sources come beside the answer or over it: one screen of each for dark.
SCREENS = {
    "phone": (390, 844, ("light", "dark")),
    "tablet": (820, 1180, ("light",)),
    "desk": (1440, 900, ("light", "dark")),
    "desk at 200 %": (720, 450, ("light",)),
}


def assert_nothing_grave(page: "Page", step: str, themes: tuple[str, ...]) -> None:
    """Nothing that axe calls serious or critical; what is found is told with its first places."""
    from axe_core_python.sync_playwright import Axe

    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{step} scrolls sideways"
    for theme in themes:
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")  # type: ignore[arg-type]
        options = {"resultTypes": ["violations"], **RULES[theme]}
        if not page.evaluate("'axe' in window"):
            page.evaluate(Axe().axe_script)
        found = page.evaluate("(options) => axe.run(options).then((told) => told.violations)", options)
        assert [
            f"{violation['id']} ({violation['impact']}): {[node['html'][:160] for node in violation['nodes'][:3]]}"
            for violation in found
            if violation["impact"] in GRAVE
        ] == [], f"{step}, {theme}"
    page.emulate_media(color_scheme="light", reduced_motion="reduce")


@pytest.mark.parametrize(("width", "height", "themes"), SCREENS.values(), ids=SCREENS.keys())
def test_no_step_of_a_conversation_has_a_grave_violation(
    browser: "Browser", page_address: str, width: int, height: int, themes: tuple[str, ...]
) -> None:
    """By keyboard alone, without motion."""

    def look(step: str) -> None:
        assert_nothing_grave(page, step, themes)

    viewport = {"width": width, "height": height}
    with visit(browser, page_address, color_scheme="light", viewport=viewport, reduced_motion="reduce") as page:
        page.locator(".rn-start").wait_for()
        look("start")
        page.keyboard.press("Control+k")
        page.keyboard.type("What is new in PyTorch 2.9?")
        page.keyboard.press("Enter")
        page.locator("#rn-turn-1 .rn-follow-ups button").first.wait_for()
        page.locator("#rn-turn-1 .rn-marker").nth(1).focus()
        page.get_by_role("tooltip").wait_for()
        look("answer")
        page.keyboard.press("Enter")
        look("source")
        page.keyboard.press("Escape")
        page.locator("#rn-turn-1 .rn-follow-ups button").first.press("Enter")
        page.locator("#rn-turn-2 .rn-answer").wait_for()
        page.keyboard.press("Control+k")
        page.keyboard.type("What is new in Kubernetes 1.30?")
        page.keyboard.press("Enter")
        page.locator("#rn-turn-3 .rn-not_found").wait_for()
        look("not found")
        box, turn = page.locator("#rn-question").bounding_box(), page.locator("#rn-turn-3 h2").bounding_box()
        assert box is not None
        assert turn is not None
        assert 0 <= turn["y"] < box["y"] < height, "the answer or the box is out of sight"
        page.get_by_role("button", name="History").press("Enter")
        page.get_by_role("dialog", name="History").wait_for()
        look("conversations")


def test_no_page_has_a_grave_violation(browser: "Browser", page_address: str) -> None:
    # Without motion, no colour is caught on its way.
    with visit(browser, page_address, color_scheme="light", reduced_motion="reduce") as page:
        for path in PAGES:
            page.goto(f"{page_address}{path}")
            for width, height, themes in SCREENS.values():
                page.set_viewport_size({"width": width, "height": height})
                assert_nothing_grave(page, f"{path}, {width} wide", themes)
