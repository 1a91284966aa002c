"""The Gradio app: `gradio_client` gets what the HTTP API gives, and nothing else of Gradio is open."""

import asyncio
import json
import uuid
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from fastapi.testclient import TestClient
from page_app import page_app
from page_browser import running_page

from corpus.embedding import Embedder
from ui.gradio.bounds import _MAX_CHARACTERS, _MAX_OF_SESSION, _MAX_UNREAD, PATHS, UnreadEvents

NAMES = ["/ask", "/cite", "/review", "/search", "/upgrade", "/versions"]
DIFF = "--- a/requirements.txt\n+++ b/requirements.txt\n@@ -1 +1 @@\n-widget==1.5.0\n+widget==2.0.0\n"


@pytest.fixture(scope="module")
def client(own_index: Path, default_embedder: Embedder) -> Iterator[TestClient]:
    with page_app(own_index, default_embedder) as client:
        yield client


def numbered(client: Any, name: str) -> int:
    """The number by which clients call an endpoint."""
    return next(one["id"] for one in client.get("/config").json()["dependencies"] if one["api_name"] == name)


def event(client: Any, values: list[Any], *, name: str = "ask", session: str = "x") -> dict[str, Any]:
    return {"data": values, "fn_index": numbered(client, name), "session_hash": session}


def join(client: Any, sent: dict[str, Any]) -> Any:
    return client.post("/gradio_api/queue/join", content=json.dumps(sent), headers={"Content-Type": "application/json"})


def call(client: Any, values: list[Any], *, name: str = "ask") -> dict[str, Any]:
    """What an event comes to; its last values are the defaults, as clients fill them in."""
    session = uuid.uuid4().hex
    described = client.get("/gradio_api/info").json()["named_endpoints"][f"/{name}"]["parameters"]
    values = values + [one["parameter_default"] for one in described[len(values) :]]
    assert join(client, event(client, values, name=name, session=session)).status_code == 200
    with client.stream("GET", "/gradio_api/queue/data", params={"session_hash": session}) as messages:
        for line in messages.iter_lines():
            message: dict[str, Any] = json.loads(line.removeprefix("data:")) if line.startswith("data:") else {}
            if message.get("msg") == "process_completed":
                return message
    raise AssertionError("the event never ended")


def test_the_endpoints_describe_themselves(client: TestClient) -> None:
    described = client.get("/gradio_api/info").json()["named_endpoints"]
    assert sorted(described) == NAMES
    told = {name: [one["parameter_name"] for one in described[name]["parameters"]] for name in NAMES}
    assert told["/ask"] == ["question", "history", "product", "version", "k", "explain"]
    assert told["/upgrade"] == ["product", "from", "to"]
    defaults = {one["parameter_name"]: one["parameter_default"] for one in described["/ask"]["parameters"]}
    assert (defaults["k"], defaults["explain"], defaults["history"]) == (10, False, None)
    assert all(described[name]["description"] for name in NAMES)


SAME: dict[str, tuple[str, list[Any], str, str, dict[str, Any]]] = {
    "ask": ("ask", ["Is widget.spin deprecated?"], "POST", "/v1/ask", {"question": "Is widget.spin deprecated?"}),
    "a follow-up": (
        "ask",
        ["Since when?", ["Is widget.spin deprecated?"], "widget", None, 3],
        "POST",
        "/v1/ask",
        {"question": "Since when?", "history": ["Is widget.spin deprecated?"], "product": "widget", "k": 3},
    ),
    "search": ("search", ["spin", None, None, 2], "POST", "/v1/search", {"query": "spin", "k": 2}),
    "cite": ("cite", ["widget.spin is deprecated."], "POST", "/v1/cite", {"text": "widget.spin is deprecated."}),
    "review": ("review", [DIFF], "POST", "/v1/review", {"diff": DIFF}),
    "upgrade": (
        "upgrade",
        ["widget", "1.5.0", "2.0.0"],
        "GET",
        "/v1/upgrade",
        {"product": "widget", "from": "1.5.0", "to": "2.0.0"},
    ),
}


