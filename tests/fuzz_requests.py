"""Fuzz targets of HTTP, of MCP on HTTP and on stdin and stdout, of Slack, and of the files that entrances read."""

import io
import json
import tempfile
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from urllib.parse import quote, urlencode

import anyio
from fuzz_bench import Bench
from fuzz_target import JSON_SIGNS, TOML_SIGNS, Target, text_of
from mcp.server.stdio import stdio_server
from page_answers import ANSWER
from slack_workspace import signed
from ui.feedback.candidates import load_ids

from corpus.errors import RelnotesError, UsageError
from ui.cli.batch_lines import read_batch
from ui.contract.answer import AnswerBody
from ui.feedback.log import FeedbackLog
from ui.http.guards import MAX_BODY_BYTES, MAX_DIFF_BODY_BYTES, UPLOAD_PATH
from ui.http.tokens import load_grants
from ui.library.uploads import safe_name
from ui.mcp.excerpts import parse_resource_uri, parse_text_id
from ui.mcp.server import create_server
from ui.server.question_desk import QuestionDesk
from ui.slack.answering import load_channels
from ui.slack.intake import readable_text

JSON = {"Content-Type": "application/json"}
_MAX_NAME_BYTES = 20_000
"""Of a name in an address, which no client sends at any length."""
_ENVELOPE_BYTES = 1_024
"""At most, of what is written around a tool's arguments."""
_MCP = {**JSON, "Accept": "application/json, text/event-stream"}


def _check_post(bench: Bench, path: str, data: bytes) -> None:
    answered = bench.sent("POST", path, data, JSON)
    body = answered.json()
    if answered.status_code != 200:
        assert body["status"] == answered.status_code
        return
    index = bench.assistant.index
    documents = {document.source: document.id for document in index.documents}
    for citation in body.get("citations", ()):
        text = index.document_text(documents[citation["source"]])
        assert citation["quote"] == text[citation["start"] : citation["end"]]


def _check_document_request(bench: Bench, data: bytes) -> None:
    bench.sent("GET", f"/v1/documents/{quote(data[:1_500], safe='')}", b"", {})


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
_REVIEW = b'{"diff": "--- a/requirements.txt\\n+++ b/requirements.txt\\n@@ -1 +1 @@\\n-widget==1.5\\n+widget==2.0\\n"}'
_INITIALIZE = (
    b'{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18", '
    b'"capabilities": {}, "clientInfo": {"name": "f", "version": "1"}}}'
)

