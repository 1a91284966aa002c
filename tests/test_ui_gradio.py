"""The Gradio app: `gradio_client` gets what the HTTP API gives, and nothing else of Gradio is open."""

import asyncio
import json
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Timer
from types import SimpleNamespace
from typing import Any, NamedTuple

import httpx
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from gradio.server_messages import HeartbeatMessage
from page_app import page_app
from page_browser import running_page

from corpus.embedding import Embedder
from ui.contract.index import VersionListBody
from ui.gradio.app import mount_gradio
from ui.gradio.bounds import (
    _MAX_CHARACTERS,
    _MAX_EVENTS,
    _MAX_OF_SESSION,
    CANCEL_PATH,
    CONFIG_PATH,
    DATA_PATH,
    INFO_PATH,
    JOIN_PATH,
    Sessions,
)

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
    return {"data": whole(client, values, name=name), "fn_index": numbered(client, name), "session_hash": session}


def whole(client: Any, values: list[Any], *, name: str = "ask") -> list[Any]:
    """The values with the defaults after them, as clients fill them in."""
    described = client.get("/gradio_api/info").json()["named_endpoints"][f"/{name}"]["parameters"]
    return values + [one["parameter_default"] for one in described[len(values) :]]


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


def test_the_endpoints_describe_themselves(client: TestClient) -> None:
    described = client.get("/gradio_api/info").json()["named_endpoints"]
    assert sorted(described) == NAMES
    told = {name: [one["parameter_name"] for one in described[name]["parameters"]] for name in NAMES}
    assert told["/ask"] == ["question", "history", "product", "version", "k"]
    assert told["/upgrade"] == ["product", "from", "to"]
    defaults = {one["parameter_name"]: one["parameter_default"] for one in described["/ask"]["parameters"]}
    assert (defaults["k"], defaults["history"]) == (10, None)
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
        assert join(client, event(client, [value], name=name.strip("/"))).status_code == 422


SHAPES: dict[str, tuple[dict[str, Any], int]] = {
    "values without an end": ({"data": [None] * 100_000}, 422),
    "a value too many": ({"data": ["x"] * 8}, 400),
    "a value too few": ({"data": ["x"]}, 400),
    "no such endpoint": ({"fn_index": 99}, 404),
    "a session that is a path": ({"session_hash": "../x"}, 422),
    "no session": ({"session_hash": None}, 422),
    "more than a question may have": ({"data": ["x" * 100_000, None, None, None, 10]}, 413),
}


@pytest.mark.parametrize(("changed", "status"), SHAPES.values(), ids=SHAPES)
def test_what_no_client_sends_is_refused(client: TestClient, changed: dict[str, Any], status: int) -> None:
    refused = join(client, event(client, ["x"]) | changed)
    assert (refused.status_code, refused.headers["content-type"]) == (status, "application/problem+json")


@pytest.mark.parametrize("values", [[{}] * 1000, [[{}] * 1000]], ids=["values", "a list"])
def test_of_many_values_that_do_not_fit_one_is_told(client: TestClient, values: list[Any]) -> None:
    refused = join(client, event(client, ["x"]) | {"data": values})
    assert " and " not in refused.json()["detail"]


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
    "a stream of nobody": ("GET", "/gradio_api/queue/data?session_hash=../x", 422),
    "a stream without an event": ("GET", "/gradio_api/queue/data?session_hash=x1", 404),
    "an end of no event": ("POST", "/gradio_api/cancel", 422),
}


@pytest.mark.parametrize(("method", "path", "status"), CLOSED.values(), ids=CLOSED)
def test_nothing_else_of_gradio_is_open(client: TestClient, method: str, path: str, status: int) -> None:
    response = client.request(method, path, json={"data": []} if method == "POST" else None)
    assert (response.status_code, response.headers["content-type"]) == (status, "application/problem+json")


def gradio_of(client: TestClient) -> Any:
    """Gradio's own app, below what we put before it."""
    routes = client.app.router.routes  # type: ignore[attr-defined]
    return next(route for route in routes if getattr(route, "path", "") == CONFIG_PATH).app._gradio


def test_of_a_question_that_is_answered_nothing_is_kept(client: TestClient) -> None:
    call(client, ["Is widget.spin deprecated?"])
    assert not gradio_of(client).state_holder.session_data


class Held(NamedTuple):
    """A client of endpoints that answer once `answer` has been called, and of what is below them."""

    client: TestClient
    answer: Callable[[], None]

    @property
    def queue(self) -> Any:
        return gradio_of(self.client).get_blocks()._queue

    def send_at_once(self, times: int, method: str, path: str, **sent: Any) -> list[httpx.Response]:
        async def send() -> list[httpx.Response]:
            served = httpx.ASGITransport(app=self.client.app)
            async with (
                asyncio.timeout(30),
                httpx.AsyncClient(transport=served, base_url="http://localhost") as client,
            ):
                return await asyncio.gather(*(client.request(method, path, **sent) for _ in range(times)))

        assert self.client.portal is not None
        return self.client.portal.call(send)


