"""`relnotes mcp` as a process: the official client, and how it ends."""

import asyncio
import json
import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from cli_calls import ENVIRONMENT, REPOSITORY, process
from mcp import Client, StdioServerParameters
from mcp_calls import CALLS, INITIALIZE, PASSAGE_QUESTION, checked, schema_of, tool_call
from npm_packages import npm_command
from warm_server import running_serve

from corpus.cache_folder import cache_folder

pytestmark = pytest.mark.slow

VARIABLES = {"PYTHONPATH": str(REPOSITORY), "RELNOTES_CACHE_DIR": str(cache_folder())}
TOKEN = "a token of some length"
DEADLINE_S = 60
"""Only what hangs takes this long, however busy the machine."""
NEVER_TIDIED_UP = "import atexit, threading; atexit.register(threading.Event().wait)"
MODEL_NEVER_LOADED = """
import sys, threading, ui.opening
def load(settings):
    print("loading", file=sys.stderr, flush=True)
    threading.Event().wait()
ui.opening.open_question_embedder = load
"""


def send(server: subprocess.Popen[bytes], message: dict[str, Any] | bytes) -> None:
    assert server.stdin is not None
    server.stdin.write((message if isinstance(message, bytes) else json.dumps(message).encode()) + b"\n")
    server.stdin.flush()


@contextmanager
def talking(
    index: Path, *, environment: dict[str, str] = ENVIRONMENT, prelude: str = ""
) -> Iterator[subprocess.Popen[bytes]]:
    """A server that has answered the handshake; killed where the test leaves it running."""
    pipe = subprocess.PIPE
    words = process("mcp", "--index", index, prelude=prelude)
    with subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=pipe, env=environment) as server:
        try:
            send(server, INITIALIZE)
            assert server.stdout is not None
            assert json.loads(server.stdout.readline())["result"]["serverInfo"]["name"] == "relnotes"
            send(server, {"jsonrpc": "2.0", "method": "notifications/initialized"})
            yield server
        finally:
            server.kill()


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_the_official_client_calls_every_tool_over_stdio(bundled_index: Path, mode: Any) -> None:
    words = process("mcp", "--index", bundled_index)

    async def work() -> None:
        parameters = StdioServerParameters(command=words[0], args=words[1:], env=VARIABLES)
        async with Client(parameters, mode=mode) as client:
            tools = (await client.list_tools()).tools
            for name, arguments in CALLS.items():
                checked(await client.call_tool(name, arguments), schema_of(tools, name))

    asyncio.run(work())


def test_nothing_but_the_protocol_is_on_stdout_whatever_comes_in(bundled_index: Path) -> None:
    with talking(bundled_index) as server:
        for rubbish in (
            b"rubbish",
            b"\xff\xfe",
            b"[]",
            b"{}",
            b"x" * 1_000_000,
            b'{"jsonrpc": "2.0", "id": "\\ud800"}',
        ):
            send(server, rubbish)
        send(server, tool_call("ask", "no object", number=2))
        send(server, tool_call("ask", {"question": "x" * 1_000_000}, number=3))
        send(server, {"jsonrpc": "2.0", "id": 4, "method": "no/such/method"})
        send(server, tool_call("ask", {"question": "nul \x00 and more"}, number=5))
        assert server.stdout is not None
        replies = {reply["id"]: reply for reply in (json.loads(server.stdout.readline()) for _ in range(4))}
        assert (replies[2]["error"]["code"], replies[4]["error"]["code"]) == (-32602, -32601)
        assert replies[3]["result"]["isError"] is True
        assert replies[5]["result"]["structuredContent"]["status"] == "not_found"
        rest, said = server.communicate(timeout=DEADLINE_S)
    assert (server.returncode, rest, said) == (0, b"", b"")


QUESTION = tool_call("search", {"query": PASSAGE_QUESTION}, number=2)


def test_the_end_of_its_input_ends_it_without_tidying_up(bundled_index: Path) -> None:
    with talking(bundled_index, prelude=NEVER_TIDIED_UP) as server:
        send(server, QUESTION)
        assert server.stdout is not None
        assert json.loads(server.stdout.readline())["result"]["structuredContent"]["results"]
        rest, said = server.communicate(timeout=DEADLINE_S)
    assert (server.returncode, rest, said) == (0, b"", b"")


@pytest.mark.parametrize("asks", [False, True], ids=["warming up", "a question waits"])
def test_the_end_of_its_input_does_not_wait_for_the_model(bundled_index: Path, asks: bool) -> None:
    with talking(bundled_index, prelude=MODEL_NEVER_LOADED) as server:
        if asks:
            send(server, QUESTION)
        assert server.stderr is not None
        assert server.stderr.readline() == b"loading\n"
        rest, said = server.communicate(timeout=DEADLINE_S)
    assert (server.returncode, said) == (0, b"")
    refused = [(reply["id"], "error" in reply) for reply in map(json.loads, rest.splitlines())]
    assert refused == ([(QUESTION["id"], True)] if asks else [])


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_by_itself(bundled_index: Path, number: signal.Signals) -> None:
    with talking(bundled_index) as server:
        # Its input stays open: the thread that reads it never comes back.
        server.send_signal(number)
        assert server.wait(DEADLINE_S) == -number
        assert server.stderr is not None
        assert server.stderr.read() == b""


def test_without_an_index_it_serves_and_says_so(tmp_path: Path) -> None:
    # What only a listening server reads can't stop it either.
    with talking(tmp_path / "none", environment={**ENVIRONMENT, "RELNOTES_PORT": "abc"}) as server:
        send(server, tool_call("list_versions", number=2))
        assert server.stdout is not None
        result = json.loads(server.stdout.readline())["result"]
        assert result["isError"] is True
        assert "relnotes ingest" in result["content"][0]["text"]
        assert server.stderr is not None
        assert server.stderr.readline().startswith(b"relnotes: No index at")
        _, said = server.communicate(timeout=DEADLINE_S)
    assert said == b""


def test_the_inspector_calls_tools_over_http(bundled_index: Path, tmp_path: Path) -> None:
    """What users check a server with; it is written in another language."""
    launcher = npm_command("@modelcontextprotocol", "inspector", "clients", "launcher", "build", "index.js")
    with running_serve(bundled_index, RELNOTES_TOKEN=TOKEN) as (_, address):
        target = (f"{address}/mcp", "--header", f"Authorization: Bearer {TOKEN}")

        def ask(method: str, *options: str) -> dict[str, Any]:
            words = [*launcher, "--cli", "--format", "json", "--quiet", "--method", method, *options, *target]
            environment = {**os.environ, "HOME": str(tmp_path)}
            ran = subprocess.run(words, capture_output=True, text=True, env=environment, timeout=300)
            assert ran.returncode == 0, ran.stderr
            return dict(json.loads(ran.stdout)["result"])

        schemas = {tool["name"]: tool["outputSchema"] for tool in ask("tools/list", "--strict")["tools"]}
        assert list(schemas) == list(CALLS)
        for name in ("search", "changes_between"):
            result = ask("tools/call", "--tool-name", name, "--tool-args-json", json.dumps(CALLS[name]))
            jsonschema.validate(result["structuredContent"], schemas[name])
