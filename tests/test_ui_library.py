"""Adding to the index over the page, reading again and removing: what is kept, what is undone, who may."""

import errno
import hashlib
import json
import shutil
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from connector_place import ConnectorPlace
from fastapi import FastAPI
from fastapi.testclient import TestClient
from httpx import Response
from notes_server import NotesServer, page
from package_server import PackageIndex, tar_gz
from page_app import page_app
from page_html import PageHtml, main_of
from test_ingest_connectors_pypi import surroundings
from ui_small_index import WIDGET, Silence, ingest, library_here, run_here, unconnected_library, write_documents

import ui.library.ingesting
from corpus.embedding import Embedder
from corpus.errors import IndexBusy, RelnotesError, UsageError
from corpus.index.layout import write_lock
from corpus.index.stored import DocumentSummary
from corpus.index.tables import TableReader
from corpus.model import Authority
from corpus.versions import Version
from ingest.pipeline import IngestProgress, IngestReport
from ingest.releases.identity import Hints
from ingest.sources.connectors import Connectors, ConnectorSettings
from ingest.sources.web import WebSettings
from ui.http.tokens import Grant, TokenScope
from ui.library.changes import Library
from ui.library.ingest_desk import IngestCancelled, IngestJob, IngestOutcome, IngestTools
from ui.library.ingesting import Ingest
from ui.library.requests import AddedSources
from ui.library.uploads import Uploads
from ui.settings import load_server_settings
from ui.web.library import add_library_paths

NEWS = b"# Sprocket changelog\n\n## 4.1.0 (2026-10-02)\n\n- The teeth of Sprocket are hardened in argon.\n"
NAMELESS = b"# Changelog\n\n- It works again.\n"


class _CancelledAt(Silence):
    def __init__(self, phase: str) -> None:
        self._phase = phase

    def phase(self, name: str, total: int) -> None:
        if name == self._phase:
            raise IngestCancelled("Cancelled.")


@dataclass(frozen=True)
class _Place:
    index: Path
    embedder: Embedder
    uploads: Uploads

    def add(
        self, *files: tuple[str, bytes], hints: Hints | None = None, progress: Silence | None = None
    ) -> IngestOutcome:
        keys = [self.uploads.take_in(name, content) for name, content in files]
        return self.ingest(progress).add_files(keys, hints or Hints())

    def read_again(self) -> IngestReport:
        report = self.ingest().sync().report
        assert report is not None
        return report

    def ingest(self, progress: Silence | None = None) -> Ingest:
        tools = IngestTools(self.index, lambda: self.embedder, lambda: Connectors(ConnectorSettings()))
        return Ingest(tools, self.uploads, AddedSources(self.index), run_here, progress or Silence())

    @property
    def documents(self) -> Sequence[DocumentSummary]:
        with TableReader.open(self.index) as reader:
            return reader.documents

    @property
    def held(self) -> dict[str, str]:
        return {one.source: one.product for one in self.documents}

    def number_of(self, source: str) -> int:
        return next(one.id for one in self.documents if one.source == source)

    def text_of(self, document: DocumentSummary) -> str:
        with TableReader.open(self.index) as reader:
            return reader.document_text(document.id)

    @property
    def kept(self) -> dict[str, bytes]:
        return {name: (self.uploads.folder / name).read_bytes() for name in self.uploads.files}

    @property
    def waiting(self) -> list[Path]:
        return list((self.uploads.folder / ".incoming").iterdir())


@pytest.fixture
def place(tmp_path: Path, default_embedder: Embedder) -> _Place:
    return _Place(tmp_path / "index", default_embedder, Uploads(tmp_path / "index"))


