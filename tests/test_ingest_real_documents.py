"""What ingest finds in all of ../shared/corpora, each document read once for all of these tests."""

import re
from collections.abc import Mapping

import pytest
from block_promises import assert_blocks_hold
from hypothesis import given, settings
from hypothesis import strategies as st
from ingest_documents import CORPORA, corpora_sources, ingest_parsed, ingest_real
from passage_promises import assert_passages_hold

from corpus.errors import SourceError
from ingest.formats import parse_blocks
from ingest.formats.front_matter import split_front_matter

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not CORPORA.is_dir(), reason="needs the corpora in ../shared")]

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
        document = ingest_real(name)
        assert_passages_hold(document)
        assert_blocks_hold(document.parsed, begin=split_front_matter(document.parsed.text)[1])
    assert len(names) > 250


WORDS = ["word", "Gizmo 1.2.3 (2024-01-02)\n", "- entry\n", "* entry\n", "\n", "\n\n", "A sentence. And another one.\n"]
SIGNS: Mapping[str, list[str]] = {
    "notes.md": ["# ", "## [1.2]\n", "```\n", "> ", "| a |\n|---|\n| b |\n", "<div>", "</div>", "<!-- ", "-->", ":::\n",
                 "import a from 'b'\n", "{/* c */}\n", "**Bold**\n", "---\n", "[a]: b\n", "    x\n"],
    "notes.rst": ["====\n", "----\n", ".. note::\n", ".. versionchanged:: 1.2\n", "   inner\n", ":gh:`12`",
                  "::\n\n", ".. changelog::\n   :version: 1.2\n", "== ==\n", ":a: b\n", ".. _t:\n",
                  ".. made-up:: x\n   :y: z\n\n"],
    "notes.adoc": ["= ", "== ", "----\n", "|===\n", "====\n", "+\n", "[NOTE]\n", ":a: b\n", "A <a@b.c>\n", "v1.2\n",
                   "ifdef::a[]\n", "term:: ", "** "],
    "notes.html": ["<p>", "<h2>", "</h2>", "<ul>", "<li>", "</ul>", "<table>", "<tr><td>", "</table>", "<pre>",
                   "</pre>", "<p hidden>", "<script>", "</script>", "<main>", "</main>", "<nav>", "&lt;", "<br>",
                   "<!-- "],
    "notes.txt": ["=====\n", "RELEASE NOTES\n", "1.1 Introduction\n", "  indented\n", "[1]: http://a\n", "x = 1\n",
                  "Subscribe to our newsletter\n", "o  bullet\n", "Name:   value\n"],
    "changelog": ["gizmo (1.2-3) unstable; urgency=low\n\n", "  * entry\n", "  [ Ann ]\n",
                  "\n -- A B <a@b.c>  Mon, 02 Mar 2026 10:11:12 +0100\n\n"],
    "gizmo.spec": ["%changelog\n", "* Mon Mar 02 2026 A B <a@b.c> - 1.2-3\n", "%description\n", "Name: gizmo\n"],
}  # fmt: skip


@pytest.mark.parametrize("name", SIGNS)
@settings(max_examples=60)
@given(data=st.data(), encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]))
def test_passages_are_slices_that_leave_out_no_note(name: str, data: st.DataObject, encoding: str) -> None:
    text = "".join(data.draw(st.lists(st.sampled_from(SIGNS[name] + WORDS), max_size=40)))
    try:
        parsed = parse_blocks(name, text.encode(encoding))
    except SourceError:
        return
    assert_passages_hold(ingest_parsed(parsed, name=name))
