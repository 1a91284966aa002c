"""Releases on this machine, which hold several documents; compressed files; archives, which stay closed."""

import gzip
import json
import lzma
from collections.abc import Mapping
from pathlib import Path

import pytest
from connector_place import ConnectorPlace
from package_server import bomb, tar_gz, zipped
from ui_small_index import write_notes

from ingest.releases.identity import Hints
from ingest.sources.connectors import Connectors, ConnectorSettings
from ingest.sources.connectors.github_releases import read_releases_file
from ingest.sources.files import SourceListing
from ingest.sources.requests import Request, plan_requests

LOG = "# Gizmo changelog\n\n## 1.1 (2026-02-01)\n\n- Second.\n\n## 1.0 (2026-01-01)\n\n- First.\n"
TAG, DAYS = "https://github.com/acme/gizmo/releases/tag/v", ("2026-03-01T00:00:00Z", "2026-03-02T00:00:00Z")
API = [
    {"url": "https://api.github.com/repos/acme/gizmo/releases/2", "html_url": f"{TAG}2.0", "tag_name": "v2.0",
     "name": "Gizmo 2.0", "draft": False, "created_at": DAYS[0], "published_at": DAYS[1],
     "body": "## Removed\r\n\r\n- The lever.\r\n"},
    {"tag_name": "v3.0", "draft": True, "body": "Not yet.", "html_url": ""},
    {"tag_name": "v1.9", "body": "", "html_url": f"{TAG}1.9", "name": None, "prerelease": None},
]  # fmt: skip
OLDER = [{"tag_name": "v1.0", "name": None, "body": "A crank.", "html_url": API[0]["html_url"], "created_at": None}]
VIEW = {
    "body": "The winch is new.", "createdAt": DAYS[0], "isDraft": False, "name": "2.0", "publishedAt": DAYS[1],
    "tagName": "v2.0", "url": f"{TAG}2.0",
}  # fmt: skip


def opened(path: Path) -> SourceListing:
    (listing,) = plan_requests([Request(str(path), Hints())], connectors=Connectors(ConnectorSettings())).listings
    return listing


def names(listing: SourceListing) -> list[str]:
    return [source.name for source in listing.sources]


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress], ids=["gz", "xz"])
def test_a_compressed_document_is_one_document(place: ConnectorPlace, pack) -> None:  # type: ignore[no-untyped-def]
    debian = (
        "gizmo (1:1.1-2) unstable; urgency=medium\n\n  * A lid.\n\n -- A B <a@b.org>  Mon, 02 Mar 2026 10:11:12 +0100\n"
    )
    write_notes(
        place.root, {"doc/gizmo/changelog.Debian.gz": pack(debian.encode()), "doc/gizmo/logo.svg.gz": pack(b"<svg/>")}
    )
    report = place.ingest(place.root / "doc")
    assert [(one.source, one.product) for one in place.documents()] == [("gizmo/changelog.Debian.gz", "gizmo")]
    assert [(one.source, one.reason) for one in report.skipped] == [
        ("gizmo/logo.svg.gz", ".svg files are not documents")
    ]
    assert place.text("gizmo/changelog.Debian.gz") == debian


def test_in_a_folder_releases_are_opened_and_archives_are_told(tmp_path: Path) -> None:
    archive = zipped({"a.md": LOG})
    files = {
        "release-notes.zip": archive, "x-1.0.whl": archive, "old.7z": b"7z",
        "pom.xml": "<project/>", "releases.json": json.dumps(API), "package.json": "{}",
        "CHANGES.md.gz": gzip.compress(LOG.encode()),
    }  # fmt: skip
    found = opened(write_notes(tmp_path, files))
    assert names(found) == [
        "CHANGES.md.gz",
        "releases.json#v2.0",
        "releases.json#v1.9",
    ]
    assert {one.source: one.reason for one in found.skipped} == {
        **dict.fromkeys(("release-notes.zip", "old.7z", "x-1.0.whl"), "is an archive; unpack it and give its folder"),
        "pom.xml": ".xml files are not documents",
        "package.json": ".json files are not documents",
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(json.dumps(API), ["v2.0", "v1.9"], id="an array"),
        pytest.param(json.dumps(API) + json.dumps(OLDER), ["v2.0", "v1.9", "v1.0"], id="pages one after another"),
        pytest.param(json.dumps([API, OLDER]), ["v2.0", "v1.9", "v1.0"], id="pages in an array"),
        pytest.param("\n".join(map(json.dumps, API + OLDER)), ["v2.0", "v1.9", "v1.0"], id="a line for each"),
        pytest.param(json.dumps(VIEW, indent=2), ["v2.0"], id="gh release view"),
        pytest.param(json.dumps(API + API), ["v2.0", "v1.9"], id="one twice"),
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_releases_are_read_however_they_were_printed(text: str, expected: list[str], encoding: str) -> None:
    found = read_releases_file(text.encode(encoding), source="r.json", place="/x/r.json")
    assert [one.source for one in found] == [f"r.json#{tag}" for tag in expected]
    assert {one.hints.product for one in found} == {"gizmo"}
    assert str(found[0].hints.day) == "2026-03-02"


HOSTILE: Mapping[str, tuple[str, bytes | str, str]] = {
    "a tar": ("a.tgz", tar_gz({"a.md": LOG}), "is an archive or an office document; unpack it"),
    "a tar bomb": ("a.tgz", bomb(200), "unfolds to more than 32 MiB"),
    "a gzip bomb": ("a.md.gz", gzip.compress(bytes(2**20)) * 40, "unfolds to more than 32 MiB"),
    "an xz bomb": ("a.md.xz", lzma.compress(bytes(2**20)) * 40, "unfolds to more than 32 MiB"),
    "half of a gzip": ("a.gz", gzip.compress(LOG.encode())[:-20], "is damaged"),
    "an office document": ("a.docx", zipped({"[Content_Types].xml": "x"}), "save it as HTML or text"),
    "an empty zip": ("a.zip", zipped({}), "is an archive"),
    "a file of 1 GB": ("a.md", "", "is 1,024 MiB, over the limit of 32 MiB"),
    "a PDF": ("a.pdf", b"%PDF-1.7\n", "relnotes doesn't read PDF: save it as Markdown or HTML"),
    "deep JSON": ("a.json", '[{"tag_name": ' + "[" * 100_000, "nested too deep or malformed"),
    "JSON of something else": ("a.json", '{"tag_name": 3}', "is no JSON of releases"),
    "releases without notes": ("a.json", json.dumps([{"tagName": "v1"}]), "without their notes"),
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