@pytest.mark.parametrize(("name", "values", "method", "path", "asked"), SAME.values(), ids=SAME)
def test_an_endpoint_gives_what_the_api_gives(
    client: TestClient, name: str, values: list[Any], method: str, path: str, asked: dict[str, Any]
) -> None:
    (told,) = call(client, values, name=name)["output"]["data"]
    given = client.get(path, params=asked) if method == "GET" else client.post(path, json=asked)
    expected = given.json()
    assert {**told, "timings_ms": None} == {**expected, "timings_ms": None}


def test_versions_are_those_of_the_index(client: TestClient) -> None:
    (told,) = call(client, ["widget"], name="versions")["output"]["data"]
    assert [one["version"] for one in told["products"][0]["versions"]][:1] == ["2.0.0"]


REFUSED: dict[str, tuple[str, list[Any], str]] = {
    "no question": ("ask", [""], "question: "),
    "too many passages": ("ask", ["x", None, None, None, 99], "k: "),
    "a product that isn't there": ("ask", ["x", None, "nothing"], "Unknown product"),
    "no diff": ("review", ["no diff"], "diff"),
    "a downgrade": ("upgrade", ["widget", "2.0.0", "1.5.0"], "2.0.0"),
    "no such product": ("versions", ["nothing"], "Unknown product"),
}


@pytest.mark.parametrize(("name", "values", "told"), REFUSED.values(), ids=REFUSED)
def test_a_refusal_says_why(client: TestClient, name: str, values: list[Any], told: str) -> None:
    ended = call(client, values, name=name)
    assert ended["success"] is False
    assert told in ended["output"]["error"]


FILE = {"path": "/etc/hostname", "meta": {"_type": "gradio.FileData"}}
UNTYPED: dict[str, Any] = {
    "a file": FILE,
    "a file without an end": FILE | {"path": "/dev/zero"},
    "a place of the web": FILE | {"url": "http://93.184.215.14/notes.md"},
    "a file in a list": [FILE],
    "a list of lists": [["x"]],
    "an object": {"act": {}},
    "many texts": ["x"] * 100,
    "half a character": "half \ud800 of one",
}


@pytest.mark.parametrize("value", UNTYPED.values(), ids=UNTYPED)
def test_nothing_but_plain_values_goes_into_any_endpoint(client: TestClient, value: Any) -> None:
    for name in NAMES:
        assert join(client, event(client, [value], name=name.strip("/"))).status_code == 400


SHAPES: dict[str, tuple[dict[str, Any], int]] = {
    "values without an end": ({"data": [None] * 100_000}, 400),
    "a value too many": ({"data": ["x"] * 8}, 400),
    "no such endpoint": ({"fn_index": 99}, 404),
    "a session that is a path": ({"session_hash": "../x"}, 400),
    "no session": ({"session_hash": None}, 400),
    "more than a question may have": ({"data": ["x" * 100_000]}, 413),
}


@pytest.mark.parametrize(("changed", "status"), SHAPES.values(), ids=SHAPES)
def test_what_no_client_sends_is_refused(client: TestClient, changed: dict[str, Any], status: int) -> None:
    refused = join(client, event(client, ["x"]) | changed)
    assert (refused.status_code, refused.headers["content-type"]) == (status, "application/problem+json")


def test_what_clients_send_besides_is_not_passed_on(client: TestClient) -> None:
    more = {"event_data": FILE, "trigger_id": 1, "simple_format": True, "batched": True, "oauth_token": "x"}
    assert join(client, event(client, ["x"], session="more") | more).status_code == 200


