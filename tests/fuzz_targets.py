"""Six kinds of way into the product, each of which keeps a promise for any bytes: what it is given, and how it is tried.

A check takes any bytes. An error of ours that a reader expects is no fault, all else is.
"""

import bz2
import gzip
import json
import logging
import lzma
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from urllib.parse import quote, urlencode

import httpx
from answer_contract import faults
from fastapi.testclient import TestClient
from http_apps import api_client
from markdown_it import MarkdownIt
from mcp_calls import INITIALIZE, tool_call
from package_server import tar_gz, zipped
from page_answers import AROUND
from page_html import assert_harmless
from slack_workspace import SIGNING_SECRET, TEAM, FaultySlack, signed
from small_corpus import HashedEmbedder
from ui_small_index import ingest, write_documents

from corpus.errors import RelnotesError, SourceError, UsageError
from ingest.encoding import read_structure
from ingest.formats.encodings import decode
from ingest.formats.front_matter import split_front_matter
from ingest.passages.splitting import split_passages
from ingest.releases.identity import Hints
from ingest.sources.connectors.archives import read_package
from ingest.sources.connectors.github import FolderEntry, parse_answer
from ingest.sources.connectors.github_releases import Release
from ingest.sources.connectors.pypi import read_package_page
from ingest.sources.connectors.registry_clients import parse_pip_settings
from ingest.sources.files import FetchedDocument
from retrieval.assistant import Assistant
from retrieval.llm.chat import CompletionError
from retrieval.llm.client import parse_completion
from retrieval.llm.reply import Reply, parse_reply
from retrieval.model import MAX_QUESTION_LENGTH, Answer
from ui.mcp.endpoint import mount_mcp
from ui.rendering.answer_markdown import render_markdown
from ui.rendering.answer_terminal import render_answer
from ui.rendering.claim import render_claims_markdown
from ui.rendering.slack import render_slack_answer
from ui.rendering.words import printable
from ui.server.binding import LOOPBACK_NAMES
from ui.server.live_assistant import LiveAssistant
from ui.server.question_desk import QuestionDesk
from ui.settings import load_server_settings
from ui.slack.bot import add_slack_events
from ui.slack.service import open_bot
from ui.web.ask.layout import lay_out
from ui.web.html import render
from ui.web.review import render_claims_html

_REPOSITORY = Path(__file__).parents[1]
_JSON_SIGNS = (*'{ } [ ] " : , null 1e999 "\\ud800" "\\u0000" NaN -0 \\'.split(), "[" * 400, '{"a":' * 300, "9" * 40)
_TEXT_SIGNS = (
    *"<script> </details> \x1b]0;a\x07 \x9b31m \u202e ` [1] ](javascript:a) <!channel> | &lt; @U1 {{a}} ::error::".split(),
    *("**", "```\n", "\f", "\r", "\u2028", "\n- ", "\n\n", "\n    ", "[2]: a"),
)
_ESCAPES = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""What a terminal acts upon."""


@dataclass(frozen=True, slots=True)
class Way:
    """One way in: its check, real or hand-made inputs of it, and pieces of its grammar that these don't show."""

    check: Callable[[bytes], None]
    seeds: tuple[bytes, ...]
    signs: tuple[str, ...] = ()


def _text(data: bytes) -> str:
    return data.decode("utf-8", errors="replace")


def _refused(read: Callable[[], object]) -> None:
    """Read; what is refused is refused in words."""
    try:
        read()
    except RelnotesError as error:
        assert str(error).strip()


# Documents, and what is read before them and beside them.


def _check_document(name: str, content: bytes) -> None:
    """Parse a document as ingest does, without the net under it; what is stored must be true to the text."""
    source = FetchedDocument(name, name, "/notes", content, Hints()).below("/notes", Hints())
    try:
        parsed, identity, releases = read_structure(source, content)
        passages = split_passages(parsed, releases, title=identity.title, names=(identity.product,))
    except SourceError as error:
        assert str(error).strip()
        return
    text = parsed.text
    text.encode("utf-8")  # what is stored and shown has no half characters
    if parsed.media_type != "text/html":
        assert text == decode(content), "what is quoted is the file's own text"
    assert all(0 <= release.span.start <= release.span.end <= len(text) for release in releases)
    at = 0
    for passage in passages:
        assert at <= passage.span.start < passage.span.end <= len(text)
        assert 0 <= passage.release < len(releases)
        at = passage.span.start
        for item in passage.items:
            assert at <= item.span.start < item.span.end <= passage.span.end
            at = item.span.end
        at = passage.span.end


