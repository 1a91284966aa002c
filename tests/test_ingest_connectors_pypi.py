"""Packages of PyPI: from the indexes that pip is set to; against a local index, and for real where one is reachable."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from connector_place import ConnectorPlace
from notes_server import Answer, NotesServer, page
from package_server import PackageIndex, tar_gz, zipped
from packaging.version import Version
from test_ingest_connectors_npm import needs_npm

from corpus.errors import SourceError
from corpus.model import Authority
from ingest.sources.connectors import Connectors, ConnectorSettings, Fetched
from ingest.sources.connectors.pypi import PackageFile, read_package_page
from ingest.sources.requests import SourceState
from ingest.sources.web import WebSettings

LOG = "Changelog\n=========\n\n2.0 (2026-01-02)\n----------------\n\n- Removed the lever.\n" + "- And so on.\n" * 200
ONE = Version("1.0")
METADATA = "Metadata-Version: 2.1\nName: gizmo\nProject-URL: Changelog, https://gizmo.example.org/changes\n\nLong text."


def surroundings(**variables: str) -> dict[str, str]:
    """An environment in which pip has no settings but these."""
    return {"PATH": os.environ["PATH"], "HOME": os.devnull, "PIP_CONFIG_FILE": os.devnull, **variables}


def sdist(version: str = "2.0", log: str = LOG) -> bytes:
    top = f"gizmo-{version}"
    return tar_gz({f"{top}/PKG-INFO": METADATA, f"{top}/CHANGES.rst": log, f"{top}/setup.py": "raise SystemExit(9)"})


@pytest.fixture
def place(tmp_path: Path) -> Iterator[ConnectorPlace]:
    with ConnectorPlace(tmp_path) as made:
        # That it is pip's index is enough.
        made.allowed_hosts = ()
        made.environment = surroundings(PIP_INDEX_URL=made.server.url("/simple"))
        yield made


@pytest.mark.slow
@pytest.mark.parametrize("as_json", [False, True], ids=["PEP 503", "PEP 691"])
def test_the_changelog_of_the_newest_source_archive_is_ingested(place: ConnectorPlace, as_json: bool) -> None:
    index = PackageIndex(place.server, as_json=as_json)
    index.put("gizmo", "gizmo-1.0.tar.gz", sdist("1.0"))
    index.put("gizmo", "gizmo-2.0-py3-none-any.whl", zipped({"gizmo/__init__.py": ""}))
    index.put("gizmo", "gizmo-2.0.tar.gz", sdist())
    index.put("gizmo", "gizmo-3.0rc1.tar.gz", sdist("3.0rc1"))
    index.put("gizmo", "gizmo-2.5.tar.gz", sdist("2.5"), yanked=True)
    report = place.ingest("pypi:Gizmo")
    assert report.failed == ()
    (document,) = place.documents()
    assert (document.source, document.root, document.product) == ("pypi:gizmo#CHANGES.rst", "pypi:gizmo", "gizmo")
    assert (document.url, document.authority) == ("https://gizmo.example.org/changes", Authority.OFFICIAL)
    assert place.text("pypi:gizmo#CHANGES.rst") == LOG
    assert place.server.paths() == ["/simple/gizmo/", "/files/gizmo-2.0.tar.gz"]
    assert place.ingest("pypi:gizmo").sources[0].state is SourceState.UNCHANGED
    assert place.server.paths()[2:] == ["/simple/gizmo/"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("argument", "filename", "content", "sha256", "error"),
    [
        pytest.param("pypi:gizmo", "gizmo-2.0.tar.gz", sdist(), "0" * 64, "its SHA-256 differs", id="another file"),
        pytest.param(
            "pypi:gizmo", "gizmo-2.0.tar.gz", tar_gz({"gizmo-2.0/PKG-INFO": METADATA}), "",
            "the source archive of gizmo 2.0 holds no changelog; its metadata names https://gizmo.example.org/changes",
            id="no changelog",
        ),
        pytest.param(
            "pypi:gizmo", "gizmo-2.0.tar.gz", sdist(log=LOG.replace("2.0 (", "14.2 (")), "",
            "isn't the package's: it tells of 14.2, above the archive's 2.0", id="notes of another project",
        ),
        pytest.param("pypi:gizmo==9.9", "gizmo-2.0.tar.gz", sdist(), "", "has no gizmo==9.9", id="no such version"),
        pytest.param("pypi:other", "gizmo-2.0.tar.gz", sdist(), "", "has no other", id="no such package"),
        pytest.param("pypi:gizmo", "gizmo-2.0.tar.gz", b"\x1f\x8b", "", "is a damaged archive", id="damaged"),
    ],
)  # fmt: skip
def test_what_goes_wrong_is_one_line(
    place: ConnectorPlace, argument: str, filename: str, content: bytes, sha256: str, error: str
) -> None:
    PackageIndex(place.server).put("gizmo", filename, content, sha256=sha256)
    (failure,) = place.ingest(argument).failed
    assert error in failure.error
    assert "\n" not in failure.error


@pytest.mark.slow
def test_an_index_that_wants_a_password_gets_it_and_nobody_else_does(tmp_path: Path) -> None:
    with ConnectorPlace(tmp_path) as place, NotesServer() as other:
        PackageIndex(place.server).put("gizmo", "gizmo-2.0.tar.gz", sdist())
        PackageIndex(other).put("widget", "widget-1.0.tar.gz", b"")
        place.environment = surroundings(
            PIP_INDEX_URL=f"http://me:hush@{place.server.host}/simple",
            PIP_EXTRA_INDEX_URL=f"http://{other.host}/simple",
        )
        assert place.ingest("pypi:gizmo").added == 1
        assert {one.headers["authorization"] for one in place.server.asked} == {"Basic bWU6aHVzaA=="}
        assert [one.headers.get("authorization") for one in other.asked] == [None]
        place.server.pages = {"/simple/gizmo/": Answer(status=401)}
        assert "hush" not in place.ingest("pypi:gizmo").failed[0].error


@pytest.mark.slow
def test_an_index_cannot_name_files_of_this_machine(place: ConnectorPlace, tmp_path: Path) -> None:
    secret = tmp_path / "gizmo-9.0.tar.gz"
    secret.write_bytes(sdist("9.0"))
    for link, error in (
        (secret.as_uri(), "leads to file:; only http and https are followed"),
        ("http://169.254.169.254/gizmo-8.0.tar.gz", "'169.254.169.254' leads to a private or reserved address"),
    ):
        place.server.pages["/simple/gizmo/"] = page(f'<a href="{link}">gizmo</a>', "text/html")
        (failure,) = place.ingest("pypi:gizmo").failed
        assert error in failure.error


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ("https://f/my_pkg-1.0.tar.gz#sha256=ab", [PackageFile("https://f/my_pkg-1.0.tar.gz", ONE, True, False, "ab")]),
        ("/My.Pkg-1.0.zip#md5=ab", [PackageFile("https://f/My.Pkg-1.0.zip", ONE, True)]),
        ("my_pkg-1.0-py3-none-any.whl", [PackageFile("https://f/my_pkg-1.0-py3-none-any.whl", ONE, False)]),
        *((link, []) for link in ("https://f/other-1.0.tar.gz", "https://f/my_pkg-1.0.exe", "https://f/", "")),
    ],
)
def test_an_archive_is_told_by_its_name(link: str, expected: list[PackageFile]) -> None:
    page = f'<a href="{link}">x</a>'.encode()
    assert list(read_package_page(page, "text/html", url="https://f/", name="my-pkg")) == expected


@pytest.mark.parametrize(("mark", "is_yanked"), [("", False), ("data-yanked", True), ("data-yanked=broken", True)])
def test_a_file_may_be_yanked_without_a_reason(mark: str, is_yanked: bool) -> None:
    page = f'<a href="my_pkg-1.0.zip" {mark}>x</a>'.encode()
    (file,) = read_package_page(page, "text/html", url="https://f/", name="my-pkg")
    assert file.is_yanked is is_yanked


@pytest.mark.parametrize(
    ("before", "folder"),
    [
        pytest.param(b'<a href="http://[">x</a><base href="//[">', "", id="a link that is no address hides no other"),
        pytest.param(b'<base href="a/"><base href="b/">', "a/", id="only the first base of a page counts"),
    ],
)
def test_where_a_link_of_a_page_leads(before: bytes, folder: str) -> None:
    page = before + b'<a href="my_pkg-1.0.tar.gz">y</a>'
    (file,) = read_package_page(page, "text/html", url="https://f/", name="my-pkg")
    assert file.url == f"https://f/{folder}my_pkg-1.0.tar.gz"


@pytest.mark.slow
@pytest.mark.network
@pytest.mark.parametrize(
    ("source", "words"),
    [("pypi:pytest", b"pytest 8.0.0"), pytest.param("npm:eslint@7.0.0", b"v7.0.0", marks=needs_npm)],
)
def test_a_real_package_comes_from_the_registry_that_its_client_is_set_to(source: str, words: bytes) -> None:
    connectors = Connectors(ConnectorSettings(WebSettings(environment=os.environ)))
    try:
        found = connectors.fetch(source, state="")
    except SourceError as error:
        pytest.skip(f"the registry can't be reached: {error}")
    assert isinstance(found, Fetched)
    assert found.documents[0].source.partition("#")[0] == source
    assert words in found.documents[0].content
    assert connectors.fetch(source, state=found.state) is None