@contextmanager
def no_room_for(name: str) -> Iterator[None]:
    """A disk that is full after half of what is written to files of this name (a pattern)."""
    write = Path.write_bytes

    def write_half(path: Path, content: bytes) -> int:
        if not path.match(name):
            return write(path, content)
        write(path, content[: len(content) // 2])
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Path, "write_bytes", write_half)
        yield


def test_files_become_documents_by_their_product(place: _Place) -> None:
    outcome = place.add(("CHANGELOG.md", NEWS), ("CHANGELOG.md", WIDGET.encode()))
    assert outcome.report is not None
    assert (outcome.report.added, outcome.report.skipped, outcome.refused) == (2, (), ())
    assert outcome.kept == ("sprocket/CHANGELOG.md", "widget/CHANGELOG.md")
    assert place.held == {"sprocket/CHANGELOG.md": "Sprocket", "widget/CHANGELOG.md": "Widget"}
    assert place.kept == {"sprocket/CHANGELOG.md": NEWS, "widget/CHANGELOG.md": WIDGET.encode()}
    assert place.waiting == []
    assert all(one.synced_at for one in place.documents)
    # A new edition replaces the one before.
    report = place.add(("CHANGELOG.md", NEWS + b"- More.\n")).report
    assert report is not None
    assert (report.added, report.updated) == (0, 1)
    assert place.kept["sprocket/CHANGELOG.md"] == NEWS + b"- More.\n"


def test_hints_hold_when_files_are_read_again(place: _Place) -> None:
    hints = Hints(product="Gizmo", version=Version.parse("7.0"), authority=Authority.NEWS)
    assert place.add(("notes.md", NAMELESS), hints=hints).report is not None
    (before,) = place.documents
    report = place.read_again()
    assert (before.product, before.version, before.authority) == ("Gizmo", "7.0", Authority.NEWS)
    assert (report.unchanged, report.removed, report.skipped) == (1, 0, ())


@pytest.mark.parametrize("is_placed", [False, True], ids=["before it is in place", "after it is in place"])
def test_whatever_a_killed_upload_leaves_is_said_of_its_own_content(
    is_placed: bool, place: _Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    later = NEWS + b"- More.\n"
    place.add(("CHANGELOG.md", NEWS), hints=Hints(product="Sprocket", version=Version.parse("1.0")))
    killed = place.index.with_name("killed")
    place_really = ui.library.ingesting._place

    def place_and_die(file: Path, to: Path) -> Path | None:
        copy = place_really(file, to) if is_placed else None
        shutil.copytree(place.index, killed)
        raise OSError(errno.EIO, f"killed with {copy}")

    monkeypatch.setattr(ui.library.ingesting, "_place", place_and_die)
    with pytest.raises(RelnotesError):
        place.add(("CHANGELOG.md", later), hints=Hints(product="Sprocket", version=Version.parse("2.0")))
    shutil.rmtree(place.index)
    killed.rename(place.index)
    version = "2.0" if is_placed else "1.0"
    described = {"sprocket/CHANGELOG.md": Hints(product="Sprocket", version=Version.parse(version))}
    left = _Place(place.index, place.embedder, Uploads(place.index))
    assert left.uploads.described == described
    # The folder is read as the killed server left it.
    ingest(left.uploads.folder, index=left.index, embedder=left.embedder)
    assert [document.version for document in left.documents] == [version]
    assert left.kept == {"sprocket/CHANGELOG.md": later if is_placed else NEWS}
    left.uploads.describe({})
    assert left.uploads.described == described


REFUSED: dict[str, tuple[str, bytes, str]] = {
    "a picture": ("notes.md", b"\x89PNG\r\n\x1a\n" + bytes(200), ""),
    "an archive": ("notes.txt", b"PK\x03\x04" + bytes(200), ""),
    "a broken PDF": ("notes.pdf", b"%PDF-1.7\nnothing", ""),
    "no product": ("CHANGELOG.md", NAMELESS, "name the product"),
    "a list beside documents": ("requirements.txt", b"sprocket\n", "by themselves"),
}


@pytest.mark.parametrize(("name", "content", "why"), REFUSED.values(), ids=REFUSED.keys())
def test_what_is_no_document_is_refused_and_not_kept(name: str, content: bytes, why: str, place: _Place) -> None:
    outcome = place.add((name, content), ("sprocket.md", NEWS))
    assert [one.source for one in outcome.refused] == [name]
    assert why in outcome.refused[0].error
    assert place.held == {"sprocket/sprocket.md": "Sprocket"}
    assert (list(place.kept), place.waiting) == (["sprocket/sprocket.md"], [])


def test_with_nothing_to_ingest_no_index_is_made(place: _Place) -> None:
    assert place.add(("x.md", b"\x00" * 90)).report is None
    assert not (place.index / "relnotes.sqlite").exists()


@pytest.mark.parametrize("phase", ["Checking", "Reading", "Embedding", "Writing", "Committing"])
def test_a_cancelled_ingest_leaves_everything_as_it_was(phase: str, place: _Place) -> None:
    place.add(("CHANGELOG.md", NEWS), hints=Hints(product="Sprocket", authority=Authority.NEWS))
    held, kept, said = place.held, place.kept, place.uploads.described
    with pytest.raises(IngestCancelled):
        place.add(("CHANGELOG.md", NEWS + b"- New.\n"), ("widget.md", WIDGET.encode()), progress=_CancelledAt(phase))
    assert (place.held, place.kept, place.uploads.described, place.waiting) == (held, kept, said, [])
    report = place.read_again()
    assert (report.unchanged, report.added) == (1, 0)


def test_a_disk_without_room_leaves_the_files_that_were_kept(place: _Place, monkeypatch: pytest.MonkeyPatch) -> None:
    files = (("CHANGELOG.md", NEWS), ("CHANGELOG.md", WIDGET.encode()))
    place.add(*files)
    held, kept = place.held, place.kept
    copied = iter([shutil.copyfile])

    def copy_once(source: Path, to: Path) -> Path:
        if (copy := next(copied, None)) is None:
            raise OSError(errno.ENOSPC, "No space left on device")
        return copy(source, to)

    monkeypatch.setattr("ui.library.ingesting.shutil.copyfile", copy_once)
    with pytest.raises(RelnotesError, match="No space left on device"):
        place.add(*((name, content + b"- More.\n") for name, content in files))
    assert (place.held, place.kept, place.waiting) == (held, kept, [])


def test_a_disk_without_room_for_a_description_says_to_make_room(place: _Place) -> None:
    place.add(("CHANGELOG.md", NEWS), hints=Hints(product="Sprocket", version=Version.parse("1.0")))
    held, kept, said = place.held, place.kept, place.uploads.described
    later = Hints(product="Sprocket", version=Version.parse("2.0"))
    with no_room_for(".sources.toml"), pytest.raises(RelnotesError, match="Make room and try again"):
        place.add(("CHANGELOG.md", NEWS + b"- More.\n"), hints=later)
    assert (place.held, place.kept, place.uploads.described, place.waiting) == (held, kept, said, [])
    assert not (place.uploads.folder / ".sources.toml").exists()


def test_without_room_to_describe_a_sync_says_so_and_a_file_is_removed(place: _Place) -> None:
    place.add(("CHANGELOG.md", NEWS), ("widget.md", WIDGET.encode()))
    library = unconnected_library(place.index, place.embedder)
    with no_room_for(".sources.toml"):
        job = library.sync()
        wait(job, well=False)
        assert job.state.outcome is not None
        assert "Make room and try again" in job.state.outcome.error
        assert library.remove(place.number_of("widget/widget.md")) == "widget/widget.md"
    assert list(place.kept) == ["sprocket/CHANGELOG.md"]


def test_a_disk_without_room_for_an_upload_keeps_no_part_of_it(place: _Place) -> None:
    with no_room_for("*"), pytest.raises(OSError, match="No space left on device"):
        place.uploads.take_in("CHANGELOG.md", NEWS)
    assert place.waiting == []


def test_a_waiting_file_that_was_cleared_away_is_told_so(place: _Place) -> None:
    key = place.uploads.take_in("CHANGELOG.md", NEWS)
    (waiting,) = place.waiting
    waiting.unlink()
    outcome = place.ingest().add_files([key], Hints())
    assert [one.error for one in outcome.refused] == ["isn't here any more; choose it again"]


def test_while_another_process_writes_nothing_is_kept(place: _Place) -> None:
    place.add(("CHANGELOG.md", NEWS))
    with write_lock(place.index), pytest.raises(IndexBusy):
        place.add(("widget.md", WIDGET.encode()))
    assert (list(place.kept), place.waiting) == (["sprocket/CHANGELOG.md"], [])


def wait(job: IngestJob, *, well: bool = True) -> None:
    """Until an ingest has ended, well or not."""
    deadline = time.monotonic() + 60
    while job.state.outcome is None:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    assert not (well and job.state.outcome.error)


def test_an_address_is_added_synced_and_forgotten_with_its_document(place: _Place) -> None:
    with NotesServer() as server:
        server.pages["/a.md"] = page("# Gizmo 2.0\n\n- Removed the lever.\n", etag='"1"')
        settings = ConnectorSettings(WebSettings(allowed_hosts=(server.host,)))
        library = library_here(place.index, place.embedder, lambda: Connectors(settings))
        address = server.url("/a.md")
        wait(library.add_address(address, Hints(product="Gadget", authority=Authority.PROJECT)))
        (document,) = place.documents
        assert (document.product, document.authority, document.source) == ("Gadget", Authority.PROJECT, address)
        server.pages["/a.md"] = page("# Gizmo 2.1\n\n- Added a handle.\n", etag='"2"')
        wait(library.sync())
        (document,) = place.documents
        assert "handle" in place.text_of(document)
        assert (document.product, document.authority) == ("Gadget", Authority.PROJECT)
        library.remove(document.id)
        with pytest.raises(UsageError, match="Nothing was added"):
            library.sync()


def test_what_a_list_of_dependencies_lists_is_added_and_synced(place: _Place, tmp_path: Path) -> None:
    with ConnectorPlace(tmp_path) as registry:
        registry.environment = surroundings(PIP_INDEX_URL=registry.server.url("/simple"))
        packages = PackageIndex(registry.server)
        packages.put("sprocket", "sprocket-4.1.0.tar.gz", tar_gz({"sprocket-4.1.0/CHANGELOG.md": NEWS}))
        library = library_here(place.index, place.embedder, registry.connectors)
        keys = [library.uploads.take_in("requirements.txt", b"sprocket>=4\nmissing\n")]
        job = library.add_files(keys, Hints())
        wait(job)
        assert job.state.outcome is not None
        assert job.state.outcome.report is not None
        assert [one.source for one in job.state.outcome.report.failed] == ["pypi:missing"]
        assert set(place.held) == {"pypi:sprocket"}
        assert (place.kept, place.waiting) == ({}, [])
        later = NEWS.replace(b"4.1.0", b"4.2.0")
        packages.put("sprocket", "sprocket-4.2.0.tar.gz", tar_gz({"sprocket-4.2.0/CHANGELOG.md": later}))
        wait(library.sync())
        assert "4.2.0" in place.text_of(place.documents[0])


@pytest.mark.parametrize(
    ("name", "content", "hints", "said"),
    [
        ("requirements.txt", b"sprocket\n", Hints(product="Sprocket"), "names its products itself"),
        ("requirements.txt", b"# nothing\n", Hints(), "requirements.txt: states no dependency"),
    ],
)
def test_a_list_that_cannot_be_added_is_told_by_its_name(
    name: str, content: bytes, hints: Hints, said: str, place: _Place
) -> None:
    library = unconnected_library(place.index, place.embedder)
    job = library.add_files([library.uploads.take_in(name, content)], hints)
    wait(job, well=False)
    outcome = job.state.outcome
    assert outcome is not None
    told = [f"{one.source}: {one.error}" for one in (outcome.report.failed if outcome.report else ())]
    assert said in " ".join([outcome.error, *told])
    assert place.waiting == []


def test_removing_takes_the_file_too(place: _Place) -> None:
    place.add(("CHANGELOG.md", NEWS), ("widget.md", WIDGET.encode()))
    library = unconnected_library(place.index, place.embedder)
    number = place.number_of("widget/widget.md")
    assert library.remove(number) == "widget/widget.md"
    assert (list(place.held), list(place.kept)) == (["sprocket/CHANGELOG.md"], ["sprocket/CHANGELOG.md"])
    with pytest.raises(UsageError, match="no such document"):
        library.remove(number)


def _grant(name: str, *scopes: TokenScope) -> Grant:
    return Grant(name, hashlib.sha256(name.encode()).digest(), frozenset(scopes))


READER = _grant("reader", TokenScope.READ)
WRITER = _grant("writer", TokenScope.READ, TokenScope.WRITE)
BLIND = _grant("blind", TokenScope.WRITE, TokenScope.ADMIN)
OWNER = _grant("owner", *TokenScope)


@pytest.fixture(scope="module")
def library(default_embedder: Embedder, tmp_path_factory: pytest.TempPathFactory) -> Library:
    folder = tmp_path_factory.mktemp("served")
    ingest(write_documents(folder / "documents"), index=folder / "index", embedder=default_embedder)
    return unconnected_library(folder / "index", default_embedder)


@pytest.fixture(scope="module")
def served(library: Library, default_embedder: Embedder) -> Iterator[TestClient]:
    """The pages with tokens, over a small index."""
    index = library.uploads.folder.parent
    tokens = index.with_name("tokens.toml")
    tokens.touch()
    settings = load_server_settings(index=index, tokens_file=tokens)
    with page_app(index, default_embedder, settings, library, grants=lambda: (READER, WRITER, BLIND, OWNER)) as client:
        yield client


def _upload(served: TestClient, token: str, name: str = "a.md", content: bytes = NEWS) -> tuple[int, dict[str, str]]:
    response = served.post("/library/uploads", params={"name": name}, content=content, auth=("any", token))
    return response.status_code, response.json()


def _send(served: TestClient, path: str, token: str, **fields: str) -> Response:
    """What the page says of a form in the end: an ingest that it begins is waited for, as the script does."""
    response = served.post(path, data=fields, auth=("any", token))
    while "data-running" in response.text:
        time.sleep(0.01)
        response = served.get("/library?done", auth=("any", token))
    return response


def _add(served: TestClient, token: str, keys: list[str], **fields: str) -> Response:
    return _send(served, "/library/add", token, uploaded=json.dumps(keys), **fields)


def _number_of(served: TestClient, source: str) -> str:
    documents = served.get("/v1/documents", headers={"Authorization": "Bearer reader"}).json()["documents"]
    return next(str(one["id"]) for one in documents if one["source"] == source)


def test_adding_asks_for_write_and_removing_for_admin(served: TestClient) -> None:
    _, taken = _upload(served, "writer", "../CHANGELOG.md")
    # `read`, too, for the page that tells what came of it.
    assert [_add(served, token, [taken["upload"]]).status_code for token in ("reader", "blind")] == [403, 403]
    added = _add(served, "writer", [taken["upload"]])
    assert (added.status_code, added.url.path) == (200, "/library")
    assert "Added 1 document" in added.text
    number = _number_of(served, "sprocket/CHANGELOG.md")
    statuses = [
        served.post(f"/library/documents/{number}/remove", auth=("any", token)).status_code
        for token in ("reader", "writer", "blind", "owner", "owner")
    ]
    assert statuses == [403, 403, 403, 200, 404]


@pytest.mark.parametrize(
    ("token", "status", "may_remove"), [("reader", 403, False), ("writer", 201, False), ("owner", 201, True)]
)
def test_the_page_has_what_a_token_may_do(served: TestClient, token: str, status: int, may_remove: bool) -> None:
    assert _upload(served, token)[0] == status
    page = served.get("/library", auth=("any", token)).text
    for form in ("add", "sync"):
        assert (f'action="/library/{form}"' in page) is (status == 201)
    assert ("sign in with a token that has the scope" in page) is (status == 403)
    assert ("data-remove=" in page) is may_remove


@pytest.mark.parametrize("path", ["/library/uploads?name=a.md", "/library/documents/1/remove"])
def test_uploading_and_removing_ask_for_their_scopes_themselves(path: str, tmp_path: Path) -> None:
    app = FastAPI()
    library = Library(IngestTools(tmp_path, pytest.fail, pytest.fail), open_runner=pytest.fail)
    add_library_paths(app, library, load_server_settings(index=tmp_path, token="a-token-of-some-length"))
    # No guard stands before them.
    assert TestClient(app).post(path, content=NEWS).status_code == 403


def test_a_file_that_stays_where_its_document_is_removed_is_told(
    served: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, taken = _upload(served, "writer", "CHANGELOG.md", NEWS.replace(b"Sprocket", b"Lever"))
    assert "Added 1 document" in _add(served, "writer", [taken["upload"]]).text
    number = _number_of(served, "lever/CHANGELOG.md")
    unlink = Path.unlink

    def refuse(path: Path, missing_ok: bool = False) -> None:
        if path.name == "CHANGELOG.md":
            raise PermissionError(errno.EACCES, "Permission denied")
        unlink(path, missing_ok=missing_ok)

    monkeypatch.setattr(Path, "unlink", refuse)
    response = served.post(f"/library/documents/{number}/remove", auth=("any", "owner"))
    assert response.status_code == 507
    assert "its file can't be removed (Permission denied)" in response.json()["detail"]


def test_reading_again_asks_for_write(served: TestClient) -> None:
    _add(served, "writer", [_upload(served, "writer")[1]["upload"]])
    assert _send(served, "/library/sync", "reader").status_code == 403
    assert "Nothing new: all of it is here already." in _send(served, "/library/sync", "writer").text


WRONG_FORMS: dict[str, tuple[dict[str, str], str]] = {
    "a path": ({"address": "/etc/passwd"}, "reads no files of this server"),
    "a file's address": ({"address": "file:///etc/passwd"}, "reads no files of this server"),
    "nothing": ({"address": " "}, "Choose files or write an address first"),
    "no version": ({"address": "https://a.example/", "version": "two"}, "two"),
    "too much": ({"address": "https://a.example/" + "x" * 17_000}, "more than fits here"),
    "no list": ({"uploaded": "[" * 9_000}, "Choose files or write an address first"),
}


@pytest.mark.parametrize(("form", "said"), WRONG_FORMS.values(), ids=WRONG_FORMS.keys())
def test_a_form_that_is_refused_says_why_and_keeps_what_was_written(
    served: TestClient, form: dict[str, str], said: str
) -> None:
    response = _send(served, "/library/add", "writer", **{"product": '"Wid<get>', "authority": "news", **form})
    page = PageHtml(main_of(response.text))
    assert response.status_code == 400
    assert any(said in told for told in page.texts("p"))
    assert {'"Wid<get>', form.get("address", "").strip()[:2_048]} <= {*page.values("value"), ""}
    assert page.values("selected") == [""]


def test_keys_open_nothing_that_they_were_not_given_for(served: TestClient) -> None:
    keys = [_upload(served, "writer")[1]["upload"]]
    # Files of a form that is refused keep no place of others.
    assert "Choose the files again." in _add(served, "writer", keys, address="https://a.example/").text
    for gone in (keys, ["../../etc/passwd"]):
        assert "here any more" in _add(served, "writer", gone).text


def test_one_at_a_time_is_watched_and_called_off(served: TestClient, library: Library) -> None:
    go = threading.Event()

    def work(progress: IngestProgress) -> IngestOutcome:
        go.wait(60)
        progress.phase("Reading", 3)
        return IngestOutcome()

    library.desk.start("2 <files>", work)
    try:
        told = served.get("/library/progress", auth=("any", "reader")).text
        assert "2 &lt;files&gt;" in told
        keys = [_upload(served, "writer")[1]["upload"]]
        refused = served.post("/library/add", data={"uploaded": json.dumps(keys)}, auth=("any", "writer"))
        assert "2 &lt;files&gt;" in refused.text.partition('role="alert"')[2]
        assert "Choose the files again." in refused.text
        assert served.post("/library/cancel", auth=("any", "reader")).status_code == 403
        assert "Cancelling" not in served.get("/library/progress", auth=("any", "reader")).text
        assert "Cancelling" in served.post("/library/cancel", auth=("any", "writer")).text
    finally:
        go.set()
    while served.get("/library/progress", auth=("any", "reader")).text:
        time.sleep(0.01)
    assert "Cancelled. The library is as it was before." in served.get("/library?done", auth=("any", "reader")).text
    assert "Cancelled" not in served.get("/library", auth=("any", "reader")).text


BAD_UPLOADS: dict[str, tuple[str, bytes, int]] = {
    "no name": ("", NEWS, 400),
    "a long name": ("x" * 2000, NEWS, 400),
    "only dots": ("..", NEWS, 400),
    "empty": ("a.md", b"", 400),
    "white space": ("a.md", b" \n", 400),
    "too large": ("a.md", b"x" * (32 * 1024 * 1024 + 1), 413),
}


@pytest.mark.parametrize(("name", "content", "status"), BAD_UPLOADS.values(), ids=BAD_UPLOADS.keys())
def test_a_bad_upload_is_a_problem_document(served: TestClient, name: str, content: bytes, status: int) -> None:
    response = served.post("/library/uploads", params={"name": name}, content=content, auth=("any", "writer"))
    assert (response.status_code, response.headers["content-type"]) == (status, "application/problem+json")


@pytest.mark.parametrize("path", ["uploads?name=a.md", "documents/1/remove", "add", "sync", "cancel"])
def test_another_site_may_change_nothing(served: TestClient, path: str) -> None:
    headers = {"Sec-Fetch-Site": "cross-site"}
    assert served.post(f"/library/{path}", content=NEWS, auth=("any", "owner"), headers=headers).status_code == 403


@pytest.mark.parametrize("number", ["0", "-1", "x", "9" * 30, "١"])
def test_only_documents_are_removed(served: TestClient, number: str) -> None:
    assert served.post(f"/library/documents/{number}/remove", auth=("any", "owner")).status_code == 404
