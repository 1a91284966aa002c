"""Adding on the page: a child that is `relnotes ingest`, one at a time, and who may begin one."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from case_files import read_rows
from fastapi.testclient import TestClient
from hypothesis import given
from hypothesis import strategies as st
from page_app import page_app
from property_examples import examples
from waiting import until

import ui.ingests
from corpus.embedding import Embedder
from corpus.errors import RelnotesError, UsageError
from corpus.index.tables import TableReader
from ui.ingests import Ingest, Ingests, safe_name
from ui.settings import IndexSettings, load_server_settings

NEWS = b"# Sprocket changelog\n\n## 4.1.0 (2026-10-02)\n\n- The teeth of Sprocket are hardened in argon.\n"
NAMELESS = b"# Changelog\n\n## 4.1.0 (2026-10-02)\n\n- It works again.\n"


@pytest.fixture
def ingests(tmp_path: Path) -> Iterator[Ingests]:
    opened = Ingests(IndexSettings(index=tmp_path / "index"))
    yield opened
    opened.close()


def ended(ingests: Ingests) -> Ingest:
    """The one that was begun, once it has ended."""
    until(lambda: ingests.last and not ingests.last.is_running)
    assert ingests.last
    return ingests.last


@pytest.mark.slow
def test_files_become_documents_and_stay_where_they_can_be_ingested_again(ingests: Ingests, tmp_path: Path) -> None:
    ingests.add_files([("CHANGELOG.md", NAMELESS)], "Gizmo")
    assert ended(ingests).report
    ingests.add_files([("../sprocket.md", NEWS), ("notes.png", b"\x89PNG\r\n\x1a\n" + bytes(200))], "")
    told = ended(ingests)
    assert (told.subject, told.error) == ("sprocket.md, notes.png", "")
    assert told.report is not None
    assert ([product.name for product in told.report.products], told.report.documents.added) == (["Sprocket"], 1)
    assert len(told.report.documents.failed + told.report.documents.skipped) == 1
    kept = {path.relative_to(tmp_path / "index" / "uploads").as_posix() for path in tmp_path.rglob("uploads/*/*")}
    assert {re.sub("[0-9a-f]{16}", "DIGEST", name) for name in kept} == {
        *("Gizmo/CHANGELOG.md", "DIGEST/sprocket.md", "DIGEST/notes.png")
    }
    # One of the same name and product takes the place of the one before.
    ingests.add_files([("CHANGELOG.md", NAMELESS.replace(b"4.1.0", b"4.2.0"))], "Gizmo")
    told = ended(ingests)
    assert told.report is not None
    assert (told.report.documents.added, told.report.documents.updated) == (0, 1)
    with TableReader.open(tmp_path / "index") as reader:
        assert sorted(document.product for document in reader.documents) == ["Gizmo", "Sprocket"]


@pytest.mark.slow
def test_what_stops_an_ingest_is_told_in_its_own_words(ingests: Ingests, tmp_path: Path) -> None:
    (tmp_path / "index").mkdir()
    (tmp_path / "index" / "relnotes.sqlite").write_text("no database")
    ingests.add_files([("notes.md", NEWS)], "")
    told = ended(ingests)
    assert told.report is None
    assert "is damaged" in told.error


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="memory is bounded on Linux alone")
def test_an_ingest_that_wants_too_much_memory_ends_and_the_next_begins(
    ingests: Ingests, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ui.ingests, "_MEMORY_BYTES", 48 * 2**20)
    ingests.add_files([("notes.md", NEWS)], "")
    assert "memory" in ended(ingests).error
    monkeypatch.undo()
    ingests.add_files([("notes.md", NEWS)], "")
    assert ended(ingests).report


@pytest.fixture
def sleeping(ingests: Ingests) -> Ingests:
    """Whose child sleeps; what it is asked for isn't looked at."""
    ingests._command = [sys.executable, "-c", "import time; time.sleep(99)"]
    return ingests


def test_while_one_runs_no_other_begins_and_the_end_of_the_server_ends_it(sleeping: Ingests) -> None:
    sleeping.add_source("pypi:a", "")
    for begin in (lambda: sleeping.add_source("pypi:b", ""), lambda: sleeping.add_files([("a.md", NEWS)], "")):
        with pytest.raises(UsageError, match="pypi:a is being added"):
            begin()
    assert sleeping.last == Ingest("pypi:a")
    sleeping.close()
    assert sleeping.last.error
    sleeping.add_source("pypi:b", "")
    assert ended(sleeping).error == "The server ends."


