"""Secrets that relnotes is given come out nowhere: not in logs, errors, help, metrics, the page or a trace of a defect.

Each is marked; everything is made to go wrong that can be from outside, and all that comes out is searched.
"""

import base64
import json
import os
import signal
import subprocess
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import cli_calls
import httpx
import pytest
from chat_server import ChatServer, Handler, Seen, send
from chat_server import serving as serving_chat
from notes_server import page
from notes_server import serving as serving_notes
from slack_workspace import event_request
from waiting import until
from warm_server import WarmServer, running_serve

from corpus.cache_folder import cache_folder
from ui.settings import FetchingSettings, Settings

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("opened_once")]
REPOSITORY = Path(__file__).parents[1]
MARK = "Z9q7-marked"
SIGNING_SECRET = "8f742231b10e8888abcd99yyyzzz85a5"  # the one that the tests' requests are signed with
GIVEN = {
    "RELNOTES_TOKEN": f"{MARK}-token-of-everything",
    "RELNOTES_LLM_API_KEY": f"{MARK}-key-of-the-model",
    "RELNOTES_MILVUS_TOKEN": f"{MARK}-token-of-milvus",
    "GITHUB_TOKEN": f"{MARK}-token-of-github",
    "SLACK_BOT_TOKEN": f"xoxb-{MARK}",
    "SLACK_APP_TOKEN": f"xapp-{MARK}",
    "SLACK_SIGNING_SECRET": SIGNING_SECRET,
}
FORBIDDEN = (MARK, SIGNING_SECRET, base64.b64encode(f"any:{GIVEN['RELNOTES_TOKEN']}".encode()).decode())


def assert_tells_no_secret(text: str, *where: object) -> None:
    for secret in FORBIDDEN:
        assert secret not in text, (*where, text[max(0, text.find(secret) - 200) :][:400])


def echo(handler: Handler, seen: Seen, _server: ChatServer) -> None:
    """A model's server that refuses, and repeats what it was sent; and a Slack that knows the bot and takes nothing."""
    if seen.path.endswith("auth.test"):
        send(handler, json.dumps({"ok": True, "user_id": "U0", "team_id": "T1", "team": seen.headers}).encode())
        return
    send(handler, json.dumps({"error": {"message": f"no: {seen.headers}"}}).encode(), status=401)


def environment(**more: str) -> dict[str, str]:
    paths = os.pathsep.join((str(REPOSITORY), *filter(None, (os.environ.get("PYTHONPATH"),))))
    return {**os.environ, "PYTHONPATH": paths, "RELNOTES_CACHE_DIR": str(cache_folder()), **GIVEN, **more}


