"""Fuzz targets of HTTP and MCP, through the real handlers."""

import json
from functools import partial
from urllib.parse import quote, urlencode

from fuzz_bench import Bench
from fuzz_signs import JSON_SIGNS
from fuzz_target import Target, text_of

from ui.http.guards import MAX_BODY_BYTES, MAX_DIFF_BODY_BYTES, UPLOAD_PATH

JSON = {"Content-Type": "application/json"}
_MAX_NAME_BYTES = 20_000
"""Of a name in an address, which no client sends at any length."""
_ENVELOPE_BYTES = 1_024
"""At most, of what is written around a tool's arguments."""
_MCP = {**JSON, "Accept": "application/json, text/event-stream"}


def _check_api(bench: Bench, method: str, path: str, data: bytes) -> None:
    if method == "GET":
        query = data[:1_500]
        bench.sent("GET", path.format(query=quote(query, safe="")), b"", {})
        return
    answered = bench.sent(method, path, data, JSON)
    body = answered.json()
    if answered.status_code == 200:
        for one in body.get("citations", ()):
            documents = {each.source: each.id for each in bench.assistant.index.documents}
            text = bench.assistant.index.document_text(documents[one["source"]])
            assert one["quote"] == text[one["start"] : one["end"]]
    else:
        assert body["status"] == answered.status_code


def _check_upgrade(bench: Bench, data: bytes) -> None:
    product, _, versions = text_of(data)[:300].partition("\n")
    low, _, high = versions.partition("\n")
    query = urlencode({"product": product, "from": low, "to": high})
    bench.sent("GET", f"/v1/upgrade?{query}", b"", {})


def _check_mcp(bench: Bench, data: bytes) -> None:
    answered = bench.sent("POST", "/mcp", data, _MCP)
    if answered.content:
        answered.json()


def _check_tool(bench: Bench, name: str, data: bytes) -> None:
    try:
        arguments = json.loads(data)
    except (ValueError, RecursionError):
        arguments = {"query": text_of(data), "question": text_of(data), "id": text_of(data), "text": text_of(data)}
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": arguments}}
    _check_mcp(bench, json.dumps(call).encode())


_ASKED = b'{"question": "Is widget.spin deprecated?", "product": "widget", "version": "2.0", "history": ["What is new?"], "k": 3}'
INITIALIZE = (
    b'{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18", '
    b'"capabilities": {}, "clientInfo": {"name": "f", "version": "1"}}}'
)

MESSAGES = (
    b'{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}',
    b'{"jsonrpc": "2.0", "id": "a", "method": "resources/list", "params": {"cursor": "1"}}',
    b'{"jsonrpc": "2.0", "id": 2, "method": "resources/read", "params": {"uri": "relnotes://documents/1"}}',
    b'{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}',
)


def _check_upload(bench: Bench, data: bytes) -> None:
    name = quote(data[:_MAX_NAME_BYTES], safe="")
    taken = bench.sent("POST", f"{UPLOAD_PATH}?name={name}", b"# A\n", {})
    if taken.status_code == 201:
        (upload,) = bench.uploads.claim([taken.json()["upload"]])
        assert upload.path.parent.parent == bench.uploads.folder
        assert not {"/", "\\", "\0"} & set(upload.name)
        upload.path.unlink()


def request_targets(bench: Bench) -> tuple[Target, ...]:
    """The API's paths, MCP's messages and its tools."""
    asked = (
        ("/v1/ask", _ASKED, MAX_BODY_BYTES),
        ("/v1/search", b'{"query": "spin", "k": 2}', MAX_BODY_BYTES),
        ("/v1/cite", b'{"text": "spin is removed."}', MAX_BODY_BYTES),
        (
            "/v1/review",
            b'{"diff": "--- a/requirements.txt\\n+++ b/requirements.txt\\n@@ -1 +1 @@\\n-widget==1.5\\n+widget==2.0\\n"}',
            MAX_DIFF_BODY_BYTES,
        ),
    )
    tools = (
        ("search", b'{"query": "spin"}'),
        ("fetch", b'{"id": "1"}'),
        ("ask", _ASKED),
        ("list_versions", b"{}"),
        ("changes_between", b'{"product": "widget", "from": "1.5", "to": "latest"}'),
        ("cite", b'{"text": "It is gone."}'),
    )
    return (
        *(
            Target(f"http:{path}", partial(_check_api, bench, "POST", path), (seed,), JSON_SIGNS, most_bytes=most)
            for path, seed, most in asked
        ),
        Target(
            "http:/v1/documents/ID",
            partial(_check_api, bench, "GET", "/v1/documents/{query}"),
            (b"1", b"2:3-4"),
            ("1", "-", "%00"),
        ),
        Target(
            "http:/v1/upgrade",
            partial(_check_upgrade, bench),
            (b"widget\n1.5\n2.0",),
            ("\n", "1.5", "latest", "widget", "\x00"),
        ),
        Target(
            "http:/library/uploads",
            partial(_check_upload, bench),
            (b"CHANGELOG.md", "Größe 2.0 (neu).html".encode()),
            ("/", "..", "\\", "%2f", "%00", "\u202e", "CON", ".md", "é", "&name=", "#"),
            most_bytes=_MAX_NAME_BYTES,
        ),
        Target(
            "mcp:message",
            partial(_check_mcp, bench),
            (INITIALIZE, *MESSAGES),
            (*JSON_SIGNS, '"method": ', '"params": ', '"id": ', "tools/call", "prompts/get", "completion/complete"),
            most_bytes=MAX_BODY_BYTES,
        ),
        *(
            Target(
                f"mcp:{name}",
                partial(_check_tool, bench, name),
                (seed,),
                JSON_SIGNS,
                most_bytes=MAX_BODY_BYTES - _ENVELOPE_BYTES,
            )
            for name, seed in tools
        ),
    )
