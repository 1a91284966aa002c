"""What takes too long is ended, in its own words; beside it the server answers everybody else."""

import logging
import os
import re
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI
from http_apps import serving
from small_corpus import HashedEmbedder
from starlette.middleware import Middleware
from waiting import until

from ingest.pipeline import build_index
from retrieval.assistant import Assistant
from ui.http.api import create_app
from ui.http.workers import AnsweredElsewhere, Workers
from ui.server.live_assistant import LiveAssistant
from ui.server.question_desk import QuestionDesk
from ui.web.page import mount_page, refusal
from ui.web.services import PageServices

LIMIT_S = 2.0
_DIFF = "--- a/requirements.txt\n+++ b/requirements.txt\n@@ -1 +1 @@\n-hang==1\n+hang==2\n"
ENDED = [
    pytest.param("GET", "/p/hang", {}, "page", id="page"),
    pytest.param("GET", "/v1/upgrade", {"params": {"product": "hang", "from": "1", "to": "2"}}, "upgrade", id="bump"),
    pytest.param("GET", "/upgrade", {"params": {"product": "hang"}}, "upgrade", id="page of an upgrade"),
    pytest.param("POST", "/v1/cite", {"json": {"text": "Will hang."}}, "claim", id="claim"),
    pytest.param("POST", "/v1/review", {"json": {"diff": _DIFF}}, "review", id="review"),
    pytest.param("POST", "/v1/ask", {"json": {"question": "hang?"}}, "question", id="question"),
    pytest.param("POST", "/v1/search", {"json": {"query": "hang"}}, "search", id="search"),
]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A server whose assistant never returns from a pattern where it is asked for what hangs."""
    root = tmp_path_factory.mktemp("served")
    notes, index = root / "gizmo.md", root / "index"
    notes.write_text(
        "# Gizmo\n\n## 1.1.0 (2024-02-01)\n\n- Removed `turn()`.\n\n## 1.0.0 (2024-01-01)\n\n- Added levers.\n"
    )
    build_index([str(notes)], index=index, embedder=HashedEmbedder())

    def build() -> FastAPI:
        assistants = LiveAssistant(index, open_embedder=HashedEmbedder)
        desk = QuestionDesk(max_questions=1, timeout_s=LIMIT_S, max_waiting=1)
        app = create_app(assistants, desk)
        mount_page(app, PageServices(assistants, desk))
        return app

    with pytest.MonkeyPatch.context() as patch:
        for name in ("upgrade", "cite", "review", "ask", "search"):
            patch.setattr(Assistant, name, _hanging(getattr(Assistant, name)))
        for page in ("products", "upgrade"):
            patch.setattr(f"ui.web.{page}.find_product", _hanging(lambda products, name: products[0]))
        app = build()
        workers = Workers(build, app.state.answering.desk)
    app.user_middleware.append(Middleware(AnsweredElsewhere, workers=workers, respond=refusal))
    with serving(app) as port, httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=30) as client:
        yield client
    workers.close()


def _hanging(method: object) -> object:
    def call(*arguments: object, **options: object) -> object:
        if "hang" in f"{arguments}{options}":
            # Keeps the interpreter: no other thread gets a turn.
            re.match(r"(?:a+)+$", "a" * 60 + "b")
        assert callable(method)
        return method(*arguments, **options)

    return call


@pytest.mark.parametrize(("method", "path", "sent", "what"), ENDED)
def test_what_takes_too_long_is_ended_in_its_own_words_while_all_else_is_answered(
    server: httpx.Client, caplog: pytest.LogCaptureFixture, method: str, path: str, sent: dict[str, object], what: str
) -> None:
    responses: list[httpx.Response] = []
    caplog.set_level(logging.WARNING, "relnotes.questions")
    asking = threading.Thread(target=lambda: responses.append(server.request(method, path, **sent)))
    started = time.monotonic()
    asking.start()
    while asking.is_alive():
        begun = time.monotonic()
        assert server.get("/healthz").json() == {"status": "ok"}
        assert time.monotonic() - begun < LIMIT_S / 2
        time.sleep(0.05)
    assert time.monotonic() - started < 3 * LIMIT_S
    (response,) = responses
    assert response.status_code == 504
    assert f"This {what} took longer than 2 s." in response.text
    assert f"ended: this {what} took longer than 2 s" in caplog.text
    # The next one is answered, by a process that took its place.
    again = server.get("/v1/upgrade", params={"product": "nothing", "from": "1", "to": "2"})
    assert again.status_code == 404


def test_a_browser_gets_a_page(server: httpx.Client) -> None:
    response = server.get("/p/hang", headers={"Accept": "text/html"})
    assert response.status_code == 504
    assert response.headers["content-type"].startswith("text/html")
    assert "This page took longer than 2 s." in response.text


def test_a_question_does_not_wait_for_a_page_that_hangs(server: httpx.Client) -> None:
    assert server.post("/v1/search", json={"query": "what is new"}).status_code == 200
    asking = threading.Thread(target=lambda: server.get("/p/hang"))
    asking.start()
    begun = time.monotonic()
    assert server.post("/v1/search", json={"query": "what is removed"}).status_code == 200
    assert time.monotonic() - begun < LIMIT_S / 2
    asking.join()


def test_more_than_may_wait_are_told_to_come_again(server: httpx.Client) -> None:
    statuses: list[int] = []
    asking = [threading.Thread(target=lambda: statuses.append(server.get("/p/hang").status_code)) for _ in range(4)]
    for thread in asking:
        thread.start()
    for thread in asking:
        thread.join()
    assert sorted(statuses) == [503, 503, 504, 504]


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="no /proc here")
def test_a_process_that_ended_between_two_requests_is_replaced_unnoticed(server: httpx.Client) -> None:
    assert server.get("/p/gizmo").status_code == 200
    # The server is this process; what forks for it forks nothing else.
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    workers = [at for child in children for at in Path(f"/proc/{child}/task/{child}/children").read_text().split()]
    assert workers
    for worker in workers:
        # The limit's signal may have ended it. Its last thread has ended, and closed its pipes.
        with suppress(OSError):
            os.kill(int(worker), signal.SIGKILL)
            until(lambda: os.listdir(f"/proc/{worker}/task") == [worker])  # noqa: B023, PTH208 -- called at once
            until(lambda: "Z" in Path(f"/proc/{worker}/stat").read_text())  # noqa: B023
    assert [server.get("/p/gizmo").status_code for _ in range(3)] == [200] * 3


def test_what_is_answered_is_what_one_process_would_answer(server: httpx.Client) -> None:
    for path in ("/", "/v1/documents", "/upgrade", "/review", "/nowhere"):
        response = server.get(path)
        assert response.headers["x-request-id"]
        assert response.status_code == (404 if path == "/nowhere" else 200), path