CLOSED: dict[str, tuple[str, str, int]] = {
    "upload": ("POST", "/gradio_api/upload", 404),
    "a file of the server": ("GET", "/gradio_api/file=/etc/hostname", 404),
    "another host": ("GET", "/gradio_api/proxy=https://a.example/", 404),
    "a call beside the queue": ("POST", "/gradio_api/call/ask", 404),
    "a run": ("POST", "/gradio_api/run/ask", 404),
    "runs of the past": ("GET", "/gradio_api/runs", 404),
    "monitoring": ("GET", "/monitoring", 404),
    "a page of Gradio's": ("GET", "/static/img/logo.svg", 404),
    "its tools for models": ("POST", "/gradio_api/mcp/", 404),
    "its heartbeat": ("GET", "/gradio_api/heartbeat/x", 404),
    "a log-in": ("POST", "/login", 404),
    "wrong method": ("GET", "/gradio_api/queue/join", 405),
    "a stream of nobody": ("GET", "/gradio_api/queue/data?session_hash=../x", 400),
}


@pytest.mark.parametrize(("method", "path", "status"), CLOSED.values(), ids=CLOSED)
def test_nothing_else_of_gradio_is_open(client: TestClient, method: str, path: str, status: int) -> None:
    response = client.request(method, path, json={"data": []} if method == "POST" else None)
    assert (response.status_code, response.headers["content-type"]) == (status, "application/problem+json")


def queue_of(client: TestClient) -> Any:
    """Gradio's queue, below what we put around it."""
    routes = client.app.router.routes  # type: ignore[attr-defined]
    return next(route for route in routes if getattr(route, "path", "") == "/config").app._unread._queue


def test_what_nobody_reads_is_kept_for_few_sessions(client: TestClient) -> None:
    queue = queue_of(client)
    for number in range(_MAX_UNREAD + 20):
        assert join(client, event(client, ["x"], session=f"unread{number}")).status_code == 200
    assert len(queue.pending_messages_per_session) <= _MAX_UNREAD + 1
    assert f"unread{_MAX_UNREAD + 19}" in queue.pending_messages_per_session


def test_one_session_has_few_events_at_once(client: TestClient) -> None:
    queue_of(client).pending_event_ids_session["many"] = {str(number) for number in range(_MAX_OF_SESSION)}
    refused = join(client, event(client, ["x"], session="many"))
    assert (refused.status_code, refused.headers["retry-after"]) == (503, "2")


@pytest.mark.anyio
async def test_what_is_unread_goes_after_a_minute_and_what_is_being_read_stays(client: TestClient) -> None:
    pending = queue_of(client).pending_event_ids_session
    clock = iter([0, 0, 50, 50, 70, 1_000, 1_000, 1_000])
    unread = UnreadEvents(queue_of(client), now=lambda: float(next(clock)))
    for session in ("early", "late"):
        pending[session] = {"an event"}
        assert await unread.admit(session)
    async with unread.reading("late"):
        assert await unread.admit("late")
        assert "early" not in pending
        assert await unread.admit("another")
        assert "late" in pending
    assert "late" in pending


@pytest.mark.parametrize("large", ["x" * _MAX_CHARACTERS, ["", "x" * _MAX_CHARACTERS]], ids=["text", "list"])
def test_texts_that_wait_are_bounded_together(client: TestClient, large: str | list[str]) -> None:
    queue = queue_of(client)
    waiting = SimpleNamespace(data=SimpleNamespace(data=[large, None, 3]))
    assert asyncio.run(UnreadEvents(queue).admit("first"))
    queue.event_ids_to_events["large"] = waiting
    try:
        assert not asyncio.run(UnreadEvents(queue).admit("first"))
    finally:
        del queue.event_ids_to_events["large"]


@pytest.mark.parametrize("path", PATHS)
def test_a_token_is_asked_for(own_index: Path, default_embedder: Embedder, path: str) -> None:
    with page_app(own_index, default_embedder, token="a-token-of-some-length-1") as client:
        refused = client.request(PATHS[path], path)
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
