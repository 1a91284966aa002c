"""The Upgrade tab's values and HTML: what is offered, what is counted, what is drawn, and that documents stay text."""

from dataclasses import replace
from datetime import date
from urllib.parse import unquote

import pytest
from page_html import PageHtml, assert_harmless
from reviews_by_hand import HOSTILE, PLAIN, citation

from corpus.model import Kind
from retrieval.code_usage.model import Usage
from retrieval.upgrades.model import Change, Upgrade, UpgradeItem, UpgradeRelease
from ui.rendering.upgrade import render_upgrade_markdown
from ui.web.addresses import file_name_of, markdown_address, page_query
from ui.web.html import render
from ui.web.surroundings import Surroundings
from ui.web.upgrade.upgrade_html import render_upgrade_hint, render_upgrade_html

USED = PLAIN.bumps[0].items[0]
ITEMS = tuple(replace(item, usages=()) for item in PLAIN.bumps[0].items)
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
WITH_USES = replace(UPGRADE, releases=(UpgradeRelease("2.0", date(2024, 5, 1), (ITEMS[1], USED)), UPGRADE.releases[1]))
NOTHING = replace(UPGRADE, releases=(), security=(), missing_releases=(), notes=())


def around(_citation: object) -> Surroundings:
    """The same surroundings for every quote."""
    return Surroundings("before ", " after", True, False)


def test_upgrade_tells_how_much_there_is_and_of_which_releases() -> None:
    found = PageHtml(render_upgrade_html(UPGRADE, around))
    assert found.texts("p")[0] == "4 changes in 3 releases: 2.0 (1 May 2024), 2.0.1 (1 May 2024) and 2.1."
    assert found.values("data-announce") == [
        "Widget 1.5 → 2.1. 1 security fix, 1 breaking change, 1 deprecation and 1 new requirement."
    ]
    assert "No notes for: 2.0.2." in found.text
    assert "The notes of 2.0 were written later." in found.text


def test_of_many_releases_the_first_and_the_last_are_told() -> None:
    releases = tuple(UpgradeRelease(f"2.{minor}", None, (ITEMS[0],)) for minor in range(11))
    found = PageHtml(render_upgrade_html(replace(UPGRADE, releases=releases, security=()), around))
    assert found.texts("p")[0] == "11 changes in 11 releases: from 2.0 to 2.10."


def test_changes_stand_by_kind_security_first_each_with_its_release_and_its_marked_quote() -> None:
    found = PageHtml(render_upgrade_html(UPGRADE, around))
    assert found.texts("h2") == ["Widget 1.5 → 2.1"]
    assert found.texts("h3") == ["Security fixes 1", "Breaking 1", "Deprecated 1", "Requirements 1"]
    quotes = [" ".join(item.citation.quote.split()) for item in (*SECURITY, ITEMS[2], ITEMS[0], ITEMS[1])]
    assert found.texts("mark") == quotes
    assert [summary.split()[-1] for summary in found.texts("summary")] == ["2.0.1", "2.1", "2.1", "2.0"]


def test_kinds_are_links_at_the_top_with_their_counts() -> None:
    markup = render_upgrade_html(UPGRADE, around)
    contents = PageHtml(markup.partition("<nav")[2].partition(">")[2].partition("</nav>")[0])
    assert contents.texts("li") == ["Security fixes 1", "Breaking 1", "Deprecated 1", "Requirements 1"]
    for link in contents.values("href"):
        assert f'id="{link.removeprefix("#")}"' in markup


def test_what_the_code_uses_comes_first_once_with_its_kind_and_places() -> None:
    found = PageHtml(render_upgrade_html(WITH_USES, around, with_files=True))
    assert found.texts("h3") == ["Used in your code 1", "Security fixes 1", "Breaking 1", "Requirements 1"]
    assert found.texts("p")[0].endswith("1 of them is used in your code.")
    assert "Used in your code: app/wheel.py:12, app/wheel.py:30" in found.texts("p")
    assert found.texts("summary")[0].startswith("Deprecated widget.spin is deprecated.")
    assert found.values("data-announce") == [
        "Widget 1.5 → 2.1. 1 change used in your code, 1 security fix, 1 breaking change and 1 new requirement."
    ]


def test_files_that_use_nothing_of_it_are_told() -> None:
    found = PageHtml(render_upgrade_html(UPGRADE, around, about=("a.txt, line 1, names Widget 1.5.",), with_files=True))
    assert "None of them names what your files use" in found.texts("p")[1]
    assert found.texts("p")[0] == "a.txt, line 1, names Widget 1.5."
    assert found.values("data-announce")[0].startswith("a.txt, line 1, names Widget 1.5. Widget 1.5 → 2.1.")


