"""Which releases an upgrade reads, which it knows to be missing, and what it says once."""

import re
from pathlib import Path

import pytest
from upgrade_notes import index_notes, listed, upgrade_between

from corpus.catalogue import CatalogueProduct
from corpus.errors import UsageError
from corpus.index.tables import TableReader
from retrieval.products.known import find_product
from retrieval.upgrades.changes import list_upgrade


def releases(*versions: str) -> str:
    """A changelog with one removal a release, newest first."""
    parts = (f"## {version}\n\n### Removed\n\n- The `part{n}` of the wheel.\n" for n, version in enumerate(versions))
    return "# Changelog\n\n" + "\n".join(parts)


LADDER = releases("3.0.0", "2.1.1", "2.1.0", "2.0.0", "2.0.0rc1", "2.0.0b1", "1.9.1", "1.9.0", "1.8.0")


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        pytest.param("1.9", "2.0", ["1.9.1", "2.0.0b1", "2.0.0rc1", "2.0.0"], id="patches of FROM, candidates of TO"),
        pytest.param("1.9.1", "2.0.0b1", ["2.0.0b1"], id="up to a beta"),
        pytest.param("2.0.0b1", "2.0", ["2.0.0rc1", "2.0.0"], id="from a beta"),
        pytest.param("v2", "v2.1", ["2.1.0"], id="written with v"),
        pytest.param("2.1.0", "latest", ["2.1.1", "3.0.0"], id="latest"),
        pytest.param("2.0.0", "2.1.0", ["2.1.0"], id="TO without its patches"),
    ],
)
def test_reads_the_releases_after_from_up_to_to(start: str, end: str, expected: list[str], tmp_path: Path) -> None:
    upgrade = upgrade_between(tmp_path, {"CHANGELOG.md": LADDER}, start, end)
    assert [release.version for release in upgrade.releases] == expected


@pytest.mark.parametrize("newer", ["3.1.0rc1", "3.1.0 (unreleased)"])
def test_the_latest_is_out(newer: str, tmp_path: Path) -> None:
    upgrade = upgrade_between(tmp_path, {"CHANGELOG.md": releases(newer, "3.0.0", "2.0.0")}, "2.0.0", "latest")
    assert (upgrade.end, [release.version for release in upgrade.releases]) == ("3.0.0", ["3.0.0"])


@pytest.mark.parametrize("name", ["torch", "Torch ", "py-torch", "PyTorch", "pytorch"])
def test_a_product_goes_by_its_nickname_too(name: str) -> None:
    products = [CatalogueProduct(one, (), (), 1, 1) for one in ("TorchServe", "PyTorch")]
    assert find_product(products, name).name == "PyTorch"


@pytest.mark.parametrize(
    ("product", "start", "end", "because"),
    [
        pytest.param("widgett", "1.9", "2.0", "Did you mean 'widget'?", id="unknown product"),
        pytest.param(
            "widget", "new", "2.0", "Newest of widget in the index: 3.0.0, 2.1.1, 2.1.0", id="malformed version"
        ),
        pytest.param("widget", "2.0", "1.9", "ask for 1.9 to 2.0", id="reversed"),
        pytest.param("widget", "2.0", "2.0.0", "are the same version", id="the same"),
        pytest.param("widget", "3.0.0", "latest", "are the same version", id="the latest is in use"),
    ],
)
def test_says_what_is_wrong_with_a_range(product: str, start: str, end: str, because: str, tmp_path: Path) -> None:
    with (
        TableReader.open(index_notes(tmp_path, {"CHANGELOG.md": LADDER})) as reader,
        pytest.raises(UsageError, match=re.escape(because)),
    ):
        list_upgrade(reader, product, start, end)


