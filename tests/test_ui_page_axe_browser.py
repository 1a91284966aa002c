"""axe-core on every tab, the figures and a document, both themes, phone and desk: no serious or critical violation."""

from typing import TYPE_CHECKING, Any

import pytest
from page_browser import WIDTHS, visit

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]

TABS = ("Ask", "Upgrade", "Review", "Library")
GRAVE = frozenset({"serious", "critical"})
RULES: dict[str, dict[str, Any]] = {
    "light": {},
    # The themes differ in their colours alone, and so do the rules that can find something new in the second one.
    "dark": {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}},
}


def grave_violations(page: "Page", rules: dict[str, Any]) -> list[str]:
    """What axe calls serious or critical, each with its first places."""
    from axe_core_python.sync_playwright import Axe

    found: list[dict[str, Any]] = Axe().run(page, options={"resultTypes": ["violations"], **rules})["violations"]
    return [
        f"{violation['id']} ({violation['impact']}): {[node['html'][:160] for node in violation['nodes'][:3]]}"
        for violation in found
        if violation["impact"] in GRAVE
    ]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", ["phone", "desk"])
def test_no_tab_has_a_grave_violation(browser: "Browser", page_address: str, theme: str, width: str) -> None:
    viewport = {"width": WIDTHS[width], "height": 900}
    # Without motion, no colour is caught on its way.
    with visit(browser, page_address, color_scheme=theme, viewport=viewport, reduced_motion="reduce") as page:
        page.locator("#rn-question textarea").fill("What was deprecated in PyTorch 2.9?")
        page.keyboard.press("Enter")
        page.locator("#rn-answer .rn-answer").wait_for()
        page.get_by_role("button", name="Show source 1").first.click()
        violations = {}
        for name in TABS:
            page.get_by_role("tab", name=name).click()
            page.locator("[role=tabpanel]:visible .column").first.wait_for()
            violations[name] = grave_violations(page, RULES[theme])
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{name} scrolls sideways"
        page.goto(f"{page_address}/quality")
        violations["quality"] = grave_violations(page, RULES[theme])
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.goto(f"{page_address}/documents/1")
        violations["document"] = grave_violations(page, RULES[theme])
        assert violations == {name: [] for name in (*TABS, "quality", "document")}