@pytest.fixture(scope="module")
def said(small_index: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Everything that a real server said on being asked rightly and wrongly, by what it was asked."""
    folder = tmp_path_factory.mktemp("secrets")
    found: dict[str, str] = {}
    with serving_chat(echo) as chat, (folder / "log").open("wb") as log:
        given = environment(
            RELNOTES_LLM_BASE_URL=chat.url,
            RELNOTES_LLM_MODEL="m",
            RELNOTES_SLACK_API_URL=f"{chat.url}/slack/",
            RELNOTES_LOG_QUESTIONS="1",
        )
        with running_serve(small_index, log=log.fileno(), **given) as (server, address):
            with httpx.Client(base_url=address, timeout=60) as client:
                for name, request in requests(client, address):
                    answer = client.send(request)
                    found[f"{name} ({answer.status_code})"] = f"{answer.headers}\n{answer.text}"
            # The model was asked, and so was Slack, which took nothing.
            until(lambda: len({seen.path for seen in chat.seen}) >= 2)
            server.send_signal(signal.SIGTERM)
            found["standard output"] = server.stdout.read()
            assert server.wait() == 0
    found["log"] = (folder / "log").read_text()
    return found


def requests(client: httpx.Client, address: str) -> Iterator[tuple[str, httpx.Request]]:
    token = GIVEN["RELNOTES_TOKEN"]
    bearer, basic = {"Authorization": f"Bearer {token}"}, {"Authorization": "Basic " + FORBIDDEN[2]}
    for path in (
        "/metrics",
        "/v1/documents",
        "/v1/documents/999",
        "/v1/upgrade?product=x&from=1&to=2",
        "/openapi.json",
    ):
        yield path, client.build_request("GET", path, headers=bearer)
    for path in ("/", "/config", "/gradio_api/info", "/healthz", "/readyz", "/nothing", f"/{token}"):
        yield path.replace(MARK, "..."), client.build_request("GET", path.replace(token, "wrong"), headers=basic)
    yield (
        "ask",
        client.build_request("POST", "/v1/ask", headers=bearer, json={"question": "Is widget.spin deprecated?"}),
    )
    yield "no token", client.build_request("GET", "/metrics")
    yield (
        "half a token",
        client.build_request("GET", "/metrics", headers={"Authorization": bearer["Authorization"][:-1]}),
    )
    yield "wrong scheme", client.build_request("GET", "/metrics", headers={"Authorization": f"Digest {token}"})
    yield "wrong body", client.build_request("POST", "/v1/ask", headers=bearer, content=b"{")
    yield "wrong host", client.build_request("GET", "/metrics", headers={**bearer, "Host": "example.org"})
    event = {
        "type": "app_mention",
        "channel": "C1",
        "user": "U1",
        "text": "<@U0> Is widget.spin deprecated?",
        "ts": "1.0",
    }
    envelope = {"type": "event_callback", "team_id": "T1", "event_id": "Ev1", "event_time": 1, "event": event}
    yield "Slack", event_request(address, envelope)
    yield "Slack, unsigned", client.build_request("POST", "/slack/events", json=envelope)


def test_a_server_tells_no_secret_whatever_it_is_asked(said: dict[str, str]) -> None:
    assert len(said) > 15
    for name, text in said.items():
        assert_tells_no_secret(text, name)


def test_the_model_and_slack_were_there_to_make_it_fail(said: dict[str, str]) -> None:
    assert "relnotes" in said["log"]
    assert any(name.startswith("ask (200") for name in said)
    assert any(name.startswith("Slack (200") for name in said)


def run(*words: str, **more: str) -> str:
    said = cli_calls.run(*words, env=environment(**more))
    return said.stdout + said.stderr


LOGIN = f"me:{MARK}"
WRONG: dict[str, tuple[tuple[str, ...], dict[str, str]]] = {
    "a short token": (("serve", "--host", "0.0.0.0"), {"RELNOTES_TOKEN": "Z9q7-marked"}),
    "a model's address with a password": (
        ("ask", "x"),
        {"RELNOTES_LLM_BASE_URL": f"http://{LOGIN}@127.0.0.1:9", "RELNOTES_LLM_MODEL": "m"},
    ),
    "a source with a password": (("ingest", f"https://{LOGIN}@example.org/notes.md"), {}),
    "a store with a password": (("ingest", ".", "--store", f"milvus://{LOGIN}@127.0.0.1:9"), {}),
    "a proxy that isn't there": (
        ("ingest", "http://example.org/notes.md"),
        {"HTTP_PROXY": f"http://{LOGIN}@127.0.0.1:9", "NO_PROXY": ""},
    ),
    "GitHub that isn't there": (
        ("ingest", "github:a/b"),
        {"RELNOTES_GITHUB_API_URL": "http://127.0.0.1:9", "RELNOTES_ALLOW_PRIVATE_HOSTS": "127.0.0.1:9"},
    ),
    "an index of packages with a password": (
        ("ingest", "pypi:lid"),
        {"PIP_INDEX_URL": f"http://{LOGIN}@127.0.0.1:9/simple", "RELNOTES_ALLOW_PRIVATE_HOSTS": "127.0.0.1:9"},
    ),
    "Slack that isn't there": (("slack",), {"RELNOTES_SLACK_API_URL": "http://127.0.0.1:9"}),
    "a key that no header holds": (
        ("ask", "x"),
        {"RELNOTES_LLM_BASE_URL": "http://127.0.0.1:9", "RELNOTES_LLM_MODEL": "m", "RELNOTES_LLM_API_KEY": f"{MARK}\n"},
    ),
}


@pytest.mark.parametrize(("words", "more"), WRONG.values(), ids=WRONG.keys())
def test_an_error_tells_no_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], more: dict[str, str]
) -> None:
    monkeypatch.chdir(tmp_path)
    more = {"RELNOTES_INDEX": str(tmp_path / "index"), **more}
    if words[0] == "serve":
        # It listens before it reads its tokens, and only its end closes that.
        with (tmp_path / "log").open("wb") as log:
            server = WarmServer(list(words), environment(**more), f"os.chdir({str(tmp_path)!r})", log.fileno())
        printed = server.stdout.read() + (tmp_path / "log").read_text()
        server.close()
    else:
        printed = run(*words, **more)
    assert "relnotes:" in printed.lower() or "failed" in printed
    assert "Traceback" not in printed
    assert_tells_no_secret(printed)


def test_help_tells_no_secret() -> None:
    for name in (None, "serve"):
        printed = run(*filter(None, (name,)), "--help")
        assert "Usage" in printed
        assert_tells_no_secret(printed, name)


def test_the_token_of_a_repository_is_no_part_of_its_links(tmp_path: Path, small_index: Path) -> None:
    """A clone by a build has its token in the address of its origin."""
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "lid.md").write_text("# Lid 1.0\n\n- The lid turns.\n")
    git = ["git", "-C", str(notes), "-c", "user.name=a", "-c", "user.email=a@example.org"]
    for words in (
        ["init", "-q"],
        ["remote", "add", "origin", f"https://{LOGIN}@github.com/a/b.git"],
        ["add", "."],
        ["commit", "-qm", "x"],
    ):
        subprocess.run([*git, *words], check=True)
    index = str(tmp_path / "index")
    printed = run("ingest", str(notes), "--index", index, "--json") + run("docs", "--json", "--index", index)
    assert "lid.md" in printed
    assert_tells_no_secret(printed)
    assert not [
        path for path in (tmp_path / "index").rglob("*") if path.is_file() and MARK.encode() in path.read_bytes()
    ]


def test_a_source_gets_no_secret_of_ours(tmp_path: Path) -> None:
    """GitHub's token goes to GitHub's API; whoever else is asked sees nothing of it."""
    with serving_notes({"/notes.md": page("# Lid 1.0\n\n- The lid turns.\n")}) as server:
        run(
            "ingest",
            server.url("/notes.md"),
            RELNOTES_INDEX=str(tmp_path / "index"),
            RELNOTES_ALLOW_PRIVATE_HOSTS=server.host,
        )
        assert server.paths() == ["/notes.md"]
        assert_tells_no_secret(str(server.asked))


def test_every_secret_that_is_read_is_tried_here() -> None:
    """A new one must be marked above."""
    ours = {
        field.metadata.get("variable") or f"RELNOTES_{field.name.upper()}"
        for kind in (Settings, FetchingSettings)
        for field in fields(kind)
        if not field.repr
    }
    assert ours | {"RELNOTES_MILVUS_TOKEN"} == GIVEN.keys()
