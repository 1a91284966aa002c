"""`relnotes mcp` as a process: the official client, and how it ends."""

import asyncio
import json
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from cli_calls import ENVIRONMENT, REPOSITORY, process
from mcp import Client, StdioServerParameters
from mcp_calls import CALLS, INITIALIZE, PASSAGE_QUESTION, checked, schema_of, tool_call

from corpus.cache_folder import cache_folder

pytestmark = pytest.mark.slow

VARIABLES = {"PYTHONPATH": str(REPOSITORY), "RELNOTES_CACHE_DIR": str(cache_folder())}
DEADLINE_S = 60
"""Only what hangs takes this long, however busy the machine."""
NEVER_TIDIED_UP = "import atexit, threading; atexit.register(threading.Event().wait)"


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


def test_the_official_client_calls_every_tool_over_stdio(bundled_index: Path) -> None:
    words = process("mcp", "--index", bundled_index)

    async def work() -> None:
        # Beside other tests a process begins slowly; how fast it answers isn't tried here.
        patient = {**VARIABLES, "RELNOTES_QUESTION_TIMEOUT_S": "120"}
        parameters = StdioServerParameters(command=words[0], args=words[1:], env=patient)
        async with Client(parameters) as client:
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


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_by_itself(bundled_index: Path, number: signal.Signals) -> None:
    with talking(bundled_index) as server:
        # Its input stays open: the thread that reads it never comes back.
        server.send_signal(number)
        assert server.wait(DEADLINE_S) == -number
        assert server.stderr is not None
        assert server.stderr.read() == b""
