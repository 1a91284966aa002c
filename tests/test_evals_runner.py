"""Runs: asking, grading and averaging."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from page_answers import ANSWER, CITATION, PASSAGE

from corpus.errors import UsageError
from evals.question_set import Gold, Question
from evals.runner import EvalRun, evaluate, run_questions
from retrieval.blocks import Blocks, words_of
from retrieval.model import Answer, Citation, RankedPassage, Status

QUESTION = Question(
    id="q",
    kind="paraphrase",
    question="?",
    answerable=True,
    gold=(Gold("notes.txt", quote="fused Adagrad is new"),),
    any_of=True,
    answer_key=(("Adagrad",),),
    split="dev",
    project="p",
)
NEGATIVE = replace(QUESTION, id="n", kind="negative_near", answerable=False, gold=(), answer_key=(), split="test")
NOTES = "Preface.\nThe fused Adagrad\nis new. Nothing else."


def passage(source: str, start: int, text: str, rank: int = 1) -> RankedPassage:
    return replace(PASSAGE, source=source, start=start, end=start + len(text), text=text, score=1 / rank)


def citation(source: str, start: int, quote: str, n: int = 1) -> Citation:
    return replace(CITATION, n=n, quote=quote, source=source, start=start, end=start + len(quote))


def answer(
    text: str = "",
    *,
    status: Status = Status.ANSWERED,
    confidence: float = 0.5,
    passages: tuple[RankedPassage, ...] = (),
    citations: tuple[Citation, ...] = (),
) -> Answer:
    return replace(
        ANSWER,
        status=status,
        confidence=confidence,
        blocks=Blocks(words_of(text)),
        citations=citations,
        passages=passages,
    )


def run(questions: Sequence[Question], answers: Mapping[str, Answer], texts: Callable[[str], str | None]) -> EvalRun:
    """Ask recorded answers; a question without one fails."""

    def ask(question: Question) -> Answer:
        if question.id not in answers:
            raise UsageError("no answer was recorded")
        return answers[question.id]

    return run_questions(questions, ask, texts=texts)


def test_a_right_answer_with_a_wrong_quote_in_figures() -> None:
    quote = NOTES[13:38]
    right = answer(
        "New: fused Adagrad",
        passages=(passage("notes.txt", 0, "Preface."), passage("notes.txt", 9, NOTES[9:39], 2)),
        citations=(citation("notes.txt", 13, quote), citation("notes.txt", 0, "Preface! And more", 2)),
    )
    done = run([QUESTION], {"q": right}, {"notes.txt": NOTES}.get)
    (result,) = done.results
    assert {metric: round(value, 4) for metric, value in result.grade.scores.items()} == {
        "recall@1": 0.0,
        "recall@3": 1.0,
        "recall@5": 1.0,
        "recall@10": 1.0,
        "mrr@10": 0.5,
        "ndcg@10": 0.6309,
        "citation_precision": 0.5,
        "citation_recall": 1.0,
        "answer_key": 1.0,
        "quote_verbatim": 0.5,
        "over_abstention_rate": 0.0,
        "end_to_end": 1.0,
    }
    assert (result.grade.answer_chars, result.grade.quote_chars) == (18, (25, 17))
    assert evaluate(done).overall.figures["median_with_quotes_chars"] == 18 + 25 + 17


def test_failures_count_and_changed_documents_are_skipped() -> None:
    gone = replace(QUESTION, id="gone", gold=(Gold("none.txt", quote="x"),))
    done = run([QUESTION, gone, NEGATIVE], {"n": answer(status=Status.NOT_FOUND)}, {"notes.txt": NOTES}.get)
    report = evaluate(done)
    assert done.failed == {"q": "no answer was recorded"}
    assert done.skipped == {"gone": "'none.txt' is absent"}
    assert report.overall.questions == 2
    assert report.overall.figures["over_abstention_rate"] == 1.0
    assert report.overall.figures["recall@10"] == 0.0
    assert [(group.name, group.questions) for group in report.by_kind] == [("negative_near", 1), ("paraphrase", 1)]
    assert [(group.name, group.questions) for group in report.by_split] == [("dev", 1), ("test", 1)]
