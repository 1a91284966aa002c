"""What one line says: headings that open releases, headings that don't, titles, file names."""

import time
from datetime import date

import pytest
from case_files import read_rows

from corpus.ages import Month
from ingest.releases.release_headings import read_possible_release, read_release_heading
from ingest.releases.subjects import read_file_name, read_folder_name, read_title
from ingest.releases.version_lines import Subject, move_target


def summary(subject: Subject | None) -> tuple[str | None, str, str | None] | None:
    if subject is None:
        return None
    return (
        subject.version.label if subject.version else None,
        subject.product,
        str(subject.day) if subject.day else None,
    )


@pytest.mark.parametrize(
    ("title", "version", "day"),
    [
        ("1.0", "1.0", None),
        ("v1.2.3", "1.2.3", None),
        ("[1.2.0]", "1.2.0", None),
        ("[1.2.0] - 2024-01-01", "1.2.0", date(2024, 1, 1)),
        ("1.2.3 / 2014-05-01", "1.2.3", date(2014, 5, 1)),
        ("Version 1.2 (June 3, 2021)", "1.2", date(2021, 6, 3)),
        ("Version 2.0.0, released 2021-05-11", "2.0.0", date(2021, 5, 11)),
        ("Released 2.0.0 on 2021-05-11", "2.0.0", date(2021, 5, 11)),
        ("0.28.0 (28th November, 2024)", "0.28.0", date(2024, 11, 28)),
        ("v0.1.0 – 2020-01-01", "0.1.0", date(2020, 1, 1)),
        ("1.5.0rc1 (released on 12/05/2020)", "1.5.0rc1", None),
        ("1.4 (May 2020)", "1.4", Month(2020, 5, 1)),
        ("Release 3.0", "3.0", None),
        ("Release notes for version 3.2.1", "3.2.1", None),
        ("E.1. Release 16.2", "16.2", None),
        ("Version 5", "5", None),
        ("Changes in 4.3-1", "4.3-1", None),
        ("CHANGES IN VERSION 1.2.0", "1.2.0", None),
        ("1.0.0 Final", "1.0.0", None),
        ("2.0.0-rc.1", "2.0.0-rc.1", None),
        ("Version 1.2.3 beta", "1.2.3beta", None),
        ("1.2.3-SNAPSHOT", "1.2.3-SNAPSHOT", None),
        ("8.0.0.RELEASE", "8.0.0", None),
        ("0.9.x", "0.9", None),
        ("2024.05.27", "2024.05.27", date(2024, 5, 27)),
        ("v2024.05.27", "2024.05.27", date(2024, 5, 27)),
        ("2024.1", "2024.1", None),
        ("1.2.3 - Unreleased", "1.2.3", None),
        ("2.0.0 (in development)", "2.0.0", None),
        ("1.26.1 (dev)", "1.26.1", None),
        ("🚀 v1.2.3 (2024-01-01)", "1.2.3", date(2024, 1, 1)),
        ("Hotfix 1.2.3", "1.2.3", None),
        ("1.2.3: Security release", "1.2.3", None),
        ("What's New in Foo 1.2", "1.2", None),
        ("foo 1.2", "1.2", None),
        ('Foo 1.2 "Bionic Beaver"', "1.2", None),
        ("2024-03-26, Version 18.20.0 'Hydrogen' (LTS), @somebody", "18.20.0", date(2024, 3, 26)),
        ("release-1.2.3", "1.2.3", None),
        ("2.3.1.0 - 2026-07-05", "2.3.1.0", date(2026, 7, 5)),
        ("[0.11.1.0]", "0.11.1.0", None),
        ("4.3.1 and 3.12.2 / 2019-12-05", "4.3.1", date(2019, 12, 5)),
        ("v4.3.4/4.3.5 & v3.12.5 (2020-05-22)", "4.3.4", date(2020, 5, 22)),
        ("Noteworthy changes in release 9.4 (2023-08-29) [stable]", "9.4", date(2023, 8, 29)),
        ("Notable changes in Foo 3.7.10", "3.7.10", None),
        ("Foo 2.0 Release Candidate 1", "2.0rc1", None),
    ],
)
def test_a_heading_that_opens_a_release(title: str, version: str, day: date | None) -> None:
    subject = read_release_heading(title, products=("Foo",))
    assert subject is not None
    assert (subject.version and subject.version.label, subject.day) == (version, day)


