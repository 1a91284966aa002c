"""What people see in the browser: words that stay legible however they are pointed at, tables whose cells are whole."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from page_browser import visit

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WAYS = ("/upgrade?product=PyTorch", "/review?example=diff", "/review?example=claim", "/library", "/api", "/documents/1",
        "/p/PyTorch")  # fmt: skip
STATES = (["hover"], ["focus", "focus-visible"], ["hover", "active"], ["hover", "focus", "active"])
OPEN = "document.querySelectorAll('details').forEach((one) => { one.open = true; })"
# Marks what can be pointed at, three of a look.
HOLD = """() => {
  const held = {};
  const wanted = "a, button, summary, label, input, textarea, select, details, [tabindex], [role=option], mark, li, tr";
  for (const one of document.querySelectorAll(wanted)) {
    const look = [one.tagName, one.className, one.parentElement.tagName, one.parentElement.className].join();
    held[look] = (held[look] ?? 0) + 1;
    if (held[look] <= 3) one.dataset.held = "";
  }
}"""
# Of each text the least contrast with the ground that it stands on (WCAG 2.2, 1.4.3), where that is below 4.5.
FAINT = """() => {
  const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
  const known = new Map();
  const rgba = (colour) => {
    if (known.has(colour)) return known.get(colour);
    canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    known.set(colour, [r, g, b, a / 255]);
    return known.get(colour);
  };
  const over = ([r, g, b, a], under) => [r, g, b].map((v, n) => v * a + under[n] * (1 - a));
  const light = (rgb) => {
    const [r, g, b] = rgb.map((v) => v / 255).map((v) => (v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4));
    return .2126 * r + .7152 * g + .0722 * b;
  };
  const found = [];
  for (const one of document.querySelectorAll("body *")) {
    const style = getComputedStyle(one);
    const words = [...one.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data.trim()).join(" ");
    const isShown = one.checkVisibility({visibilityProperty: true}) && one.getBoundingClientRect().width > 1;
    if (!words.trim() || !isShown || one.closest("svg, [aria-busy=true], .rn-visually-hidden")) continue;
    const chain = [];
    for (let at = one; at; at = at.parentElement) chain.unshift(rgba(getComputedStyle(at).backgroundColor));
    const ground = chain.reduce((under, ground) => over(ground, under), [255, 255, 255]);
    const [high, low] = [light(ground), light(over(rgba(style.color), ground))].sort((one, other) => other - one);
    const contrast = (high + .05) / (low + .05);
    if (contrast < 4.5) found.push(`${one.tagName} ${one.className} "${words.slice(0, 30)}" ${contrast.toFixed(2)}`);
  }
  return [...new Set(found)];
}"""


def faint(page: "Page") -> dict[str, list[str]]:
    """What is hard to read in either theme, all cards open: with nothing pointed at, and all that can be."""
    page.evaluate(OPEN)
    page.evaluate(HOLD)
    session: Any = page.context.new_cdp_session(page)
    session.send("DOM.enable")
    session.send("CSS.enable")
    root = session.send("DOM.getDocument", {"depth": 0})["root"]["nodeId"]
    nodes = session.send("DOM.querySelectorAll", {"nodeId": root, "selector": "[data-held]"})["nodeIds"]
    said = {}
    for states in ([], *STATES):
        for node in nodes if states else ():
            session.send("CSS.forcePseudoState", {"nodeId": node, "forcedPseudoClasses": states})
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme, reduced_motion="reduce")
            said[f"{theme} {' '.join(states)}"] = page.evaluate(FAINT)
    session.detach()
    return {state: found for state, found in said.items() if found}


def test_words_stay_legible_however_they_are_pointed_at(browser: "Browser", page_address: str) -> None:
    with visit(browser, page_address) as page:
        found = {}
        for path in ("/?q=Is widget.spin deprecated?", "/?q=What is new in Kubernetes 1.30?", *WAYS):
            for width in (390, 1440):
                page.set_viewport_size({"width": width, "height": 900})
                # An open source is a sheet on the one, and beside the answer on the other.
                if width == 390 or "?q=" in path:
                    page.goto(f"{page_address}{path}")
                if "?q=" in path:
                    page.locator("#rn-turn-1 .rn-answer").wait_for()
                for marker in page.locator(".rn-marker").all()[:1]:
                    marker.click()
                found[path, width] = faint(page)
        assert {where: states for where, states in found.items() if states} == {}


# Of all cells of our tables those of which not every word is in sight.
CUT = """() => [...document.querySelectorAll(".rn-table :is(th, td)")].filter((cell) => {
  if (!cell.checkVisibility()) return false;
  const words = document.createRange();
  words.selectNodeContents(cell);
  const boxes = [...words.getClientRects()].filter((box) => box.width);
  const { scrollWidth, clientWidth } = cell.closest(".rn-scroll");
  return scrollWidth > clientWidth || boxes.some((box) => box.left < 0 || box.right > innerWidth);
}).map((cell) => cell.textContent)"""


def test_no_cell_of_a_table_is_cut_on_a_phone(browser: "Browser", page_address: str, tmp_path: Path) -> None:
    lines = tmp_path / "requirements.txt"
    lines.write_text("widget==1.5.0\ntorch==2.8.0\n", encoding="utf-8")
    with visit(browser, f"{page_address}/upgrade", viewport={"width": 320, "height": 800}) as page:
        page.locator("#rn-own-files").set_input_files([lines])
        page.get_by_text("Your files have older releases of 2 products.").wait_for()
        assert page.get_by_role("table", name="Upgrades").get_by_role("cell").count()
        cut = {}
        for path in ("", "/library", "/api", "/p/PyTorch", "/upgrade?product=PyTorch&from=2.8&to=2.9"):
            if path:
                page.goto(f"{page_address}{path}")
                page.evaluate(OPEN)
            assert page.locator(".rn-table td").count()
            for width in (320, 360, 390, 430):
                page.set_viewport_size({"width": width, "height": 800})
                cut[path, width] = page.evaluate(CUT)
                assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
        assert {where: cells for where, cells in cut.items() if cells} == {}


def test_upgrade_begins_with_ones_own_files(browser: "Browser", page_address: str) -> None:
    with visit(browser, f"{page_address}/upgrade?product=PyTorch", viewport={"width": 390, "height": 844}) as page:
        fields = page.locator("#rn-main :is(input, select, button, a):visible")
        assert fields.first.get_attribute("id") == "rn-own-files"
        assert page.get_by_text("Check your own files").is_visible()


def test_a_count_takes_two_lines_at_most_and_two_releases_stand_in_columns(
    browser: "Browser", page_address: str
) -> None:
    lines = "(one) => one.getBoundingClientRect().height / parseFloat(getComputedStyle(one).lineHeight)"
    with visit(browser, page_address) as page:
        for question in ("What is new in PyTorch 2.9?", "What is new in widget 2.0.0?", "compare PyTorch 2.8 and 2.9"):
            page.goto(f"{page_address}/?q={question}")
            page.locator("#rn-turn-1 .rn-answer").wait_for()
            assert page.locator(".rn-counted").count()
            for width in (360, 1440):
                page.set_viewport_size({"width": width, "height": 900})
                counts = page.locator(".rn-counted").all()
                assert [one.inner_text() for one in counts if one.evaluate(lines) > 2.5] == [], (question, width)
        sides = page.locator(".rn-answer .rn-group")
        assert sides.locator("h3").all_inner_texts() == ["PyTorch 2.8", "PyTorch 2.9"]
        boxes = [side.bounding_box() or {"x": 0.0, "width": 0.0} for side in sides.all()]
        assert boxes[0]["x"] + boxes[0]["width"] <= boxes[1]["x"]
        for side in sides.all():
            assert side.locator("li").count() > 1
        assert sides.last.locator("li").first.inner_text().startswith("Breaking: ")
