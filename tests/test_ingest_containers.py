"""Archives and compressed files, which stay closed."""

import gzip
import lzma
from collections.abc import Mapping
from pathlib import Path

import pytest
from connector_place import ConnectorPlace
from package_server import tar_gz, zipped
from ui_small_index import write_notes

from ingest.releases.identity import Hints
from ingest.sources.files import list_sources

LOG = "# Gizmo changelog\n\n## 1.1 (2026-02-01)\n\n- Second.\n\n## 1.0 (2026-01-01)\n\n- First.\n"


def test_in_a_folder_archives_are_told(tmp_path: Path) -> None:
    archive = zipped({"a.md": LOG})
    files = {
        "release-notes.zip": archive, "x-1.0.whl": archive, "old.7z": b"7z", "pom.xml": "<project/>",
        "releases.json": "[]", "CHANGES.md.gz": gzip.compress(LOG.encode()), "a.md": LOG,
    }  # fmt: skip
    found = list_sources(str(write_notes(tmp_path, files)), flags=Hints())
    assert [source.name for source in found.sources] == ["a.md"]
    archives = ("release-notes.zip", "old.7z", "x-1.0.whl", "CHANGES.md.gz")
    assert {one.source: one.reason for one in found.skipped} == {
        **dict.fromkeys(archives, "is an archive; unpack it and give its folder"),
        "pom.xml": ".xml files are not documents",
        "releases.json": ".json files are not documents",
    }


HOSTILE: Mapping[str, tuple[str, bytes | str, str]] = {
    "a tar": ("a.tgz", tar_gz({"a.md": LOG}), "is compressed, an archive or an office document"),
    "a gzip": ("a.md.gz", gzip.compress(LOG.encode()), "is compressed, an archive"),
    "an xz": ("a.md.xz", lzma.compress(LOG.encode()), "is compressed, an archive"),
    "saved releases": ("a.json", '[{"tag_name": "v1.0", "body": "A lid."}]', "is JSON, which isn't read as notes"),
    "an office document": ("a.docx", zipped({"[Content_Types].xml": "x"}), "save it as text"),
    "an empty zip": ("a.zip", zipped({}), "is compressed, an archive"),
    "a file of 1 GB": ("a.md", "", "is 1,024 MiB, over the limit of 32 MiB"),
    "a PDF": ("a.pdf", b"%PDF-1.7\n", "relnotes doesn't read PDF: save it as Markdown or HTML"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_files_end_with_one_clear_line(place: ConnectorPlace, case: str) -> None:
    name, content, error = HOSTILE[case]
    path = write_notes(place.root, {name: content}) / name
    if not content:
        with path.open("r+b") as file:
            file.truncate(2**30)
    report = place.ingest(path)
    assert (report.added, len(report.failed)) == (0, 1)
    (failure,) = report.failed
    assert failure.source == name
    assert error in failure.error
    assert "\n" not in failure.error
    assert len(failure.error) < 400
    assert sorted(one.name for one in place.root.iterdir() if one.name != "index") == [name]
