"""An upgrade as HTML and as Markdown: what is counted, what is drawn, and that documents stay text."""

from dataclasses import replace
from datetime import date
from pathlib import Path
from urllib.parse import unquote

from page_answers import around
from page_html import assert_harmless
from reviews_by_hand import HOSTILE, PLAIN, citation

from corpus.model import Change, Kind
from retrieval.blocks import words_of
from retrieval.upgrades.model import Upgrade, UpgradeItem, UpgradeRelease, Usage
from ui.rendering.markup import markdown_text
from ui.rendering.upgrade import render_upgrade_markdown
from ui.web.html import markdown_address, page_address, render
from ui.web.source import Surroundings
from ui.web.upgrade import render_upgrade_html

USED = PLAIN.bumps[0].items[0]
ITEMS = tuple(replace(item, usages=()) for item in PLAIN.bumps[0].items)
SECURITY = PLAIN.bumps[0].security
UPGRADE = Upgrade(
    product="Widget",
    start="1.5",
    end="2.1",
    releases=(UpgradeRelease("2.0", date(2024, 5, 1), (ITEMS[1], ITEMS[0])), UpgradeRelease("2.1", None, (ITEMS[2],))),
    security=SECURITY,
    missing_releases=("2.0.2",),
    notes=("The notes of `2.0` were written later.",),
)


def test_that_nothing_changes_is_told() -> None:
    assert "These notes name nothing to change." in render_upgrade_html(Upgrade("a", "1", "2", (), (), (), ()), around)


def test_hostile_text_stays_text() -> None:
    cited = replace(citation(HOSTILE, heading=(HOSTILE,), version=HOSTILE, url="javascript:alert(1)"), title=HOSTILE)
    item = UpgradeItem(
        Kind.REMOVAL, Change.REMOVED, words_of(HOSTILE), (HOSTILE,), cited, (HOSTILE,), (Usage("x", HOSTILE, 1),)
    )
    upgrade = Upgrade(
        HOSTILE, "1", "2", (UpgradeRelease(HOSTILE, None, (item, item)),), (item,), (HOSTILE,), (HOSTILE,)
    )
    turned = Surroundings("<b>{x}", "${y}</details>", False, False)
    found = assert_harmless(render_upgrade_html(upgrade, lambda _: turned, left_out=(HOSTILE,), with_code=True))
    assert "[x](javascript:alert(1))" in found.text


def test_markdown_is_for_a_pull_request() -> None:
    used = replace(USED, usages=USED.usages[:1], repeated_in=())
    mended = replace(SECURITY[0], citation=replace(SECURITY[0].citation, version="2.0"))
    releases = (UpgradeRelease("2.0", date(2024, 5, 1), (ITEMS[1], used)), UPGRADE.releases[1])
    text = render_upgrade_markdown(replace(UPGRADE, releases=releases, security=(mended,)))
    golden = Path(__file__).parent / "data" / "upgrade.markdown.txt"
    assert text == golden.read_text(encoding="utf-8")


def test_download_holds_the_markdown_with_its_dead_mentions_and_a_link_leads_back() -> None:
    markdown = f"# a & b\n\n`100 %` {{x}} \udc80 ü {markdown_text('#12')}"
    link = page_address("upgrade", product="a b&c")
    found = assert_harmless(
        render("cards", "head", title="", address=markdown_address(markdown), file_name="a.md", link=link)
    )
    download, link = found.values("href")
    assert unquote(download.partition(",")[2]) == markdown.replace("\udc80", "?")
    assert link == "/upgrade?product=a+b%26c"
    assert found.values("download") == ["a.md"]