def _check_asked_document(folder: Path, data: bytes) -> None:
    """A hostile document ingested beside a sound one: whatever it says, questions are answered and quotes are true."""
    shutil.rmtree(folder / "index", ignore_errors=True)
    (folder / "notes").mkdir(exist_ok=True)
    (folder / "notes" / "gizmo.md").write_bytes(b"# Gizmo 2.0.0\n\n" + data[:4_000])
    (folder / "notes" / "older.md").write_bytes(b"# Gizmo 1.0.0\n\n- `gizmo.spin` was removed in 1.0.\n")
    embedder = HashedEmbedder()
    for failed in ingest(folder / "notes", index=folder / "index", embedder=embedder).failed:
        assert "please report it" not in failed.error, failed.error
    with Assistant.open(folder / "index", embedder=embedder) as assistant:
        for question in (
            "Was gizmo.spin removed in 2.0?",
            "What changed between 1.0 and 2.0 of Gizmo?",
            "latest Gizmo",
        ):
            answer = assistant.ask(question)
            assert faults(answer, assistant) == ()
            _assert_renders(answer)
        for release in assistant.upgrade("gizmo", "0.9", "latest").releases:
            for item in release.items:
                text = assistant.index.document_text(item.citation.document_id)
                assert item.citation.quote == text[item.citation.start : item.citation.end]
        assistant.cite("gizmo.spin was removed in Gizmo 1.0.")


def _check_front_matter(data: bytes) -> None:
    text = _text(data)
    values, end = split_front_matter(text)
    assert 0 <= end <= len(text)
    assert all(isinstance(value, str) for value in values.values())


def _check_answers_of_others(data: bytes) -> None:
    page = partial(read_package_page, data, url="https://packages.example/gizmo/", name="gizmo")
    for read in (
        lambda: parse_answer(list[FolderEntry], data),
        lambda: parse_answer(Release, data),
        lambda: page("text/html"),
        lambda: page("application/vnd.pypi.simple.v1+json"),
        lambda: parse_pip_settings(_text(data)),
    ):
        _refused(read)


def _check_reply(data: bytes) -> None:
    try:
        words = parse_completion(data).text
    except CompletionError:
        words = _text(data)[:8_000]
    with suppress(CompletionError):
        parse_reply(words, Reply)


def _check_package(data: bytes) -> None:
    with suppress(SourceError):
        read_package(data, lambda _: True)


# What is shown.


def _assert_renders(answer: Answer) -> None:
    """Every form of an answer is drawn, and none lets a document or a question act on its reader."""
    assert not _ESCAPES.search(printable(render_answer(answer)))
    render_markdown(answer)
    for message in render_slack_answer(answer):
        json.dumps(message.blocks)
        assert len(message.blocks) <= 50
        assert not _ESCAPES.search(message.text)
        assert "<!channel>" not in message.text
    assert_harmless(render("ask", "answer_text", answer=answer, layout=lay_out(answer), prefix="a"))


# The server, over a small index with everything mounted, asked without a socket.


