"""One answer against one question: every per-question figure."""

from collections.abc import Iterator
from dataclasses import dataclass

from corpus.model import Span
from evals.gold import MIN_COVERED_SHARE, GoldPlaces
from evals.metrics import (
    RANKED_DEPTH,
    RATES,
    RECALL_DEPTHS,
    Abstention,
    Hits,
    answer_key_found,
    citation_precision,
    citation_recall,
    ndcg,
    quote_verbatim,
    recall_at,
    reciprocal_rank,
)
from evals.pages import Pages
from evals.question_set import Question
from evals.typed import grade_typed
from retrieval.model import Answer, Citation, RankedPassage, Status

Place = tuple[str, Span]


@dataclass(frozen=True, slots=True)
class Score:
    """One figure of one question."""

    metric: str
    value: float


@dataclass(frozen=True, slots=True)
class Grade:
    """What one answer is worth. `scores` has only the metrics that apply to the question and the answer."""

    kind: str
    split: str
    decision: Abstention
    correct: bool
    """Answerable: all key facts given (without key facts: the gold cited). Unanswerable: no answer given."""
    confidence: float
    answer_chars: int
    quote_chars: tuple[int, ...]
    scores: tuple[Score, ...]

    def score(self, metric: str) -> float | None:
        """The figure of that name, or None where it doesn't apply."""
        return next((score.value for score in self.scores if score.metric == metric), None)


def grade_answer(question: Question, answer: Answer | None, gold: tuple[GoldPlaces, ...], *, pages: Pages) -> Grade:
    """Grade an answer; `gold` is what `find_gold` gave for the question, None stands for no answer at all."""
    citations = answer.citations if answer else ()
    decision = Abstention(question.answerable, abstained=answer is None or answer.status is Status.NOT_FOUND)
    scores: list[Score] = []
    if question.answerable:
        scores.extend(_retrieval_scores(question, answer.passages if answer else (), gold, pages))
        scores.extend(_citation_scores(citations, gold, pages))
        if question.answer_key:
            texts = (answer.answer, *(citation.quote for citation in citations)) if answer else ()
            found = not decision.abstained and answer_key_found(question.answer_key, texts)
            scores.append(Score("answer_key", float(found)))
        if question.typed:
            typed = grade_typed(question, answer)
            scores += (Score("good", float(typed.good)), Score("wrong", float(typed.wrong)))
    scores.extend(
        _scored(
            "quote_verbatim",
            quote_verbatim([pages.hold_verbatim(citation.source, citation.quote) for citation in citations]),
        )
    )
    for metric, rate in RATES:
        scores.extend(_scored(metric, rate((decision,))))
    correct = _is_correct(question, decision, scores)
    return Grade(
        kind=question.kind,
        split=question.split,
        decision=decision,
        correct=correct,
        confidence=answer.confidence if answer else 0.0,
        answer_chars=len(answer.answer) if answer else 0,
        quote_chars=tuple(len(citation.quote) for citation in citations),
        scores=(*scores, Score("end_to_end", float(correct))),
    )


def gold_shares(source: str, text: str, span: Span, gold: tuple[GoldPlaces, ...], *, pages: Pages) -> tuple[float, ...]:
    """The share of each gold passage, 0 to 1, that a passage covers: `text` at `span` of the document `source`."""
    place = _place(source, text, span, pages)
    return tuple(_share(one, place) for one in gold)


def _retrieval_scores(
    question: Question, passages: tuple[RankedPassage, ...], gold: tuple[GoldPlaces, ...], pages: Pages
) -> Iterator[Score]:
    hits: Hits = tuple(
        tuple(_share(place, passage) >= MIN_COVERED_SHARE for place in gold)
        for passage in (_place(passage.source, passage.text, passage, pages) for passage in passages[:RANKED_DEPTH])
    )
    for depth in RECALL_DEPTHS:
        yield Score(f"recall@{depth}", recall_at(hits, depth, any_of=question.any_of))
    yield Score(f"mrr@{RANKED_DEPTH}", reciprocal_rank(hits))
    yield Score(f"ndcg@{RANKED_DEPTH}", ndcg(hits, any_of=question.any_of))


def _citation_scores(citations: tuple[Citation, ...], gold: tuple[GoldPlaces, ...], pages: Pages) -> Iterator[Score]:
    places = [_place(citation.source, citation.quote, citation, pages) for citation in citations]
    shares = [max((_share(gold_place, place) for gold_place in gold), default=0.0) for place in places]
    yield from _scored("citation_precision", citation_precision([share > 0 for share in shares]))
    yield Score("citation_recall", citation_recall([share >= MIN_COVERED_SHARE for share in shares]))


def _place(source: str, text: str, ranged: RankedPassage | Citation | Span, pages: Pages) -> Place | None:
    page = pages.page(source)
    span = page.place(text, start=ranged.start, end=ranged.end) if page else None
    return (source, span) if span else None


def _share(gold: GoldPlaces, place: Place | None) -> float:
    return gold.covered_share(*place) if place else 0.0


def _is_correct(question: Question, decision: Abstention, scores: list[Score]) -> bool:
    if not question.answerable:
        return decision.abstained
    decisive = "answer_key" if question.answer_key else "citation_recall"
    return any(score.metric == decisive and score.value == 1 for score in scores)


def _scored(metric: str, value: float | None) -> Iterator[Score]:
    if value is not None:
        yield Score(metric, value)
