"""What a server is loaded with: which kinds of requests, in which shares, and when each is due;
sent to its entrances as its clients do, and given back unjudged.

A generator that waits for an answer before it asks again slows down with the server, and never sees what those would
have waited who came meanwhile (the coordinated omission). Here each request has a time at which it is due, and its
seconds count from then, also where the generator itself was late; how late is told too.
"""

import asyncio
import itertools
import random
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import aiohttp

from evals.lab.load.slack_stand_in import mention, signed_headers

TIMEOUT_S = 90.0
"""Longer than the server itself lets any question take."""
PROBED = ("/healthz", "/readyz", "/metrics", "/quality")
"""What must be answered fast at all times: the probes, and a page that asks nothing of the index."""
_PROBE_EVERY_S = 0.25
_MCP_ACCEPT = {"Accept": "application/json, text/event-stream"}


class TrafficKind(StrEnum):
    """A kind of request, by its entrance."""

    ASK = "POST /v1/ask"
    SEARCH = "POST /v1/search"
    CITE = "POST /v1/cite"
    REVIEW = "POST /v1/review"
    DOCUMENT = "GET /v1/documents/{id}"
    DOCUMENT_PAGE = "GET /documents/{id}"
    PAGE = "a question of the page"
    MCP = "the MCP tool ask"
    SLACK = "a Slack mention"


MIX = dict(zip(TrafficKind, (30, 18, 6, 4, 8, 10, 8, 10, 6), strict=True))
"""Of a hundred requests, how many are of each kind."""


@dataclass(frozen=True, slots=True)
class Shot:
    """One request, before it is sent."""

    number: int
    """Counts through a whole run: no two have the same."""
    kind: TrafficKind
    due_s: float
    """Since the step began."""


class Traffic:
    """Shots of the mix by chance, as many independent people send them."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)  # noqa: S311 no secret
        self._fired = 0

    def step(self, *, rate: float, seconds: float) -> tuple[Shot, ...]:
        """A step's shots: on average `rate` in a second, at times that know nothing of each other (Poisson)."""
        shots = []
        due_s = self._random.expovariate(rate)
        while due_s < seconds:
            shots.append(self.one(due_s))
            due_s += self._random.expovariate(rate)
        return tuple(shots)

    def one(self, due_s: float = 0.0) -> Shot:
        """A shot."""
        (kind,) = self._random.choices(tuple(MIX), tuple(MIX.values()))
        self._fired += 1
        return Shot(self._fired, kind, due_s)


Probe = tuple[int, float]
"""A probe's status and its seconds."""


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
        method, path, content = self._request(shot)
        return await self._reply(method, path, **content)

    async def probe(self, path: str) -> Probe:
        """Get what is at a path."""
        began = time.perf_counter()
        reply = await self._reply("GET", path)
        return reply.status, time.perf_counter() - began

    async def _reply(self, method: str, path: str, **content: Any) -> Reply:
        try:
            async with asyncio.timeout(TIMEOUT_S), self._session.request(method, path, **content) as response:
                return Reply(response.status, response.headers.get("Retry-After"), await response.text())
        except TimeoutError:
            return Reply(0, None, f"nothing within {TIMEOUT_S:g} s")
        except (aiohttp.ClientError, OSError, ValueError) as error:
            return Reply(0, None, f"{type(error).__name__}: {error}")

    def _request(self, shot: Shot) -> tuple[str, str, dict[str, Any]]:
        topics = self._topics
        question = topics.questions[shot.number % len(topics.questions)]
        document, length = topics.documents[shot.number % len(topics.documents)]
        start = (shot.number * 977) % max(1, length - 1)
        match shot.kind:
            case TrafficKind.ASK:
                return "POST", "/v1/ask", {"json": {"question": question}}
            case TrafficKind.SEARCH:
                return "POST", "/v1/search", {"json": {"query": question}}
            case TrafficKind.CITE:
                return "POST", "/v1/cite", {"json": {"text": question.rstrip("?") + "."}}
            case TrafficKind.REVIEW:
                diff = topics.diffs[shot.number % len(topics.diffs)]
                return "POST", "/v1/review", {"json": {"diff": diff}}
            case TrafficKind.DOCUMENT:
                return "GET", f"/v1/documents/{document}", {}
            case TrafficKind.DOCUMENT_PAGE:
                return "GET", f"/documents/{document}?start={start}&end={start + 1}", {}
            case TrafficKind.PAGE:
                return "POST", "/page/ask", {"data": {"q": question}}
            case TrafficKind.MCP:
                call = {"name": "ask", "arguments": {"question": question}}
                request = {"jsonrpc": "2.0", "id": shot.number, "method": "tools/call", "params": call}
                return "POST", "/mcp", {"json": request, "headers": _MCP_ACCEPT}
            case TrafficKind.SLACK:
                body = mention(shot.number, question)
                return "POST", "/slack/events", {"data": body, "headers": signed_headers(body)}


@dataclass(frozen=True, slots=True)
class Outcome:
    """A request that was sent, and what came back; seconds from when it was due."""

    shot: Shot
    reply: Reply
    seconds: float
    late_s: float
    """How long after it was due it was sent."""


async def fire(shots: Sequence[Shot], send: Callable[[Shot], Awaitable[Reply]]) -> tuple[Outcome, ...]:
    """Send each shot when it is due, and return once all have come back; in the order of `shots`."""
    began = time.perf_counter()

    async def one(shot: Shot) -> Outcome:
        sent = time.perf_counter() - began
        reply = await send(shot)
        return Outcome(shot, reply, time.perf_counter() - began - shot.due_s, sent - shot.due_s)

    tasks = []
    for shot in shots:
        # Also where it is due already: what has come back must be read.
        await asyncio.sleep(max(0.0, began + shot.due_s - time.perf_counter()))
        tasks.append(asyncio.create_task(one(shot)))
    return tuple(await asyncio.gather(*tasks))


async def fire_watched(shots: Sequence[Shot], entrances: Entrances) -> tuple[tuple[Outcome, ...], tuple[Probe, ...]]:
    """Fire, and probe beside it, at fixed times of their own."""
    firing = asyncio.create_task(fire(shots, entrances.send))
    probes: list[asyncio.Task[Probe]] = []
    for path in itertools.cycle(PROBED):
        probes.append(asyncio.create_task(entrances.probe(path)))
        await asyncio.wait((firing,), timeout=_PROBE_EVERY_S)
        if firing.done():
            break
    return await firing, tuple(await asyncio.gather(*probes))


async def closed_loop(
    next_shot: Callable[[], Shot], entrances: Entrances, *, clients: int, seconds: float
) -> tuple[Outcome, ...]:
    """The opposite, to find out what a server can take: each client sends its next request when it has its answer."""
    outcomes: list[Outcome] = []
    until = time.perf_counter() + seconds

    async def client() -> None:
        while time.perf_counter() < until:
            shot = next_shot()
            if shot.kind is TrafficKind.SLACK:
                # Acknowledged before it is answered: a loop of these would only fill the bot's memory.
                continue
            began = time.perf_counter()
            reply = await entrances.send(shot)
            outcomes.append(Outcome(shot, reply, time.perf_counter() - began, 0.0))

    await asyncio.gather(*(client() for _ in range(clients)))
    return tuple(outcomes)