_MESSAGES = (
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


_FORM = {"Content-Type": "application/x-www-form-urlencoded"}


def _check_slack_event(bench: Bench, data: bytes) -> None:
    bench.sent("POST", "/slack/events", data, {**JSON, **signed(data)})


def _check_slack_form(bench: Bench, data: bytes) -> None:
    bench.sent("POST", "/slack/events", data, {**_FORM, **signed(data)})
    wrapped = urlencode({"payload": text_of(data)}).encode()
    bench.sent("POST", "/slack/events", wrapped, {**_FORM, **signed(wrapped)})


def _event(**fields: object) -> bytes:
    authorizations = [{"team_id": "T1", "user_id": "U0BOT", "is_bot": True}]
    event = {"type": "event_callback", "team_id": "T1", "api_app_id": "A1", "event_id": "Ev1", "event_time": 1}
    return json.dumps({**event, "authorizations": authorizations, "event": fields}).encode()


_MENTION = _event(type="app_mention", channel="C1", user="U1", ts="5.6", text="<@U0BOT> Is it gone?")
_START = _event(
    type="assistant_thread_started",
    assistant_thread={"channel_id": "D1", "thread_ts": "1.2", "user_id": "U1"},
)
_COMMAND = urlencode(
    {
        "command": "/relnotes",
        "channel_id": "C1",
        "user_id": "U1",
        "text": "Is widget.spin gone?",
        "response_url": "http://127.0.0.1:9/r",
        "trigger_id": "1.2",
        "team_id": "T1",
    }
).encode()
_CLICK = b"""{"type": "block_actions", "user": {"id": "U1"}, "channel": {"id": "C1"}, "trigger_id": "1",
"actions": [{"action_id": "relnotes_more", "block_id": "b", "value": "{}", "action_ts": "1"}],
"message": {"ts": "1.2", "blocks": []}, "response_url": "http://127.0.0.1:9/r"}"""
_VIEW = b"""{"type": "view_submission", "user": {"id": "U1"},
"view": {"callback_id": "relnotes_filter", "private_metadata": "{}", "state": {"values": {}}}}"""


_LAST = "asked-after-all-that"
_PATIENCE_S = 30


class _Replies(io.StringIO):
    """Standard output, which tells when the last request is answered."""

    def __init__(self) -> None:
        super().__init__()
        self.is_complete = threading.Event()

    def write(self, text: str) -> int:
        """Take in a line."""
        written = super().write(text)
        if f'"id":"{_LAST}"' in text:
            self.is_complete.set()
        return written


class _Requests(io.TextIOWrapper):
    """Standard input, as the transport decodes it; it ends once the last request is answered."""

    def __init__(self, data: bytes, replies: _Replies) -> None:
        initialized = b'{"jsonrpc": "2.0", "method": "notifications/initialized"}'
        last = json.dumps({"jsonrpc": "2.0", "id": _LAST, "method": "ping"}).encode()
        lines = b"\n".join((_INITIALIZE, initialized, data, last, b""))
        super().__init__(io.BytesIO(lines), encoding="utf-8", errors="replace")
        self._replies = replies

    def readline(self, size: int | None = -1, /) -> str:
        """The next line; at the end, wait for the replies."""
        line = super().readline(-1 if size is None else size)
        if not line:
            self._replies.is_complete.wait(_PATIENCE_S)
        return line


def _check_stdio(bench: Bench, data: bytes) -> None:
    replies = _Replies()
    requests = _Requests(data, replies)
    server = create_server(bench.assistants, QuestionDesk(max_questions=4, timeout_s=60))

    async def serve() -> None:
        async with stdio_server(anyio.wrap_file(requests), anyio.wrap_file(replies)) as (read, write):
            await server.run(read, write, server.create_initialization_options())

    bench.faults.seen.clear()
    anyio.run(serve)
    assert replies.is_complete.is_set(), "what was asked after it has no reply"
    for line in replies.getvalue().splitlines():
        assert json.loads(line)["jsonrpc"] == "2.0"
    assert not bench.faults.seen, bench.faults.seen[0]


def _check_files(folder: Path, data: bytes) -> None:
    readers: tuple[Callable[[Path], object], ...] = (
        load_grants,
        load_channels,
        read_batch,
        load_ids,
        lambda path: FeedbackLog(path).feedback(),
    )
    path = folder / "given.toml"
    path.write_bytes(data)
    for read in readers:
        try:
            read(path)
        except RelnotesError as error:
            assert str(error).strip()


def _check_ids(data: bytes) -> None:
    text = text_of(data)
    for read in (parse_text_id, parse_resource_uri):
        try:
            read(text)
        except UsageError as error:
            assert str(error).strip()
    try:
        name = safe_name(text)
    except UsageError:
        name = "none"
    assert name not in ("", ".", "..")
    assert not {"/", "\\", "\0"} & set(name)
    assert len(name.encode("utf-8", "surrogatepass")) <= 255
    readable_text(text, bot_user="U1").encode()


def request_targets(bench: Callable[[], Bench]) -> tuple[Target, ...]:
    """The API's paths, MCP's messages and its tools, what Slack sends, and files of tokens, channels and questions."""

    def asks(check: Callable[..., None], *words: str) -> Callable[[bytes], None]:
        return lambda data: check(bench(), *words, data)

    bodies = (
        ("/v1/ask", _ASKED, MAX_BODY_BYTES),
        ("/v1/search", b'{"query": "spin", "k": 2}', MAX_BODY_BYTES),
        ("/v1/cite", b'{"text": "spin is removed."}', MAX_BODY_BYTES),
        ("/v1/review", _REVIEW, MAX_DIFF_BODY_BYTES),
    )
    tools = (
        ("search", b'{"query": "spin"}'),
        ("fetch", b'{"id": "1"}'),
        ("ask", _ASKED),
        ("list_versions", b"{}"),
        ("changes_between", b'{"product": "widget", "from": "1.5", "to": "latest"}'),
        ("cite", b'{"text": "It is gone."}'),
    )
    in_tool = MAX_BODY_BYTES - _ENVELOPE_BYTES
    message_signs = (*JSON_SIGNS, '"method": ', '"params": ', '"id": ', "tools/call", "prompts/get", "ping")
    event_signs = (*JSON_SIGNS, '"bot_id": "B1",', '"thread_ts": "1.2",', "url_verification", "<!here>")
    name_signs = ("/", "..", "\\", "%2f", "%00", "\u202e", "CON", ".md", "é", "&name=", "#")
    files = (
        b'[ada]\nsha256 = "00"\nscopes = ["ask"]\nexpires = 2026-01-01\n',
        b'{"id": "1", "question": "Is it?"}\n',
        b'[channels.C1]\nproducts = ["widget"]\n',
    )
    answer = AnswerBody.model_validate(ANSWER).model_dump_json().encode()
    return (
        *(
            Target(f"http:{path}", asks(_check_post, path), (seed,), JSON_SIGNS, most_bytes=most)
            for path, seed, most in bodies
        ),
        Target("http:/v1/documents/ID", asks(_check_document_request), (b"1", b"2:3-4"), ("%00",)),
        Target("http:/v1/upgrade", asks(_check_upgrade), (b"widget\n1.5\n2.0",), ("1.5", "latest", "\x00")),
        Target(
            "http:/library/uploads",
            asks(_check_upload),
            (b"CHANGELOG.md", "Größe 2.0 (neu).html".encode()),
            name_signs,
            most_bytes=_MAX_NAME_BYTES,
        ),
        Target("mcp:message", asks(_check_mcp), (_INITIALIZE, *_MESSAGES), message_signs, most_bytes=MAX_BODY_BYTES),
        *(
            Target(f"mcp:{name}", asks(_check_tool, name), (seed,), JSON_SIGNS, most_bytes=in_tool)
            for name, seed in tools
        ),
        Target("mcp:stdio", asks(_check_stdio), (b"\n".join(_MESSAGES), *_MESSAGES), (*message_signs, "\n", "\ufeff")),
        Target("slack:event", asks(_check_slack_event), (_MENTION, _START), event_signs),
        Target(
            "slack:form",
            asks(_check_slack_form),
            (_COMMAND, _CLICK, _VIEW),
            (*JSON_SIGNS, "payload=", "text=", "%ff", '"actions": ', '"view": '),
        ),
        Target(
            "ui-files",
            partial(_check_files, Path(tempfile.mkdtemp(prefix="fuzz-"))),
            files,
            (*TOML_SIGNS, *JSON_SIGNS),
        ),
        Target(
            "ids-and-bodies",
            _check_ids,
            (b"1:2-3", b"relnotes://documents/1", b"notes.md", answer),
            (*JSON_SIGNS, "../", "\x00", "CON", "\u0660"),
        ),
    )
