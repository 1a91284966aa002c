"""Blocks to releases: changelogs of every convention, and what looks like a release without being one."""

import pytest
from case_files import Case, read_cases
from hypothesis import given
from hypothesis import strategies as st
from ingest_documents import ingest_text
from property_examples import examples

from ingest.releases.identity import Hints


@pytest.mark.parametrize("case", read_cases("releases"), ids=lambda case: case.name)
def test_conventions(case: Case) -> None:
    assert ingest_text(case.text, name=case.subject).told == case.gives


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
    assert f"{day or '-'} {heading.partition(' ')[0]}" in document.told


@pytest.mark.parametrize(
    ("heading", "pending"),
    [
        ("1.2.0 (unreleased)", True),
        ("1.2.0 - Unreleased", True),
        ("1.2.0 (not yet released)", True),
        ("1.2.0 (in development)", True),
        ("1.2.0 (TBD)", True),
        ("1.2.0 - ????-??-??", True),
        ("1.2.0 - 2025-xx-xx", True),
        ("1.2.0 (to be announced)", True),
        ("1.2.0-wip", True),
        ("1.2.0 (DRAFT PLEASE IGNORE)", True),
        ("Draft release notes of 1.2.0", True),
        ("1.2.0 - .gitignore is read", False),
        ("1.2.0 - not released yet", True),
        ("1.2.0 (planned for 2025-03-01)", True),
        ("1.2.0\n\n*In development*", True),
        ("1.2.0\n\nRelease date: no release date", True),
        ("1.2.0\n\n:release-date: TBA", True),
        ("1.2.0\n\nThis release is still pending.", True),
        ("1.2.0\n\nRelease date: 2025-03-01", False),
        ("1.2.0\n\nPending transactions are listed.", False),
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
    alone = ingest_text(f"# {heading}\n\n- Added a lid.\n", name="kettle-1.2.0.md").releases
    assert [one.pending for one in alone] == [pending]
    assert told == [("1.2.0-wip" if "-wip" in heading else "1.2.0", pending), ("1.1.0", False)]


@pytest.mark.parametrize(
    ("notice", "yanked"),
    [
        ("This release was withdrawn, use 1.1.1.", True),
        ('**NOTE: v1.1.0 was ["yanked"](https://example.org) over a bug.**', True),
        ("1.0.9 was yanked; this replaces it.", False),
        ("Yanked. Please use 1.1.1 instead.", True),
        ("**Withdrawn** because the wheel is broken", True),
        ("Yanked releases are listed last.", False),
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
    document = ingest_text(f"# What's new in Kettle 2.4\n\n{sentence}\n\n## Lid\n\n- a\n")
    assert document.told == [f"{day or '-'} 2.4"]


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
        "### Upcoming changes", "### 0.115", "### What's new in Foo 0.115.0", "    ## 1.1.0", "<!-- ## 1.1.0 -->",
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
        ("NOTES.md", "# Foo / ## Works with Node 18.1 / ## Built on LLVM 17.0", [""]),
        ("NOTES.md", "# Foo / ## Upgrade Bar to 30.0.1 / ## Foo 2.0 / ## Foo 1.9", ["", "2.0", "1.9"]),
        ("CHANGELOG.md", "# Foo / ## 2.0 / ## Upgrade Bar to 30.0.1 / ## Kernels older than 4.15 / ## 1.9",
         ["", "2.0", "", "1.9"]),
        # What stands before the first release is the document's; a shallower heading ends one, but for a category.
        ("CHANGELOG.md", "Preface. / # 1.1 / # 1.0", ["", "1.1", "1.0"]),
        ("CHANGELOG.md", "# Log / ## 1.1 / # Bug fixes / ## 1.0 / # Thanks to all", ["", "1.1", "1.0", ""]),
        # What stands beside releases is in none of them, unless it is a section or all have theirs beside them.
        ("CHANGELOG.md", "# Log / ## 3.0 / ## Hotfix March / ### Lid / ## How to upgrade / ## 2.0",
         ["", "3.0", "", "2.0"]),
        ("CHANGELOG.md", "# Log / ## 3.0 / ## See Bar 1.1.0 / ## 2.0", ["", "3.0", "", "2.0"]),
        ("CHANGELOG.md", "# Log / ## 3.0 / ### Spouts / ## 2.0 / ## Spouts / ## 1.0 / ## Removed / ## Lid",
         ["", "3.0", "2.0", "1.0"]),
        ("CHANGELOG.md", "# Log / ## 3.0 / ## New features / ## Spouts / ## 2.0 / ## Bug fixes", ["", "3.0", "2.0"]),
        ("CHANGELOG.md", "# Log / ## Unreleased / ## Nightly build / ## 2.0 / ## 1.0 / ## Contributing",
         ["", "", "", "2.0", "1.0", ""]),
        ("UPGRADING.md", "# Upgrade to 3.0 / # Upgrade to 2.1 / # Update 2.0-b1 to 2.0 / # Upgrade from 1.9 to 2.0-b1",
         ["3.0", "2.1", "2.0", "2.0-b1"]),
        # Words before versions in brackets.
        ("BREAKING.md", "# Breaking / ## Planned breaks (44.0) / ### Removed: lids / ## Planned breaks (43.0)",
         ["", "44.0", "43.0"]),
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


@pytest.mark.parametrize(
    "heading",
    ["What's new in marl {}", "marl {}", "## marl v{}", "### Release of marl {} (2024-01-0{last})",
     "### marl {} - the big one"],
)  # fmt: skip
def test_a_package_called_otherwise_than_its_notes_keeps_them_all(heading: str) -> None:
    versions = ("2.9.5", "2.9.4", "2.9", "2.8.4", "2.8")
    lines = [f"{heading.format(version, last=9 - at)}" for at, version in enumerate(versions)]
    rules = [
        "" if line.startswith("#") else ("-" if len(v) < 4 else "~") * len(line)
        for line, v in zip(lines, versions, strict=True)
    ]
    text = "".join(f"{line}\n{rule}\n\n- Removed the lid.\n\n" for line, rule in zip(lines, rules, strict=True))
    found = ingest_text(text, name="NEWS", hints=Hints(product="marl2"))
    assert (found.versions, found.identity.product) == (list(versions), "marl2")


LINES = st.sampled_from(
    ["# 1.0", "## 2.0 (2024-01-02)", "### 3.9", "# Foo", "## Unreleased", "## Fixes", "```", "## bar@1.2.3", "text 1.0",
     "- item", "", "## Bar 1.5", "Released: 2024-01-02", "3.0\n---", "<!-- # 9.0 -->", "---", "#### 2.0-rc.1",
     "### Thanks", "* 1.5 (2024-01-02)\n\n  prose\n\n  - nested", "## 1.1 and 1.0.9 (2024-01-02)", "## 1.0.0.1"]
)  # fmt: skip


@examples(40)
@given(st.lists(LINES, max_size=25).filter(any), st.sampled_from(["CHANGELOG.md", "CHANGES", "notes.rst", "log.adoc"]))
def test_releases_cover_the_text_in_order_and_disjoint(lines: list[str], name: str) -> None:
    document = ingest_text("\n".join(lines), name=name)
    ends = [0, *(release.span.end for release in document.releases)]
    assert [release.span.start for release in document.releases] == ends[:-1]
    assert ends[-1] == len(document.parsed.text)
