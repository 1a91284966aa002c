"""A fuzz target of MCP on stdin and stdout: a client's lines, hostile ones among them, through the real transport."""

import io
import json
import threading
from functools import partial

import anyio
from fuzz_bench import Bench
from fuzz_requests import INITIALIZE, MESSAGES
from fuzz_signs import JSON_SIGNS
from fuzz_target import Target
from mcp.server.stdio import stdio_server

from ui.mcp.server import create_server
from ui.server.question_desk import QuestionDesk

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
        lines = b"\n".join((INITIALIZE, initialized, data, last, b""))
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


def stdio_target(bench: Bench) -> Target:
    """Lines that a client writes between its handshake and a request that must be answered."""
    return Target(
        "mcp:stdio",
        partial(_check_stdio, bench),
        (b"\n".join(MESSAGES), *MESSAGES),
        (*JSON_SIGNS, "\n", "\r", "\x00", "\ufeff", '"method": ', '"params": ', '"id": ', "tools/call", "ping"),
    )
