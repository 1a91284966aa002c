"""The Gradio app: `gradio_client` gets what the HTTP API gives, and nothing else of Gradio is open."""

import asyncio
import json
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import httpx
import pytest
from case_files import read_rows
from fastapi import FastAPI
from fastapi.testclient import TestClient
from page_app import page_app
from page_browser import running_page
from waiting import until

from corpus.embedding import Embedder
from ui.contract.index import VersionListBody
from ui.http.guards import Guard
from ui.server.question_desk import CLIENT

CONFIG_PATH, INFO_PATH = "/config", "/gradio_api/info"
JOIN_PATH, DATA_PATH = "/gradio_api/queue/join", "/gradio_api/queue/data"
NAMES = ["/ask", "/cite", "/review", "/search", "/upgrade", "/versions"]
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
        pytest.param({"data": ["x" * 100_000, None, None, None, 10]}, 413, id="more than a question may have"),
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


def queue_of(client: Any) -> Any:
    """Gradio's own queue, below what we put before it."""
    return client.app.state.gradio.get_blocks()._queue


class Held(NamedTuple):
    """A client of endpoints that answer once `answer` has been called, what is below them, and who asked."""

    client: TestClient
    answer: Callable[[], None]
    clients: list[str]

    @property
    def queue(self) -> Any:
        return queue_of(self.client)

    def begin(self, times: int, method: str, path: str, **sent: Any) -> Future[list[httpx.Response]]:
        async def send() -> list[httpx.Response]:
            served = httpx.ASGITransport(app=self.client.app)
            async with asyncio.timeout(60), httpx.AsyncClient(transport=served, base_url="http://localhost") as client:
                return await asyncio.gather(*(client.request(method, path, **sent) for _ in range(times)))

        assert self.client.portal is not None
        return self.client.portal.start_task_soon(send)


@pytest.fixture
def held() -> Iterator[Held]:
    from ui.gradio.app import mount_gradio

    gate = asyncio.Event()
    clients: list[str] = []

    async def answer(request: Any) -> VersionListBody:
        clients.append(CLIENT.get())
        if getattr(request, "question", "") == "a defect":
            raise ValueError(request.question)
        await gate.wait()
        return VersionListBody(products=())

    async def build() -> FastAPI:
        # In a running loop: without one, Gradio makes loops that it never closes.
        app = FastAPI()
        answering: Any = SimpleNamespace(**dict.fromkeys((name.strip("/") for name in NAMES), answer))
        mount_gradio(app, answering)
        app.add_middleware(Guard, check=lambda _: CLIENT.set("ada") and None)
        return app

    with TestClient(asyncio.run(build())) as client:
        portal = client.portal
        assert portal is not None
        yield Held(client, lambda: portal.call(gate.set), clients)
        portal.call(gate.set)


def test_of_what_nobody_reads_the_newest_is_kept_and_all_that_somebody_reads(held: Held) -> None:
    from ui.gradio.bounds import MAX_EVENTS

    pending = held.queue.pending_event_ids_session
    sent = event(held.client, ["x"])
    assert join(held.client, sent | {"session_hash": "reader"}).status_code == 200
    reading = held.begin(1, "GET", DATA_PATH, params={"session_hash": "reader"})
    for number in range(MAX_EVENTS + 20):
        assert join(held.client, sent | {"session_hash": f"unread{number}"}).status_code == 200
    assert sum(map(len, pending.values())) <= MAX_EVENTS
    assert {"reader", f"unread{MAX_EVENTS + 19}"} <= pending.keys()
    assert "unread0" not in pending
    held.answer()
    assert '"output":{"data":[{"products":[]}]' in reading.result(60)[0].text
    until(lambda: "reader" not in pending)


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


def test_few_events_that_may_be_long_wait(held: Held) -> None:
    from ui.gradio.bounds import _MAX_LONG

    sent = event(held.client, ["x" * 2_000_000], name="review")
    came = [join(held.client, sent | {"session_hash": f"long{number}"}).status_code for number in range(_MAX_LONG + 1)]
    assert came == [*[200] * _MAX_LONG, 503]


def test_of_a_question_that_is_answered_the_last_one_is_kept_in_memory(client: TestClient) -> None:
    queue = queue_of(client)
    for kept in (queue.pending_event_ids_session, queue.pending_messages_per_session):
        kept.clear()
    for _ in range(3):
        call(client, ["Is widget.spin deprecated?"])
    until(lambda: not (queue.pending_event_ids_session or queue.pending_messages_per_session))
    until(lambda: not queue.event_ids_to_events)
    assert len(queue.blocks.state_holder.session_data) == 1


def test_who_waits_for_events_looks_for_them_seldom(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr(asyncio, "sleep", lambda delay, sleep=asyncio.sleep: slept.append(delay) or sleep(delay))
    until(lambda: len(slept) > 9)
    assert min(slept) >= 0.05


def test_one_session_has_few_events_however_many_are_sent_at_once(held: Held) -> None:
    from ui.gradio.bounds import _MAX_OF_SESSION

    came = held.begin(2 * _MAX_OF_SESSION, "POST", JOIN_PATH, json=event(held.client, ["x"])).result(60)
    assert Counter(one.status_code for one in came) == {200: _MAX_OF_SESSION, 503: _MAX_OF_SESSION}
    assert {one.headers["retry-after"] for one in came if one.status_code == 503} == {"2"}


def test_all_streams_of_a_session_end_when_nothing_is_left(held: Held, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ui.gradio.bounds._HEARTBEAT_S", 0.2)
    join(held.client, event(held.client, ["x"]))
    reading = held.begin(2, "GET", DATA_PATH, params={"session_hash": "x"})
    until(lambda: held.clients)
    held.answer()
    # The second one hears of it with the next sign of life.
    for came in reading.result(60):
        assert came.text.endswith('data: {"msg":"close_stream","event_id":null}\n\n')
    assert not held.queue.pending_messages_per_session
