"""Fuzz targets of the entrances: HTTP, MCP and Slack through the real handlers, files of the ui, what is rendered."""

import io
import json
import logging
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import httpx
from answer_contract import faults
from fastapi.testclient import TestClient
from fuzz_target import Target, text_of
from page_answers import ANSWER, AROUND, CITATION
from page_html import assert_harmless
from rich.console import Console
from slack_workspace import SIGNING_SECRET, signed
from small_corpus import HashedEmbedder
from test_ui_review_formats import CONTROLS, PLAIN
from ui_small_index import ingest, write_documents

from corpus.embedding import Embedder
from corpus.errors import RelnotesError, UsageError
from retrieval.assistant import Assistant
from retrieval.claims.model import CheckedClaim, Claim, ClaimCheck, Verdict
from retrieval.model import Answer, Conflict, Intent, Interpretation
from retrieval.reviews.model import Review
from ui.batch_questions import read_batch
from ui.body_reading import read_answer, read_search
from ui.candidate_file import load_ids
from ui.claim_markdown import render_claims_markdown
from ui.feedback import read_feedback
from ui.http_api import create_app
from ui.http_guards import LOOPBACK_NAMES
from ui.json_contract import AnswerBody
from ui.live_assistant import LiveAssistant
from ui.mcp.endpoint import mount_mcp
from ui.mcp.excerpts import parse_resource_uri, parse_text_id
from ui.question_desk import QuestionDesk
from ui.rendering import render_answer
from ui.rendering.markdown import render_markdown
from ui.rendering.plain_text import render_plain_text
from ui.rendering.slack import render_slack_answer
from ui.review_formats import ReviewFormat, render_review
from ui.review_rendering import render_review_for_terminal
from ui.settings import load_server_settings
from ui.slack.channels import load_channels
from ui.slack.events_endpoint import add_slack_events
from ui.slack.intake import readable_text
from ui.slack.service import open_service
from ui.slack.settings import load_slack_settings
from ui.tokens import load_grants
from ui.unanswered import load_unanswered
from ui.uploads import safe_name
from ui.web.answer_html import render_answer_text
from ui.web.claims_html import render_claims_html
from ui.web.surroundings import Surroundings

_JSON = {"Content-Type": "application/json"}
_MCP = {**_JSON, "Accept": "application/json, text/event-stream"}
_FORM = {"Content-Type": "application/x-www-form-urlencoded"}
_ESCAPES = re.compile("[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]|\x1b(?!\\[[0-9;]*m)")
"""What a terminal acts upon; the colours that rich sets are its own."""


class LightEmbedder(HashedEmbedder):
    """Forgets what it embedded: a fuzzer embeds for hours."""

    def embed(self, texts: Any, *, progress: Any = None) -> Any:
        """See `corpus.embedding.Embedder`."""
        vectors = super().embed(texts, progress=progress)
        self.embedded.clear()
        return vectors


LIGHT = LightEmbedder()
ASKED_OF_DOCUMENTS = ("Was gizmo.spin removed in 2.0?", "What changed between 1.0 and 2.0 of Gizmo?", "latest Gizmo")


