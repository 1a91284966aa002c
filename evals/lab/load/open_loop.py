"""Fires requests when they are due, whatever became of those before, as people do who know nothing of each other.

A generator that waits for an answer before it asks again slows down with the server, and never sees what those would
have waited who came meanwhile (the coordinated omission). Here each request has a time at which it is due, and its
seconds count from then, also where the generator itself was late; how late is told too.
"""

import asyncio
import itertools
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from evals.lab.load.entrances import Entrances, Reply
from evals.lab.load.traffic import Shot, TrafficKind

PROBED = ("/healthz", "/readyz", "/metrics", "/quality")
"""What must be answered fast at all times: the probes, and a page that asks nothing of the index."""
_PROBE_EVERY_S = 0.25


@dataclass(frozen=True, slots=True)
class Outcome:
    """A request that was sent, and what came back; seconds from when it was due."""

    shot: Shot
    reply: Reply
    seconds: float
    late_s: float
    """How long after it was due it was sent."""


@dataclass(frozen=True, slots=True)
class Probe:
    """A probe, its status and its seconds."""

    path: str
    status: int
    seconds: float


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
        probes.append(asyncio.create_task(_probe(entrances, path)))
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


async def _probe(entrances: Entrances, path: str) -> Probe:
    began = time.perf_counter()
    reply = await entrances.get(path)
    return Probe(path, reply.status, time.perf_counter() - began)
