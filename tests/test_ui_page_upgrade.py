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
from ui.rendering.upgrade_markdown import render_upgrade_markdown
from ui.web.export_html import file_name_of, page_query, render_export
from ui.web.surroundings import Surroundings
from ui.web.upgrade.changes_html import render_upgrade_hint, render_upgrade_html
from ui.web.upgrade.choices import default_range, first_product, version_choices
from ui.web.upgrade.timeline import read_timeline
from ui.web.upgrade.timeline_html import render_timeline

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


WIDGET = product(
    ("1.5", "2023-11-20"), ("2.0", "2024-05-01"), ("2.0.1", "2024-06-01"), ("2.1", "2024-09-01"), ("2.2", "2024-10-01")
)
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


def test_versions_are_offered_newest_first() -> None:
    assert version_choices(WIDGET) == ("2.2", "2.1", "2.0.1", "2.0", "1.5")


def test_first_product_has_an_upgrade_to_make() -> None:
    large, small = product(("1.0", None), passages=9, name="large"), product(("1.0", None), ("2.0", None), name="small")
    assert first_product([large, small]) == small
    assert first_product([]) is None


def test_upgrade_tells_how_much_there_is() -> None:
    found = PageHtml(render_upgrade_html(UPGRADE, WIDGET, around))
    assert found.texts("p")[0] == (
        "3 changes to mind in 2 releases: 1 breaking change, 1 new requirement, 1 deprecation. 1 security fix to gain."
    )
    assert found.values("data-announce")[0].startswith("Widget 1.5 → 2.1. 3 changes to mind")
    assert "Without notes in the index: 2.0.2." in found.text
    assert "The notes of 2.0 were written later." in found.text


def test_changes_stand_by_release_and_kind_each_with_its_marked_quote() -> None:
    found = PageHtml(render_upgrade_html(UPGRADE, WIDGET, around))
    assert found.texts("h2") == ["Widget 1.5 → 2.1"]
    assert found.texts("h3") == ["2.0 2024-05-01", "2.1 undated", "Security fixes 1"]
    assert found.texts("h4") == ["Requirements 1", "Deprecated 1", "Breaking 1"]
    quotes = [" ".join(item.citation.quote.split()) for item in (ITEMS[1], ITEMS[0], ITEMS[2], *SECURITY)]
    assert found.texts("mark") == quotes


def test_each_kind_that_there_is_has_a_chip_with_its_count() -> None:
    found = PageHtml(render_upgrade_html(UPGRADE, WIDGET, around))
    assert found.texts("label")[:-1] == ["Breaking 1", "Requirements 1", "Deprecated 1", "Security fixes 1"]
    assert found.values("data-filter") == ["breaks", "requirement", "deprecated", "security"]
    assert sorted(found.values("data-change")) == sorted(found.values("data-filter"))


def test_nothing_found_is_said_and_nothing_is_offered_to_filter() -> None:
    found = PageHtml(render_upgrade_html(NOTHING, product(), around))
    assert "Nothing to mind in these notes." in found.text
    assert {"fieldset", "figure", "mark"}.isdisjoint(found.tags)


def test_hint_for_an_empty_index_says_what_to_do() -> None:
    assert "relnotes ingest" in render_upgrade_hint([])
    assert "Pick a product" in render_upgrade_hint([WIDGET])


def test_hostile_text_stays_text() -> None:
    cited = replace(citation(HOSTILE, heading=(HOSTILE,), version=HOSTILE, url="javascript:alert(1)"), title=HOSTILE)
    item = UpgradeItem(Kind.REMOVAL, Change.REMOVED, HOSTILE, (HOSTILE,), cited, repeated_in=(HOSTILE,))
    upgrade = Upgrade(
        HOSTILE, "1", "2", (UpgradeRelease(HOSTILE, None, (item, item)),), (item,), (HOSTILE,), (HOSTILE,)
    )
    found = assert_harmless(
        render_upgrade_html(
            upgrade,
            product(("1", "2024-01-01"), ("2", "2024-02-01"), name=HOSTILE),
            lambda _: Surroundings("<b>{x}", "${y}</details>", False, False),
        )
    )
    assert "[x](javascript:alert(1))" in found.text


def test_timeline_stands_by_date_where_dates_are_known() -> None:
    timeline = read_timeline(WIDGET, UPGRADE)
    assert [(mark.label, mark.is_in_range, mark.count) for mark in timeline.marks] == [
        ("1.5", False, 0),
        ("2.0", True, 2),
        ("2.0.1", True, 1),
        ("2.1", True, 1),
    ]
    places = [mark.place for mark in timeline.marks if mark.place is not None]
    assert places == sorted(places)
    assert timeline.days is not None
    assert timeline.ends == ("2.1", "1.5")


def test_timeline_stands_in_version_order_where_dates_are_not_known() -> None:
    undated = product(("1.4", None), ("1.5", None), ("2.0", None), ("2.1", "2024-09-01"), ("2.2", None))
    timeline = read_timeline(undated, UPGRADE)
    assert timeline.days is None
    assert [mark.label for mark in timeline.marks] == ["1.4", "1.5", "2.0", "2.1", "2.2"]
    assert [mark.is_in_range for mark in timeline.marks] == [False, False, True, True, False]


def test_timeline_is_described_and_repeated_as_a_table() -> None:
    found = PageHtml(render_timeline(read_timeline(WIDGET, UPGRADE), title="Widget", prefix="rn-"))
    assert found.values("aria-label")[0] == ("Widget: 3 releases by date; 3 with changes to mind, most of them in 2.0.")
    assert found.texts("tr")[1:] == [
        "2.02024-05-011 new requirement, 1 deprecation",
        "2.0.12024-06-011 security fix",
        "2.12024-09-011 breaking change",
    ]
    assert found.values("href") == ["#rn-2.0", "#rn-2.1"]
    assert set(found.texts("title")) >= {"1.5, 2023-11-20: nothing to mind", "2.1, 2024-09-01: 1 breaking change"}


def test_undated_releases_are_counted_where_others_are_dated() -> None:
    mixed = product(("1.5", "2024-01-01"), ("2.0", "2024-05-01"), ("2.0.1", None), ("2.1", "2024-09-01"))
    found = PageHtml(render_timeline(read_timeline(mixed, UPGRADE), title="Widget", prefix="rn-"))
    assert found.texts("figcaption") == ["Releases by date; 1 release without a date left out"]
    assert len(found.texts("tr")) == 4


@pytest.mark.parametrize(
    "releases", [(), (("2.0", "2024-05-01"),), (("9.0", None), ("9.1", None))], ids=["none", "one", "others"]
)
def test_no_timeline_is_drawn_of_fewer_than_two_releases(releases: tuple[tuple[str, str | None], ...]) -> None:
    assert render_timeline(read_timeline(product(*releases), NOTHING), title="Widget", prefix="rn-") == ""


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
    found = assert_harmless(render_export(markdown, file_name="a.md", link=page_query("upgrade", product="a b&c")))
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