class _Faults(logging.Handler):
    """What the product logs as a fault of its own, which a client sees only as "an error it didn't expect"."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.seen: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.seen.append(logging.Formatter().format(record))


@dataclass(frozen=True, slots=True)
class Bench:
    """A server over a small index with everything mounted, asked without a socket."""

    client: TestClient
    assistant: Assistant
    faults: _Faults

    def sent(self, method: str, path: str, content: bytes, headers: Mapping[str, str]) -> httpx.Response:
        """Send one request; what the server answered, which is never a fault of its own."""
        self.faults.seen.clear()
        answered: httpx.Response = self.client.request(method, path, content=content, headers=dict(headers))
        assert answered.status_code < 500, (answered.status_code, answered.text[:500])
        assert not self.faults.seen, self.faults.seen[0]
        return answered


@contextmanager
def open_bench() -> Iterator[Bench]:
    """The server's app with the API, MCP and Slack, its index of two documents in a folder of its own."""
    embedder: Embedder = LightEmbedder()
    log = _Faults()
    logging.getLogger().addHandler(log)
    with tempfile.TemporaryDirectory(prefix="fuzz-") as made:
        folder = Path(made)
        assert not ingest(write_documents(folder / "documents"), index=folder / "index", embedder=embedder).failed
        assistants = LiveAssistant(folder / "index", open_embedder=lambda: embedder)
        desk = QuestionDesk(max_questions=4, timeout_s=60)
        app = create_app(assistants, desk, token=None, hosts=LOOPBACK_NAMES)
        mount_mcp(app, assistants, desk, hosts=LOOPBACK_NAMES)
        slack = load_slack_settings(
            SLACK_BOT_TOKEN="xoxb-fuzz",
            SLACK_SIGNING_SECRET=SIGNING_SECRET,
            RELNOTES_SLACK_API_URL="http://127.0.0.1:9/",
        )
        # Never started: what is taken in stays on its disk, and nothing is posted anywhere.
        service = open_service(load_server_settings(index=folder / "index"), slack, main=assistants)
        add_slack_events(app, service, signing_secret=SIGNING_SECRET)
        try:
            with (
                TestClient(app, base_url="http://localhost:7860") as client,
                Assistant.open(folder / "index", embedder=embedder) as assistant,
            ):
                yield Bench(client, assistant, log)
        finally:
            assistants.close()
            logging.getLogger().removeHandler(log)


def _check_api(bench: Bench, method: str, path: str, data: bytes) -> None:
    if method == "GET":
        query = data[:1_500]
        bench.sent("GET", path.format(query=quote(query, safe="")), b"", {})
        return
    answered = bench.sent(method, path, data, _JSON)
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


def _check_slack_event(bench: Bench, data: bytes) -> None:
    bench.sent("POST", "/slack/events", data, {**_JSON, **signed(data)})


def _check_slack_form(bench: Bench, data: bytes) -> None:
    bench.sent("POST", "/slack/events", data, {**_FORM, **signed(data)})
    wrapped = urlencode({"payload": text_of(data)}).encode()
    bench.sent("POST", "/slack/events", wrapped, {**_FORM, **signed(wrapped)})


def _check_ask(bench: Bench, data: bytes) -> None:
    text = text_of(data)[:2_000]
    if not text.strip():
        return
    answer = bench.assistant.ask(text)
    assert faults(answer, bench.assistant) == ()
    assert_renders(answer)


def _check_cite(bench: Bench, data: bytes) -> None:
    text = text_of(data)[:2_000]
    if not text.strip():
        return
    try:
        check = bench.assistant.cite(text)
    except UsageError:
        return
    for one in check.claims:
        assert one.claim.text == text[one.claim.start : one.claim.end]
        for citation in one.citations:
            stored = bench.assistant.index.document_text(citation.document_id)
            assert citation.quote == stored[citation.start : citation.end]
    assert_harmless(render_claims_html(check, lambda _: AROUND[1]))
    assert "<script" not in render_claims_markdown(check).lower()


def _check_asked_document(folder: Path, data: bytes) -> None:
    """A hostile document ingested beside a sound one: whatever it says, questions are answered and quotes are true."""
    shutil.rmtree(folder / "index", ignore_errors=True)
    (folder / "notes").mkdir(exist_ok=True)
    (folder / "notes" / "gizmo.md").write_bytes(b"# Gizmo 2.0.0\n\n" + data[:4_000])
    (folder / "notes" / "older.md").write_bytes(b"# Gizmo 1.0.0\n\n- `gizmo.spin` was removed in 1.0.\n")
    report = ingest(folder / "notes", index=folder / "index", embedder=LIGHT)
    for failed in report.failed:
        assert "please report it" not in failed.error, failed.error
    with Assistant.open(folder / "index", embedder=LIGHT) as assistant:
        for question in ASKED_OF_DOCUMENTS:
            answer = assistant.ask(question)
            assert faults(answer, assistant) == ()
            assert_renders(answer)
        for item in (
            item for release in assistant.upgrade("gizmo", "0.9", "latest").releases for item in release.items
        ):
            text = assistant.index.document_text(item.citation.document_id)
            assert item.citation.quote == text[item.citation.start : item.citation.end]
        assistant.cite("gizmo.spin was removed in Gizmo 1.0.")


