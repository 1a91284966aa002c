"""The Upgrade tab's values and HTML: what is offered, what is counted, what is drawn, and that documents stay text."""

from dataclasses import replace
from datetime import date
from urllib.parse import unquote

import pytest
from page_html import PageHtml, assert_harmless
from reviews_by_hand import HOSTILE, PLAIN, citation

from corpus.catalogue import CatalogueProduct, CatalogueRelease
from corpus.model import Kind
from corpus.versions import Version
from retrieval.upgrades.model import Change, Upgrade, UpgradeItem, UpgradeRelease
from ui.rendering.upgrade import render_upgrade_markdown
from ui.web.addresses import file_name_of, markdown_address, page_query
from ui.web.html import render
from ui.web.surroundings import Surroundings
from ui.web.upgrade.tab import default_range, first_product, render_upgrade_hint, render_upgrade_html

ITEMS = PLAIN.bumps[0].items
SECURITY = PLAIN.bumps[0].security
UPGRADE = Upgrade(
    product="Widget",
    start="1.5",
    end="2.1",
    releases=(
        UpgradeRelease("2.0", date(2024, 5, 1), (ITEMS[1], ITEMS[0])),
        UpgradeRelease("2.1", None, (ITEMS[2],)),
    ),
    security=SECURITY,
    missing_releases=("2.0.2",),
    notes=("The notes of `2.0` were written later.",),
)
NOTHING = replace(UPGRADE, releases=(), security=(), missing_releases=(), notes=())


def product(*releases: tuple[str, str | None], passages: int = 1, name: str = "Widget") -> CatalogueProduct:
    """A product of the catalogue with releases as (version, date), oldest first."""
    known = tuple(
        CatalogueRelease(Version.parse(version), date.fromisoformat(day) if day else None, ())
        for version, day in reversed(releases)
    )
    return CatalogueProduct(name, (), known, documents=1, passages=passages)


DEFAULTS = {
    "the series before": ((("1.4", None), ("1.5", None), ("1.5.1", None), ("2.0", None)), ("1.5", "2.0")),
    "pre-releases aside": ((("1.9", None), ("2.0", None), ("2.1rc1", None)), ("1.9", "2.0")),
    "one series": ((("1.0.0", None), ("1.0.1", None), ("1.0.2", None)), ("1.0.0", "1.0.2")),
    "pre-releases alone": ((("0.1a1", None), ("0.1a2", None)), ("0.1a1", "0.1a2")),
    "one release": ((("1.0", None),), ("", "1.0")),
    "no release": ((), ("", "")),
}


def around(_citation: object) -> Surroundings:
    """The same surroundings for every quote."""
    return Surroundings("before ", " after", True, False)


@pytest.mark.parametrize(("releases", "expected"), DEFAULTS.values(), ids=DEFAULTS.keys())
def test_form_begins_with_the_last_step(
    releases: tuple[tuple[str, str | None], ...], expected: tuple[str, str]
) -> None:
    assert default_range(product(*releases)) == expected


def test_first_product_has_an_upgrade_to_make() -> None:
    large, small = product(("1.0", None), passages=9, name="large"), product(("1.0", None), ("2.0", None), name="small")
    assert first_product([large, small]) == small
    assert first_product([]) is None


def test_upgrade_tells_how_much_there_is() -> None:
    found = PageHtml(render_upgrade_html(UPGRADE, around))
    assert found.texts("p")[0] == (
        "3 changes to mind in 2 releases: 1 breaking change, 1 new requirement, 1 deprecation. 1 security fix to gain."
    )
    assert found.values("data-announce")[0].startswith("Widget 1.5 → 2.1. 3 changes to mind")
    assert "Without notes in the index: 2.0.2." in found.text
    assert "The notes of 2.0 were written later." in found.text


def test_changes_stand_by_release_and_kind_each_with_its_marked_quote() -> None:
    found = PageHtml(render_upgrade_html(UPGRADE, around))
    assert found.texts("h2") == ["Widget 1.5 → 2.1"]
    assert found.texts("h3") == ["2.0 1 May 2024", "2.1 undated", "Security fixes 1"]
    assert found.texts("h4") == ["Requirements 1", "Deprecated 1", "Breaking 1"]
    quotes = [" ".join(item.citation.quote.split()) for item in (ITEMS[1], ITEMS[0], ITEMS[2], *SECURITY)]
    assert found.texts("mark") == quotes