class _Faults(logging.Handler):
    """What the product logs as a fault of its own, which a client sees only as "an error it didn't expect"."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.seen: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.seen.append(logging.Formatter().format(record))


_JSON = {"Content-Type": "application/json"}
_FORM = {"Content-Type": "application/x-www-form-urlencoded"}
_MCP = {**_JSON, "Accept": "application/json, text/event-stream"}


@dataclass(frozen=True, slots=True)
class Server:
    """Everything that may be asked of it."""

    client: TestClient
    assistant: Assistant
    assistants: LiveAssistant
    faults: _Faults

    def sent(self, method: str, path: str, content: bytes, headers: Mapping[str, str]) -> httpx.Response:
        """Send one request; what the server answered, which is never a fault of its own."""
        self.faults.seen.clear()
        answered: httpx.Response = self.client.request(method, path, content=content, headers=dict(headers))
        assert answered.status_code < 500, (answered.status_code, answered.text[:500])
        assert not self.faults.seen, self.faults.seen[0]
        return answered

    def check_ask(self, data: bytes) -> None:
        text = _text(data)[:MAX_QUESTION_LENGTH]
        if text.strip():
            answer = self.assistant.ask(text)
            assert faults(answer, self.assistant) == ()
            _assert_renders(answer)

    def check_cite(self, data: bytes) -> None:
        text = _text(data)[:MAX_QUESTION_LENGTH]
        try:
            check = self.assistant.cite(text)
        except UsageError:
            return
        for checked in check.claims:
            assert checked.claim.text == text[checked.claim.start : checked.claim.end]
            for citation in checked.citations:
                stored = self.assistant.index.document_text(citation.document_id)
                assert citation.quote == stored[citation.start : citation.end]
        assert_harmless(render_claims_html(check, lambda _: AROUND[1]))
        # In code a tag is shown, not run.
        assert "<script" not in MarkdownIt("commonmark", {"html": True}).render(render_claims_markdown(check)).lower()

    def check_post(self, path: str, data: bytes) -> None:
        answered = self.sent("POST", path, data, _JSON)
        body = answered.json()
        if answered.status_code != 200:
            assert body["status"] == answered.status_code
            return
        index = self.assistant.index
        documents = {document.source: document.id for document in index.documents}
        for citation in body.get("citations", ()):
            text = index.document_text(documents[citation["source"]])
            assert citation["quote"] == text[citation["start"] : citation["end"]]

    def check_addresses(self, data: bytes) -> None:
        self.sent("GET", f"/v1/documents/{quote(data[:1_500], safe='')}", b"", {})
        product, low, high = [*_text(data)[:300].split("\n", 2), "", ""][:3]
        self.sent("GET", f"/v1/upgrade?{urlencode({'product': product, 'from': low, 'to': high})}", b"", {})

    def check_message(self, data: bytes) -> None:
        answered = self.sent("POST", "/mcp", data, _MCP)
        if answered.content:
            answered.json()

    def check_tool(self, name: str, data: bytes) -> None:
        try:
            arguments = json.loads(data)
        except (ValueError, RecursionError):
            arguments = dict.fromkeys(("query", "question", "id", "text"), _text(data))
        self.check_message(json.dumps(tool_call(name, arguments)).encode())

    def check_slack(self, data: bytes) -> None:
        wrapped = urlencode({"payload": _text(data)}).encode()
        for body, kind in ((data, _JSON), (data, _FORM), (wrapped, _FORM)):
            self.sent("POST", "/slack/events", body, {**kind, **signed(body)})


@contextmanager
def open_server() -> Iterator[Server]:
    """The server's app with the API, MCP and Slack, its index of two documents in a folder of its own."""
    embedder = HashedEmbedder()
    log = _Faults()
    logging.getLogger().addHandler(log)
    slack = FaultySlack({})
    with tempfile.TemporaryDirectory(prefix="fuzz-") as made, slack:
        index = Path(made) / "index"
        assert not ingest(write_documents(Path(made) / "documents"), index=index, embedder=embedder).failed
        assistants = LiveAssistant(index, open_embedder=lambda: embedder)
        desk = QuestionDesk(max_questions=4, timeout_s=60)
        served = api_client(assistants, desk, hosts=LOOPBACK_NAMES)
        app = served.app
        settings = load_server_settings(
            index=index, slack_bot_token="xoxb-fuzz", slack_signing_secret=SIGNING_SECRET, slack_api_url=slack.api_url
        )
        mount_mcp(app, assistants, desk)
        bot = open_bot(settings, app.state.answering)
        add_slack_events(app, bot.app, signing_secret=SIGNING_SECRET)
        try:
            with served as client, Assistant.open(index, embedder=embedder) as assistant:
                yield Server(client, assistant, assistants, log)
        finally:
            assistants.close()
            logging.getLogger().removeHandler(log)


# What each is given to begin with.

