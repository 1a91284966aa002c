"""The HTTP API against its own description, and under load: what outsiders' tools find, over real sockets."""

import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from http_apps import serving
from warm_server import running_serve

from evals.lab.processes import run_ingest
from evals.suites import BUNDLED, load_suite
from ui.http.api import create_app
from ui.server.live_assistant import LiveAssistant
from ui.server.question_desk import QuestionDesk

TOKEN = "a token of these tests"


@pytest.mark.slow
def test_schemathesis_finds_nothing(live: LiveAssistant, tmp_path: Path) -> None:
    """Some three hundred requests, and those that are made up."""
    app = create_app(live, QuestionDesk(max_questions=4, timeout_s=30, max_waiting=64), token=TOKEN)
    with serving(app, http="h11") as port:
        address = f"http://127.0.0.1:{port}/openapi.json"
        command = [
            *(sys.executable, "-m", "schemathesis.cli", "run", address, "--checks", "all"),
            *("--max-examples", "2", "--generation-deterministic", "--no-color"),
            *("--header", f"Authorization: Bearer {TOKEN}"),
        ]
        ran = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env={**os.environ, "COLUMNS": "99"})
    assert ran.returncode == 0, ran.stdout[-4_000:]
    assert "No issues found" in ran.stdout


@pytest.mark.slow
def test_the_end_is_a_success_though_a_question_is_still_in_work(own_index: Path) -> None:
    # Thousands of dependencies keep it busy for longer than the server waits.
    lines = "".join(f"-p{n}==1.0\n+p{n}==2.0\n" for n in range(10_000))
    diff = f"--- a/requirements.txt\n+++ b/requirements.txt\n@@ -1,10000 +1,10000 @@\n{lines}"
    impatient = "import ui.running; ui.running._GRACE_S = 0.2"
    with running_serve(own_index, prelude=impatient) as (server, address), ThreadPoolExecutor(1) as asking:
        asked = asking.submit(httpx.post, f"{address}/v1/review", json={"diff": diff}, timeout=60)
        while b"relnotes_desk_working 1.0" not in httpx.get(f"{address}/metrics", timeout=60).content:
            time.sleep(0.1)
        server.send_signal(signal.SIGTERM)
        assert (server.wait(), asked.result().status_code) == (0, 503)


@pytest.mark.slow
def test_no_request_fails_while_the_index_is_swapped(own_index: Path, tmp_path: Path) -> None:
    """Six clients ask one question after another; another process ingests one more document in the middle."""
    questions = [question.question for question in load_suite(BUNDLED)]
    more = tmp_path / "more"
    more.mkdir()
    (more / "sprocket.md").write_text("# Sprocket 4.2 (2026-01-15)\n\n- `sprocket.align` takes the angle in radians.\n")
    ended = threading.Event()

    def ask_on(address: str, first: int) -> list[int]:
        statuses: list[int] = []
        with httpx.Client(base_url=address, timeout=60, trust_env=False) as client:
            while not ended.is_set() or not statuses:
                question = questions[(first + len(statuses)) % len(questions)]
                statuses.append(client.post("/v1/ask", json={"question": question}).status_code)
                statuses += [client.get(path).status_code for path in ("/readyz", "/v1/documents")]
        return statuses

    # How long a question waits on a busy machine isn't tried here.
    patient = {"RELNOTES_QUESTION_TIMEOUT_S": "120"}
    with running_serve(own_index, **patient) as (_, address), ThreadPoolExecutor(6) as clients:
        asking = [clients.submit(ask_on, address, number) for number in range(6)]
        try:
            time.sleep(0.5)
            run_ingest(more, own_index)
            time.sleep(0.5)
        finally:
            ended.set()
        assert {status for one in asking for status in one.result()} == {200}
        asked = {"question": "What unit does sprocket.align take its angle in?", "product": "sprocket"}
        assert "radians" in httpx.post(f"{address}/v1/ask", json=asked, timeout=60).json()["answer"]
