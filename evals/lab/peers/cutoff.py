"""The one way to abstain that every peer offers: refuse where the best passage's cosine is low."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from corpus.embedding import Embedder
from evals.question_set import Question
from retrieval.model import RankedPassage

MAX_OVER_ABSTENTION = 0.06


def best_cosines(
    asked: NDArray[np.float32], passages: Sequence[Sequence[RankedPassage]], *, documents: Embedder
) -> NDArray[np.float64]:
    """For each row of `asked`, a question's vector, the greatest cosine to one of its passages; -1 without any.

    Computed here for all peers alike, because the scores of fused rankings aren't cosines; it is no part of a
    peer's time. Shape (questions,).
    """
    texts = sorted({passage.text for found in passages for passage in found})
    rows = {text: row for row, text in enumerate(texts)}
    vectors = documents.embed(texts)
    return np.array(
        [
            max((float(vectors[rows[passage.text]] @ question) for passage in found), default=-1.0)
            for question, found in zip(asked, passages, strict=True)
        ]
    )


def choose_cutoff(questions: Sequence[Question], cosines: NDArray[np.float64]) -> float | None:
    """The highest cut-off that refuses at most `MAX_OVER_ABSTENTION` of the development half's answerable questions.

    None where that half has no such question.
    """
    ranked = sorted(
        float(cosine)
        for question, cosine in zip(questions, cosines, strict=True)
        if question.split == "dev" and question.answerable
    )
    return ranked[int(MAX_OVER_ABSTENTION * len(ranked))] if ranked else None