def test_each_kind_that_there_is_has_a_chip_with_its_count() -> None:
    found = PageHtml(render_upgrade_html(UPGRADE, around))
    assert found.texts("label")[:-1] == ["Breaking 1", "Requirements 1", "Deprecated 1", "Security fixes 1"]
    assert found.values("data-filter") == ["breaks", "requirement", "deprecated", "security"]
    assert sorted(found.values("data-change")) == sorted(found.values("data-filter"))


def test_nothing_found_is_said_and_nothing_is_offered_to_filter() -> None:
    found = PageHtml(render_upgrade_html(NOTHING, around))
    assert "Nothing to mind in these notes." in found.text
    assert {"fieldset", "figure", "mark"}.isdisjoint(found.tags)


def test_hint_for_an_empty_index_says_what_to_do() -> None:
    assert "relnotes ingest" in render_upgrade_hint(has_products=False)
    assert "Pick a product" in render_upgrade_hint(has_products=True)


def test_hostile_text_stays_text() -> None:
    cited = replace(citation(HOSTILE, heading=(HOSTILE,), version=HOSTILE, url="javascript:alert(1)"), title=HOSTILE)
    item = UpgradeItem(Kind.REMOVAL, Change.REMOVED, HOSTILE, (HOSTILE,), cited, repeated_in=(HOSTILE,))
    upgrade = Upgrade(
        HOSTILE, "1", "2", (UpgradeRelease(HOSTILE, None, (item, item)),), (item,), (HOSTILE,), (HOSTILE,)
    )
    found = assert_harmless(
        render_upgrade_html(
            upgrade,
            lambda _: Surroundings("<b>{x}", "${y}</details>", False, False),
        )
    )
    assert "[x](javascript:alert(1))" in found.text


def test_releases_are_listed_with_their_changes_counted_and_linked() -> None:
    markup = render_upgrade_html(UPGRADE, around)
    assert PageHtml(markup.partition("</nav>")[0].partition("<nav")[2].partition(">")[2]).texts("li") == [
        "2.0 1 May 2024 1 new requirement, 1 deprecation",
        "2.1 undated 1 breaking change",
    ]
    for anchor in ("rn-release-2.0", "rn-release-2.1"):
        assert f'href="#{anchor}"' in markup
        assert f'id="{anchor}"' in markup


def test_markdown_has_each_change_with_its_quote() -> None:
    text = render_upgrade_markdown(UPGRADE)
    assert text.startswith("# Upgrade of Widget 1.5 → 2.1\n\n3 changes to mind, 1 security fix.\n")
    assert [line for line in text.splitlines() if line.startswith("#")] == [
        "# Upgrade of Widget 1.5 → 2.1",
        "## 2.0 (2024-05-01)",
        "### Requirements",
        "### Deprecated",
        "## 2.1",
        "### Breaking",
        "## Security fixes",
    ]
    for item in (*ITEMS, *SECURITY):
        assert all(f"  {line}\n" in text for line in item.citation.quote.splitlines())


def test_download_holds_the_markdown_and_copying_takes_it_from_there() -> None:
    markdown = "# a & b\n\n`100 %` {x} \udc80 ü"
    found = assert_harmless(
        render(
            "cards",
            "export",
            address=markdown_address(markdown),
            file_name="a.md",
            link=page_query("upgrade", product="a b&c"),
        )
    )
    download, link = found.values("href")
    assert unquote(download.partition(",")[2]) == markdown.replace("\udc80", "?")
    assert link == "?tab=upgrade&product=a+b%26c"
    assert found.values("download") == ["a.md"]


@pytest.mark.parametrize(
    ("parts", "name"),
    [
        (("Django", "4.1", "4.2"), "django-4.1-4.2.md"),
        (("../a b", "", "é"), "a-b.md"),
        (("x" * 300,), f"{'x' * 120}.md"),
    ],
    ids=["plain", "unsafe", "long"],
)
def test_file_names_are_plain(parts: tuple[str, ...], name: str) -> None:
    assert file_name_of(*parts) == name
