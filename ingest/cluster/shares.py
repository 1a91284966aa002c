"""How a cluster is shared out among those who parse and those who embed."""

from collections.abc import Mapping
from dataclasses import dataclass

PARSING_CPUS = 0.25
_EMBEDDING_CPUS = 0.75
"""With `PARSING_CPUS` one: each processor has its embedder, and something to feed it."""


@dataclass(frozen=True, slots=True)
class Shares:
    """What an embedder takes, and how many there may be."""

    cpus: float
    gpus: int
    most: int


def share_out(resources: Mapping[str, float]) -> Shares:
    """The shares of a cluster with `resources`, as Ray names them: on GPUs where it has any."""
    if gpus := int(resources.get("GPU", 0)):
        return Shares(_EMBEDDING_CPUS, 1, gpus)
    return Shares(_EMBEDDING_CPUS, 0, max(1, int(resources.get("CPU", 1))))