@pytest.mark.parametrize(
    ("present", "start", "end", "missing"),
    [
        pytest.param(("2.0.3", "2.0.2", "2.0.0", "1.9.0"), "1.9", "2.0.3", ("2.0.1",), id="a hole in the patches"),
        pytest.param(("2.3.0", "2.2.0", "2.0.0", "1.9.0"), "1.9", "2.3", ("2.1",), id="a hole in the minors"),
        pytest.param(("2.0.0", "1.9.0"), "1.9", "2.0.5", ("2.0.5",), id="TO itself"),
        pytest.param(("2.9.0", "2.0.0", "1.9.0"), "1.9", "2.9", (), id="numbers that aren't counted one by one"),
        pytest.param(("24.3.0", "24.1.0", "23.1.0"), "23.1.0", "24.3.0", (), id="numbers of years"),
        pytest.param(
            ("2.0.8", "2.0.5", "2.0.3", "2.0.2", "2.0.0", "1.9.0"), "1.9", "2.0.8", ("2.0.x",), id="many of a series"
        ),
        pytest.param(("2.0.3", "2.0.1", "1.9.0"), "2.0.2", "2.0.3", (), id="a hole before FROM"),
    ],
)
def test_names_the_releases_without_notes(
    present: tuple[str, ...], start: str, end: str, missing: tuple[str, ...], tmp_path: Path
) -> None:
    upgrade = upgrade_between(tmp_path, {"CHANGELOG.md": releases(*present)}, start, end)
    assert upgrade.missing_releases == missing


def test_a_release_whose_section_is_empty_is_not_missing(tmp_path: Path) -> None:
    text = "# Changelog\n\n## 2.0.1\n\n## 2.0.0\n\n### Removed\n\n- Spin.\n\n## 1.9.0\n\n- Old.\n"
    assert upgrade_between(tmp_path, {"CHANGELOG.md": text}, "1.9.0", "2.0.1").missing_releases == ()


def test_a_range_without_notes_says_that_it_proves_nothing(tmp_path: Path) -> None:
    upgrade = upgrade_between(tmp_path, {"CHANGELOG.md": LADDER}, "7.0", "7.1")
    assert upgrade.releases == ()
    assert upgrade.missing_releases == ("7.1",)
    assert "doesn't mean that nothing breaks" in upgrade.notes[0]
    assert "The notes cover 1.8.0 to 3.0.0." in upgrade.notes[0]


def test_notes_that_name_nothing_say_so(tmp_path: Path) -> None:
    text = "# Changelog\n\n## 2.0.0\n\n### Fixed\n\n- A wheel fell off.\n\n## 1.9.0\n\n### Fixed\n\n- Another.\n"
    upgrade = upgrade_between(tmp_path, {"CHANGELOG.md": text}, "1.9.0", "2.0.0")
    assert (upgrade.releases, upgrade.missing_releases) == ((), ())
    assert "reads as breaking" in upgrade.notes[0]


SAID_TWICE = """\
# Changelog

## 2.0.0

### Removed

- The `spin` argument of `create_wheel()` is removed, use `turn` ([#12](https://example.org/12)).
- Support for Python 3.8 is removed.

## 2.0.0rc1

### Removed

- The `spin` argument of `create_wheel()` is removed, use `turn`.

## 1.9.1

### Removed

- Support for Python 3.7 is removed.

### Deprecated

- Calling `wheel.roll()` without an angle is deprecated.

## 1.9.0

### Fixed

- A fix.
"""


def test_a_change_that_a_candidate_told_first_is_said_once_and_another_minimum_again(tmp_path: Path) -> None:
    upgrade = upgrade_between(tmp_path, {"CHANGELOG.md": SAID_TWICE}, "1.9.0", "2.0.0")
    assert [summary for _, change, summary in listed(upgrade) if change == "requirement"] == [
        "Support for Python 3.7 is removed.",
        "Support for Python 3.8 is removed.",
    ]
    spin = [item for release in upgrade.releases for item in release.items if "spin" in item.summary]
    assert [(item.citation.version, item.repeated_in) for item in spin] == [("2.0.0", ("2.0.0rc1",))]


def test_what_every_release_repeats_is_said_once(tmp_path: Path) -> None:
    notes = "# Changelog\n"
    for patch in range(20, 0, -1):
        notes += f"\n## 2.0.{patch}\n\n### Dependency changes\n\nSpoke {patch}.{patch} is shipped.\n"
        notes += "\n### Minimum version of Hub\n\nWidget requires Hub 4.2. It doesn't start with an older one.\n"
    upgrade = upgrade_between(tmp_path, {"CHANGELOG.md": notes}, "2.0.1", "2.0.20")
    (hub,) = (item for release in upgrade.releases for item in release.items if "Hub" in item.summary)
    assert len(hub.repeated_in) == 18


