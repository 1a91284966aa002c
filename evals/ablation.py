"""What each part of the search is worth: `python -m evals.ablation` writes `evals/results/ABLATION.md`."""

import copy
import sys
from collections.abc import Sequence
from dataclasses import replace

import faiss
import numpy as np

from corpus.index.reader import IndexReader
from corpus.stores.protocol import EmbeddedStore
from corpus.stores.vector_index import ItemVectors
from evals.command import RESULTS, run_command
from evals.comparison import Difference, QuestionScores, compare_scores
from evals.retrieval_trial import METRICS, UNCHANGED, RetrievalTrial, Variant, open_trials
from evals.suites import FULL_SUITES, PRACTICE_SUITES, require_suites
from evals.tables import render_table
from retrieval.model import Query
from retrieval.search.ranker import Ranker
from retrieval.search.weights import SearchWeights

SEED = 20
RESAMPLES = 2000
_FULL = SearchWeights()
_TARGET = RESULTS / "ABLATION.md"
_INTRODUCTION = """# Ablation

The search of this commit without one part at a time: `python -m evals.ablation` writes this page. A difference is
"without the part" minus "the whole search", with its 95 % interval from the paired bootstrap; a star marks intervals
that leave out zero. So a part that helps has a negative difference. None of these questions is unseen: fusion and its
bonuses were chosen by the practice questions (docs/decisions/0003), and later parts by both halves of ours."""


def average_items(index: IndexReader) -> IndexReader:
    """The same index with every item's vector replaced by the mean of its passage's: one vector a passage."""
    counts = np.diff(index.passages.item_offsets)
    vectors = np.concatenate(index.load_vectors(range(len(counts))))
    owners = index.passages.item_passages
    sums = np.zeros((len(counts), vectors.shape[1]), dtype=np.float32)
    np.add.at(sums, owners, vectors)
    means = sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-9)
    rows = faiss.IndexFlatIP(vectors.shape[1])
    rows.add(np.ascontiguousarray(means[owners]))
    averaged = copy.copy(index)
    assert isinstance(index.store, EmbeddedStore), "parts are taken away from the store in the index's folder"
    averaged.store = EmbeddedStore(ItemVectors(rows, None), index.store.lexical, index.passages)
    return averaged


def _any_product(query: Query) -> Query:
    return replace(query, product_stated=False)


VARIANTS = (
    Variant("no learned ranker", ranker=Ranker({})),
    Variant("dense only", replace(_FULL, dense=1.0)),
    Variant("lexical only", replace(_FULL, dense=0.0)),
    Variant("no item vectors (one mean vector a passage)", change_index=average_items),
    Variant("no thesaurus", replace(_FULL, related=0.0)),
    Variant("no release bonus", replace(_FULL, exact_release=0.0, series_release=0.0, mention=0.0, prerelease=0.0)),
    Variant("no mention bonus", replace(_FULL, mention=0.0)),
    Variant("no pre-release fold", replace(_FULL, prerelease=0.0)),
    Variant("no reference bonus", replace(_FULL, reference=0.0)),
    Variant("no kind bonus", replace(_FULL, kind=0.0)),
    Variant("no authority", replace(_FULL, authority=0.0)),
    Variant("no product filter", change_query=_any_product),
    Variant("no history", change_question=lambda question: replace(question, history=())),
)


def ablate(trial: RetrievalTrial) -> str:
    """The section of one suite: figures of the whole search, and the difference that each missing part makes."""
    whole = trial.run(UNCHANGED)
    rows = [(UNCHANGED.name, *(cell for metric in METRICS for cell in (f"{mean(whole, metric):.3f}", "")))]
    for variant in VARIANTS:
        scores = trial.run(variant)
        cells = [variant.name]
        for metric in METRICS:
            difference = compare_scores(whole, scores, metric, seed=SEED, resamples=RESAMPLES)
            cells += [f"{mean(scores, metric):.3f}", render_difference(difference)]
        rows.append(tuple(cells))
    header = ("search", *(cell for metric in METRICS for cell in (metric, "difference")))
    return f"## {trial.suite}\n\n{len(whole)} answerable questions.\n\n{render_table(header, rows)}"


def mean(scores: Sequence[QuestionScores], metric: str) -> float:
    """The average of a metric that every one of the questions has; 0 without questions."""
    return sum(score.score(metric) or 0.0 for score in scores) / max(len(scores), 1)


def render_difference(difference: Difference | None) -> str:
    """A difference with its interval and star; empty where there was nothing to compare."""
    if difference is None:
        return ""
    star = " *" if difference.is_significant else ""
    return f"{difference.mean:+.3f} ({difference.low:+.3f} to {difference.high:+.3f}){star}"


def main() -> int:
    """Run every variant over every suite on this machine and write the page.

    Raises:
        RelnotesError: ../shared is absent.
    """
    suites = (*FULL_SUITES, *PRACTICE_SUITES)
    require_suites(suites, purpose="The ablation table")
    sections = [_INTRODUCTION]
    with open_trials(suites) as trials:
        for trial in trials:
            sections.append(ablate(trial))
            sys.stdout.write(sections[-1] + "\n\n")
    _TARGET.write_text("\n\n".join(sections) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    run_command(main)
