"""One suite, all systems: relnotes first, then each peer on the very texts that relnotes indexed.

Every ingest starts from nothing, without a cache of vectors, and runs on the same embedding runtime (ours: faster
than the one that the peers would bring along), so that times compare. Reading the files is in relnotes' time only.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TypeVar

from corpus.cache_folder import cache_folder
from corpus.embedding import CachedEmbedder, Embedder, VectorCache, open_embedder
from corpus.errors import RelnotesError
from evals.lab.peers.answers import AnswerRule, asked_text, compose, rank_passages
from evals.lab.peers.cutoff import best_cosines, choose_cutoff
from evals.lab.peers.placing import Places
from evals.lab.peers.protocol import Peer, SourceText
from evals.pages import FolderTexts
from evals.question_set import Question
from evals.runner import EvalRun, run_questions
from evals.suite_index import asker
from evals.suites import Suite, stage_documents
from ingest.pipeline import build_index
from ingest.progress import BarProgress
from retrieval.assistant import Assistant
from retrieval.model import Answer

T = TypeVar("T")

GIVEN = (1, 3)
"""How many of a peer's passages are taken for its answer."""
RELNOTES = "relnotes"


@dataclass(frozen=True, slots=True)
class NamedQuestions:
    """A named set of questions about a suite's documents."""

    name: str
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True)
class Entrant:
    """One system under one rule on one question set."""

    system: str
    rule: str
    run: EvalRun
    ingest_seconds: float
    p50_ms: float
    passage_chars: float
    """Median length of the passages it returned."""
    unplaced: int
    """How many of them aren't in their document word for word; they count as misses."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """All entrants on one question set, relnotes first."""

    name: str
    entrants: tuple[Entrant, ...]


def compare(
    suite: Suite, files: Sequence[NamedQuestions], peers: Sequence[tuple[str, Callable[[Embedder], Peer]]]
) -> tuple[Comparison, ...]:
    """Run relnotes and the peers over a suite's documents and ask them every file's questions.

    A peer's cosine cut-off is chosen on the development half of the first file and used for all.

    Raises:
        RelnotesError: the documents can't be ingested, or the model can't be loaded.
    """
    embedder = open_embedder(cache_dir=cache_folder())
    # The first texts compile the graph in each precision, which is no part of any ingest.
    embedder.embed(["Compile", "the graph."])
    embedder.embed(["Compile it."])
    with TemporaryDirectory() as folder, BarProgress() as progress:
        ours, sources = _run_relnotes(suite, files, embedder, index=Path(folder) / "index", progress=progress)
        rows = [[entrant] for entrant in ours]
        places = Places(sources)
        for name, factory in peers:
            progress.phase(f"{suite.name}: {name}", len(sources))
            for row, entrants in zip(
                rows, _run_peer(name, factory(embedder), suite, files, places, embedder), strict=True
            ):
                row.extend(entrants)
            progress.advance(len(sources))
    return tuple(Comparison(file.name, tuple(row)) for file, row in zip(files, rows, strict=True))


def _run_relnotes(
    suite: Suite, files: Sequence[NamedQuestions], embedder: Embedder, *, index: Path, progress: BarProgress
) -> tuple[tuple[Entrant, ...], tuple[SourceText, ...]]:
    """An entrant for each file, and the texts that the index holds."""
    documents = stage_documents(suite, index.with_name("documents"))
    started = time.perf_counter()
    report = build_index([str(documents)], index=index, embedder=embedder, progress=progress)
    seconds = time.perf_counter() - started
    if report.failed:
        first = report.failed[0]
        raise RelnotesError(f"Suite {suite.name!r}: {first.source} {first.error}")
    with Assistant.open(index, embedder=embedder) as assistant:
        entrants = []
        for file in files:
            ask, elapsed_ms = _timed(asker(assistant))
            assistant.ask(file.questions[0].question)
            run = run_questions(file.questions, ask, texts=FolderTexts(suite.documents), name=file.name)
            entrants.append(_entrant(RELNOTES, "as it is", run, seconds, elapsed_ms))
        texts = tuple(
            SourceText(document.source, assistant.index.document_text(document.id))
            for document in assistant.index.documents
        )
    return tuple(entrants), texts


def _run_peer(
    name: str, peer: Peer, suite: Suite, files: Sequence[NamedQuestions], places: Places, embedder: Embedder
) -> Iterator[tuple[Entrant, ...]]:
    """For each file an entrant a rule."""
    started = time.perf_counter()
    peer.ingest(places.sources)
    seconds = time.perf_counter() - started
    documents = CachedEmbedder(embedder, VectorCache(cache_folder()))
    cutoff: float | None = None
    for position, file in enumerate(files):
        search, elapsed_ms = _timed(lambda question: peer.search(asked_text(question)))
        peer.search(asked_text(file.questions[0]))
        passages = [rank_passages(search(question), places) for question in file.questions]
        asked = embedder.embed([asked_text(question) for question in file.questions])
        cosines = best_cosines(asked, passages, documents=documents)
        cutoff = choose_cutoff(file.questions, cosines) if position == 0 else cutoff
        rules = [AnswerRule(given) for given in GIVEN]
        if cutoff is not None:
            rules.append(AnswerRule(GIVEN[-1], cutoff))
        entrants = []
        for rule in rules:
            answers = {
                question.id: compose(question, found, rule, cosine=float(cosine))
                for question, found, cosine in zip(file.questions, passages, cosines, strict=True)
            }
            run = run_questions(file.questions, _recorded(answers), texts=FolderTexts(suite.documents), name=file.name)
            entrants.append(_entrant(name, rule.name, run, seconds, elapsed_ms))
        yield tuple(entrants)


def _recorded(answers: Mapping[str, Answer]) -> Callable[[Question], Answer]:
    return lambda question: answers[question.id]


def _timed(ask: Callable[[Question], T]) -> tuple[Callable[[Question], T], list[float]]:
    """The same call, and the list that its times go to."""
    elapsed_ms: list[float] = []

    def timed(question: Question) -> T:
        started = time.perf_counter()
        answer = ask(question)
        elapsed_ms.append(1000 * (time.perf_counter() - started))
        return answer

    return timed, elapsed_ms


def _entrant(system: str, rule: str, run: EvalRun, seconds: float, elapsed_ms: Sequence[float]) -> Entrant:
    returned = [passage for result in run.results if result.answer for passage in result.answer.passages]
    return Entrant(
        system=system,
        rule=rule,
        run=run,
        ingest_seconds=seconds,
        p50_ms=median(elapsed_ms),
        passage_chars=float(median([len(passage.text) for passage in returned] or [0])),
        unplaced=sum(passage.start == passage.end for passage in returned),
    )
