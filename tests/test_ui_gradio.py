"""The Gradio app: `gradio_client` gets what the HTTP API gives, and nothing else of Gradio is open."""

import asyncio
import json
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from case_files import read_rows
from fastapi.testclient import TestClient
from page_app import page_app
from page_browser import running_page
from waiting import until

from corpus.embedding import Embedder

CONFIG_PATH, INFO_PATH = "/config", "/gradio_api/info"
JOIN_PATH, DATA_PATH = "/gradio_api/queue/join", "/gradio_api/queue/data"
DIFF = "--- a/requirements.txt\n+++ b/requirements.txt\n@@ -1 +1 @@\n-widget==1.5.0\n+widget==2.0.0\n"


@pytest.fixture(scope="module")
def client(own_index: Path, default_embedder: Embedder) -> Iterator[TestClient]:
    with page_app(own_index, default_embedder, gradio=True) as client:
        yield client


def event(client: Any, values: list[Any], *, name: str = "ask", session: str = "x") -> dict[str, Any]:
    """What a client sends: the values with the defaults after them, and the number of the endpoint."""
    described = client.get(INFO_PATH).json()["named_endpoints"][f"/{name}"]["parameters"]
    data = values + [one["parameter_default"] for one in described[len(values) :]]
    (number,) = (one["id"] for one in client.get(CONFIG_PATH).json()["dependencies"] if one["api_name"] == name)
    return {"data": data, "fn_index": number, "session_hash": session}


def join(client: Any, sent: dict[str, Any]) -> Any:
    return client.post("/gradio_api/queue/join", content=json.dumps(sent), headers={"Content-Type": "application/json"})


def call(client: Any, values: list[Any], *, name: str = "ask") -> dict[str, Any]:
    """What an event comes to."""
    session = uuid.uuid4().hex
    assert join(client, event(client, values, name=name, session=session)).status_code == 200
    with client.stream("GET", "/gradio_api/queue/data", params={"session_hash": session}) as messages:
        for line in messages.iter_lines():
            message: dict[str, Any] = json.loads(line.removeprefix("data:")) if line.startswith("data:") else {}
            if message.get("msg") == "process_completed":
                return message
    raise AssertionError("the event never ended")


ASKED = "Is widget.spin deprecated?"
SAME: dict[str, tuple[list[Any], dict[str, Any]]] = {
    "ask": (
        ["Since when?", [ASKED], "widget", None, 3],
        {"question": "Since when?", "history": [ASKED], "product": "widget", "k": 3},
    ),
    "search": (["spin", None, None, 2], {"query": "spin", "k": 2}),
    "cite": (["widget.spin is deprecated."], {"text": "widget.spin is deprecated."}),
    "review": ([DIFF], {"diff": DIFF}),
    "upgrade": (["widget", "1.5.0", "2.0.0"], {"product": "widget", "from": "1.5.0", "to": "2.0.0"}),
}


@pytest.mark.parametrize("name", SAME)
def test_an_endpoint_gives_what_the_api_gives(client: TestClient, name: str) -> None:
    values, asked = SAME[name]
    (told,) = call(client, values, name=name)["output"]["data"]
    path = f"/v1/{name}"
    given = client.get(path, params=asked) if name == "upgrade" else client.post(path, json=asked)
    assert {**told, "timings_ms": None} == {**given.json(), "timings_ms": None}


@pytest.mark.parametrize(("name", "values", "told"), read_rows("ui-a-refusal-says-why", list))
def test_a_refusal_says_why(client: TestClient, name: str, values: list[Any], told: str) -> None:
    ended = call(client, values, name=name)
    assert ended["success"] is False
    assert told in ended["output"]["error"]


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        *read_rows("ui-what-no-client-sends-is-refused"),
        pytest.param({"data": [None] * 100_000}, 422, id="values without an end"),
        pytest.param({"data": ["x" * 3_000_000, None, None, None, 10]}, 413, id="more than a diff may have"),
    ],
)
def test_what_no_client_sends_is_refused(client: TestClient, changed: dict[str, Any], status: int) -> None:
    assert join(client, event(client, ["x"]) | changed).status_code == status


CLOSED = (
    *("upload", "file=/etc/hostname", "proxy=https://a.example/", "call/ask", "run/ask", "runs", "mcp/", "heartbeat/x"),
    *("cancel", "reset", "queue/data?session_hash=x1", "../monitoring", "../static/img/logo.svg", "../login"),
)


@pytest.mark.parametrize("path", CLOSED)
def test_nothing_else_of_gradio_is_open(client: TestClient, path: str) -> None:
    for method in ("GET", "POST"):
        assert client.request(method, f"/gradio_api/{path}").status_code in (404, 405)


def test_a_token_is_asked_for(own_index: Path, default_embedder: Embedder) -> None:
    with page_app(own_index, default_embedder, gradio=True, token="a-token-of-some-length-1") as client:
        for path in (CONFIG_PATH, INFO_PATH, JOIN_PATH, DATA_PATH):
            refused = client.request("POST" if path == JOIN_PATH else "GET", path)
            assert (refused.status_code, refused.headers["www-authenticate"]) == (401, 'Bearer realm="relnotes"')


@pytest.mark.slow
def test_gradios_own_client_asks_a_real_server(own_index: Path) -> None:
    from gradio_client import Client
    from gradio_client.exceptions import AppError

    with running_page(own_index) as address:
        client = Client(address, verbose=False)
        question = "Is widget.spin deprecated?"
        told = client.predict(question=question, api_name="/ask")
        given = httpx.post(f"{address}/v1/ask", json={"question": question}).json()
        assert {**told, "timings_ms": None} == {**given, "timings_ms": None}
        assert client.predict(**{"product": "widget", "from": "1.5.0", "to": "latest"}, api_name="/upgrade")["to"]
        assert "question: str (required)" in str(client.view_api(print_info=False, return_format="str"))
        with pytest.raises(AppError, match="question"):
            client.predict(question="", api_name="/ask")


def test_who_waits_for_events_looks_for_them_seldom(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr(asyncio, "sleep", lambda delay, sleep=asyncio.sleep: slept.append(delay) or sleep(delay))
    until(lambda: len(slept) > 9)
    assert min(slept) >= 0.05
