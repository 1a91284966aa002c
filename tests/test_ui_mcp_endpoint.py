"""MCP over HTTP: the official client through uvicorn, and the guards in front of it."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from case_files import read_rows
from fastapi.testclient import TestClient
from http_apps import api_client, occupied, serving
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_calls import CALLS, checked, refused, schema_of, tool_call

from corpus.embedding import Embedder
from ui.http.guards import MAX_BODY_BYTES
from ui.mcp.endpoint import mount_mcp
from ui.server.binding import LOOPBACK_NAMES
from ui.server.live_assistant import LiveAssistant
from ui.server.question_desk import QuestionDesk

TOKEN = "a token of some length"
LIST_TOOLS = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
ACCEPT = {"Accept": "application/json, text/event-stream"}


@pytest.fixture(scope="module")
def assistants(bundled_index: Path, default_embedder: Embedder) -> Iterator[LiveAssistant]:
    assistants = LiveAssistant(bundled_index, open_embedder=lambda: default_embedder)
    yield assistants
    assistants.close()


def build(
    assistants: LiveAssistant,
    desk: QuestionDesk | None = None,
    *,
    hosts: tuple[str, ...] = LOOPBACK_NAMES,
    **options: Any,
) -> TestClient:
    desk = desk or QuestionDesk(max_questions=8, timeout_s=30)
    client = api_client(assistants, desk, hosts=hosts, **options)
    mount_mcp(client.app, assistants, desk)
    return client


@pytest.fixture(scope="module")
def client(assistants: LiveAssistant) -> Iterator[TestClient]:
    with build(assistants) as client:
        yield client


@pytest.mark.anyio
@pytest.mark.parametrize(("mode", "names"), [("legacy", tuple(CALLS)), ("auto", ("search",))])
async def test_the_official_client_calls_every_tool_over_http(
    assistants: LiveAssistant, mode: Any, names: tuple[str, ...]
) -> None:
    desk = QuestionDesk(max_questions=1, timeout_s=30)
    with serving(build(assistants, desk, token=TOKEN).app) as port:
        async with (
            httpx2.AsyncClient(headers={"Authorization": f"Bearer {TOKEN}"}, timeout=30) as http,
            Client(streamable_http_client(f"http://127.0.0.1:{port}/mcp", http_client=http), mode=mode) as client,
        ):
            tools = (await client.list_tools()).tools
            for name in names:
                checked(await client.call_tool(name, CALLS[name]), schema_of(tools, name))
            with occupied(desk):
                assert "Ask again in a few seconds" in refused(await client.call_tool("list_versions", {}))


@pytest.mark.parametrize(("headers", "status"), read_rows("ui-requests-are-guarded"))
def test_requests_are_guarded(client: TestClient, headers: dict[str, str], status: int) -> None:
    assert client.post("/mcp", json=LIST_TOOLS, headers={**ACCEPT, **headers}).status_code == status


BODIES: dict[str, tuple[bytes, int]] = {
    "not JSON": (b"{", 400),
    "a lone surrogate": (b'{"jsonrpc": "2.0", "id": 1, "method": "\\ud800"}', 400),
    "a batch": (json.dumps([LIST_TOOLS]).encode(), 400),
    "deep": (b"[" * 30_000, 400),
    "too large": (b" " * (MAX_BODY_BYTES + 1), 413),
}


@pytest.mark.parametrize(("body", "status"), BODIES.values(), ids=BODIES.keys())
def test_bodies_that_are_no_request_are_refused(client: TestClient, body: bytes, status: int) -> None:
    given = {"Content-Type": "application/json", **ACCEPT}
    assert client.post("/mcp", content=body, headers=given).status_code == status


def test_on_an_address_that_others_reach_any_name_will_do_with_the_bearer_token(assistants: LiveAssistant) -> None:
    headers = {**ACCEPT, "Host": "notes.example"}
    with build(assistants, token=TOKEN, hosts=()) as client:
        refused = client.post("/mcp", json=LIST_TOOLS, headers=headers)
        assert (refused.status_code, refused.headers["www-authenticate"][:6]) == (401, "Bearer")
        headers["Authorization"] = f"Bearer {TOKEN}"
        assert client.post("/mcp", json=LIST_TOOLS, headers=headers).status_code == 200


def test_without_an_index_a_remote_client_learns_no_path(tmp_path: Path, default_embedder: Embedder) -> None:
    nothing = LiveAssistant(tmp_path / "none", open_embedder=lambda: default_embedder)
    with build(nothing) as client:
        answer = client.post("/mcp", json=tool_call("list_versions"), headers=ACCEPT)
        assert "No index can be served" in answer.text
        assert str(tmp_path) not in answer.text