SOURCES = (
    *("https://example.org/changes", " http://example.org ", "github:owner/name", "pypi:torch", "npm:@scope/name"),
    *("npm:axios@1.2.3", "PyPI:httpx"),
)
REFUSED = (
    *("/etc/passwd", "~/notes", "notes.md", ".", "", "file:///etc/passwd", "FILE:/etc/passwd", "git:../x", "env:"),
    *("requirements.txt", "ssh://host/x", "https:///etc/passwd", "github:/etc/passwd", "https://a b", "npm:../x"),
    *("https://" + "x" * 3000, "https://a\nfile:///x", "--rebuild", "-h", "pypi:--index", "env:/", "pypi:..", "npm:~"),
)


@pytest.mark.parametrize("source", SOURCES)
def test_sources_elsewhere_are_taken_as_arguments(sleeping: Ingests, source: str) -> None:
    sleeping.add_source(source, "--rebuild")
    assert sleeping.last == Ingest(source.strip())
    until(lambda: sleeping._child)
    assert sleeping._child is not None
    assert sleeping._child.args[-3:] == ["--product=--rebuild", "--", source.strip()]  # type: ignore[index]


@pytest.mark.parametrize("source", REFUSED)
def test_options_and_places_on_this_machine_are_no_sources(sleeping: Ingests, source: str) -> None:
    with pytest.raises(UsageError, match="choose files"):
        sleeping.add_source(source, "")
    assert not sleeping.last


@pytest.mark.parametrize(
    ("name", "content", "product"), [("..", b"#", ""), ("a.md", b" \n", ""), ("a.md", b"#", "a\nb"), ("/", b"#", "")]
)
def test_files_that_cannot_be_kept_are_refused(
    sleeping: Ingests, name: str, content: bytes, product: str, tmp_path: Path
) -> None:
    with pytest.raises(RelnotesError):
        sleeping.add_files([(name, content)], product)
    assert not (tmp_path / "index").exists()


@examples(60)
@given(st.text(max_size=400))
def test_whatever_a_file_or_product_is_called_it_stays_one_plain_part_of_a_path(name: str) -> None:
    try:
        part = safe_name(name)
    except UsageError:
        return
    assert part == Path(part).name
    assert not re.search(r"[\x00-\x1f/\\*?\[\]\"]|^[.~]", part)
    assert len(part.encode()) <= 255
    assert safe_name(f"{part}.md").endswith(".md")


@pytest.fixture
def page(own_index: Path, default_embedder: Embedder, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    monkeypatch.setattr(Ingests, "_run", lambda _, subject, words: Ingest(f"{subject} {words}", error="enough"))
    with page_app(own_index, default_embedder) as client:
        yield client


def test_the_page_begins_what_a_form_names_and_shows_it(page: TestClient) -> None:
    page.post("/library/add", data={"source": "pypi:a<b>", "product": "Lid"})
    until(lambda: "enough" in page.get("/library/ingests").text)
    shown = page.get("/library").text
    assert "pypi:a&lt;b&gt; " in shown
    assert "--product=Lid" in shown
    assert "a.md" in page.post("/library/add", files=[("files", ("a.md", NEWS)), ("files", ("", b""))]).text


@pytest.mark.parametrize(
    ("sent", "status", "said"),
    [
        *read_rows("ui-what-is-not-begun-is-told"),
        pytest.param(
            {"data": {"source": "pypi:a"}, "files": {"files": ("a.md", NEWS)}}, 400, "Choose files, or name", id="both"
        ),
        pytest.param(
            {"files": {"files": ("sources.toml", NEWS)}}, 400, "name the product", id="a file that governs others"
        ),
        pytest.param({"files": [("files", ("a.md", NEWS))] * 51}, 400, "50 files at most", id="too many files"),
        pytest.param(
            {"content": b"\xff", "headers": {"Content-Type": "multipart/form-data; boundary=x"}},
            400,
            'role="alert"',
            id="no form",
        ),
        pytest.param({"files": {"files": ("a.md", b"x" * 33 * 2**20)}}, 413, "KiB at most", id="too large"),
    ],
)
def test_what_is_not_begun_is_told(page: TestClient, sent: dict[str, Any], status: int, said: str) -> None:
    answered = page.post("/library/add", **sent)
    assert (answered.status_code, "data-pending" in answered.text) == (status, False)
    assert said in answered.text


def test_where_others_reach_the_server_the_page_lists_and_names_the_command(
    own_index: Path, default_embedder: Embedder
) -> None:
    settings = load_server_settings(index=own_index, host="192.0.2.1")
    with page_app(own_index, default_embedder, settings) as client:
        shown = client.get("/library").text
        assert "widget/changes.md" in shown
        assert "relnotes ingest" in shown
        assert 'action="/library/add"' not in shown
        assert client.post("/library/add", data={"source": "pypi:a"}).status_code == 403


def test_what_cannot_be_started_is_told_and_holds_up_no_other(
    ingests: Ingests, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(ui.ingests, "start_child", refuse)
    for _ in range(2):
        ingests.add_files([("notes.md", NEWS)], "")
        assert "No space left" in ended(ingests).error
