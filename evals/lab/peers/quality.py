"""relnotes and other libraries on our questions: the same documents, the same model, the same grading.

Each peer searches as well as it can (by words too where it knows how) over passages that its own splitter cut of the
very texts that relnotes indexed. Run it with a Python that has `relnotes[peers]`.
"""

import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TypeVar

from corpus.cache_folder import cache_folder
from corpus.embedding import CachedEmbedder, Embedder, VectorCache, open_embedder
from corpus.embedding.default_model import default_model_folder
from corpus.errors import RelnotesError
from evals.comparison import compare_runs
from evals.lab.peers.answers import Places, asked_text, best_cosines, choose_cutoff, compose, rank_passages
from evals.lab.peers.libraries import PEERS, PeerFactory, SourceText, open_peers, versions
from evals.lab.trials import CountTable, SummaryRow, TrialFindings
from evals.pages import FolderTexts
from evals.question_set import Question
from evals.report import render_figure
from evals.runner import EvalRun, evaluate, run_questions
from evals.suite_index import asker
from evals.suites import GATE_SUITES, Suite, load_suite, require_suites, stage_documents
from ingest.pipeline import build_index
from ingest.progress import BarProgress
from retrieval.assistant import Assistant
from retrieval.model import Answer

Asked = TypeVar("Asked")
Answered = TypeVar("Answered")

RELNOTES = "relnotes"
_METRICS = (
    "recall@5", "mrr@10", "answer_key", "citation_precision", "false_answer_rate", "over_abstention_rate", "end_to_end",
    "median_answer_chars",
)  # fmt: skip
_COMPARED = ("recall@5", "mrr@10", "answer_key", "false_answer_rate")
_SEED, _RESAMPLES = 20, 1000


@dataclass(frozen=True, slots=True)
class Entrant:
    """One system on one suite, with or without a cut-off."""

    system: str
    answers: str
    run: EvalRun
    ingest_seconds: float
    p50_ms: float

    @property
    def unplaced(self) -> int:
        """How many returned passages aren't in their document word for word; they count as misses."""
        returned = [passage for result in self.run.results if result.answer for passage in result.answer.passages]
        return sum(passage.start == passage.end for passage in returned)


def add_options(parser: ArgumentParser) -> None:
    """What this trial can be told."""
    parser.add_argument("--peer", action="append", choices=list(PEERS), help="only this library; may be repeated")
    parser.add_argument(
        "--suite", action="append", choices=[suite.name for suite in GATE_SUITES], help="only this suite"
    )


def run(options: Namespace) -> TrialFindings:
    """Ask every suite's questions of every system.

    Raises:
        RelnotesError: a library or ../shared is absent.
    """
    suites = [suite for suite in GATE_SUITES if suite.name in (options.suite or [suite.name])]
    require_suites(suites, purpose="The comparison")
    peers = open_peers(options.peer or PEERS)
    summary: list[SummaryRow] = []
    tables: list[CountTable] = []
    for suite in suites:
        questions = load_suite(suite)
        entrants = compare(suite, questions, peers)
        tables += (_figures(suite.name, entrants), _differences(suite.name, entrants))
        recalls = {entrant.system: evaluate(entrant.run).overall.figure("recall@5") or 0.0 for entrant in entrants}
        ours = recalls.pop(RELNOTES)
        best = max(recalls.values())
        summary.append((f"recall@5 on {suite.name}", f"≥ {best:.3f}, the best peer's", f"{ours:.3f}", ours >= best))
    return TrialFindings(
        title="Other libraries on our questions",
        summary=tuple(summary),
        tables=tuple(tables),
        notes=(
            "A peer has no answer of its own without a language model: its answer and its citations are its first "
            "three passages. It always answers; the second row of each lets it refuse where its best passage's cosine "
            "is below a cut-off, the highest that refuses at most 6 % of the development half's answerable questions. "
            "It carries no conversation and knows no channel's product: earlier questions and the product stand before "
            "the question that it is asked. Its times are those of its own runtime, on documents that relnotes has "
            "read.",
            f"Beside {versions(peers)}.",
        ),
    )


