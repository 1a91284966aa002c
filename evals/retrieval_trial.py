"""Retrieval alone, by the search that answers: what the ablation table compares."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from corpus.cache_folder import cache_folder
from corpus.embedding import Embedder, open_embedder
from corpus.errors import SourceError
from corpus.index.reader import IndexReader
from corpus.index.stored import StoredPassage
from evals.comparison import QuestionScores
from evals.gold import MIN_COVERED_SHARE, GoldPlaces, find_gold
from evals.grading import Score, gold_shares
from evals.metrics import RANKED_DEPTH, recall_at, reciprocal_rank
from evals.pages import FolderTexts, Pages
from evals.question_set import Question
from evals.suite_index import open_suite
from evals.suites import Suite, load_suite
from ingest.progress import BarProgress
from retrieval.model import Query
from retrieval.question.query import parse_query
from retrieval.search.ranked_hits import RankedHits, rank_hits
from retrieval.search.ranker import Ranker, load_ranker
from retrieval.search.search import search
from retrieval.search.weights import DEFAULT_WEIGHTS, RANKED_HITS, SearchWeights

METRICS = ("mrr@10", "recall@5")
_DEPTH = max(RANKED_DEPTH, RANKED_HITS)


def _unchanged_question(question: Question) -> Question:
    return question


def _unchanged_query(query: Query) -> Query:
    return query


def _unchanged_index(index: IndexReader) -> IndexReader:
    return index


@dataclass(frozen=True, slots=True)
class Variant:
    """One way to search: its weights, and what is done to question, query and index before."""

    name: str
    weights: SearchWeights = DEFAULT_WEIGHTS
    ranker: Ranker = field(default_factory=load_ranker)
    change_question: Callable[[Question], Question] = _unchanged_question
    change_query: Callable[[Query], Query] = _unchanged_query
    change_index: Callable[[IndexReader], IndexReader] = _unchanged_index


UNCHANGED = Variant("the whole search")


@dataclass(frozen=True, slots=True)
class TrialQuestion:
    """A question as it was put and understood, with the places of its gold."""

    question: Question
    query: Query
    gold: tuple[GoldPlaces, ...]


class RetrievalTrial:
    """The answerable questions of one suite over its open index; those whose document is absent are left out."""

    def __init__(self, suite: Suite, index: IndexReader, embedder: Embedder) -> None:
        self.suite = suite.name
        self.index = index
        self._embedder = _RememberedQuestions(embedder)
        self._pages = Pages(FolderTexts(suite.documents))
        self._questions = tuple(self._with_gold(load_suite(suite)))
        self._shares: dict[tuple[str, int], tuple[float, ...]] = {}

    def run(self, variant: Variant) -> tuple[QuestionScores, ...]:
        """MRR@10 and recall@5 of every question under a variant, in the suite's order."""
        return tuple(self._grade(asked, variant) for asked in self.asked(variant))

    def asked(self, variant: Variant = UNCHANGED) -> Iterator[TrialQuestion]:
        """Every question, put and understood as the variant wants it, in the suite's order."""
        for question, gold in self._questions:
            put = variant.change_question(question)
            query = parse_query(
                put.question,
                history=put.history,
                catalogue=self.index.products,
                product=put.product,
                version=put.version,
            )
            yield TrialQuestion(question, variant.change_query(query), gold)

    def search(self, query: Query, variant: Variant = UNCHANGED) -> RankedHits:
        """Search under a variant and rank the hits; at least `RANKED_DEPTH` where there are as many."""
        index = variant.change_index(self.index)
        outcome = search(query, index, self._embedder, limit=_DEPTH, weights=variant.weights)
        return rank_hits(query, outcome, index, variant.ranker)

    def shares(self, asked: TrialQuestion, passage: StoredPassage) -> tuple[float, ...]:
        """The share of each gold passage of a question, 0 to 1, that a passage covers."""
        key = (asked.question.id, passage.position)
        if key not in self._shares:
            text = passage.span.slice(self.index.text_of(passage))
            self._shares[key] = gold_shares(passage.document.source, text, passage.span, asked.gold, pages=self._pages)
        return self._shares[key]

    def _grade(self, asked: TrialQuestion, variant: Variant) -> QuestionScores:
        found = self.search(asked.query, variant).outcome.hits[:RANKED_DEPTH]
        hits = tuple(tuple(share >= MIN_COVERED_SHARE for share in self.shares(asked, hit.passage)) for hit in found)
        figures = (reciprocal_rank(hits), recall_at(hits, 5, any_of=asked.question.any_of))
        return QuestionScores(self.suite, asked.question.id, asked.question.split, tuple(map(Score, METRICS, figures)))

    def _with_gold(self, questions: Sequence[Question]) -> Iterator[tuple[Question, tuple[GoldPlaces, ...]]]:
        for question in questions:
            if question.answerable:
                try:
                    yield question, find_gold(question, self._pages)
                except SourceError:
                    continue


@contextmanager
def open_trials(suites: Sequence[Suite]) -> Iterator[tuple[RetrievalTrial, ...]]:
    """Open a trial for each suite that is on this machine; suites over the same documents share an index.

    Raises:
        RelnotesError: documents can't be ingested, or the model can't be loaded.
    """
    embedder = open_embedder(cache_dir=cache_folder())
    with ExitStack() as stack:
        progress = stack.enter_context(BarProgress())
        opened: dict[tuple[object, ...], IndexReader] = {}
        trials = []
        for suite in (suite for suite in suites if suite.is_available):
            documents = (suite.documents, suite.projects)
            if documents not in opened:
                opened[documents] = stack.enter_context(open_suite(suite, progress=progress)).index
            trials.append(RetrievalTrial(suite, opened[documents], embedder))
        yield tuple(trials)


class _RememberedQuestions:
    """An embedder that computes each question's vector once, in memory."""

    def __init__(self, embedder: Embedder) -> None:
        self.model_id = embedder.model_id
        self.digest = embedder.digest
        self.dimensions = embedder.dimensions
        self.max_tokens = embedder.max_tokens
        self._embedder = embedder
        self._known: dict[str, NDArray[np.float32]] = {}

    def embed(self, texts: Sequence[str], *, progress: Callable[[int], None] | None = None) -> NDArray[np.float32]:
        """See `Embedder.embed`."""
        for text in texts:
            if text not in self._known:
                self._known[text] = self._embedder.embed([text])[0]
        if progress:
            progress(len(texts))
        return np.array([self._known[text] for text in texts], dtype=np.float32)
