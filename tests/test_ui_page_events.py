"""The page's events, posted by hand: each handler of a real server bears whatever a client sends."""

import json
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from page_browser import running_page

from ui.library.uploads import MAX_UPLOADS

pytestmark = pytest.mark.slow

VALUES: dict[str, Any] = {
    "nothing": None,
    "controls": "\x00\x1b[31m\u202e",
    "much": "x" * 15_000,
    "brackets without an end": "[" * 4_000,
}


def _file(path: str, **more: Any) -> dict[str, Any]:
    """What Gradio takes for a file, wherever it stands."""
    return {"path": path, "meta": {"_type": "gradio.FileData"}} | more


UNTYPED: dict[str, Any] = {
    "a file": _file("/etc/hostname"),
    "a file without an end": _file("/dev/zero"),
    "the server's environment": _file("/proc/self/environ"),
    "a file that isn't there": _file("/etc/nothing-here"),
    "a place of the web": _file("http://93.184.215.14/notes.md"),
    "a file with an address": _file("x", url="http://93.184.215.14/notes.md"),
    "a file in a list": [{"a": _file("/etc/hostname")}],
    "a number": 10**30,
    "a truth": True,
    "a list": [[]],
    "a table": {"act": {}},
    "half a character": "half \ud800 of one",
}


@pytest.fixture(scope="module")
def fetched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where Gradio puts what it takes for files."""
    return tmp_path_factory.mktemp("fetched")


@pytest.fixture(scope="module")
def client(own_index: Path, fetched: Path) -> Iterator[httpx.Client]:
    with (
        running_page(own_index, GRADIO_TEMP_DIR=str(fetched)) as address,
        httpx.Client(base_url=address, timeout=60) as client,
    ):
        yield client


def _send(client: httpx.Client, event: dict[str, Any], path: str = "/gradio_api/queue/join") -> httpx.Response:
    return client.post(path, content=json.dumps(event), headers={"Content-Type": "application/json"})


def _post(client: httpx.Client, event: int, values: list[Any], printed: Any = None) -> dict[str, Any]:
    """The last message of an event."""
    session = uuid.uuid4().hex
    joined = _send(client, {"data": values, "fn_index": event, "session_hash": session, "event_data": printed})
    assert joined.status_code == 200
    with client.stream("GET", "/gradio_api/queue/data", params={"session_hash": session}) as messages:
        for line in messages.iter_lines():
            message: dict[str, Any] = json.loads(line.removeprefix("data:")) if line.startswith("data:") else {}
            if message.get("msg") in ("process_completed", "unexpected_error", "close_stream"):
                return message
    raise AssertionError("the event never ended")


def _events(client: httpx.Client, elem_id: str) -> list[dict[str, Any]]:
    """The server's events of the control with this id."""
    page = client.get("/config").json()
    names = {component["id"]: component["props"].get("elem_id") for component in page["components"]}
    found = [
        dependency
        for dependency in page["dependencies"]
        if dependency["backend_fn"] and any(names.get(target[0]) == elem_id for target in dependency["targets"])
    ]
    assert found
    return found


def _with(client: httpx.Client, event: dict[str, Any], value: Any) -> list[Any]:
    """`value` in each text box; what is chosen from a list, and states, as the page begins with them."""
    kinds = {component["id"]: component for component in client.get("/config").json()["components"]}
    return [value if kinds[id_]["type"] == "textbox" else kinds[id_]["props"].get("value") for id_ in event["inputs"]]


@pytest.mark.parametrize("value", UNTYPED.values(), ids=UNTYPED)
def test_nothing_but_text_goes_into_any_control_of_any_event(client: httpx.Client, fetched: Path, value: Any) -> None:
    page = client.get("/config").json()
    first = {component["id"]: component["props"].get("value") for component in page["components"]}
    for event in page["dependencies"]:
        for place in range(len(event["inputs"])):
            values = [value if number == place else first[id_] for number, id_ in enumerate(event["inputs"])]
            refused = _send(client, {"data": values, "fn_index": event["id"], "session_hash": uuid.uuid4().hex})
            expected = 400 if event["backend_fn"] else 404
            assert refused.status_code in (400, expected), (event["id"], place)
    assert not list(fetched.rglob("*"))


SHAPES: dict[str, dict[str, Any]] = {
    "a value too many": {"data": ["", "", ""]},
    "a value too few": {"data": [""]},
    "values without an end": {"data": [None] * 100_000},
    "an order to answer otherwise": {"simple_format": True},
    "several at once": {"batched": True},
    "a token": {"oauth_token": "x"},
    "an event of its own": {"event_id": "x"},
    "a file beside it": {"event_data": {"a": _file("/etc/hostname")}},
    "a list beside it": {"event_data": []},
    "half a character beside it": {"event_data": {"question": UNTYPED["half a character"]}},
    "a control by name": {"trigger_id": "rn-review-text"},
    "no name": {"session_hash": None},
    "an empty name": {"session_hash": ""},
    "a name of a megabyte": {"session_hash": "x" * 2**20},
    "a name of half a character": {"session_hash": "\ud800"},
    "a name that is a path": {"session_hash": "../x"},
    "a name of two lines": {"session_hash": "x\n"},
}