_NOTES = (
    b"# Gizmo\n\n## 1.2.0 (2024-01-02)\n\n- `gizmo.spin` is removed; see #1.\n  - nested\n\n| a | b |\n|---|---|\n| c | 1.2 |\n",
    b"Gizmo 1.2 (2024-01-02)\n======================\n\n* one entry\n* another\n\n.. note:: a\n\n:date: 2024-01-02\n",
    b"= Gizmo\n:revdate: 2024-01-02\n\n== 1.2\n\n* a\n----\ncode\n----\n[cols=2]\n|===\n|a |b\n|===\n",
    b"<html><body><main><h2>Gizmo 1.2</h2><ul><li>a<p>b</ul><table><tr><td>a</table></main></body></html>",
    b"gizmo (1.2-3) unstable; urgency=low\n\n  * x\n\n -- A <a@b.c>  Mon, 01 Jan 2024 00:00:00 +0000\n",
    b"Version: 1.2\n%changelog\n* Mon Mar 02 2026 A <a@b.c> - 1.2-1\n- x\n",
)
_NOTE_SIGNS = (
    *("- ", "1. ", "> ", "## 1.@ (2024-01-02)\n", "===\n", "---\n", "```\n", "~~~ a\n", "[a]: b\n", "[^1]"),
    *("| a |", "|---|\n", "|a|", ".. |a| replace:: b\n", "|===\n"),
    *"<div> </div> <![CDATA[ <ul><li> <pre> &#0; <svg> <template> <h2>".split(),
    *("<!-- ", "<td rowspan=9999>", ".. a::\n", "`a`_", "a__ ", ".. _t:\n", "::\n", ":a: b\n", "=== ===\n", "+---+\n"),
    *("....\n", "ifdef::a[]\n", "include::a[]\n", "{a}", "<<a>>", "((a))", "a:: b\n", "<1> a\n", "//// \n", "+\n"),
    *(
        "PART 1\n",
        "%if a\n",
        " -- A\n",
        "removed the following sentence:",
        "1.2 -> 1.3",
        "9" * 20,
        "\u0661.\u0662",
        "\f",
    ),
)
_RELEASES = b"""[{"tag_name": "v1.2", "name": "Gizmo 1.2", "body": "## Changes\\r\\n* one", "html_url":
"https://github.com/gizmo/gizmo/releases/tag/v1.2", "published_at": "2024-01-02T03:04:05Z", "draft": false,
"prerelease": false}]"""
_OF_OTHERS = (
    b"""<html><body><a href="gizmo-1.2.tar.gz#sha256=00" data-yanked="no">gizmo-1.2.tar.gz</a></body></html>""",
    b'{"files": [{"filename": "gizmo-1.2.tar.gz", "url": "gizmo-1.2.tar.gz", "hashes": {"sha256": "00"}}]}',
    b"User-agent: *\nDisallow: /a*b%41$\nAllow: /",
    b"index-url='https://[a.example'",
)
_REPLY = b'{"choices": [{"message": {"content": "`spin` is deprecated [1]. It may go [1, 2]."}}]}'
_FRONT_MATTER = (
    b"---\ntitle: &a Gizmo\nb: *a\n<<: *a\nc: {a: [1]}\n? d\n: |\n  x\ne: !!python/object:os.system x\n---\nText",
    b"%YAML 1.2\n---\ndate: 2024-01-02\nversion: 4.10\n---\nText",
    b'+++\ntitle = "Gizmo"\n+++\nText',
)
_DIFF = b"""diff --git a/requirements.txt b/requirements.txt
--- a/requirements.txt
+++ b/requirements.txt
@@ -1,2 +1,2 @@ def f():
 a==1
-torch==2.8
+torch==2.9
diff --git "a/\\303\\244.py" b/x.py
similarity index 90%
rename from "\\303\\244.py"
rename to x.py
--- "a/\\303\\244.py"
+++ b/x.py
@@ -3 +3,2 @@
-import torch
+import torch.nn as nn
+nn.Linear(bias=False)
\\ No newline at end of file
Binary files a and b differ
"""
_QUESTIONS = (
    b"What changed between PyTorch 2.8 and v2.9 (5.x)?",
    b"since when is torch.cond stable\fand in 2.9.1?",
    b"Is Adagrad not faster in ~=2.12 than in ^2.8? CVE-2024-1 --flag #12",
    b"which releases came out last year or since March 2025? And in the last 3 months, two versions ago?",
    b"Was Python 3.7 removed in 2.0 since `widget.spin`? And in 1.5? It is gone. [1] <b>",
    "Hi all, sorry for the noise — why does `torch.cond` still exist…? Compare a-a vs removed 99. Thanks!".encode(),
)
_CLAIMS = (
    b"Adagrad has a fused variant since 2.12. It isn't slow; see [1] (http://a.b).\n\n- One.\n> `x`\n| a | b |\n```\n"
)
_ASKED = (
    b'{"question": "Is widget.spin deprecated?", "product": "widget", "version": "2.0", "history": ["New?"], "k": 3}'
)
_MESSAGES = (
    b'{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}',
    b'{"jsonrpc": "2.0", "id": "a", "method": "resources/list", "params": {"cursor": "1"}}',
    b'{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}',
)
_MESSAGE_SIGNS = (
    *_JSON_SIGNS,
    '"method": ',
    '"params": ',
    '"id": ',
    "tools/call",
    "prompts/get",
    "ping",
    "\n",
    "\ufeff",
)


