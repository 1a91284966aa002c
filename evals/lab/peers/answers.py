"""A peer's passages as an answer that our grading reads: found in their documents, the first of them both answer and
citations; refused where the best passage's cosine is low, the one way to abstain that every peer offers."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from corpus.embedding import Embedder
from corpus.model import Authority, Kind, Span
from evals.lab.peers.libraries import PeerPassage, SourceText
from evals.matching import squash
from evals.question_set import Question
from retrieval.model import Answer, Citation, Interpretation, RankedPassage, Status


class Places:
    """Finds returned passages in `sources`, the documents that the peers were given."""

    def __init__(self, sources: Sequence[SourceText]) -> None:
        self.sources = tuple(sources)
        self._texts = {source.path: source.text for source in sources}

    def place(self, found: PeerPassage) -> Span | None:
        """The passage's range in its document, None where its words aren't there.

        An offset that the library keeps counts when the document has the passage there. Else the first occurrence
        is taken, white space and typography aside: gold that recurs in a file is accepted at each of its places,
        so a passage that recurs is graded alike at all of its own.
        """
        text = self._texts.get(found.path)
        if text is None or not found.text.strip():
            return None
        if found.start is not None and text.startswith(found.text, found.start):
            return Span(found.start, found.start + len(found.text))
        start = text.find(found.text)
        return Span(start, start + len(found.text)) if start >= 0 else _place_squashed(found.text, text)


def _place_squashed(passage: str, text: str) -> Span | None:
    document, sought = squash(text), squash(passage).text
    first = document.text.find(sought)
    if first < 0 or not sought:
        return None
    return Span(document.positions[first], document.positions[first + len(sought) - 1] + 1)


GIVEN = 3
"""How many of a peer's passages are taken for its answer."""
_NO_DOCUMENT = 0
"""A peer has no document ids of ours; nothing in grading reads them."""


def asked_text(question: Question) -> str:
    """What a peer is asked: no peer carries a conversation or a channel's product, so both stand before the question.

    Without a language model this is the most that a caller can do for it.
    """
    before = (question.product, question.version, *question.history)
    return "\n".join((*(text for text in before if text), question.question))


def rank_passages(found: Sequence[PeerPassage], places: Places) -> tuple[RankedPassage, ...]:
    """Passages in the peer's order with their ranges; one that isn't in its document has the empty range.

    Scores only keep the order: those of fused rankings mean nothing by themselves.
    """
    return tuple(_passage(passage, places, score=1 / rank) for rank, passage in enumerate(found, start=1))


def compose(
    question: Question, passages: tuple[RankedPassage, ...], *, cosine: float, min_cosine: float | None = None
) -> Answer:
    """The answer of a peer: its first passages, or with a `min_cosine` a refusal where the best one's is below it."""
    answered = bool(passages) and (min_cosine is None or cosine >= min_cosine)
    given = passages[:GIVEN] if answered else ()
    return Answer(
        question=question.question,
        status=Status.ANSWERED if answered else Status.NOT_FOUND,
        confidence=min(max(cosine, 0.0), 1.0),
        answer="\n\n".join(passage.text for passage in given),
        citations=tuple(_citation(number, passage) for number, passage in enumerate(given, start=1)),
        passages=passages,
        conflicts=(),
        interpretation=Interpretation((), None, (), "fact"),
        notes=(),
        elapsed_ms=0.0,
    )


def _passage(found: PeerPassage, places: Places, *, score: float) -> RankedPassage:
    span = places.place(found)
    return RankedPassage(
        document_id=_NO_DOCUMENT,
        source=found.path,
        start=span.start if span else 0,
        end=span.end if span else 0,
        text=found.text,
        score=score,
        product="",
        version=None,
        kind=Kind.OTHER,
        title="",
        heading=(),
        date=None,
        authority=Authority.UNKNOWN,
        url=None,
    )


def _citation(number: int, passage: RankedPassage) -> Citation:
    return Citation(
        n=number,
        document_id=passage.document_id,
        quote=passage.text,
        source=passage.source,
        start=passage.start,
        end=passage.end,
        url=None,
        title="",
        product="",
        version=None,
        date=None,
        authority=passage.authority,
        heading=(),
    )


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
