"""Conventions of changelogs seen in the wild: whose changes a heading speaks of, and where the date stands."""

import pytest
from ingest_documents import ingest_text

_ITEMS = "- Fixed the lid.\n- Added a spout.\n"
_PAGE = (
    "<html><head><title>F.1. Release 4.6</title></head><body><table><tr><th>Release 4.6</th></tr></table>"
    "<h2>F.1. Release 4.6</h2><dl><dt>F.1.1. Moving to Version 4.6</dt><dt>F.1.2. Changes</dt></dl>"
    "<p><strong>Release date: </strong>2024-02-08</p><p>This release mends what 4.5 broke, and little else.</p>"
    "<h3>F.1.1. Moving to Version 4.6</h3><p>Nothing needs to be done by those who run 4.5 on 2024-01-01.</p>"
    "</body></html>"
)


def told(name: str, text: str) -> list[tuple[str, str | None]]:
    """Label and date of each release, those of text about no release left out."""
    releases = ingest_text(text, name=name).releases
    return [(one.label, one.date.isoformat() if one.date else None) for one in releases if one.label]


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        pytest.param(
            "CHANGES.md",
            "# CHANGES\n\nKettle 3.3\n----------\n\n### Changes between 3.3.0 and 3.3.1 [4 Jun 2024]\n\n * A lid.\n\n"
            "### Changes between 3.2 and 3.3.0 [9 Apr 2024]\n\n * A spout.\n",
            [("3.3.1", "2024-06-04"), ("3.3.0", "2024-04-09")],
            id="changes between two releases are the later one's",
        ),
        pytest.param(
            "CHANGES",
            f"CHANGES FROM 3.4 TO 3.5\n\n{_ITEMS}\nCHANGES FROM 3.3 TO 3.4\n\n{_ITEMS}\n"
            f"CHANGES FROM 3.2 TO 3.3\n\n{_ITEMS}",
            [("3.5", None), ("3.4", None), ("3.3", None)],
            id="changes from one release to another",
        ),
        pytest.param(
            "CHANGES",
            f"CHANGES FROM 3.7 TO 3.7a\n\n{_ITEMS}\nCHANGED FROM 3.6b TO 3.6c\n\n{_ITEMS}\n"
            f"CHANGES FROM 3.6a TO 3.6b\n\n{_ITEMS}",
            [("3.7a", None), ("3.6c", None), ("3.6b", None)],
            id="changed from one release to another",
        ),
        pytest.param(
            "CHANGES",
            f"CHANGES FROM 3.7 TO 3.7a\n\n{_ITEMS}\nCHANGES FROM 3.6b TO 3.7\n\n{_ITEMS}\n"
            f"CHANGES FROM 2.5 TO 2.6, 05 October "
            f"2017\n\n{_ITEMS}",
            [("3.7a", None), ("3.7", None), ("2.6", "2017-10-05")],
            id="changes from one release to another, in letters small and large",
        ),
        pytest.param(
            "Changelog",
            f"Unreleased - Jo <jo@kettle.org> - v5.3.0alpha1\n{_ITEMS}\n"
            f"Tue Jul 07th 2026 - Jo <jo@kettle.org> - v5.2.3\n{_ITEMS}\n"
            f"Tue Aug 29 2023 - Jo <jo@kettle.org> - v4.5.5\n{_ITEMS}",
            [("5.3.0alpha1", None), ("5.2.3", "2026-07-07"), ("4.5.5", "2023-08-29")],
            id="a package's log whose days are ordinals",
        ),
        pytest.param(
            "changelog.rst",
            "Changelog\n=========\n\n- :release:`3.4.1 <2024-08-11>`\n- :release:`3.3.2 <2024-08-11>`\n"
            "- :bug:`2419` The lid.\n- :release:`3.4.0 <2023-12-18>`\n- :feature:`-` A spout.\n"
            "- :release:`3.3.1 <2023-07-28>`\n- :release:`3.2.2 <2023-07-28>`\n- :release:`3.1.1 <2023-07-28>`\n"
            "- :bug:`-` A cup.\n",
            [
                ("3.4.1", "2024-08-11"),
                ("3.3.2", "2024-08-11"),
                ("3.4.0", "2023-12-18"),
                ("3.3.1", "2023-07-28"),
                ("3.2.2", "2023-07-28"),
                ("3.1.1", "2023-07-28"),
            ],
            id="items that are releases, of which those of one day share their notes",
        ),
        pytest.param(
            "changelog.md",
            f"## Changes\n\n### 20240203-110809-5046fc22\n\n{_ITEMS}\n### 20230712-072601-f4abf8fd\n\n{_ITEMS}",
            [("20240203-110809-5046fc22", "2024-02-03"), ("20230712-072601-f4abf8fd", "2023-07-12")],
            id="builds that are called by their time",
        ),
        pytest.param(
            "changelog.md",
            f"## 2.5.1 (build 20240203-110809)\n\n{_ITEMS}\n## 2.3.0 / 20230101-0900-abcdef12\n\n{_ITEMS}",
            [("2.5.1", None), ("2.3.0", None)],
            id="a build's time beside its version",
        ),
        pytest.param(
            "changelog.md",
            f"## Kettle 5.0\n\n{_ITEMS}\nTested with:\n\n* 4.0 (2021-10-04)\n* 4.1 (2022-10-24)\n* 4.2 (2023-10-02)\n\n"
            f"Steel is no longer supported.\n\n## Kettle 4.9\n\n{_ITEMS}",
            [("5.0", None), ("4.9", None)],
            id="a list of dated versions within a release",
        ),
        pytest.param(
            "NEWS",
            f"Kettle 3.1\n\n{_ITEMS}\nKettle 3.0\n\nKettle 2.8\nand older can't pour.\n\nKettle 2.9\n\n{_ITEMS}",
            [("3.1", None), ("3.0", None), ("2.9", None)],
            id="a sentence that begins with a version",
        ),
        pytest.param(
            "NEWS",
            "v1.10.0\ncli  : it boils faster\nlib  : a new lid\nbuild: less water\n\n"
            "v1.9.4\nperf : it pours\napi  : a new spout\nfix : a leak\n\n"
            "v1.9.3\nperf: a cup\nfix : tea\ndoc  : how to pour\n",
            [("1.10.0", None), ("1.9.4", None), ("1.9.3", None)],
            id="a version tight above labelled lines",
        ),
        pytest.param(
            "NEWS",
            f"Kettle 3.7.0beta2\n2026/xx/xx\nIt needs water.\n\n* Fixes *\n\n{_ITEMS}\nKettle 3.6.0\n"
            f"2025/09/01\n\n* Fixes *\n\n"
            f"{_ITEMS}\nKettle 3.5.0 (Tea Edition)\n2024/09/25\nIt needs tea.\n\n{_ITEMS}",
            [("3.7.0beta2", None), ("3.6.0", "2025-09-01"), ("3.5.0", "2024-09-25")],
            id="a date on the line below, or the place for one",
        ),
        pytest.param(
            "NEWS",
            f"{'=' * 60}\n1.1 Series (2007/05/25 - )\n{'=' * 60}\n\n          1.1.1 (lid) 2007/06/15\n\n{_ITEMS}"
            f"\nMore."
            f"\n\n          1.1 (spout) 2007/05/25\n\n{_ITEMS}\n{'=' * 60}\n1.0 Series (2006/09/08 - )\n"
            f"{'=' * 60}\n\n"
            f"          1.0.2 (cup) 2007/02/12\n\n{_ITEMS}\nMore.\n\n          1.0.1 (tea) 2006/09/22\n\n{_ITEMS}",
            [
                ("1.1", "2007-05-25"),
                ("1.1.1", "2007-06-15"),
                ("1.1", "2007-05-25"),
                ("1.0", "2006-09-08"),
                ("1.0.2", "2007-02-12"),
                ("1.0.1", "2006-09-22"),
            ],
            id="centred releases below headings of their series, one of which they repeat",
        ),
        pytest.param(
            "NEWS",
            "CHANGES WITH 255:\n\n        Lids:\n\n        * They open on 2023-01-01.\n\n"
            "        — London, 2023-12-06\n\n"
            "CHANGES WITH 254:\n\n        * Spouts.\n\n        — London, 2023-07-28\n",
            [("255", "2023-12-06"), ("254", "2023-07-28")],
            id="a number alone, signed with place and date",
        ),
        pytest.param(
            "NEWS",
            "\n====\nNEWS\n====\n\n- 1.4.73 - 2023-10-30\n  * [lid] opens\n  * 1.4.70 is old\n\n"
            "- 1.4.72 - 2023-10-06\n  * one\n",
            [("1.4.73", "2023-10-30"), ("1.4.72", "2023-10-06")],
            id="dated items with their changes in them",
        ),
        pytest.param(
            "NEWS",
            f"changes in kettle-2.3.11 relative to kettle-2.3.10:\n{_ITEMS}\n"
            f"changes in kettle-2.3.10 relative to kettle-2.3.9:\n"
            f"{_ITEMS}",
            [("2.3.11", None), ("2.3.10", None)],
            id="changes relative to another release",
        ),
        pytest.param(
            "changes.adoc",
            f"= Kettle\n\n== What's New in 2.4 Since 2.3\n\n{_ITEMS}\n== What's New in 2.3 Since 2.2\n\n{_ITEMS}",
            [("2.4", None), ("2.3", None)],
            id="what is new since another release",
        ),
        pytest.param(
            "CHANGELOG",
            "2.9.1 (2023/12/15)\n  - A lid,\n    since 2.9.0\n2.9.0 (2023/12/05)\n  - A spout.\n"
            "2.8.0 (2023/11/05)\n  - Tea.\n",
            [("2.9.1", "2023-12-15"), ("2.9.0", "2023-12-05"), ("2.8.0", "2023-11-05")],
            id="releases without blank lines between them",
        ),
        pytest.param("release-4-6.html", _PAGE, [("4.6", "2024-02-08")], id="a labelled date below the contents"),
        pytest.param(
            "CHANGELOG-v2.rst",
            "Kettle 2.1 Release Notes\n========================\n\nv2.1.1\n------\n\nSummary\n~~~~~~~\n\n"
            "| Release Date: 2023-12-04\n| `Guide <https://example.org>`__\n\nv2.1.0\n------\n\nMinor Changes\n"
            "~~~~~~~~~~~~~\n\n- One was released 2023-01-01.\n",
            [("2.1.1", "2023-12-04"), ("2.1.0", None)],
            id="a labelled date below another heading",
        ),
        pytest.param(
            "history.rst",
            "3.1.26\n======\n:release-date: 2016-10-10 12:00 PM PDT\n:release-by: One\n\n- A lid.\n\n3.1.25\n"
            "======\n\n- B.\n",
            [("3.1.26", "2016-10-10"), ("3.1.25", None)],
            id="a field with a time that says more",
        ),
        pytest.param(
            "v4.rst",
            "What's new in Kettle 4.0\n========================\n\nJuly 15, 2014\n-------------\n\nHighlights\n"
            "~~~~~~~~~~\n\n- A.\n",
            [("4.0", "2014-07-15")],
            id="a date as a heading of its own",
        ),
        pytest.param(
            "kettle.changes",
            "* Thu Feb 08 2024 Jane Doe <jane@example.org> - 1:1.2.4-1\n- Update to 1.2.4\n\n"
            "* Mon Jan 15 2024 Jane Doe <jane@example.org> - 1:1.2.3-2\n- Rebuilt on 2024-01-01\n",
            [("1.2.4-1", "2024-02-08"), ("1.2.3-2", "2024-01-15")],
            id="RPM",
        ),
        pytest.param(
            "CHANGELOG-6.4.md",
            "CHANGELOG for 6.4.x\n===================\n\nWhat changed.\n\n* 6.4.2 (2023-12-30)\n\n"
            " * bug #2 [Lid] Fix (me)\n"
            " * bug #1 Upgrade certs to 2023.11.01\n\n* 6.4.1 (2023-12-01)\n\n * bug #3 [Lid] Fix (me)\n",
            [("6.4.2", "2023-12-30"), ("6.4.1", "2023-12-01")],
            id="dated releases as items of the list that their changes are in",
        ),
        pytest.param(
            "CHANGES",
            f"          -*- coding: utf-8 -*-\nChanges with Kettle 2.4.58\n\n{_ITEMS}\n"
            f"Changes with Kettle 2.4.57\n\n{_ITEMS}",
            [("2.4.58", None), ("2.4.57", None)],
            id="a line for editors above",
        ),
        pytest.param(
            "CHANGES.txt",
            f"Kettle Change Log\n\n========== Kettle 9.1 ==========\n\nBug Fixes\n---------\n{_ITEMS}\n"
            f"========== Kettle 9.0 ==========\n\nBug Fixes\n---------\n{_ITEMS}",
            [("9.1", None), ("9.0", None)],
            id="a title between two rules on its line",
        ),
        pytest.param(
            "CHANGES",
            "\t--- 9.18.24 released ---\n\n6343.\t[bug]\t\tA lid.\n\n\t--- 9.18.23 released ---\n\n"
            "6321.\t[bug]\t\tB.\n",
            [("9.18.24", None), ("9.18.23", None)],
            id="released, between rules",
        ),
        pytest.param(
            "ChangeLog",
            "* Version 1.0.22\n  This release has all of 1.0.21, and:\n - A lid.\n\n* Version 1.0.21\n - A spout.\n",
            [("1.0.22", None), ("1.0.21", None)],
            id="a version in an outline with a line of prose below it",
        ),
        pytest.param(
            "notes.txt",
            "7.0 Changelog\n-------------\n\n.. _7.0.5:\n\n7.0.5 Changelog\n---------------\n\nSharing\n"
            "~~~~~~~\n\n- A.\n\n"
            ".. _7.0.4:\n\n7.0.4 Changelog\n---------------\n\nSharing\n~~~~~~~\n\n- B.\n",
            [("7.0", None), ("7.0.5", None), ("7.0.4", None)],
            id="tildes that underline in a file without a telling suffix",
        ),
        pytest.param(
            "NEWS",
            "* Changes in Kettle 29.2\n\n** Lids\nThey open.\n\n* Installation Changes in Kettle 29.1\n\n"
            "** It is one file.\n\n* Changes in Kettle 29.1\n\n** Spouts\nThey pour.\n",
            [("29.2", None), ("29.1", None), ("29.1", None)],
            id="sections that each name their release",
        ),
        pytest.param(
            "version9.txt",
            f"Kettles.\n\n{'=' * 70}\nVERSION 9.1\t\t*kettle-9.1*\n\nIt pours better.\n\nLids ~\n------\n"
            f"They open.\n\n"
            f"{'=' * 70}\nVERSION 9.2\t\t*kettle-9.2*\n\nIt pours best.\n\nSpouts ~\n--------\nThey are long.\n",
            [("9.1", None), ("9.2", None)],
            id="parts that a long rule opens, above underlined sections",
        ),
        pytest.param(
            "History.md",
            f"# Unreleased Changes\n\n{_ITEMS}\n2.1.0 / 2024-01-02\n==================\n\n{_ITEMS}",
            [("Unreleased Changes", None), ("2.1.0", "2024-01-02")],
            id="changes that are not released",
        ),
        pytest.param(
            "CHANGELOG.md",
            f"# 2.1.0 (2024-01-02)\n\n{_ITEMS}\n# 2.0.0-alpha.1 lid-shaping (2023-01-02)\n\n{_ITEMS}",
            [("2.1.0", "2024-01-02"), ("2.0.0-alpha.1", "2023-01-02")],
            id="a code name between version and date",
        ),
        pytest.param(
            "NEWS.md",
            f"# News\n\n## 8.0-M02 (v7.9.225) 2024-10-03\n\n{_ITEMS}\n## 8.0-M01 (v7.9.224) 2024-09-12\n\n{_ITEMS}",
            [("8.0-M02", "2024-10-03"), ("8.0-M01", "2024-09-12")],
            id="another number in brackets",
        ),
        pytest.param(
            "History.md",
            f"2.0.0rc2 / 2011-03-17\n==================\n\n{_ITEMS}\n"
            f"2.0.0rc / 2011-03-14\n==================\n\n{_ITEMS}",
            [("2.0.0rc2", "2011-03-17"), ("2.0.0rc", "2011-03-14")],
            id="a candidate without a number",
        ),
        pytest.param(
            "Changes.md",
            f"# Changes\n\n7.0.7\n----------\n\n{_ITEMS}\n7.0.5,7.0.6\n----------\n\n{_ITEMS}",
            [("7.0.7", None), ("7.0.5", None)],
            id="two releases that share their notes",
        ),
        pytest.param(
            "CHANGELOG.md",
            f"## 0.5.13 - 2022-04-15\n\n{_ITEMS}\n## 0.5.12 - 2022-04-13 (Yanked; use 0.5.13)\n\n{_ITEMS}",
            [("0.5.13", "2022-04-15"), ("0.5.12", "2022-04-13")],
            id="taken back, and what to use instead",
        ),
        pytest.param(
            "whats-new.adoc",
            "= What's New\n\n== Kettle 2.0.19\n\n_**Release date:** 2023.05.15_\n\n=== Fixes\n\n* A lid.\n\n"
            "== Kettle 2.0.18\n\n_**Release date:** 2022.10.15_\n\n=== Fixes\n\n* A spout.\n",
            [("2.0.19", "2023-05-15"), ("2.0.18", "2022-10-15")],
            id="labelled dates that look like calendar versions",
        ),
        pytest.param(
            "v0.22.1.md",
            f"A patch that mends some issues in the v0.22.0 release.\n\n## Fixes\n\n{_ITEMS}",
            [("0.22.1", None)],
            id="a file that is named by its release, and first speaks of another",
        ),
    ],
)
def test_releases_and_dates(name: str, text: str, expected: list[tuple[str, str | None]]) -> None:
    assert told(name, text) == expected


