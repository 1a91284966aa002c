"""From a heading to a question and back: every way of writing versions that a changelog has can be asked for."""

import pytest
from asked_catalogue import product
from case_files import read_rows
from ingest_documents import ingest_text

from corpus.versions import Version, VersionMatch
from retrieval.question.query import parse_query

FORMS = {
    "heading": "## {}\n\n- Entry.\n\n",
    "debian": "gizmo ({}) unstable; urgency=medium\n\n  * Entry.\n\n"
    " -- Ann <a@b.org>  Tue, 09 Jan 2024 10:45:52 +0000\n\n",
}


@pytest.mark.parametrize(("form", "versions"), read_rows("version-a-version-as-its-notes-write-it-means-that-release"))
def test_a_version_as_its_notes_write_it_means_that_release_alone(form: str, versions: str) -> None:
    written = versions.split()
    document = ingest_text(
        "".join(map(FORMS[form].format, written)), name="changelog" if form == "debian" else "CHANGELOG.md"
    )
    read = [release.version for release in document.releases if release.version]
    assert read == [Version.try_parse_package(one) for one in written]
    assert read == sorted(read, reverse=True)
    catalogue = (product("Gizmo", (), " ".join(version.label for version in read)),)
    for one in written:
        asked = parse_query(f"What changed in Gizmo {one}?", catalogue=catalogue).constraint
        exact = [version for version in read if asked and asked.match(version) is VersionMatch.EXACT]
        # A final release stands for the candidates that led to it.
        assert [version for version in exact if version.base != exact[0] or version == exact[0]] == exact[:1]
        assert exact[0] == Version.try_parse_package(one)