def assert_renders(answer: Answer) -> None:
    """Every form of an answer is drawn, and none lets a document or a question act on its reader."""
    held = io.StringIO()
    Console(file=held, width=80, force_terminal=True, color_system="truecolor", legacy_windows=False).print(
        render_answer(answer)
    )
    assert not _ESCAPES.search(re.sub("\x1b]8;[^\x1b\x07]*\x1b\\\\", "", held.getvalue()))
    assert not _ESCAPES.search(render_plain_text(answer))
    render_markdown(answer)
    for message in render_slack_answer(answer):
        json.dumps(message.blocks)
        assert len(message.blocks) <= 50
        assert "<!channel>" not in message.text
        assert "<!here>" not in message.text
    assert_harmless(render_answer_text(answer, "a"))


def _answer_of(data: bytes) -> Answer:
    text = text_of(data)[:6_000]
    parts = (text.split("\f") + [text] * 4)[:5]
    citation = replace(
        CITATION,
        quote=parts[0] or "-",
        title=parts[1],
        source=parts[2],
        product=parts[3],
        version=parts[4],
        heading=(parts[1],),
    )
    return replace(
        ANSWER,
        question=parts[0],
        answer=f"{parts[1]} [1]\n\n{parts[2]}",
        citations=(citation,),
        conflicts=(Conflict(parts[3], (1, 1)),),
        interpretation=Interpretation((parts[3],), parts[4], (parts[0],), Intent.STATUS),
        notes=(parts[4],),
    )


def _check_rendering(data: bytes) -> None:
    answer = _answer_of(data)
    assert_renders(answer)
    text = text_of(data)[:6_000]
    claim = CheckedClaim(Claim(text, 0, len(text)), Verdict.CONTRADICTED, text, answer.citations)
    check = ClaimCheck(text, (claim,), 1.0)
    assert_harmless(render_claims_html(check, lambda _: Surroundings(text, text, True, False)))
    render_claims_markdown(check)


def _review_of(text: str) -> Review:
    bump = PLAIN.bumps[0]
    items = tuple(
        replace(
            item,
            summary=text,
            citation=replace(item.citation, quote=text or "-", title=text, version=text, heading=(text,)),
        )
        for item in bump.items
    )
    symbol = replace(PLAIN.symbols[0], symbol=text, file=text)
    hostile = replace(bump, product=text, bump=replace(bump.bump, name=text, file=text), items=items, notes=(text,))
    return replace(PLAIN, bumps=(hostile,), symbols=(symbol,))


def _check_review_formats(data: bytes) -> None:
    review = _review_of(text_of(data)[:4_000])
    for name in ReviewFormat:
        drawn = render_review(review, name)
        assert not CONTROLS.search(drawn.replace("\n", "").replace("\t", "")), name
        if name in (ReviewFormat.SARIF, ReviewFormat.JSON):
            json.loads(drawn)
        if name is ReviewFormat.RDJSONL:
            for line in drawn.splitlines():
                json.loads(line)
    held = io.StringIO()
    Console(file=held, width=80, force_terminal=True, color_system="truecolor", legacy_windows=False).print(
        render_review_for_terminal(review)
    )
    assert not _ESCAPES.search(re.sub("\x1b]8;[^\x1b\x07]*\x1b\\\\", "", held.getvalue()))