@pytest.mark.parametrize(
    ("name", "text", "versions"),
    [
        pytest.param(
            "CHANGELOG.md",
            f"# Changelog for v1.21\n\nSoon.\n\n## v1.21.0-dev\n\n### Fixes\n\n{_ITEMS}\n## v1.20\n\nSee its branch.\n",
            ["1.21.0-dev", "1.20"],
            id="a series' title, and where the series before it is kept",
        ),
        pytest.param(
            "1.4.x.md",
            f"# Changelog 1.4.x\n\nAll of it.\n\n## 1.4.1\n\n{_ITEMS}\n## 1.4.0\n\n{_ITEMS}",
            ["1.4.1", "1.4.0"],
            id="a file named by its series, with a preface",
        ),
        pytest.param(
            "NEWS.md",
            f"# Kettle 8.0 release notes\n\nMore tea.\n\n## Kettle 8.0.0-M01\n\n{_ITEMS}",
            ["8.0.0-M01"],
            id="a title that names what a milestone leads to",
        ),
        pytest.param(
            "v2-7.md",
            f"# V2.7\n\nMore tea.\n\n## Features\n\n{_ITEMS}\n## Fixes\n\n### 2.7.2 (2023-01-25)\n\n{_ITEMS}\n"
            f"### 2.7.1 (2022-12-09)\n\n{_ITEMS}",
            ["2.7", "2.7.2", "2.7.1"],
            id="a file named by its series, with notes of its own",
        ),
    ],
)
def test_what_stands_above_the_releases_of_a_series(name: str, text: str, versions: list[str]) -> None:
    assert ingest_text(text, name=name).versions == versions
