"""Series that are maintained side by side: an upgrade brings what went into its end, whatever the numbers' order."""

from datetime import date
from pathlib import Path

import pytest
from case_files import read_rows
from upgrade_notes import upgrade_between

from corpus.catalogue import CatalogueProduct, CatalogueRelease
from corpus.versions import Version
from retrieval.upgrades.bounds import Bounds

DATES = {
    "1.0.0": "2024-01-01",
    "1.0.1": "2024-02-01",
    "1.0.2": "2024-04-01",
    "1.0.3": "2024-06-01",
    "2.0.0": "2024-03-01",
    "2.0.1": "2024-05-01",
    "2.0.2": "2024-06-01",
    "2.1.0": "2024-05-01",
    "2.1.1": "2024-06-01",
}
LINEAGE = {**DATES, "4.0.0rc1": "2024-05-15", "4.0.0": "2024-07-01"}
FIXES = {"1.0.1": 1001, "1.0.2": 1002, "1.0.3": 1003, "2.0.1": 1002, "2.0.2": 1003, "2.1.1": 1003}


def changelog(*, dated: bool) -> str:
    """Three series of which the lower ones get the fixes of the higher ones too."""
    parts = []
    for version in sorted(DATES, reverse=True):
        day = f" - {DATES[version]}" if dated else ""
        fix = (
            f"### Security\n\n- CVE-2024-{FIXES[version]}: hole {FIXES[version]} is closed.\n"
            if version in FIXES
            else ""
        )
        parts.append(f"## {version}{day}\n\n### Removed\n\n- The `part_{version.replace('.', '_')}` wheel.\n\n{fix}")
    return "# Changelog\n\n" + "\n".join(parts)


@pytest.mark.parametrize(
    ("start", "end", "dated", "expected"), read_rows("retrieval-vulnerabilities-closed-between", list)
)
def test_counts_the_vulnerabilities_that_to_has_closed_and_from_has_not(
    start: str, end: str, dated: bool, expected: list[str], tmp_path: Path
) -> None:
    upgrade = upgrade_between(tmp_path, {"CHANGELOG.md": changelog(dated=dated)}, start, end)
    assert [f"{item.citation.version} {item.summary.text[9:13]}" for item in upgrade.security] == expected


@pytest.mark.parametrize(
    ("start", "dated", "note"),
    [
        ("1.0.1", False,
            "Vulnerabilities fixed in widget 1.0.2 and 1.0.3 aren't listed: the notes give no dates, so whether 2.0.0"
            " has those fixes isn't known.",
        ),
        ("1.0.3", True,
            "widget 2.0.0 (1 March 2024) came out before 1.0.3 (1 June 2024): it lacks what the 1.0 series fixed after"
            " that.",
        ),
    ],
    ids=["vulnerabilities that can't be counted", "an end that is older than the start"],
)  # fmt: skip
def test_says_what_dates_tell(start: str, dated: bool, note: str, tmp_path: Path) -> None:
    upgrade = upgrade_between(tmp_path, {"CHANGELOG.md": changelog(dated=dated)}, start, "2.0.0")
    assert (upgrade.security, upgrade.notes) == ((), (note,))


def test_a_removal_in_a_lower_series_after_to_is_none_of_its(tmp_path: Path) -> None:
    upgrade = upgrade_between(tmp_path, {"CHANGELOG.md": changelog(dated=True)}, "1.0.0", "2.0.0")
    assert [release.version for release in upgrade.releases] == ["1.0.1", "2.0.0"]
    assert upgrade.missing_releases == ()


@pytest.mark.parametrize(
    ("end", "version", "is_beside"),
    [
        pytest.param("2.0.2", "2.0.1", False, id="own series"),
        pytest.param("2.0.0", "1.0.2", True, id="later than the series"),
        pytest.param("2.0.0", "1.0.4", True, id="without a date, above a later one"),
        pytest.param("2.1.0", "1.0.2", False, id="earlier than the series"),
        pytest.param("2.1.0", "2.0.1", False, id="on the day of the series"),
        pytest.param("3.0.0", "2.1.1", False, id="an end without a date"),
        pytest.param("4.0.0", "1.0.3", False, id="later than a candidate of the series"),
    ],
)
def test_a_lineage_goes_by_dates(end: str, version: str, is_beside: bool) -> None:
    releases = tuple(
        CatalogueRelease(Version.parse(label), date.fromisoformat(day), ()) for label, day in LINEAGE.items()
    )
    bounds = Bounds.between(CatalogueProduct("widget", (), releases, 1, 1), Version.parse("0.1"), Version.parse(end))
    assert bounds.is_beside(Version.parse(version)) is is_beside