def _check_files(folder: Path, data: bytes) -> None:
    readers: tuple[Callable[[Path], object], ...] = (
        load_grants,
        load_channels,
        read_batch,
        load_ids,
        read_feedback,
        load_unanswered,
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
    try:
        body = json.loads(data)
    except (ValueError, RecursionError):
        return
    if isinstance(body, dict):
        read_answer(body)
        read_search(body)


_MENTION = {
    "type": "event_callback",
    "team_id": "T1",
    "api_app_id": "A1",
    "event_id": "Ev1",
    "event_time": 1,
    "authorizations": [{"team_id": "T1", "user_id": "U0BOT", "is_bot": True}],
    "event": {"type": "app_mention", "channel": "C1", "user": "U1", "ts": "5.6", "text": "<@U0BOT> Is it gone?"},
}
_START = {
    **_MENTION,
    "event": {
        "type": "assistant_thread_started",
        "assistant_thread": {"channel_id": "D1", "thread_ts": "1.2", "user_id": "U1"},
    },
}
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
)
_CLICK = json.dumps(
    {
        "type": "block_actions",
        "user": {"id": "U1"},
        "channel": {"id": "C1"},
        "trigger_id": "1",
        "actions": [{"action_id": "relnotes_more", "block_id": "b", "value": "{}", "action_ts": "1"}],
        "message": {"ts": "1.2", "blocks": []},
        "response_url": "http://127.0.0.1:9/r",
    }
)
_VIEW = json.dumps(
    {
        "type": "view_submission",
        "user": {"id": "U1"},
        "view": {"callback_id": "relnotes_filter", "private_metadata": "{}", "state": {"values": {}}},
    }
)
_JSON_SIGNS = (
    "{",
    "}",
    "[",
    "]",
    '"',
    ":",
    ",",
    "null",
    "true",
    "1e999",
    '"\\ud800"',
    '"\\u0000"',
    "NaN",
    "-0",
    "[" * 400,
    '{"a":' * 300,
    "\\",
    "9" * 40,
)
_ASKED = b'{"question": "Is widget.spin deprecated?", "product": "widget", "version": "2.0", "history": ["What is new?"], "k": 3}'
_INITIALIZE = (
    b'{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18", '
    b'"capabilities": {}, "clientInfo": {"name": "f", "version": "1"}}}'
)
_TEXT_SIGNS = (
    "<script>",
    "</details>",
    "\x1b]0;a\x07",
    "\x9b31m",
    "\u202e",
    "`",
    "```\n",
    "[1]",
    "](javascript:a)",
    "<!channel>",
    "|",
    "\f",
    "&lt;",
    "@U1",
    "\r",
    "\u2028",
    "{{a}}",
    "${a}",
    "::error::",
    "\n- ",
    "\n\n",
    "**",
    "\n    ",
    "[2]: a",
)


