"""What ingest finds in all of ../shared/corpora, each document read once for all of these tests."""

import re

import pytest
from ingest_documents import CORPORA, corpora_sources, ingest_real
from passage_promises import assert_passages_hold

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not CORPORA.is_dir(), reason="needs the corpora in ../shared"),
]

HEADINGS = {
    "attrs/CHANGELOG.md": r"^## \[?(\d[\w.]+)",
    "cargo/CHANGELOG.md": r"^## Cargo (\d[\w.]+)",
    "fastapi/release-notes.md": r"^## (\d[\w.]+)",
    "httpx/CHANGELOG.md": r"^## \[?v?(\d[\w.]+)",
    "pydantic/HISTORY.md": r"^###? v?(\d+\.\d+[\w.]*) ",
    "vite/CHANGELOG.md": r"^#+ (?:<small>)?\[?v?(\d[\w.-]+)",
    "pip/NEWS.rst": r"^v?(\d+\.\d+[\w.]*)(?: \(.*\))?\n[=-]{3}",
    "pytest/changelog.rst": r"^(?:pytest )?(\d+\.\d+[\w.]*)(?: \(.*\))?\n[=-]{3}",
    "sqlite-utils/changelog.rst": r"^v?(\d+\.\d+[\w.]*)(?: \(.*\))?\n[=-]{3}",
    "sqlalchemy/changelog_14.rst": r"^ +:version: (\S+)",
    "sqlalchemy/changelog_20.rst": r"^ +:version: (\S+)",
    "sqlalchemy/changelog_21.rst": r"^ +:version: (\S+)",
}


@pytest.mark.parametrize("name", HEADINGS)
def test_real_changelogs_have_the_releases_that_their_headings_count(name: str) -> None:
    document = ingest_real(name)
    raw = re.findall(HEADINGS[name], document.parsed.text, re.MULTILINE)
    ours = [release.label for release in document.releases if release.version and release.label]
    assert sorted(set(ours)) == sorted(set(raw))
    assert len(ours) == len(set(raw)), "each release once"


def test_real_release_dates_are_those_of_the_heading_lines() -> None:
    document = ingest_real("fastapi/release-notes.md")
    raw = dict(re.findall(r"^## (\d[\w.]+) \((\d{4}-\d\d-\d\d)\)", document.parsed.text, re.MULTILINE))
    assert {r.label: r.date.isoformat() for r in document.releases if r.version and r.date} == raw
    assert len(raw) > 250


@pytest.mark.parametrize(
    ("folder", "named"),
    [
        ("django", r"(\d+\.\d+(?:\.\d+)?)\.txt"),
        ("git/RelNotes", r"(\d+\.\d+\.\d+)\.adoc"),
        ("numpy", r"(\d+\.\d+\.\d+)-notes\.rst"),
    ],
)
def test_a_file_for_each_release_is_about_the_version_of_its_name(folder: str, named: str) -> None:
    names = [name for name in corpora_sources() if name.startswith(folder + "/")]
    wrong = []
    for name in names:
        document = ingest_real(name)
        stated = re.fullmatch(named, name.removeprefix(folder + "/"))
        assert stated, name
        own = [str(release.version) for release in document.releases]
        if own not in ([stated[1]], [stated[1].removesuffix(".0")]):
            wrong.append((name, own))
    assert wrong == []
    assert len(names) > 50


def test_all_real_documents_keep_every_promise() -> None:
    names = sorted(corpora_sources())
    for name in names:
        assert_passages_hold(ingest_real(name))
    assert len(names) > 250