@pytest.fixture
def held() -> Iterator[Held]:
    gate = asyncio.Event()

    async def answer(request: Any) -> VersionListBody:
        if request.question == "a defect":
            raise ValueError(request.question)
        await gate.wait()
        return VersionListBody(products=())

    async def build() -> FastAPI:
        # In a running loop: without one, Gradio makes loops that it never closes.
        app = FastAPI()
        answering: Any = SimpleNamespace(**dict.fromkeys((name.strip("/") for name in NAMES), answer))
        mount_gradio(app, answering)
        return app

    with TestClient(asyncio.run(build())) as client:
        portal = client.portal
        assert portal is not None
        yield Held(client, lambda: portal.call(gate.set))
        portal.call(gate.set)


def test_of_what_nobody_reads_the_newest_is_kept(held: Held) -> None:
    pending = held.queue.pending_event_ids_session
    sent = event(held.client, ["x"])
    for number in range(_MAX_EVENTS + 20):
        assert join(held.client, sent | {"session_hash": f"unread{number}"}).status_code == 200
    assert sum(map(len, pending.values())) <= _MAX_EVENTS
    assert f"unread{_MAX_EVENTS + 19}" in pending
    assert "unread0" not in pending


@pytest.mark.anyio
async def test_what_is_unread_goes_after_a_minute_and_what_is_being_read_stays(held: Held) -> None:
    queue = held.queue
    clock = iter([0, 0, 0, 61, 61, 61])
    sessions = Sessions(queue, now=lambda: float(next(clock)))
    for session in ("early", "read"):
        assert await sessions._has_room(session)
        queue.pending_event_ids_session[session] = {"an event"}
    queue.pending_messages_per_session["read"] = asyncio.Queue()
    queue.pending_messages_per_session["read"].put_nowait(HeartbeatMessage())
    told = sessions.read("read")
    assert "heartbeat" in await anext(told)
    assert await sessions._has_room("another")
    assert not sessions.waits("early")
    assert sessions.waits("read")
    await told.aclose()
    assert not sessions.waits("read")


@pytest.mark.parametrize("large", ["x" * _MAX_CHARACTERS, ["", "x" * _MAX_CHARACTERS]], ids=["text", "list"])
def test_texts_that_wait_are_bounded_together(held: Held, large: str | list[str]) -> None:
    queue = held.queue
    waiting = SimpleNamespace(data=SimpleNamespace(data=[large, None, 3]))
    assert asyncio.run(Sessions(queue)._has_room("first"))
    queue.event_ids_to_events["large"] = waiting
    try:
        assert not asyncio.run(Sessions(queue)._has_room("first"))
    finally:
        del queue.event_ids_to_events["large"]


def test_a_defect_is_logged_by_us_and_not_written_out(held: Held, capfd: pytest.CaptureFixture[str]) -> None:
    ended = call(held.client, ["a defect"])
    assert (ended["success"], ended["output"]["error"][:8]) == (False, "relnotes")
    assert "a defect" not in capfd.readouterr().err


def test_one_session_has_few_events_however_many_are_sent_at_once(held: Held) -> None:
    came = held.send_at_once(2 * _MAX_OF_SESSION, "POST", JOIN_PATH, json=event(held.client, ["x"]))
    assert Counter(one.status_code for one in came) == {200: _MAX_OF_SESSION, 503: _MAX_OF_SESSION}
    assert {one.headers["retry-after"] for one in came if one.status_code == 503} == {"2"}


def test_an_event_is_ended_once_by_its_own_session_and_no_other_with_it(held: Held) -> None:
    client = held.client
    first, second = (join(client, event(client, ["x"])).json()["event_id"] for _ in range(2))

    def cancel(session: str, times: int) -> list[int]:
        sent = {"session_hash": session, "event_id": first}
        return sorted(one.status_code for one in held.send_at_once(times, "POST", CANCEL_PATH, json=sent))

    assert (cancel("another", 1), cancel("x", 3), cancel("x", 1)) == ([404], [200, 404, 404], [404])
    held.answer()
    (came,) = held.send_at_once(1, "GET", DATA_PATH, params={"session_hash": "x"})
    told = [json.loads(line.removeprefix("data:")) for line in came.text.split("\n\n") if line]
    ended = [(one["event_id"], one["output"].get("data")) for one in told if one["msg"] == "process_completed"]
    assert ended == [(first, None), (second, [{"products": []}])]
    held.queue.event_ids_to_events[first] = SimpleNamespace(alive=True)
    assert cancel("x", 1) == [404]


def test_all_streams_of_a_session_end_when_nothing_is_left(held: Held, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ui.gradio.bounds._HEARTBEAT_S", 0.05)
    join(held.client, event(held.client, ["x"]))
    Timer(0.2, held.answer).start()
    for came in held.send_at_once(2, "GET", DATA_PATH, params={"session_hash": "x"}):
        assert came.text.endswith('data: {"msg":"close_stream","event_id":null}\n\n')
    assert not held.queue.pending_messages_per_session


METHODS = {CONFIG_PATH: "GET", INFO_PATH: "GET", JOIN_PATH: "POST", DATA_PATH: "GET", CANCEL_PATH: "POST"}


@pytest.mark.parametrize(("path", "method"), METHODS.items(), ids=METHODS)
def test_a_token_is_asked_for(own_index: Path, default_embedder: Embedder, path: str, method: str) -> None:
    with page_app(own_index, default_embedder, tokens={"ci": "a-token-of-some-length-1"}) as client:
        refused = client.request(method, path)
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
