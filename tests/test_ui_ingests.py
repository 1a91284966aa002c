"""Adding on the page: a child that is `relnotes ingest`, the line behind it, and who may begin one."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
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
    """The last one that was begun, once it has ended."""
    until(lambda: not ingests.all[0].is_pending)
    return ingests.all[0]


@pytest.mark.slow
def test_files_become_documents_and_stay_where_they_can_be_ingested_again(ingests: Ingests, tmp_path: Path) -> None:
    ingests.add_files([("changes.md", NAMELESS.replace(b"works", b"turns"))], "")
    ingests.add_files([("changes.md", NAMELESS.replace(b"works", b"turns"))], "Lever")
    ingests.add_files([("CHANGELOG.md", NAMELESS)], "Gizmo")
    ingests.add_files([("../sprocket.md", NEWS), ("notes.png", b"\x89PNG\r\n\x1a\n" + bytes(200))], "")
    told = ended(ingests)
    assert (told.subject, told.state, told.error) == ("sprocket.md, notes.png", "done", "")
    assert told.report is not None
    assert ([product.name for product in told.report.products], told.report.documents.added) == (["Sprocket"], 1)
    assert len(told.report.documents.failed + told.report.documents.skipped) == 1
    kept = {path.relative_to(tmp_path / "index" / "uploads").as_posix() for path in tmp_path.rglob("uploads/*/*")}
    assert {re.sub("[0-9a-f]{16}", "DIGEST", name) for name in kept} == {
        *("DIGEST/changes.md", "Gizmo/CHANGELOG.md", "DIGEST/sprocket.md", "DIGEST/notes.png")
    }
    # One of the same name and product takes the place of the one before.
    ingests.add_files([("CHANGELOG.md", NAMELESS.replace(b"4.1.0", b"4.2.0"))], "Gizmo")
    told = ended(ingests)
    assert told.report is not None
    assert (told.report.documents.added, told.report.documents.updated) == (0, 1)
    with TableReader.open(tmp_path / "index") as reader:
        assert sorted(document.product for document in reader.documents) == ["Gizmo", "Lever", "Sprocket"]


@pytest.mark.slow
def test_what_stops_an_ingest_is_told_in_its_own_words(ingests: Ingests, tmp_path: Path) -> None:
    (tmp_path / "index").mkdir()
    (tmp_path / "index" / "relnotes.sqlite").write_text("no database")
    ingests.add_files([("notes.md", NEWS)], "")
    told = ended(ingests)
    assert (told.state, told.report) == ("failed", None)
    assert "is damaged" in told.error


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="memory is bounded on Linux alone")
def test_an_ingest_that_wants_too_much_memory_ends_and_the_next_begins(
    ingests: Ingests, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ui.ingests, "_MEMORY_BYTES", 48 * 2**20)
    ingests.add_files([("notes.md", NEWS)], "")
    assert ended(ingests).state == "failed"
    monkeypatch.undo()
    ingests.add_files([("notes.md", NEWS)], "")
    assert ended(ingests).state == "done"


@pytest.fixture
def sleeping(ingests: Ingests) -> Ingests:
    """Whose children tell where they are, and sleep; what they are asked for isn't looked at."""
    ingests._command = [
        *(sys.executable, "-c"),
        "import sys, time; print('1 x ingest.progress: Fetching: 1', file=sys.stderr, flush=True); time.sleep(99)",
    ]
    return ingests


def test_one_runs_the_others_wait_and_each_is_stopped(sleeping: Ingests, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ui.ingests, "_MOST", 3)
    for name in ("a", "b", "c"):
        sleeping.add_source(f"pypi:{name}", "")
    with pytest.raises(UsageError, match="3 wait"):
        sleeping.add_source("pypi:d", "")
    until(lambda: sleeping.all[-1].progress)
    assert [(one.subject, one.state, one.progress) for one in reversed(sleeping.all)] == [
        ("pypi:a", "running", "Fetching"),
        ("pypi:b", "waiting", ""),
        ("pypi:c", "waiting", ""),
    ]
    sleeping.stop(2)
    sleeping.stop(1)
    until(lambda: sleeping.all[0].progress)
    sleeping.stop(1)
    sleeping.close()
    assert [one.state for one in sleeping.all] == ["stopped"] * 3


