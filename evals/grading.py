"""Grades one answer to one question: finds the gold passages, and computes every metric."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from corpus.errors import SourceError
from corpus.model import Span
from evals.labelled_places import words_sha
from evals.matching import holds_wording, plain_answer
from evals.metrics import (
    RANKED_DEPTH,
    RATES,
    RECALL_DEPTHS,
    Abstention,
    Hits,
    answer_key_found,
    ndcg,
    recall_at,
    reciprocal_rank,
    share,
)
from evals.pages import Page, Pages
from evals.question_set import Gold, Question
from retrieval.model import Answer, Citation, RankedPassage, Status

Place = tuple[str, Span]
LEAD_CHARACTERS, MOST_CHARACTERS = 300, 900
"""Characters within which the answer to a typed question must have its lead facts, and its maximal length."""
MIN_COVERED_SHARE = 0.7
"""A gold passage is retrieved if at least this share of its squashed characters is inside one returned passage."""


@dataclass(frozen=True, slots=True)
class GoldPlaces:
    """All acceptable places of one gold passage, in squashed characters of the page at `path`."""

    path: str
    places: tuple[Span, ...]

    def covered_share(self, path: str, span: Span) -> float:
        """Return the largest share (0 to 1) of any of the places that is inside a span of the page at `path`."""
        if path != self.path:
            return 0.0
        shared = (min(place.end, span.end) - max(place.start, span.start) for place in self.places)
        return max((max(0, size) / len(place) for size, place in zip(shared, self.places, strict=True)), default=0.0)


def find_gold(question: Question, pages: Pages) -> tuple[GoldPlaces, ...]:
    """Find every gold passage of an answerable question, as `place_gold` does; an unanswerable one has none."""
    return place_gold(question.gold, pages) if question.answerable else ()


def place_gold(gold: Sequence[Gold], pages: Pages) -> tuple[GoldPlaces, ...]:
    """Find these gold passages, in their order.

    A passage given by range means its words: if they recur in the file, each occurrence is accepted.

    Raises:
        SourceError: a document is absent or has changed, so that a question can't be asked fairly.
    """
    placed = []
    for passage in gold:
        page = pages.page(passage.path)
        if page is None:
            raise SourceError(f"{passage.path!r} is absent")
        places = page.occurrences(_gold_words(passage, page))
        if not places:
            raise SourceError(f"{passage.path!r} has changed: the gold quote isn't in it")
        placed.append(GoldPlaces(passage.path, places))
    return tuple(placed)


def _gold_words(gold: Gold, page: Page) -> str:
    if gold.start is None or gold.end is None:
        return gold.quote or ""
    words = page.source[gold.start : gold.end]
    if gold.sha is not None and words_sha(words) != gold.sha:
        raise SourceError(f"{gold.path!r} has changed: characters {gold.start} to {gold.end} don't match their sha")
    return words


@dataclass(frozen=True, slots=True)
class Grade:
    """The grade of one answer. `scores` has only the metrics that apply to the question and the answer."""

    kind: str
    split: str
    decision: Abstention
    correct: bool
    """Answerable: all key facts given (without key facts: the gold cited). Unanswerable: no answer given."""
    confidence: float
    answer_chars: int
    quote_chars: tuple[int, ...]
    scores: Mapping[str, float]


def grade_answer(question: Question, answer: Answer | None, gold: tuple[GoldPlaces, ...], *, pages: Pages) -> Grade:
    """Grade an answer; `gold` is the result of `find_gold` for the question; an answer of None means asking failed."""
    citations = answer.citations if answer else ()
    decision = Abstention(question.answerable, abstained=answer is None or answer.status is Status.NOT_FOUND)
    scores: dict[str, float | None] = {}
    if question.answerable:
        scores |= _retrieval_scores(question, answer.passages if answer else (), gold, pages)
        scores |= _citation_scores(citations, gold, pages)
        if question.answer_key:
            texts = (answer.answer, *(citation.quote for citation in citations)) if answer else ()
            scores["answer_key"] = float(not decision.abstained and answer_key_found(question.answer_key, texts))
        if question.typed:
            scores["good"], scores["wrong"] = map(float, grade_typed(question, answer))
    verbatim = [pages.hold_verbatim(citation.source, citation.quote) for citation in citations]
    scores |= {"quote_verbatim": share(verbatim), **{metric: rate((decision,)) for metric, rate in RATES}}
    decisive = "answer_key" if question.answer_key else "citation_recall"
    correct = scores[decisive] == 1 if question.answerable else decision.abstained
    scores["end_to_end"] = float(correct)
    return Grade(
        kind=question.kind,
        split=question.split,
        decision=decision,
        correct=correct,
        confidence=answer.confidence if answer else 0.0,
        answer_chars=len(answer.answer) if answer else 0,
        quote_chars=tuple(len(citation.quote) for citation in citations),
        scores={metric: value for metric, value in scores.items() if value is not None},
    )


def grade_typed(question: Question, answer: Answer | None) -> tuple[bool, bool]:
    """Return `(is_good, is_wrong)` as the person who typed the question would judge. A good answer has the lead facts
    first, all key facts, nothing in `mustnot`, a citation, and at most 900 characters. A wrong one isn't an abstention,
    and has something in `mustnot`, or a key fact is missing even in its quotes. Both may be False."""
    if answer is None or answer.status is Status.NOT_FOUND:
        return False, False
    text = plain_answer(answer.answer)
    quoted = plain_answer(" ".join((answer.answer, *(citation.quote for citation in answer.citations))))
    is_false = any(holds_wording(plain_answer(wording), text) for wording in question.mustnot)
    leads = holds_all(question.lead, text[:LEAD_CHARACTERS]) and holds_all(question.answer_key, text)
    good = leads and not is_false and bool(answer.citations) and len(text) <= MOST_CHARACTERS
    return good, is_false or not holds_all(question.answer_key, quoted)


def holds_all(keys: tuple[tuple[str, ...], ...], text: str) -> bool:
    return all(any(holds_wording(plain_answer(wording), text) for wording in wordings) for wordings in keys)


def gold_shares(source: str, text: str, span: Span, gold: tuple[GoldPlaces, ...], *, pages: Pages) -> tuple[float, ...]:
    """Return the share of each gold passage, 0 to 1, that a passage covers: `text` at `span` of document `source`."""
    place = _locate(source, text, span, pages)
    return tuple(_covered_share(gold_place, place) for gold_place in gold)


def _retrieval_scores(
    question: Question, passages: tuple[RankedPassage, ...], gold: tuple[GoldPlaces, ...], pages: Pages
) -> dict[str, float]:
    hits: Hits = tuple(
        tuple(_covered_share(place, passage) >= MIN_COVERED_SHARE for place in gold)
        for passage in (_locate(passage.source, passage.text, passage, pages) for passage in passages[:RANKED_DEPTH])
    )
    recalls = {f"recall@{depth}": recall_at(hits, depth, any_of=question.any_of) for depth in RECALL_DEPTHS}
    ranks = {"mrr": reciprocal_rank(hits), "ndcg": ndcg(hits, any_of=question.any_of)}
    return recalls | {f"{metric}@{RANKED_DEPTH}": value for metric, value in ranks.items()}


def _citation_scores(
    citations: tuple[Citation, ...], gold: tuple[GoldPlaces, ...], pages: Pages
) -> dict[str, float | None]:
    places = [_locate(citation.source, citation.quote, citation, pages) for citation in citations]
    shares = [max((_covered_share(gold_place, place) for gold_place in gold), default=0.0) for place in places]
    return {
        "citation_precision": share([covered > 0 for covered in shares]),
        # The same share as for retrieval; from Gao et al. (EMNLP 2023), too.
        "citation_recall": float(any(covered >= MIN_COVERED_SHARE for covered in shares)),
    }


def _locate(source: str, text: str, ranged: RankedPassage | Citation | Span, pages: Pages) -> Place | None:
    page = pages.page(source)
    span = page.place(text, start=ranged.start, end=ranged.end) if page else None
    return (source, span) if span else None


def _covered_share(gold: GoldPlaces, place: Place | None) -> float:
    return gold.covered_share(*place) if place else 0.0