def test_the_official_words_are_cited_where_news_repeat_them(tmp_path: Path) -> None:
    notes = "# Widget 2.0.0\n\n## Removed\n\n- The `spin` argument of `create_wheel()` is removed.\n"
    news = (
        "---\ntitle: Widget is out\nversion: 2.0.0\n---\n\nWidget 2.0.0 is out. The `spin` argument of"
        " `create_wheel()` is removed.\n"
    )
    toml = "".join(
        f'[[document]]\npath = "{path}"\nauthority = "{authority}"\n\n'
        for path, authority in (("news.md", "news"), ("2.0.0.md", "official"))
    )
    files = {"2.0.0.md": notes, "news.md": news, "sources.toml": toml}
    upgrade = upgrade_between(tmp_path, files, "1.9.0", "2.0.0")
    assert [item.citation.authority.value for release in upgrade.releases for item in release.items] == ["official"]


def test_a_change_that_the_range_takes_back_is_left_out(tmp_path: Path) -> None:
    text = SAID_TWICE.replace(
        "## 2.0.0\n", "## 2.0.1\n\n### Fixed\n\n- Revert “Support for Python 3.8 is removed”.\n\n## 2.0.0\n"
    )
    upgrade = upgrade_between(tmp_path, {"CHANGELOG.md": text}, "1.9.0", "2.0.1")
    assert not [summary for _, _, summary in listed(upgrade) if "3.8" in summary]
    assert any("takes back" in note for note in upgrade.notes)


def test_vulnerabilities_stand_apart(tmp_path: Path) -> None:
    fixed = "### Security\n\n- CVE-2024-1234: wheels could be turned by others."
    text = f"# Changelog\n\n## 2.0.0\n\n{fixed}\n\n## 1.9.0\n\n- Old.\n"
    upgrade = upgrade_between(tmp_path, {"CHANGELOG.md": text}, "1.9.0", "2.0.0")
    assert upgrade.releases == ()
    assert [(item.kind.value, item.summary) for item in upgrade.security] == [
        ("security", "CVE-2024-1234: wheels could be turned by others.")
    ]


def test_citations_are_numbered_in_the_order_of_the_list(tmp_path: Path) -> None:
    upgrade = upgrade_between(tmp_path, {"CHANGELOG.md": LADDER}, "1.8", "latest")
    numbers = [item.citation.n for release in upgrade.releases for item in release.items]
    assert numbers == list(range(1, len(numbers) + 1))


EMPTY_MAJOR = "# Changelog\n\n## 2.0.0\n\nWidget 2 is here! See the announcement.\n\n" + releases("1.9.1", "1.9.0")


@pytest.mark.parametrize(
    ("text", "start", "end", "listed_releases", "note"),
    [
        pytest.param(
            releases("4.0.0", "2.1.0", "1.9.0"),
            "2.0",
            "4.0",
            ["2.1.0", "4.0.0"],
            "There are no notes here of any 3.x release.",
            id="a series that is wholly absent",
        ),
        pytest.param(
            releases("2.0.0", "1.9.1", "1.9.0"),
            "1.9.0",
            "2.0rc1",
            ["1.9.1"],
            "widget 2.0rc1 has no notes of its own here: read those of 2.0.",
            id="a candidate without notes",
        ),
        pytest.param(
            EMPTY_MAJOR,
            "1.9.0",
            "2.0",
            ["1.9.1"],
            "Nothing in the notes of widget 2 reads as breaking: check the pages that they link to.",
            id="a major version whose notes list nothing",
        ),
    ],
)
def test_says_what_to_know_of_a_range(
    text: str, start: str, end: str, listed_releases: list[str], note: str, tmp_path: Path
) -> None:
    upgrade = upgrade_between(tmp_path, {"CHANGELOG.md": text}, start, end)
    assert ([release.version for release in upgrade.releases], upgrade.notes) == (listed_releases, (note,))