def test_what_is_forgotten_gives_its_number_to_no_other(sleeping: Ingests, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ui.ingests, "_KEPT", 1)
    for number in range(1, 5):
        sleeping.add_source("pypi:a", "")
        sleeping.stop(number)
    assert [one.number for one in sleeping.all] == [4, 3]


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
    assert sleeping.all[0].subject == source.strip()
    until(lambda: sleeping._child)
    assert sleeping._child is not None
    assert sleeping._child.args[-3:] == ["--product=--rebuild", "--", source.strip()]  # type: ignore[index]


@pytest.mark.parametrize("source", REFUSED)
def test_options_and_places_on_this_machine_are_no_sources(sleeping: Ingests, source: str) -> None:
    with pytest.raises(UsageError, match="choose files"):
        sleeping.add_source(source, "")
    assert not sleeping.all


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
    monkeypatch.setattr(Ingests, "_run", lambda *_: None)
    with page_app(own_index, default_embedder) as client:
        yield client


def test_the_page_begins_what_a_form_names_and_shows_it(page: TestClient) -> None:
    page.post("/library/add", data={"source": "pypi:a<b>", "product": ""})
    shown = page.post("/library/add", files=[("files", ("a.md", NEWS)), ("files", ("", b""))]).text
    assert 0 < shown.index("data-pending") < shown.index("a.md") < shown.index("pypi:a&lt;b&gt;")
    assert "was stopped" in page.post("/library/stop/1").text
    assert "pypi:a&lt;b&gt;" in page.get("/library/ingests").text


WRONG: dict[str, tuple[dict[str, Any], int, str]] = {
    "nothing": ({"data": {"source": " "}}, 400, "Choose files, or name a source."),
    "both": ({"data": {"source": "pypi:a"}, "files": {"files": ("a.md", NEWS)}}, 400, "Choose files, or name"),
    "a path": ({"data": {"source": "/etc/<passwd>", "product": "Lid"}}, 400, 'value="/etc/&lt;passwd&gt;"'),
    "a file that governs others": ({"files": {"files": ("sources.toml", NEWS)}}, 400, "name the product"),
    "too many files": ({"files": [("files", ("a.md", NEWS))] * 51}, 400, "50 files at most"),
    "no form": (
        {"content": b"\xff", "headers": {"Content-Type": "multipart/form-data; boundary=x"}},
        400,
        'role="alert"',
    ),
    "too large": ({"files": {"files": ("a.md", b"x" * 33 * 2**20)}}, 413, "KiB at most"),
    "another site": ({"data": {"source": "pypi:a"}, "headers": {"Sec-Fetch-Site": "cross-site"}}, 403, "another site"),
    "behind one that says little": (
        {"data": {"source": "pypi:a"}, "headers": {"X-Real-IP": "::1"}},
        403,
        "relnotes ingest",
    ),
    "behind a proxy": ({"data": {"source": "pypi:a"}, "headers": {"X-Forwarded-For": "::1"}}, 403, "relnotes ingest"),
}


@pytest.mark.parametrize(("sent", "status", "said"), WRONG.values(), ids=WRONG.keys())
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
        for path in ("add", "stop/1"):
            assert client.post(f"/library/{path}", data={"source": "pypi:a"}).status_code == 403


def test_what_cannot_be_started_is_told_and_holds_up_no_other(
    ingests: Ingests, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(ui.ingests, "start_child", refuse)
    for _ in range(2):
        ingests.add_files([("notes.md", NEWS)], "")
        told = ended(ingests)
        assert (told.state, told.report) == ("failed", None)
        assert "No space left" in told.error
