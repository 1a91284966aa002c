"""What is learned from: questions with what the ranker and the decision see of them."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass

import numpy as np
from numpy.typing import NDArray

from corpus.errors import SourceError, UsageError
from evals.features import RETRIEVES, grade_relevance
from evals.gold import find_gold
from evals.grading import gold_shares
from evals.pages import Pages
from evals.question_set import Question
from retrieval.assistant import Assistant
from retrieval.evidence import gather_evidence
from retrieval.ranker import RANKED_HITS, feature_matrix

_RETRIEVED_DEPTH = 5


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """One question over one index.

    `features` (hits, features), `scores` (hits,), both float64, and `relevance` (hits,) are of the hits as the search
    left them, best first; none for an overview. `evidence` (signals,) is None where nothing was found. `retrieved`:
    the gold is among the first five hits as the ranker left them.
    """

    suite: str
    question: Question
    features: NDArray[np.float64]
    scores: NDArray[np.float64]
    relevance: NDArray[np.int64]
    evidence: NDArray[np.float64] | None
    retrieved: bool


def collect_examples(
    suite: str, questions: Sequence[Question], assistant: Assistant, pages: Pages
) -> Iterator[Example]:
    """Ask every question whose documents are there, in order; what can't be asked of this index is left out."""
    for question in questions:
        try:
            gold = find_gold(question, pages)
            query = assistant.understand(
                question.question, history=question.history, product=question.product, version=question.version
            )
        except (SourceError, UsageError):
            continue
        findings = assistant.find(query, limit=RANKED_HITS)
        ranking, evidence = findings.ranking, gather_evidence(findings)
        graded = {}
        for hit in findings.outcome.hits:
            passage = hit.passage
            text = passage.span.slice(assistant.index.text_of(passage))
            shares = gold_shares(passage.document.source, text, passage.span, gold, pages=pages)
            graded[passage.position] = grade_relevance(shares)
        yield Example(
            suite=suite,
            question=question,
            features=feature_matrix(ranking.ranked, ranking.features),
            scores=np.array([hit.score for hit in ranking.ranked]),
            relevance=np.array([graded[hit.passage.position] for hit in ranking.ranked], dtype=np.int64),
            evidence=None if evidence is None else np.array(astuple(evidence)),
            retrieved=any(
                graded[hit.passage.position] == RETRIEVES for hit in findings.outcome.hits[:_RETRIEVED_DEPTH]
            ),
        )


def balanced_shares(halves: Sequence[Sequence[str]]) -> NDArray[np.float64]:
    """The weight of each example, of mean 1, in order: every half that has any weighs the same, and within it every
    suite. `halves` has the suite of each example."""
    counts = [Counter(suites) for suites in halves]
    weights = np.array(
        [1 / len(count) / count[suite] for suites, count in zip(halves, counts, strict=True) for suite in suites]
    )
    return np.asarray(weights / weights.mean(), dtype=np.float64)
