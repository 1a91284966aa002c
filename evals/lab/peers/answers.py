"""A peer's passages as an answer that our grading reads: the first passages are both answer and citations."""

from collections.abc import Sequence

from corpus.model import Authority, Kind
from evals.lab.peers.libraries import PeerPassage
from evals.lab.peers.placing import Places
from evals.question_set import Question
from retrieval.model import Answer, Citation, Interpretation, RankedPassage, Status

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