def test_an_example_is_called_one_and_not_announced() -> None:
    found = PageHtml(render_upgrade_html(UPGRADE, around, is_example=True))
    assert found.texts("p")[0].startswith(
        "This is an example: what changes for someone who moves from Widget 1.5 to 2.1."
    )
    assert found.values("data-announce") == []


def test_nothing_found_is_said_and_nothing_is_offered_to_filter() -> None:
    found = PageHtml(render_upgrade_html(NOTHING, around))
    assert "These notes name nothing to change." in found.text
    assert {"input", "nav", "mark"}.isdisjoint(found.tags)


def test_hint_for_an_empty_index_says_what_to_do() -> None:
    assert "relnotes ingest" in render_upgrade_hint()


def test_hostile_text_stays_text() -> None:
    cited = replace(citation(HOSTILE, heading=(HOSTILE,), version=HOSTILE, url="javascript:alert(1)"), title=HOSTILE)
    item = UpgradeItem(Kind.REMOVAL, Change.REMOVED, HOSTILE, (HOSTILE,), cited, (HOSTILE,), (Usage("x", HOSTILE, 1),))
    upgrade = Upgrade(
        HOSTILE, "1", "2", (UpgradeRelease(HOSTILE, None, (item, item)),), (item,), (HOSTILE,), (HOSTILE,)
    )
    found = assert_harmless(
        render_upgrade_html(
            upgrade,
            lambda _: Surroundings("<b>{x}", "${y}</details>", False, False),
            about=(HOSTILE,),
            with_files=True,
        )
    )
    assert "[x](javascript:alert(1))" in found.text


def test_markdown_is_for_a_pull_request() -> None:
    used = replace(USED, usages=USED.usages[:1], repeated_in=())
    mended = replace(SECURITY[0], citation=replace(SECURITY[0].citation, version="2.0"))
    releases = (UpgradeRelease("2.0", date(2024, 5, 1), (ITEMS[1], used)), UPGRADE.releases[1])
    text = render_upgrade_markdown(replace(UPGRADE, releases=releases, security=(mended,)))
    # Where the quote stands, with a link where there is one.
    place = (
        "([Widget release notes › 2.0.0 › Deprecations]"
        "(https://widget.example/notes#:~:text=widget.spin%20is%20deprecated))"
    )
    assert text.replace(place, "PLACE").splitlines() == [
        "## Upgrade of Widget 1.5 → 2.1",
        "",
        "1 change used in your code, 1 security fix, 1 breaking change and 1 new requirement"
        " in 2 releases: 2.0 (1 May 2024) and 2.1.",
        "",
        "No notes for: 2.0.2.",
        "",
        "Note: The notes of <code>2.0</code> were written later.",
        "",
        "### Used in your code (1)",
        "",
        "- **2.0**, deprecated: <code>widget.spin</code> is deprecated. Use <code>widget.turn</code> instead."
        " Used in app/wheel.py:12. PLACE",
        "",
        "### Security fixes (1)",
        "",
        "- **2.0**: CVE-2024-1234: names of files are checked. (2.0.1)",
        "",
        "### Breaking (1)",
        "",
        "- **2.1**: <code>Widget.size</code> is a tuple now, no list. (2.1 › Changes)",
        "",
        "### Requirements (1)",
        "",
        "- **2.0**: Support for Python 3.7 was removed. (2.0.0 › Removed)",
    ]


def test_page_and_markdown_count_the_same_changes_under_each_heading() -> None:
    page = PageHtml(render_upgrade_html(WITH_USES, around, with_files=True)).texts("h3")
    markdown = [line[4:] for line in render_upgrade_markdown(WITH_USES).splitlines() if line.startswith("### ")]
    assert [heading.translate(str.maketrans("", "", "()")) for heading in markdown] == page


def test_uses_and_repetitions_stand_in_the_markdown() -> None:
    text = render_upgrade_markdown(WITH_USES)
    assert " Used in app/wheel.py:12, app/wheel.py:30. Told again in 2.1. (" in text


def test_markdown_fits_a_description() -> None:
    release = UpgradeRelease("2.0", None, tuple(replace(ITEMS[0], summary=f"{n} {'x' * 500}") for n in range(300)))
    text = render_upgrade_markdown(replace(UPGRADE, releases=(release,)))
    assert len(text) < 65_536
    assert "### Deprecated (300)" in text
    listed = text.count("\n- **2.0**")
    assert text.endswith(f"\n{300 - listed} changes left out: a description has no room for more.\n")


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