@pytest.mark.parametrize(("title", "product", "version"), read_rows("ingest-packages-are-named-as-nothing-else"))
def test_packages_are_named_in_ways_that_nothing_else_is(title: str, product: str, version: str) -> None:
    assert summary(read_release_heading(title)) == (version, product, None)


@pytest.mark.parametrize(
    "title", ["[1.2.0] - 2024-01-01 [YANKED]", "1.2.0 (YANKED) 2024-01-01", "1.2.0 (2024-01-01), withdrawn"]
)
def test_yanked_is_no_part_of_version_or_date(title: str) -> None:
    subject = read_release_heading(title)
    assert subject is not None
    assert subject.yanked
    assert summary(subject) == ("1.2.0", "", "2024-01-01")


@pytest.mark.parametrize(
    "title",
    ["Unreleased", "[Unreleased]", "UNRELEASED", "Latest Changes", "HEAD (Unreleased)", "master (unreleased)", "vNext",
     "Unreleased (main)", "Next release", "In development", "Foo (development version)", "Not yet released",
     "foo ?.?.? (released ???)", "X.Y.Z (unreleased)"],
)  # fmt: skip
def test_what_is_not_released_yet_has_no_version(title: str) -> None:
    subject = read_release_heading(title, products=("Foo",))
    assert subject is not None
    assert subject.version is None


@pytest.mark.parametrize(("title", "target"), read_rows("ingest-a-guide-from-one-release-to-a-later-one-leads-to-that"))
def test_a_guide_from_one_release_to_a_later_one_leads_to_that(title: str, target: str) -> None:
    assert move_target(title) == target


NOT_RELEASES = [
    "Drop Python 3.8", "Fixes since v2.35", "Python 3.14 support", "Upgrading from 1.x to 2.0", "HTTP/2 Server Push",
    "Top 10 features", "Python 2.7 and 3.4", "Support for Python 3.9 and 3.10", "Breaking changes", "100 contributors",
    "SHA-256", "Windows 10", "5 reasons to upgrade", "Step 1", "PEP 649", "RFC 9110", "Node.js 18 required",
    "Development", "Next steps", "Upcoming deprecations", "2.0x faster", "3 new modules", "", "2019", "Removed in 2.0",
    "Fixed in 1.2", "2.0.0 → 2.1.0",
]  # fmt: skip


@pytest.mark.parametrize("title", NOT_RELEASES)
def test_a_heading_that_opens_none(title: str) -> None:
    assert read_release_heading(title) is None
    assert read_possible_release(title) is None


@pytest.mark.parametrize(("title", "expected"), read_rows("ingest-a-heading-that-opens-a-release-only-among-its-like"))
def test_a_heading_that_opens_a_release_only_among_its_like(
    title: str, expected: tuple[str | None, str, str | None]
) -> None:
    assert read_release_heading(title) is None
    assert summary(read_possible_release(title)) == expected


@pytest.mark.parametrize(("title", "expected"), read_rows("ingest-titles"))
def test_titles(title: str, expected: tuple[str | None, str, str | None]) -> None:
    assert summary(read_title(title, products=("curl",))) == expected


@pytest.mark.parametrize("title", ["@a/" + "-" * 60_000 + "x", "a" + " " * 60_000 + "x"], ids=["package", "spaces"])
def test_a_title_without_end_stays_linear(title: str) -> None:
    began = time.process_time()
    read_title(title)
    assert time.process_time() - began < 10


@pytest.mark.parametrize(("stem", "expected"), read_rows("ingest-file-names"))
def test_file_names(stem: str, expected: tuple[str | None, str, str | None]) -> None:
    assert summary(read_file_name(stem)) == expected


@pytest.mark.parametrize(("name", "version"), read_rows("ingest-folders-of-pages-are-named-by-versions"))
def test_folders_of_pages_are_named_by_versions(name: str, version: str | None) -> None:
    found = read_folder_name(name)
    assert (found.label if found else None) == version
