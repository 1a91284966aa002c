"""Memory of a `relnotes serve` that has answered many questions: its own pages and those of files apart."""

from dataclasses import dataclass

import httpx

from corpus.index.tables import TableReader
from evals.lab.bench.grown_corpora import Grown
from evals.lab.bench.processes import MemoryParts, memory_parts
from evals.lab.bench.questions import varied_questions
from evals.lab.bench.serving import serve_command, started

_QUESTIONS = 200
_TIMEOUT_S = 600.0


@dataclass(frozen=True, slots=True)
class ServingRecord:
    """A server's memory after its questions; `flat_mib` is what its item vectors alone take as float32."""

    passages: int
    items: int
    questions: int
    memory: MemoryParts
    flat_mib: float


def measure_serving(grown: Grown) -> ServingRecord:
    """Serve the index, ask 200 varied questions one after the other, and look.

    Raises:
        httpx.HTTPError: a question wasn't answered.
    """
    questions = varied_questions(_QUESTIONS)
    with (
        started(serve_command(grown.index)) as server,
        httpx.Client(base_url=server.address, timeout=_TIMEOUT_S, trust_env=False) as client,
    ):
        for question in questions:
            client.post("/v1/ask", json={"question": question}).raise_for_status()
        memory = memory_parts(server.process)
    with TableReader.open(grown.index) as tables:
        manifest = tables.manifest
    flat_mib = 4 * manifest.items * manifest.dimensions / 2**20
    return ServingRecord(grown.passages, manifest.items, len(questions), memory, flat_mib)
