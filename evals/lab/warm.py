"""Warm questions to a `relnotes serve`, over HTTP with everything on, beside a dense query in this process.

All questions of one, then all of the other, in turn: threads that have just computed spin, and would take the other's
processors.

The practice questions over `../shared/corpora` and `../shared/fresh`, those that name no product apart: nothing narrows
their search. The dense query is a script's: sentence-transformers embeds the question, a flat FAISS index has one
vector a passage, ten texts come back.
"""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from typing import Any

import faiss
import httpx
import numpy as np

from corpus.cache_folder import cache_folder
from corpus.embedding.default_model import DIMENSIONS, default_model_folder
from corpus.index.tables import TableReader
from evals.lab.processes import fastest_ms, run_ingest, started
from evals.lab.trials import CountTable, SummaryRow, TrialFindings
from evals.suites import BUNDLED, PRACTICE_CORPORA, TYPED, load_suite, require_suites

_MAX_P50_MS, _MAX_P95_MS = 35, 90
_TIMEOUT_S = 60.0
_TEN = 10
_HEADER = (
    "questions", "n", "pass", "p50, ms", "p95, ms", "dense p50, ms", "dense p95, ms", "median of ratios",
)  # fmt: skip


def add_options(parser: ArgumentParser) -> None:
    """What this trial can be told."""
    parser.add_argument("--passes", type=int, default=3)


def run(options: Namespace) -> TrialFindings:
    """Serve both folders, and ask.

    Raises:
        RelnotesError: `../shared` isn't there.
        httpx.HTTPError: a question wasn't answered.
    """
    require_suites((PRACTICE_CORPORA, TYPED), purpose="This trial")
    index = cache_folder() / "bench" / "warm"
    for suite in (PRACTICE_CORPORA, TYPED):
        run_ingest(suite.documents, index)
    with TableReader.open(index) as tables:
        passages = tables.manifest.passages
        dense = _dense_query(tables)
    questions = [one.question for suite in (PRACTICE_CORPORA, TYPED) for one in load_suite(suite) if not one.history]
    with started(index) as address, httpx.Client(base_url=address, timeout=_TIMEOUT_S, trust_env=False) as client:

        def ask(question: str) -> Any:
            return client.post("/v1/ask", json={"question": question}).raise_for_status().json()

        # Neither is timed while it loads, and a server works out what its page offers in its first seconds.
        others = [one.question for one in load_suite(BUNDLED) if not one.history]
        for one in (ask, dense):
            fastest_ms(one, others, passes=1)
        passes = range(options.passes)
        times = np.array([[fastest_ms(one, questions, passes=1) for one in (ask, dense)] for _ in passes])
        names_none = np.array([not ask(question)["interpretation"]["products"] for question in questions])
    rows: list[tuple[str, ...]] = []
    summary: list[SummaryRow] = []
    for about, those in (("that name no product", names_none), ("that name one", ~names_none)):
        for which, (own, other) in (("first pass", times[0]), (f"fastest of {options.passes}", times.min(axis=0))):
            own, other = own[those], other[those]
            figures = (np.median(own), np.percentile(own, 95), np.median(other), np.percentile(other, 95))
            told = (*(f"{figure:.1f}" for figure in figures), f"{np.median(own / other):.2f}")
            rows.append((about, str(len(own)), which, *told))
            holds = bool(figures[0] <= _MAX_P50_MS and figures[1] <= _MAX_P95_MS)
            measure = f"p50 and p95 over HTTP of {len(own)} questions {about}, {passages:,} passages, {which}"
            must = f"≤ {_MAX_P50_MS} and {_MAX_P95_MS} ms"
            summary.append((measure, must, f"{figures[0]:.1f} and {figures[1]:.1f} ms", holds))
    return TrialFindings(
        title="Warm questions over HTTP",
        summary=tuple(summary),
        tables=(CountTable(_HEADER, tuple(rows)),),
        notes=(
            "A `relnotes serve` answers over HTTP, with everything on. The dense query runs in the process that asks: "
            "it is spared HTTP, parsing, words, ranking, quotes and their check, and searches one vector a passage "
            "where relnotes has one for each sentence or entry; it is denied filters, and embeds by torch. Both in "
            "float32, pass by pass in turn; a ratio is of one question's two times, and the median of these is told. "
            "Before the first pass both were asked other questions, over our own documents, and none of these; in "
            "later ones the server remembers some thousands of texts that it made readable, and the script nothing.",
        ),
    )


def _dense_query(tables: TableReader) -> Callable[[str], Sequence[str]]:
    """Ten texts for a question; a passage's one vector is the mean of its items', for the time it takes is the same."""
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(default_model_folder()), device="cpu")
    positions = range(tables.manifest.passages)
    vectors = np.zeros((len(positions), DIMENSIONS), np.float32)
    for position, matrix in zip(positions, tables.load_vectors(positions), strict=True):
        vectors[position] = matrix.mean(axis=0) if len(matrix) else 0.0
    faiss.normalize_L2(vectors)
    flat = faiss.IndexFlatIP(DIMENSIONS)
    flat.add(vectors)
    texts = [stored.span.slice(tables.text_of(stored)) for stored in tables.load_passages(positions)]

    def query(question: str) -> Sequence[str]:
        _, rows = flat.search(model.encode([question], normalize_embeddings=True, show_progress_bar=False), _TEN)
        return [texts[row] for row in rows[0].tolist()]

    return query
