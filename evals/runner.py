"""Turns questions into a report: asks each one, grades the answers, averages the grades."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median

from corpus.errors import SourceError, UsageError
from evals.grading import Grade, find_gold, grade_answer
from evals.metrics import METRIC_NAMES, abstention_f1, abstention_precision
from evals.pages import Pages, TextSource
from evals.question_set import Question
from retrieval.model import Answer


@dataclass(frozen=True, slots=True)
class Result:
    """A question that was asked, and its grade. `answer` is None if asking failed."""

    question: Question
    answer: Answer | None
    grade: Grade


@dataclass(frozen=True, slots=True)
class EvalRun:
    """The results of one pass over a question set, in the set's order.

    `skipped` questions, by id with the reason, weren't asked and aren't counted: their document is absent or has
    changed. `failed` ones raised a `UsageError` and are among the results too, graded as an empty `not_found`.
    """

    name: str
    results: tuple[Result, ...]
    skipped: Mapping[str, str]
    failed: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Group:
    """Averages over some questions. `figures` are by metric, in the order of `METRIC_NAMES`; metrics that apply to no
    question are left out."""

    name: str
    questions: int
    figures: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class EvalReport:
    """The figures of a run. `by_kind` and `by_split` are sorted by name; questions without a split are in no split."""

    name: str
    overall: Group
    by_kind: tuple[Group, ...]
    by_split: tuple[Group, ...]
    skipped: Mapping[str, str]
    failed: Mapping[str, str]


def run_questions(
    questions: Sequence[Question],
    ask: Callable[[Question], Answer],
    *,
    texts: TextSource,
    name: str = "questions",
    progress: Callable[[int], None] | None = None,
) -> EvalRun:
    """Ask every question whose gold can be found, in order, and grade the answers.

    `progress` is called with 1 after each question. Errors other than a question's own
    `UsageError` end the run: an index that can't be served isn't a bad answer.
    """
    pages = Pages(texts)
    results: list[Result] = []
    skipped: dict[str, str] = {}
    failed: dict[str, str] = {}
    for question in questions:
        try:
            gold = find_gold(question, pages)
        except SourceError as error:
            skipped[question.id] = str(error)
        else:
            answer: Answer | None = None
            try:
                answer = ask(question)
            except UsageError as error:
                failed[question.id] = str(error)
            results.append(Result(question, answer, grade_answer(question, answer, gold, pages=pages)))
        if progress:
            progress(1)
    return EvalRun(name, tuple(results), skipped, failed)


def evaluate(run: EvalRun) -> EvalReport:
    """Average a run's grades over all questions, by kind and by split."""
    grades = tuple(result.grade for result in run.results)
    kinds = sorted({grade.kind for grade in grades})
    splits = sorted({grade.split for grade in grades if grade.split})
    return EvalReport(
        name=run.name,
        overall=_average("all", grades),
        by_kind=tuple(_average(kind, [grade for grade in grades if grade.kind == kind]) for kind in kinds),
        by_split=tuple(_average(split, [grade for grade in grades if grade.split == split]) for split in splits),
        skipped=run.skipped,
        failed=run.failed,
    )


def _average(name: str, grades: Sequence[Grade]) -> Group:
    decisions = [grade.decision for grade in grades]
    answered = [grade for grade in grades if not grade.decision.abstained]
    figures = {
        "abstention_precision": abstention_precision(decisions),
        "abstention_f1": abstention_f1(decisions),
        "median_answer_chars": _median([grade.answer_chars for grade in answered]),
        "median_quote_chars": _median([chars for grade in grades for chars in grade.quote_chars]),
        "median_with_quotes_chars": _median([grade.answer_chars + sum(grade.quote_chars) for grade in answered]),
    }
    for metric in {metric for grade in grades for metric in grade.scores}:
        figures[metric] = fmean(grade.scores[metric] for grade in grades if metric in grade.scores)
    measured = ((metric, figures.get(metric)) for metric in METRIC_NAMES)
    return Group(name, len(grades), {metric: value for metric, value in measured if value is not None})


def _median(sizes: Sequence[int]) -> float | None:
    return float(median(sizes)) if sizes else None