def compare(
    suite: Suite, questions: Sequence[Question], peers: Mapping[str, PeerFactory], embedder: Embedder | None = None
) -> tuple[Entrant, ...]:
    """relnotes first, then each peer, on a suite's questions.

    Raises:
        RelnotesError: the documents can't be ingested, or the model can't be loaded.
    """
    embedder = embedder or open_embedder(cache_dir=cache_folder())
    texts = FolderTexts(suite.documents)
    with TemporaryDirectory() as name, BarProgress() as progress:
        folder = Path(name)
        started = time.perf_counter()
        documents = stage_documents(suite, folder / "documents")
        report = build_index([str(documents)], index=folder / "index", embedder=embedder, progress=progress)
        seconds = time.perf_counter() - started
        if report.failed:
            raise RelnotesError(f"Suite {suite.name!r}: {report.failed[0].source} {report.failed[0].error}")
        with Assistant.open(folder / "index", embedder=embedder) as assistant:
            ask, elapsed_ms = _timed(asker(assistant))
            done = run_questions(questions, ask, texts=texts, name=suite.name)
            entrants = [Entrant(RELNOTES, "as it is", done, seconds, median(elapsed_ms))]
            index = assistant.index
            places = Places(
                [SourceText(document.source, index.document_text(document.id)) for document in index.documents]
            )
        for name, factory in peers.items():
            (folder / name).mkdir()
            peer = factory(default_model_folder(), folder / name, hybrid=True)
            started = time.perf_counter()
            peer.store(peer.split(places.sources))
            seconds = time.perf_counter() - started
            peer.open()
            peer.search(asked_text(questions[0]))
            search, elapsed_ms = _timed(peer.search)
            passages = [rank_passages(search(asked_text(question)), places) for question in questions]
            asked = embedder.embed([asked_text(question) for question in questions])
            cached = CachedEmbedder(embedder, VectorCache(cache_folder()))
            cosines = best_cosines(asked, passages, documents=cached)
            for cutoff in dict.fromkeys((None, choose_cutoff(questions, cosines))):
                answers = {
                    question.id: compose(question, found, cosine=float(cosine), min_cosine=cutoff)
                    for question, found, cosine in zip(questions, passages, cosines, strict=True)
                }
                done = run_questions(questions, _recorded(answers), texts=texts, name=suite.name)
                cells = "always" if cutoff is None else f"from cosine {cutoff:.2f}"
                entrants.append(Entrant(name, cells, done, seconds, median(elapsed_ms)))
    return tuple(entrants)


def _recorded(answers: Mapping[str, Answer]) -> Callable[[Question], Answer]:
    return lambda question: answers[question.id]


def _timed(ask: Callable[[Asked], Answered]) -> tuple[Callable[[Asked], Answered], list[float]]:
    """The same call, and the list that its milliseconds go to."""
    elapsed_ms: list[float] = []

    def timed(asked: Asked) -> Answered:
        started = time.perf_counter()
        answer = ask(asked)
        elapsed_ms.append(1000 * (time.perf_counter() - started))
        return answer

    return timed, elapsed_ms


def _figures(name: str, entrants: Sequence[Entrant]) -> CountTable:
    rows = []
    for entrant in entrants:
        group = evaluate(entrant.run).overall
        figures = (render_figure(group, metric) for metric in _METRICS)
        times = (f"{entrant.ingest_seconds:.1f}", f"{entrant.p50_ms:.1f}")
        rows.append((entrant.system, entrant.answers, *figures, *times, str(entrant.unplaced)))
    header = ("system", "answers", *_METRICS, "ingest, s", "question p50, ms", "passages not in their file")
    return CountTable(header, tuple(rows), f"{name}, {len(entrants[0].run.results)} questions.")


def _differences(name: str, entrants: Sequence[Entrant]) -> CountTable:
    ours = _test_half(entrants[0].run)
    rows = []
    for entrant in entrants[1:]:
        found = (
            compare_runs(_test_half(entrant.run), ours, metric, seed=_SEED, resamples=_RESAMPLES)
            for metric in _COMPARED
        )
        cells = (
            "-"
            if each is None
            else f"{each.mean:+.3f} ({each.low:+.2f} to {each.high:+.2f}){' *' * each.is_significant}"
            for each in found
        )
        rows.append((entrant.system, entrant.answers, *cells))
    caption = f"{name}, test half: relnotes less the other, with 95 % intervals (paired bootstrap; * leaves out zero)."
    return CountTable(("system", "answers", *_COMPARED), tuple(rows), caption)


def _test_half(run: EvalRun) -> EvalRun:
    """The questions of the test half; all of them where the file states no halves."""
    tested = tuple(result for result in run.results if result.question.split == "test")
    return replace(run, results=tested or run.results)
