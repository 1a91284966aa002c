"""Blocks to releases: changelogs of every convention, and what looks like a release without being one."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ingest_documents import Ingested, ingest_text
from property_examples import examples

from corpus.versions import Version
from ingest.releases.identity import Hints
from ingest.releases.splitting import split_releases


def told(document: Ingested) -> list[tuple[str, str | None]]:
    return [(release.label, release.date.isoformat() if release.date else None) for release in document.releases]


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        pytest.param(
            "CHANGELOG.md",
            "# Changelog\n\nAll notable changes.\n\n## [Unreleased]\n\n- x\n\n## [1.1.0] - 2024-02-01\n\n### "
            "Added\n\n- y\n\n"
            "## [1.0.0] - 2024-01-01 [YANKED]\n\n- z\n\n[1.1.0]: https://example.org/compare\n",
            [("", None), ("Unreleased", None), ("1.1.0", "2024-02-01"), ("1.0.0", "2024-01-01")],
            id="Keep a Changelog",
        ),
        pytest.param(
            "CHANGELOG.md",
            "# [3.0.0](https://example.org/c) (2022-07-13)\n\n* main\n\n## <small>3.0.1 (2022-07-18)</small>\n\n"
            "* fix\n\n"
            "#### 3.0.0-beta.1 (2022-06-01)\n\n* beta\n",
            [("3.0.0", "2022-07-13"), ("3.0.1", "2022-07-18"), ("3.0.0-beta.1", "2022-06-01")],
            id="majors above their patches",
        ),
        pytest.param(
            "CHANGELOG.md",
            "# v2.0\n\n- a\n\n## v1.9\n\n- b\n\n## v1.8\n\n- c\n",
            [("2.0", None), ("1.9", None), ("1.8", None)],
            id="older minors below the newest major",
        ),
        pytest.param(
            "History.md",
            "1.2.3 / 2014-05-01\n==================\n\n  * fix\n\n1.2.2 / 2014-04-01\n==================\n\n  * add\n",
            [("1.2.3", "2014-05-01"), ("1.2.2", "2014-04-01")],
            id="History.md",
        ),
        pytest.param(
            "00-RELEASENOTES",
            "Kettle 7.0 release notes\n========================\n\n" + "-" * 40 + "\nHow urgent it is:\n\nLOW:   Not.\n"
            "HIGH:  Very.\n"
            + "-" * 40
            + "\n\n"
            + "=" * 40
            + "\nKettle 7.0.5  Released Tue Sep 27 20:00:00 IST 2022\n"
            + "=" * 40
            + "\n\n* Fix the lid\n\n"
            + "=" * 40
            + "\nKettle 7.0 RC1     Released Mon Jan 31 12:00:00 IST 2022\n"
            + "=" * 40
            + "\n\n* Whistle\n",
            [("", None), ("7.0.5", "2022-09-27"), ("7.0 RC1", "2022-01-31")],
            id="headings between rules, a candidate apart",
        ),
        pytest.param(
            "ChangeLog",
            "\n* Version 1.0.18\n - The lid closes.\n - The lid\nopens.\n\n* Version 1.0.17\n - A spout.\n",
            [("1.0.18", None), ("1.0.17", None)],
            id="a list of versions",
        ),
        pytest.param(
            "CHANGES",
            "=== 1.1 ===\n\n* Fix one.\n\n=== 1.0 ===\n\n* First.\n",
            [("1.1", None), ("1.0", None)],
            id="equals on both sides",
        ),
        pytest.param(
            "CHANGES.rst",
            "Version 3.0.1\n-------------\n\nReleased 2024-01-18\n\n-   One.\n\nVersion 3.0.0\n-------------\n\n"
            "Released: September 30, 2023\n\n-   Two.\n",
            [("3.0.1", "2024-01-18"), ("3.0.0", "2023-09-30")],
            id="a Released line below",
        ),
        pytest.param(
            "CHANGES.rst",
            "1.26.1 (dev)\n============\n\n* x\n\n1.26.0\n======\n\n:Date: January 3, 2023\n\n* y\n",
            [("1.26.1", None), ("1.26.0", "2023-01-03")],
            id="a field below",
        ),
        pytest.param(
            "CHANGELOG.md",
            "# Changelog\n\n## 2.0\n\n*published: 3 May 2023, updated: 5 May 2023 on this page*\n\n- x\n\n## 1.0\n\n"
            "Works since 2 May 2022 and before.\n",
            [("", None), ("2.0", "2023-05-03"), ("1.0", None)],
            id="a labelled date, and a date in prose",
        ),
        pytest.param(
            "changes.rst",
            "1.4 Changelog\n=============\n\n.. changelog::\n    :version: 1.4.1\n    :released: September 5, 2024\n\n"
            "    .. change::\n        :tags: bug\n\n        Fixed it.\n\n.. changelog::\n    :version: 1.4.0\n"
            "    :released: July 1, 2024\n\n    .. change::\n        :tags: bug\n\n        Fixed that.\n",
            [("", None), ("1.4.1", "2024-09-05"), ("1.4.0", "2024-07-01")],
            id="Sphinx directives under the title of their series",
        ),
        pytest.param(
            "changelog",
            "foo (1.2-3) unstable; urgency=low\n\n  * Fix the build.\n\n -- Jane <j@example.org>  Tue, 09 Jan "
            "2024 10:45:52"
            " +0000\n\nfoo (1.2-2) unstable; urgency=medium\n\n  * Another thing.\n",
            [("1.2-3", "2024-01-09"), ("1.2-2", None)],
            id="Debian",
        ),
        pytest.param(
            "00-RELEASENOTES",
            "Redis 7.2 release notes\n=======================\n\n" + "-" * 80 + "\nUpgrade urgency levels:\n\n"
            "LOW: No need to upgrade.\n" + "-" * 80 + "\n\n" + "=" * 80 + "\n"
            "Redis 7.2.4     Released Tue 09 Jan 2024 10:45:52 IST\n" + "=" * 80 + "\n\nUpgrade urgency SECURITY.\n\n"
            "Security fixes\n==============\n* (CVE-2023-41056) Memory.\n\n" + "=" * 80 + "\n"
            "Redis 7.2.3     Released Wed 01 Nov 2023 12:00:00 IST\n" + "=" * 80 + "\n\n* Fix a leak\n",
            [("", None), ("7.2.4", "2024-01-09"), ("7.2.3", "2023-11-01")],
            id="00-RELEASENOTES",
        ),
        pytest.param(
            "CHANGES",
            "\nChanges with nginx 1.25.3                                        24 Oct 2023\n\n    *) Change: "
            "improved.\n\n\n"
            "Changes with nginx 1.25.2                                        15 Aug 2023\n\n    *) Feature: "
            "discovery.\n",
            [("1.25.3", "2023-10-24"), ("1.25.2", "2023-08-15")],
            id="Changes with, date at the right",
        ),
        pytest.param(
            "NEWS",
            "GNU coreutils NEWS                                    -*- outline -*-\n\n* Noteworthy changes in "
            "release 9.4"
            " (2023-08-29) [stable]\n\n** Bug fixes\n\n  cp no longer fails on files.\n\n* Noteworthy changes in "
            "release 9.3"
            " (2023-04-18) [stable]\n\n** Bug fixes\n\n  ls no longer fails on files.\n",
            [("", None), ("9.4", "2023-08-29"), ("9.3", "2023-04-18")],
            id="GNU NEWS in outline mode",
        ),
        pytest.param(
            "CHANGELOG.adoc",
            "= Changelog\n\n== 1.1.0 (2024-01-01)\n\n* Fix\n\n== 1.0.0\n\nReleased: 3 May 2023\n\n* First\n",
            [("", None), ("1.1.0", "2024-01-01"), ("1.0.0", "2023-05-03")],
            id="AsciiDoc",
        ),
        pytest.param(
            "CHANGELOG.md",
            "# Changelog\n\n## @scope/core 1.2.3\n\n- x\n\n## cli@2.0.0\n\n- y\n",
            [("", None), ("1.2.3", None), ("2.0.0", None)],
            id="scoped packages",
        ),
        pytest.param(
            "CHANGELOG.md",
            "# Changelog\n\n## core v1.2\n\n- x\n\n### Python 3.14\n\n- y\n\n## web v2.0\n\n- z\n",
            [("", None), ("1.2", None), ("2.0", None)],
            id="monorepo without a mark",
        ),
        pytest.param(
            "changelog.md",
            "# News\n\n## pkg 3.1 (2024-02-01)\n\n- a\n\n## pkg 3.0 (2024-01-01 - not published)\n\n- b\n\n## "
            "2.9\n\n- c\n",
            [("", None), ("3.1", "2024-02-01"), ("3.0", "2024-01-01"), ("2.9", None)],
            id="named and bare in one file",
        ),
        pytest.param(
            "CHANGELOG.md",
            "# Changelog\n\n## v1.2 - The big one\n\n- a\n\n## v1.1\n\n- b\n",
            [("", None), ("1.2", None), ("1.1", None)],
            id="a release with a name of its own",
        ),
        pytest.param(
            "Changelog.md",
            "# Changelog\n\n### 2024.05.27\n\n- a\n\n### 2024.05.26\n\n- b\n",
            [("", None), ("2024.05.27", "2024-05-27"), ("2024.05.26", "2024-05-26")],
            id="calendar versions",
        ),
        pytest.param(
            "Changelog.md",
            "# Changelog\n\n### 2024.8.2\n\n- a\n\n### 2024.8.1\n\nReleased on August 16, 2024\n\n- b\n",
            [("", None), ("2024.8.2", None), ("2024.8.1", "2024-08-16")],
            id="calendar versions that count releases",
        ),
        pytest.param(
            "CHANGELOG.md",
            "# What's new\n\n## 2024-05-27\n\n- a\n\n## May 26, 2024\n\n- b\n",
            [("", None), ("2024-05-27", "2024-05-27"), ("May 26, 2024", "2024-05-26")],
            id="days instead of versions",
        ),
        pytest.param(
            "CHANGELOG.md",
            "## Rails 7.1.3 (January 16, 2024) ##\n\n*   Fix.\n\n## Rails 7.1.2 (November 10, 2023) ##\n\n*   None.\n",
            [("7.1.3", "2024-01-16"), ("7.1.2", "2023-11-10")],
            id="closed headings with the product's name",
        ),
        pytest.param(
            "CHANGELOG.md",
            "# Node.js 18 ChangeLog\n\n<a id='x'></a>\n\n## 2024-03-26, Version 18.20.0 'Hydrogen' (LTS), @one\n\n- a\n"
            "\n## 2024-02-14, Version 18.19.1 'Hydrogen' (LTS), @two\n\n- b\n",
            [("", None), ("18.20.0", "2024-03-26"), ("18.19.1", "2024-02-14")],
            id="date first, code name and author last",
        ),
        pytest.param(
            "CHANGELOG.md",
            "# Changes\n\n## 1.0 (2020-01-01)\n\n- a\n\n## 1.1 (2020-02-01)\n\n- b\n\n## 0.9.1 (2020-03-01)\n\n- c\n",
            [("", None), ("1.0", "2020-01-01"), ("1.1", "2020-02-01"), ("0.9.1", "2020-03-01")],
            id="ascending, and an older series last",
        ),
        pytest.param(
            "CHANGELOG.md",
            "# Releases\n\n## 2024-05-01\n\n### `@kettle/lid@1.4.0`\n\n- a\n\n### `@kettle/spout@2.0.1`\n\n- b\n\n"
            "## 2024-04-01\n\n### `@kettle/lid@1.3.0`\n\n- c\n",
            [("", None), ("1.4.0", "2024-05-01"), ("2.0.1", "2024-05-01"), ("", None), ("1.3.0", "2024-04-01")],
            id="packages below the day of their release",
        ),
        pytest.param(
            "CHANGELOG.md",
            "# @kettle/lid\n\n## 2.1.0\n\n### Patch Changes\n\n- Updated dependencies\n  - @kettle/spout@1.0.3\n\n"
            "## 2.0.0\n\n- a\n",
            [("", None), ("2.1.0", None), ("2.0.0", None)],
            id="a package's own file, with its dependencies",
        ),
        pytest.param(
            "CHANGELOG.md",
            "# Log\n\n## Version 2.0.0 Release Candidate 2\n\n- a\n\n## Version 2.0.0 Beta 1\n\n- b\n\n## 1.9\n\n- c\n",
            [("", None), ("2.0.0 rc 2", None), ("2.0.0 Beta 1", None), ("1.9", None)],
            id="stages in words",
        ),
        pytest.param(
            "CHANGELOG.md",
            "# Log\n\n## 1.2.0 (21.08.2026)\n\n- a\n\n## Version: 1.1\n\nRelease date: 6 May 2023\n\n- b\n",
            [("", None), ("1.2.0", "2026-08-21"), ("1.1", "2023-05-06")],
            id="the day first, and labels",
        ),
        pytest.param(
            "CHANGELOG.md",
            "# Log\n\n## 2.0.0\n\n~~~md\n## 1.5.0\n~~~\n\n- a\n\n````\n```\n## 1.4.0\n```\n````\n\n## 1.0.0\n\n- b\n",
            [("", None), ("2.0.0", None), ("1.0.0", None)],
            id="headings inside fences",
        ),
        pytest.param(
            "CHANGELOG.md",
            "# Log\n\n## 2.0.0 (2024-03-01)\n\n- a\n\n### Betas\n\n#### 2.0.0-beta.1 (2024-02-01)\n\n- b\n\n"
            "### Thanks\n\n- c\n\n## 1.0.0\n\n- d\n",
            [("", None), ("2.0.0", "2024-03-01"), ("2.0.0-beta.1", "2024-02-01"), ("", "2024-03-01"), ("1.0.0", None)],
            id="a release that goes on below its betas",
        ),
        pytest.param(
            "CHANGES",
            "1.2.0\n  * a\n  * b\n\n1.1.0\n  * c\n\n1.0.0\n  * d\n",
            [("1.2.0", None), ("1.1.0", None), ("1.0.0", None)],
            id="bare numbers above indented lists",
        ),
        pytest.param(
            "changes.rst",
            ".. changelog::\n    :version: 1.4.2\n\n.. changelog::\n    :version: 1.4.1\n    :released: May 5, 2024\n\n"
            "    .. change::\n        :tags: bug\n\n        Fixed it.\n",
            [("1.4.2", None), ("1.4.1", "2024-05-05")],
            id="a release without notes above a dated one",
        ),
        pytest.param(
            "news.html",
            "<html><body><h2>Changes in Kettle 8.4.1 (Not yet released, LTS Release)</h2><p>It boils.</p>"
            "<h2>Changes in Kettle 8.4.0 (2024-04-30, LTS Release)</h2><p>It cools.</p></body></html>",
            [("8.4.1", None), ("8.4.0", "2024-04-30")],
            id="a release that is to come, on a page",
        ),
        pytest.param(
            "WHATSNEW.txt",
            "             ===============================\n             Release Notes for Kettle 4.20.1\n"
            "                       May 08, 2024\n             ===============================\n\n\nThe latest.\n\n"
            "Changes since 4.20.0\n--------------------\n\no  Jane\n   * Mend the lid.\n\n\n"
            "             ===============================\n             Release Notes for Kettle 4.20.0\n"
            "                      March 27, 2024\n             ===============================\n\nThe first.\n",
            [("4.20.1", "2024-05-08"), ("4.20.0", "2024-03-27")],
            id="a title and its day between rules",
        ),
        pytest.param(
            "CHANGELOG.md",
            "# Log\n\n<details open><summary><h2>1.2.0 (2024-05-01)</h2></summary>\n\n- a\n\n</details>\n\n"
            "<details><summary><h2>1.1.0 (2024-04-01)</h2></summary>\n\n- b\n\n</details>\n",
            [("", None), ("1.2.0", "2024-05-01"), ("1.1.0", "2024-04-01")],
            id="folded releases",
        ),
        pytest.param(
            "changes.html",
            "<html><body><h1>Release History</h1><h3>2024-01-15 (3.45.0)</h3><ol><li>a is new</li></ol>"
            "<h3>2023-11-24 (3.44.2)</h3><ol><li>b is new</li></ol></body></html>",
            [("", None), ("3.45.0", "2024-01-15"), ("3.44.2", "2023-11-24")],
            id="the day first, on a page",
        ),
        pytest.param(
            "ChangeLog",
            "What changed.\n\n* 5.3.0 (May 6, 2022)\n\n  This release is fast.\n\n  New features:\n  - Add a.\n\n"
            "* 5.2.1 (August 5, 2019)\n\n  This one is small.\n\n  Bug fixes:\n  - Fix b.\n",
            [("", None), ("5.3.0", "2022-05-06"), ("5.2.1", "2019-08-05")],
            id="a list of versions, each with prose and a list of its own",
        ),
        pytest.param(
            "CHANGELOG.md",
            "---\ntitle: Foo 3.0 is out\ndate: 2022-07-23\n---\n\nWe are happy.\n\n## Faster\n\nMuch.\n",
            [("3.0", "2022-07-23")],
            id="a page without headings of releases is one of its own version",
        ),
        pytest.param(
            "CHANGELOG.md",
            "---\ntitle: Announcing Foo 3.0\n---\n\n# Announcing Foo 3.0\n\n_July 23, 2022_\n\nText.\n",
            [("3.0", "2022-07-23")],
            id="front matter belongs to the first release",
        ),
        pytest.param(
            "CHANGELOG.md",
            "## 1.2 (02/06/2024)\n\n- a\n\n## 1.1 (13/05/2024)\n\n- b\n\n## 1.0 (31/31/2024)\n\n- c\n",
            [("1.2", "2024-06-02"), ("1.1", "2024-05-13"), ("1.0", None)],
            id="dates of one log are written one way",
        ),
    ],
)
def test_conventions(name: str, text: str, expected: list[tuple[str, str | None]]) -> None:
    assert told(ingest_text(text, name=name)) == expected


@pytest.mark.parametrize(
    ("heading", "below", "other", "day"),
    [
        ("1.1.0", "Released 05/06/2024", "Released 13/05/2024", "2024-06-05"),
        ("1.1.0", "Released 05/06/2024", "Released 05/13/2024", "2024-05-06"),
        ("1.1.0 (5/6/2024)", "Lids are square.", "Released 13/05/2024", "2024-06-05"),
        ("1.1.0", "1.1.0 was released on 05/06/2024.", "Released 13/05/2024", "2024-06-05"),
        ("1.1.0", "Lids are square.\n\n-- Jane, 05/06/2024", "Released 13/05/2024", "2024-06-05"),
        ("1.1.0", "Released 05/06/2024", "- Dates like 13/05/2024 are read.", None),
        ("1.1.0", "Released 05/06/2024", "Released 2024-05-13", None),
        ("2024.8.2", "Lids are square.", "Released 13/05/2024", None),
    ],
)
def test_dates_below_headings_tell_which_way_round_all_are(
    heading: str, below: str, other: str, day: str | None
) -> None:
    document = ingest_text(f"# Kettle changelog\n\n## {heading}\n\n{below}\n\n## 1.0.0\n\n{other}\n")
    assert next(days for label, days in told(document) if label == heading.partition(" ")[0]) == day


@pytest.mark.parametrize(
    ("heading", "pending"),
    [
        ("1.2.0 (unreleased)", True),
        ("1.2.0 - Unreleased", True),
        ("1.2.0 (not yet released)", True),
        ("1.2.0 (in development)", True),
        ("1.2.0 (TBD)", True),
        ("1.2.0 - ????-??-??", True),
        ("1.2.0", False),
        ("1.2.0 - Pending transactions", False),
        ("1.2.0 (2025-03-01): work in progress", False),
        ("1.2.0 (2025-03-01)", False),
        ("1.2.0 (yanked)", False),
    ],
)
def test_a_heading_tells_that_a_release_is_pending(heading: str, pending: bool) -> None:
    document = ingest_text(f"# Kettle changelog\n\n## {heading}\n\n- Added a lid.\n\n## 1.1.0\n\n- Fixed a lid.\n")
    told = [(str(one.version), one.pending) for one in document.releases if one.version]
    assert told == [("1.2.0", pending), ("1.1.0", False)]


def test_yanked_is_told_of_the_release_alone() -> None:
    document = ingest_text("## [1.1.0] - 2024-02-01\n\n- a\n\n## [1.0.0] - 2024-01-01 [YANKED]\n\n- b\n")
    assert [release.yanked for release in document.releases] == [False, True]


@pytest.mark.parametrize(
    ("notice", "yanked"),
    [
        ("This release was withdrawn, use 1.1.1.", True),
        ('**NOTE: v1.1.0 was ["yanked"](https://example.org) over a bug.**', True),
        ("1.0.9 was yanked; this replaces it.", False),
        ("We will yank this release soon.", False),
        ("- Restores a file that was yanked.", False),
    ],
)
def test_a_notice_below_its_heading_tells_that_a_release_was_yanked(notice: str, yanked: bool) -> None:
    document = ingest_text(f"## 1.1.0\n\n{notice}\n\n- a\n\n## 1.0.0\n\n- b\n")
    assert [release.yanked for release in document.releases] == [yanked, False]


@pytest.mark.parametrize(
    ("sentence", "day"),
    [
        ("Kettle 2.4 was released on May 3, 2023. It whistles.", "2023-05-03"),
        ("It whistles.\nKettle 2.4 has been released 2023-05-03.", "2023-05-03"),
        ("Kettle 2.3 was released on May 3, 2023.", None),
        ("Kettle 2.4 was tested on May 3, 2023.", None),
        ("- Kettle 2.4 was released on May 3, 2023.", None),
    ],
)
def test_an_introduction_tells_the_date_of_its_own_release(sentence: str, day: str | None) -> None:
    assert told(ingest_text(f"# What's new in Kettle 2.4\n\n{sentence}\n\n## Lid\n\n- a\n")) == [("2.4", day)]


def test_patch_releases_told_at_the_end_of_a_page_have_their_own_notes() -> None:
    notes = "- The lid opens with one hand.\n" * 20
    document = ingest_text(
        f"# What's New In Kettle 2.4\n\n## Lid\n\n{notes}\n## Porting to Kettle 2.4\n\n- a\n\n"
        "## Notable changes in Kettle 2.4.1\n\n- b\n\n## Notable changes in Kettle 2.4.10\n\n### Spout\n\n- c\n",
        hints=Hints(product="Kettle"),
    )
    assert document.labels == ["2.4", "2.4.1", "2.4.10"]
    assert document.identity.title == "What's New In Kettle 2.4"
    assert str(document.identity.version) == "2.4"


@pytest.mark.parametrize(
    "inner",
    [
        "```\n## 1.1.0\n```", "### Drop Python 3.8", "### Fixes since v2.35", "### Python 3.14 support", "### 3.9",
        "### Upgrading from 1.x to 2.0", "### HTTP/2 Server Push", "### Top 10 features",
        "### Python 3.9\n\n### Python 3.10",
        "### Upcoming changes", "### 0.115", "### What's new in Foo 0.115.0", "    ## 1.1.0", "## See Bar 1.1.0",
        "<!-- ## 1.1.0 -->",
    ],
)  # fmt: skip
def test_a_topic_inside_a_release_opens_none(inner: str) -> None:
    document = ingest_text(
        f"# Changelog\n\n## 0.115.0\n\n{inner}\n\n- a\n\n## 0.114.0\n\n- b\n", hints=Hints(product="Foo")
    )
    assert document.labels == ["", "0.115.0", "0.114.0"]


@pytest.mark.parametrize(
    ("name", "headings", "expected"),
    [
        # Versions of other things are topics.
        ("CHANGELOG.md", "# Foo 2.0 / ## Highlights / ## Python 3.9 / ## Python 3.10 / ## Rest", ["2.0"]),
        ("README.md", "# Foo / ## Requirements / ### Python 3.9 / ### Python 3.10 / ## Usage", [""]),
        ("CHANGELOG.md", "# Foo 8.0 is out! / ## `@foo/plugin` v6 / ## Rest", ["8.0"]),
        # What stands before the first release is the document's; a shallower heading ends one, but for a category.
        ("CHANGELOG.md", "Preface. / # 1.1 / # 1.0", ["", "1.1", "1.0"]),
        ("CHANGELOG.md", "# Log / ## 1.1 / # Bug fixes / ## 1.0 / # Thanks to all", ["", "1.1", "1.0", ""]),
        # A guide is split by the releases that it leads to, and a changelog isn't.
        ("UPGRADING.md", "# Foo upgrade guide / ## 2.0 to 3.0 / ### Lids / ## 1.0 to 2.0", ["", "3.0", "2.0"]),
        ("UPGRADING.md", "## Upgrading to new foos / ### Upgrading to version 3.0+ / ### Upgrading to version 2.0+",
         ["", "3.0", "2.0"]),
        ("CHANGES.md", "# Foo / ## 3.1.0 / ### From 2.0 to 3.0", ["", "3.1.0"]),
        # What goes on after other releases is about the document's own, and what leads away from them isn't.
        ("UPGRADE-2.0.md", "# Foo 1.x to 2.0 / ## Lid / ### Foo v1 / ### Foo v2 / ## Spouts", ["2.0", "1", "2", "2.0"]),
        ("CHANGES-2.0.md", "# Log / ## 2.0 / ## Older releases", ["2.0", "2.0", ""]),
        # What a page of a series tells first is of the series.
        ("index.md", "# What's new in Foo 2.0 / ## Summary / ## Release date: 2024-06-02 / ### 2.0.1 / ### 2.0.0",
         ["2.0", "2.0.1", "2.0.0"]),
    ],
)  # fmt: skip
def test_which_headings_open_releases(name: str, headings: str, expected: list[str]) -> None:
    text = "".join(f"{heading}\n\n- a\n\n" for heading in headings.split(" / "))
    document = ingest_text(text, name=name, hints=Hints(product="Foo"))
    assert [str(one.version) if one.version else "" for one in document.releases] == expected


def test_the_documents_day_is_that_of_its_own_release_alone() -> None:
    document = ingest_text("# Log\n\n## 2.0\n\n- new\n\n## 1.9\n\n- old\n", name="CHANGELOG.md")
    day = date(2024, 1, 1)
    releases = split_releases(document.parsed, products=(), version=Version.parse("2.0"), day=day)
    assert [(release.label, release.date) for release in releases if release.label] == [("2.0", day), ("1.9", None)]


def test_an_empty_text_is_one_empty_release() -> None:
    document = ingest_text("")
    (release,) = split_releases(document.parsed, products=(), version=None, day=date(2024, 1, 1))
    assert (release.label, len(release.span), release.date) == ("", 0, date(2024, 1, 1))


LINES = st.sampled_from(
    ["# 1.0", "## 2.0 (2024-01-02)", "### 3.9", "# Foo", "## Unreleased", "## Fixes", "```", "## bar@1.2.3", "text 1.0",
     "- item", "", "## Bar 1.5", "Released: 2024-01-02", "3.0\n---", "<!-- # 9.0 -->", "---", "#### 2.0-rc.1",
     "### Thanks", "* 1.5 (2024-01-02)\n\n  prose\n\n  - nested", "## 1.1 and 1.0.9 (2024-01-02)", "## 1.0.0.1"]
)  # fmt: skip


@examples(80)
@given(st.lists(LINES, max_size=25), st.sampled_from(["CHANGELOG.md", "CHANGES", "notes.rst", "log.adoc"]))
def test_releases_cover_the_text_in_order_and_disjoint(lines: list[str], name: str) -> None:
    document = ingest_text("\n".join(lines), name=name)
    ends = [0, *(release.span.end for release in document.releases)]
    assert [release.span.start for release in document.releases] == ends[:-1]
    assert ends[-1] == len(document.parsed.text)