@pytest.mark.parametrize("changed", SHAPES.values(), ids=SHAPES)
def test_an_event_of_another_shape_than_the_pages_is_refused(client: httpx.Client, changed: dict[str, Any]) -> None:
    event = {"data": ["", ""], "fn_index": _events(client, "rn-review-run")[0]["id"], "session_hash": "visitor"}
    assert _send(client, event | changed).status_code == 400


@pytest.mark.parametrize(
    ("elem_id", "status"),
    [("rn-add", 413), ("rn-upgrade-show", 200), ("rn-review-run", 200)],
    ids=lambda value: str(value),
)
def test_only_a_review_and_an_upgrade_with_files_take_a_megabyte(
    client: httpx.Client, elem_id: str, status: int
) -> None:
    event = _events(client, elem_id)[0]
    sent = {"data": _with(client, event, "x" * 2**20), "fn_index": event["id"], "session_hash": uuid.uuid4().hex}
    assert _send(client, sent).status_code == status


@pytest.mark.parametrize(
    ("path", "sent"),
    [
        ("cancel", {"session_hash": "x" * 60_000, "fn_index": 0, "event_id": "0" * 32}),
        ("cancel", {"session_hash": "visitor", "fn_index": 0, "event_id": "x" * 60_000}),
        ("cancel", {"session_hash": "visitor", "fn_index": 10**30, "event_id": "0" * 32, "path": "/etc/hostname"}),
        ("reset", {"event_id": "\ud800"}),
    ],
)
def test_what_is_called_off_has_the_pages_shape(client: httpx.Client, path: str, sent: dict[str, Any]) -> None:
    assert _send(client, sent, f"/gradio_api/{path}").status_code == 400


@pytest.mark.parametrize("query", ["", "session_hash=", "session_hash=X", "session_hash=x&session_hash=y", "a=b"])
def test_messages_are_read_under_a_visitors_name(client: httpx.Client, query: str) -> None:
    assert client.get("/gradio_api/queue/data", params=query).status_code == 400


@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES)
@pytest.mark.parametrize("elem_id", ["rn-review-run", "rn-add"])
def test_what_no_one_types_is_answered_in_words(client: httpx.Client, elem_id: str, value: Any) -> None:
    for event in _events(client, elem_id):
        message = _post(client, event["id"], _with(client, event, value))
        assert message["success"], message


def test_what_isnt_offered_is_refused(client: httpx.Client) -> None:
    event = _events(client, "rn-upgrade-show")[0]
    values = ["<script>" if number == 0 else value for number, value in enumerate(_with(client, event, ""))]
    message = _post(client, event["id"], values)
    assert not message["success"]
    assert "choices" in message["output"]["error"]


def test_files_that_a_form_refuses_keep_no_place(client: httpx.Client) -> None:
    event = _events(client, "rn-add")[0]
    for _ in range(MAX_UPLOADS + 1):
        sent = client.post("/library/uploads", params={"name": "a.md"}, content=b"# A 1.0\n\n- One.\n")
        assert sent.status_code == 201
        values = [json.dumps([sent.json()["upload"]]), "", "", "no version", ""]
        message = _post(client, event["id"], values)
        assert "Choose the files again." in message["output"]["data"][2]


def test_a_page_that_lost_its_server_can_ask_whether_it_is_back(client: httpx.Client) -> None:
    assert client.get("/gradio_api/app_id").json()["app_id"]


EVENTS: dict[str, tuple[Any, int]] = {
    "no event of the page": (10**6, 404),
    "one before the first": (-1, 404),
    "a number beyond all": (10**30, 404),
    "no end of a number": (float("inf"), 400),
    "words": ("first", 400),
    "digits as text": ("999999", 400),
    "a truth": (True, 400),
    "a list": ([0], 400),
    "none": (None, 400),
}


@pytest.mark.parametrize(("event", "status"), EVENTS.values(), ids=EVENTS.keys())
def test_an_event_that_the_page_does_not_have_is_no_defect(client: httpx.Client, event: Any, status: int) -> None:
    joined = _send(client, {"data": [], "fn_index": event, "session_hash": uuid.uuid4().hex})
    assert (joined.status_code, joined.headers["content-type"]) == (status, "application/problem+json")


@pytest.mark.parametrize("body", [b"", b"[]", b"null", b"{", b"[" * 60_000, b'"fn_index"', b'{"fn_index": {}}'])
def test_a_body_that_is_no_event_is_no_defect(client: httpx.Client, body: bytes) -> None:
    joined = client.post("/gradio_api/queue/join", content=body, headers={"Content-Type": "application/json"})
    assert joined.status_code == 400
