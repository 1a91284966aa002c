"""Sends each kind of request to a server as its clients do, and gives back what came, unjudged."""

import asyncio
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass
from typing import Any

import aiohttp

from evals.lab.load.slack_stand_in import mention, signed_headers
from evals.lab.load.traffic import Shot, TrafficKind

TIMEOUT_S = 90.0
"""Longer than the server itself lets any question take."""
_MCP_ACCEPT = {"Accept": "application/json, text/event-stream"}


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back: status 0 where nothing did, and `body` says why."""

    status: int
    retry_after: str | None
    body: str


@dataclass(frozen=True, slots=True)
class Topics:
    """What is asked for, one after the other."""

    questions: Sequence[str]
    diffs: Sequence[str]
    documents: Sequence[tuple[int, int]]
    """Numbers of documents, each with how many characters it has."""


class Entrances:
    """The entrances of one server, over one session of connections."""

    def __init__(self, session: aiohttp.ClientSession, topics: Topics) -> None:
        self._session = session
        self._topics = topics

    async def send(self, shot: Shot) -> Reply:
        """Send a request, and wait for the whole of what comes back."""
        return await self._waited(self._send(shot))

    async def get(self, path: str) -> Reply:
        """Get what is at a path."""
        return await self._waited(self._reply("GET", path))

    async def _waited(self, coming: Awaitable[Reply]) -> Reply:
        try:
            async with asyncio.timeout(TIMEOUT_S):
                return await coming
        except TimeoutError:
            return Reply(0, None, f"nothing within {TIMEOUT_S:g} s")
        except (aiohttp.ClientError, OSError, ValueError) as error:
            return Reply(0, None, f"{type(error).__name__}: {error}")

    async def _reply(self, method: str, path: str, **what: Any) -> Reply:
        async with self._session.request(method, path, **what) as response:
            return Reply(response.status, response.headers.get("Retry-After"), await response.text())

    async def _send(self, shot: Shot) -> Reply:
        topics = self._topics
        question = topics.questions[shot.number % len(topics.questions)]
        document, length = topics.documents[shot.number % len(topics.documents)]
        start = (shot.number * 977) % max(1, length - 1)
        match shot.kind:
            case TrafficKind.ASK:
                return await self._reply("POST", "/v1/ask", json={"question": question})
            case TrafficKind.SEARCH:
                return await self._reply("POST", "/v1/search", json={"query": question})
            case TrafficKind.CITE:
                return await self._reply("POST", "/v1/cite", json={"text": question.rstrip("?") + "."})
            case TrafficKind.REVIEW:
                diff = topics.diffs[shot.number % len(topics.diffs)]
                return await self._reply("POST", "/v1/review", json={"diff": diff})
            case TrafficKind.DOCUMENT:
                return await self._reply("GET", f"/v1/documents/{document}")
            case TrafficKind.DOCUMENT_PAGE:
                return await self._reply("GET", f"/documents/{document}?start={start}&end={start + 1}")
            case TrafficKind.PAGE:
                return await self._reply("POST", "/page/ask", data={"q": question})
            case TrafficKind.MCP:
                call = {"name": "ask", "arguments": {"question": question}}
                request = {"jsonrpc": "2.0", "id": shot.number, "method": "tools/call", "params": call}
                return await self._reply("POST", "/mcp", json=request, headers=_MCP_ACCEPT)
            case TrafficKind.SLACK:
                body = mention(shot.number, question)
                return await self._reply("POST", "/slack/events", data=body, headers=signed_headers(body))