def _slack_event(**fields: object) -> bytes:
    authorizations = [{"team_id": TEAM, "user_id": "U0BOT", "is_bot": True}]
    event = {"type": "event_callback", "team_id": TEAM, "api_app_id": "A1", "event_id": "Ev1", "event_time": 1}
    return json.dumps({**event, "authorizations": authorizations, "event": fields}).encode()


_SLACK = (
    _slack_event(type="app_mention", channel="C1", user="U1", ts="5.6", text="<@U0BOT> Is it gone?"),
    b"command=/relnotes&team_id=T000000001&channel_id=C1&user_id=U1&text=Is+it+gone%3F&response_url=http://127.0.0.1:9/r&trigger_id=1.2",
    b"""{"type": "block_actions", "team": {"id": "T000000001"}, "user": {"id": "U1"}, "channel": {"id": "C1"}, "trigger_id": "1",
"actions": [{"action_id": "relnotes_more", "block_id": "b", "value": "{}", "action_ts": "1"}],
"message": {"ts": "1.2", "blocks": []}, "response_url": "http://127.0.0.1:9/r"}""",
)


def _archives() -> tuple[bytes, ...]:
    names = ("gizmo-1.2/CHANGES.rst", "gizmo-1.2/setup.py", "gizmo-1.2/docs/old.md")
    tar = tar_gz(dict.fromkeys(names, _NOTES[1]))
    bare = gzip.decompress(tar)
    return tar, bare, bz2.compress(bare), lzma.compress(bare), zipped({"gizmo/1.1/notes.md": _NOTES[0]})


def open_targets(server: Server, folder: Path) -> dict[str, dict[str, Way]]:
    """Six kinds of way in, each with its ways by name; `folder` is theirs."""
    bundled = tuple(path.read_bytes()[:8_000] for path in sorted((_REPOSITORY / "corpus/documents").rglob("*.md"))[:3])
    names = ("notes.md", "notes.rst", "notes.adoc", "notes.html", "notes.txt", "changelog", "gizmo.spec")
    bodies = {
        "/v1/ask": _ASKED,
        "/v1/search": b'{"query": "spin", "k": 2}',
        "/v1/cite": b'{"text": "spin is removed."}',
        "/v1/review": json.dumps({"diff": _DIFF.decode()}).encode(),
    }
    tools = {
        "search": b'{"query": "spin"}',
        "fetch": b'{"id": "1"}',
        "ask": _ASKED,
        "list_versions": b"{}",
        "changes_between": b'{"product": "widget", "from": "1.5", "to": "latest"}',
        "cite": b'{"text": "It is gone."}',
    }
    name_signs = ("/", "..", "\\", "%2f", "%00", "\u202e", "CON", ".md", "é", "&name=", "#", "\x00", "\n")
    return {
        "documents": {
            **{name: Way(partial(_check_document, name), (*_NOTES, *bundled), _NOTE_SIGNS) for name in names},
            "front-matter": Way(_check_front_matter, _FRONT_MATTER, ("a: b\n", "- ", "&a ", "*a ", "{a: ", "+++\n")),
        },
        "asked documents": {
            "asked": Way(partial(_check_asked_document, folder), _NOTES[:1], _NOTE_SIGNS + _TEXT_SIGNS)
        },
        "answers of others": {
            "pages": Way(_check_answers_of_others, (_RELEASES, *_OF_OTHERS), _JSON_SIGNS),
            "model": Way(_check_reply, (_REPLY,), (*_JSON_SIGNS, "[1]", "not ", "data: ")),
        },
        "packages": {"package": Way(_check_package, _archives(), ("PK\x03\x04", "PK\x05\x06", "ustar", "../"))},
        "questions": {
            "ask": Way(server.check_ask, _QUESTIONS, _TEXT_SIGNS),
            "cite": Way(server.check_cite, (_CLAIMS, *_QUESTIONS), _TEXT_SIGNS),
        },
        "requests": {
            **{path: Way(partial(server.check_post, path), (seed,), _JSON_SIGNS) for path, seed in bodies.items()},
            "addresses": Way(server.check_addresses, (b"CHANGELOG.md", b"2:3-4", b"widget\n1.5\n2.0"), name_signs),
            "mcp": Way(server.check_message, (json.dumps(INITIALIZE).encode(), *_MESSAGES), _MESSAGE_SIGNS),
            **{
                f"mcp {name}": Way(partial(server.check_tool, name), (seed,), _JSON_SIGNS)
                for name, seed in tools.items()
            },
            "slack": Way(
                server.check_slack, _SLACK, (*_JSON_SIGNS, "payload=", "%ff", '"bot_id": "B1",', "url_verification")
            ),
        },
    }
