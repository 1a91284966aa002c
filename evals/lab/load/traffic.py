"""What a server is loaded with: which kinds of requests, in which shares, and when each is due."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum


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


MIX = {
    TrafficKind.ASK: 30,
    TrafficKind.SEARCH: 18,
    TrafficKind.CITE: 6,
    TrafficKind.REVIEW: 4,
    TrafficKind.DOCUMENT: 8,
    TrafficKind.DOCUMENT_PAGE: 10,
    TrafficKind.PAGE: 8,
    TrafficKind.MCP: 10,
    TrafficKind.SLACK: 6,
}
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
        return tuple(self._shots(rate, seconds))

    def one(self) -> Shot:
        """A shot that is due now."""
        (kind,) = self._random.choices(tuple(MIX), tuple(MIX.values()))
        self._fired += 1
        return Shot(self._fired, kind, 0.0)

    def _shots(self, rate: float, seconds: float) -> Iterator[Shot]:
        due_s = self._random.expovariate(rate)
        while due_s < seconds:
            shot = self.one()
            yield Shot(shot.number, shot.kind, due_s)
            due_s += self._random.expovariate(rate)
