"""Attacks on a real server and on an index that no other test tries: ids that are paths, questions that are traps,
files that are programs."""

import os
import pickle
import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from shutil import copytree
from urllib.parse import urlsplit

import httpx
import pytest
from case_files import read_rows
from notes_server import Answer, page, redirect, serving
from small_corpus import HashedEmbedder
from ui_small_index import Silence, ingest

from corpus.errors import IndexUnavailable
from corpus.index.reader import IndexReader
from ingest.pipeline import build_index
from ingest.sources.connectors import Connectors, ConnectorSettings
from ingest.sources.web import WebError, WebSettings
from ingest.sources.web.client import WebClient

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def client(own_address: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=own_address, timeout=60) as client:
        yield client


TRAVERSALS = (
    "../relnotes.sqlite",
    "..%2f..%2f..%2fetc%2fpasswd",
    "%2e%2e/%2e%2e/etc/passwd",
    "..%5c..%5cetc%5cpasswd",
    "....//....//etc/passwd",
    "%252e%252e%252fetc%252fpasswd",
    "%00",
    "1%00.md",
    "1%0d%0aX-Injected:%201",
    "%c0%ae%c0%ae/etc/passwd",
    "file:///etc/passwd",
    "-1",
    "9" * 400,
    "1e3",
    "1%27%20OR%201=1--",
    "%ed%a0%80",
    "x" * 4_000,
)


def raw(address: str, target: str) -> bytes:
    """What is answered to a target that no client would send as it stands."""
    parts = urlsplit(address)
    with socket.create_connection((parts.hostname or "", parts.port or 0), timeout=60) as connection:
        connection.sendall(f"GET {target} HTTP/1.1\r\nHost: {parts.netloc}\r\nConnection: close\r\n\r\n".encode())
        return b"".join(iter(lambda: connection.recv(65_536), b""))


@pytest.mark.parametrize("place", read_rows("attacks-no-id-is-a-path"))
def test_no_id_is_a_path(client: httpx.Client, place: str) -> None:
    for name in TRAVERSALS:
        answer = raw(str(client.base_url), place + name)
        head, _, body = answer.partition(b"\r\n\r\n")
        status = int(head.split()[1])
        assert 400 <= status < 500, (place, name, head[:200])
        assert b"root:" not in body, (place, name)
        assert b"SQLite format" not in body, (place, name)
        assert b"\nX-Injected" not in head


MANY = "(" * 20_000
TRAPS: dict[str, str] = {
    "a megabyte": "is it deprecated " * 60_000,
    "brackets": MANY[:1_900],
    "versions": ">=1.0,<" * 280,
    "dots": "1." * 990,
    "dashes": "a-" * 990 + "!",
    "blanks": "what" + " " * 1_900 + "x",
    "names": "a.b_c::d" * 240,
    "quotes": "`'\"" * 650,
    "numbers": "9" * 1_950,
    "references": "CVE-2024-" * 210,
    "words that begin alike": "since when since when " * 85,
    "stars": "*a**b***" * 240,
}


@pytest.mark.parametrize("question", TRAPS.values(), ids=TRAPS.keys())
def test_no_question_keeps_a_place_for_long(client: httpx.Client, question: str) -> None:
    """It is answered, or refused as too long; the server gives up none of them."""
    answer = client.post("/v1/ask", json={"question": question})
    assert answer.status_code in (200, 413, 422), answer.text[:300]
    assert "relnotes_desk_given_up_total 0.0" in client.get("/metrics").text


def test_a_header_without_end_is_refused(client: httpx.Client) -> None:
    # It may hang up before all of it is sent.
    with suppress(httpx.TransportError):
        assert client.get("/healthz", headers={"X-Much": "x" * 8_000_000}).status_code == 400
    assert client.get("/healthz").status_code == 200


def test_a_body_in_endless_pieces_is_refused(client: httpx.Client) -> None:
    def pieces() -> Iterator[bytes]:
        yield b'{"question": "'
        for _ in range(64):
            yield b"x" * 4096

    assert client.post("/v1/ask", content=pieces(), headers={"Content-Type": "application/json"}).status_code == 413


class _Program:
    """Would leave a file behind if anybody unpickled it."""

    def __init__(self, trace: Path) -> None:
        self._trace = trace

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.mkdir, (str(self._trace),)


def test_a_pickle_in_place_of_an_index_file_is_refused_and_never_run(small_index: Path, tmp_path: Path) -> None:
    trace = tmp_path / "ran"
    names = [path.relative_to(small_index) for path in small_index.rglob("*") if path.is_file()]
    # The database too: it is the one file that vouches for the others.
    names = [
        name
        for name in names
        if name.parts[0] == "relnotes.sqlite" or name.parts[0].partition("-")[0] in ("vectors", "lexical", "columns")
    ]
    assert len(names) > 4
    for number, name in enumerate(names):
        index = Path(copytree(small_index, tmp_path / str(number)))
        (index / name).write_bytes(pickle.dumps(_Program(trace)))
        # Digests that are remembered of the old files must not vouch for the new ones.
        with pytest.raises(IndexUnavailable):
            IndexReader.open(index).close()
        assert not trace.exists(), name


def test_an_index_swapped_for_anothers_files_is_refused(small_index: Path, tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.md").write_text("# Lid 1.0\n\n- The lid turns.\n")
    ingest(tmp_path / "notes", index=tmp_path / "other", embedder=HashedEmbedder())
    index = Path(copytree(small_index, tmp_path / "index"))
    vectors = next(index.glob("vectors-*"))
    vectors.write_bytes(next((tmp_path / "other").glob("vectors-*")).read_bytes())
    with pytest.raises(IndexUnavailable, match="holds other vectors than were written"):
        IndexReader.open(index).close()


def test_a_wrong_content_type_makes_nothing_run_and_nothing_hang(tmp_path: Path) -> None:
    notes = b"# Lid 1.0\n\n- The lid turns.\n"
    script = b"<html><body><main><h1>Lid 1.0</h1><p>The lid turns.</p><script>alert(1)</script></main></body></html>"
    pages = {
        "/a.md": Answer(notes, headers={"Content-Type": "image/png"}),
        "/b.md": Answer(script, headers={"Content-Type": "text/markdown"}),
        "/c.md": Answer(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 8, headers={"Content-Type": "text/markdown"}),
        "/d.md": Answer(notes, headers={"Content-Type": "text/html; charset=no-such-charset"}),
        "/e.md": Answer(b"PK\x03\x04" + bytes(100), headers={"Content-Type": "text/plain"}),
        "/f.md": Answer(notes, headers={"Content-Type": "\x7f" * 2_000}),
    }
    with serving(pages) as server:
        for number, path in enumerate(pages):
            settings = ConnectorSettings(web=WebSettings(allowed_hosts=(server.host,)))
            report = build_index(
                [server.url(path)],
                index=tmp_path / str(number),
                embedder=HashedEmbedder(),
                connectors=Connectors(settings),
                progress=Silence(),
            )
            assert len(report.failed) + report.added == 1, path
            assert not [failed.error for failed in report.failed if "report it" in failed.error], path


@pytest.mark.parametrize("address", read_rows("attacks-no-spelling-leads-a-redirect-to-a-private-place"))
def test_no_spelling_leads_a_redirect_to_a_private_place(address: str) -> None:
    with serving({"/notes.md": redirect(address), "/": page("# secret")}) as server:
        client = WebClient(WebSettings(allowed_hosts=(server.host,), connect_seconds=2))
        with pytest.raises(WebError):
            client.get(server.url("/notes.md"))
        assert server.paths() == ["/notes.md"]