def entrance_targets(bench: Bench) -> tuple[Target, ...]:
    """Those of the ui, over a running bench."""
    folder = Path(tempfile.mkdtemp(prefix="fuzz-"))
    asked = (
        ("/v1/ask", _ASKED),
        ("/v1/search", b'{"query": "spin", "k": 2}'),
        ("/v1/cite", b'{"text": "spin is removed."}'),
        (
            "/v1/review",
            b'{"diff": "--- a/requirements.txt\\n+++ b/requirements.txt\\n@@ -1 +1 @@\\n-widget==1.5\\n+widget==2.0\\n"}',
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
    questions = (
        b"Is widget.spin deprecated?",
        b"What changed between 1.5 and 2.0 of Widget?",
        b"latest gadget",
        b"Which versions do you have?",
        b"Was Python 3.7 removed in 2.0? And in 1.5?",
    )
    question_signs = (
        "widget ",
        "Widget 2.0",
        "1.5",
        " to ",
        "since ",
        "deprecated ",
        "`widget.spin`",
        "?",
        "[1]",
        "<b>",
        "latest ",
    )
    return (
        *(
            Target(f"http:{path}", partial(_check_api, bench, "POST", path), (seed,), _JSON_SIGNS)
            for path, seed in asked
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
            "mcp:message",
            partial(_check_mcp, bench),
            (
                _INITIALIZE,
                b'{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}',
                b'{"jsonrpc": "2.0", "id": "a", "method": "resources/list", "params": {"cursor": "1"}}',
                b'{"jsonrpc": "2.0", "id": 2, "method": "resources/read", "params": {"uri": "relnotes://documents/1"}}',
                b'{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}',
            ),
            (*_JSON_SIGNS, '"method": ', '"params": ', '"id": ', "tools/call", "prompts/get", "completion/complete"),
        ),
        *(Target(f"mcp:{name}", partial(_check_tool, bench, name), (seed,), _JSON_SIGNS) for name, seed in tools),
        Target(
            "slack:event",
            partial(_check_slack_event, bench),
            (json.dumps(_MENTION).encode(), json.dumps(_START).encode()),
            (
                *_JSON_SIGNS,
                '"event": ',
                '"bot_id": "B1",',
                '"thread_ts": "1.2",',
                "<@U0BOT>",
                "url_verification",
                "<!here>",
            ),
        ),
        Target(
            "slack:form",
            partial(_check_slack_form, bench),
            (_COMMAND.encode(), _CLICK.encode(), _VIEW.encode()),
            (*_JSON_SIGNS, "&", "=", "%", "payload=", "text=", "%ff", '"actions": ', '"view": '),
        ),
        Target("ask", partial(_check_ask, bench), questions, (*question_signs, *_TEXT_SIGNS)),
        Target("cite", partial(_check_cite, bench), questions, (*question_signs, ". ", *_TEXT_SIGNS)),
        Target(
            "asked-document",
            partial(_check_asked_document, Path(tempfile.mkdtemp(prefix="fuzz-"))),
            (
                b"- `gizmo.spin` is removed; it needs Python 3.9 or newer.\n- Deprecated in 1.5: `turn`.\n",
                b"## 2.1.0 (2024-01-02)\n\n- 1. The cache is on by default since 1.9.\n\n| a | b |\n|---|---|\n| c | 1.2 |\n",
            ),
            (
                *question_signs,
                *_TEXT_SIGNS,
                "removed in ",
                "requires Python ",
                "9" * 20,
                "\u0661.\u0662",
                "CVE-2024-1",
                "## ",
                "- ",
            ),
        ),
        Target(
            "rendering",
            _check_rendering,
            (b"Spin is gone. [1]\f**Title**\fa/b.md\fWidget\f2.0", b"- one [1]\n- two\n\n```\ncode\n```"),
            _TEXT_SIGNS,
        ),
        Target("review-formats", _check_review_formats, (b"`widget.spin` is removed", b"a|b\nc"), _TEXT_SIGNS),
        Target(
            "ui-files",
            partial(_check_files, folder),
            (
                b'[ada]\nsha256 = "00"\nscopes = ["ask"]\nexpires = 2026-01-01\n',
                b'{"id": "1", "question": "Is it?"}\n',
                b'[channels.C1]\nproducts = ["widget"]\n',
            ),
            ("[", "]", "= ", '"', "'''", "{", "}", "\n", "\\u0000", "1979-05-27", *_JSON_SIGNS),
        ),
        Target(
            "ids-and-bodies",
            _check_ids,
            (
                b"1:2-3",
                b"relnotes://documents/1",
                b"notes.md",
                json.dumps(AnswerBody.from_answer(ANSWER).model_dump(mode="json")).encode(),
            ),
            (*_JSON_SIGNS, ":", "-", "../", "\\", "\x00", "relnotes://", "CON", "\u0660"),
        ),
    )
