"""The history of runs: appended where figures are new, read back, and joined with the questions of the last run."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from corpus.errors import UsageError
from evals.comparison import QuestionScores
from evals.grading import Score
from evals.last_run import AskedQuestion, distinct, load_last_run, mean_of, means_by_kind
from evals.question_set import parse_question
from evals.run_history import RecordedRun, SuiteFigures, load_history, record_run, recorded
from evals.run_log import write_scores
from evals.runner import EvalReport, Group

AT = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)
RUN = RecordedRun(AT, "gate", (SuiteFigures("corpus", "", 4, (Score("recall@5", 0.75),)),))


def test_a_run_is_read_as_it_was_recorded(tmp_path: Path) -> None:
    path = tmp_path / "runs" / "history.jsonl"
    assert load_history(path) == ()
    assert record_run(path, RUN)
    assert load_history(path) == (RUN,)


def test_the_same_figures_again_add_nothing(tmp_path: Path) -> None:
    path = tmp_path / "history.jsonl"
    later = replace(RUN, at=datetime(2026, 4, 1, tzinfo=UTC))
    assert [record_run(path, one) for one in (RUN, later, replace(RUN, run="full"), later)] == [
        True,
        False,
        True,
        False,
    ]
    better = replace(later, suites=(SuiteFigures("corpus", "", 4, (Score("recall@5", 0.8),)),))
    assert [record_run(path, one) for one in (better, RUN)] == [True, True]
    assert [one.run for one in load_history(path)] == ["gate", "full", "gate", "gate"]


def test_a_report_is_kept_whole_and_by_split_to_three_digits() -> None:
    overall = Group("all", 3, (Score("recall@5", 2 / 3), Score("ndcg@10", 0.5)))
    report = EvalReport("seeds", overall, (), (Group("dev", 2, (Score("recall@5", 0.5),)),), (), (), ())
    assert recorded([report], "full", at=AT).suites == (
        SuiteFigures("seeds", "", 3, (Score("recall@5", 0.667),)),
        SuiteFigures("seeds", "dev", 2, (Score("recall@5", 0.5),)),
    )


@pytest.mark.parametrize("line", ["{", "[]", '{"at": "yesterday", "run": "gate", "suites": []}', '{"run": "gate"}'])
def test_a_damaged_history_is_an_error_with_a_next_step(line: str, tmp_path: Path) -> None:
    path = tmp_path / "history.jsonl"
    path.write_text(line, encoding="utf-8")
    with pytest.raises(UsageError, match=r"Cannot read the history .* Restore the file"):
        record_run(path, RUN)


def test_the_committed_history_is_in_order_and_has_figures() -> None:
    history = load_history()
    assert [one.at for one in history] == sorted(one.at for one in history)
    assert all(one.figure("end_to_end") is not None for run in history for one in run.suites if not one.split)


def asked(name: str, kind: str, *, answerable: bool = True, **figures: float) -> AskedQuestion:
    line = {"id": name, "kind": kind, "question": "What?", "answerable": answerable}
    scores = tuple(Score(metric.replace("_at_", "@"), value) for metric, value in figures.items())
    return AskedQuestion(parse_question(json.dumps(line)), QuestionScores("corpus", name, "dev", scores))


def test_a_mean_is_over_the_questions_that_have_the_figure() -> None:
    questions = [asked(str(n), "fact", end_to_end=float(n % 2)) for n in range(40)]
    mean = mean_of("all", [*questions, asked("x", "fact", recall_at_5=1.0)], "end_to_end")
    assert mean is not None
    assert (mean.name, mean.questions, mean.value) == ("all", 40, 0.5)
    # 1.96² / 40 = 0.096; half the width is 1.96 * sqrt(0.25 / 40 + 0.096 / 160) / 1.096 = 0.148.
    assert (mean.low, mean.high) == (pytest.approx(0.352, abs=1e-3), pytest.approx(0.648, abs=1e-3))
    assert mean_of("all", questions, "recall@5") is None


def test_few_questions_all_right_are_no_certainty() -> None:
    mean = mean_of("all", [asked(str(n), "fact", end_to_end=1.0) for n in range(15)], "end_to_end")
    # 15 / (15 + 1.96²) by Wilson's lower bound at a share of 1.
    assert mean is not None
    assert (mean.low, mean.high) == (pytest.approx(0.796, abs=1e-3), 1.0)


def test_a_question_of_two_suites_counts_once() -> None:
    one = asked("a", "fact", end_to_end=1.0)
    again = replace(one, scores=replace(one.scores, suite="part"))
    assert distinct([one, again, asked("b", "fact")]) == (one, asked("b", "fact"))


def test_kinds_without_the_figure_are_left_out() -> None:
    questions = [asked("a", "since_when", end_to_end=1.0), asked("b", "fact", end_to_end=0.0), asked("c", "list")]
    assert [(mean.name, mean.value) for mean in means_by_kind(questions, "end_to_end")] == [
        ("fact", 0.0),
        ("since_when", 1.0),
    ]


def test_only_an_answerable_question_can_lack_its_answer() -> None:
    assert asked("a", "fact", over_abstention_rate=1.0).lacks_answer
    assert not asked("a", "fact", over_abstention_rate=0.0).lacks_answer
    assert not asked("a", "negative", answerable=False, false_answer_rate=0.0).lacks_answer


def test_the_last_run_has_its_questions_and_each_suite_once(tmp_path: Path) -> None:
    assert load_last_run(tmp_path) == ()
    gate = [QuestionScores("corpus", name, "dev", (Score("end_to_end", 1.0),)) for name in ("c001", "gone")]
    full = [QuestionScores(suite, "c001", "dev", (Score("end_to_end", 0.0),)) for suite in ("corpus", "elsewhere")]
    write_scores(tmp_path / "gate.jsonl", gate)
    write_scores(tmp_path / "full.jsonl", full)
    (only,) = load_last_run(tmp_path)
    assert (only.suite, only.question.id, only.scores.score("end_to_end")) == ("corpus", "c001", 1.0)


def test_every_suite_of_the_committed_runs_is_there() -> None:
    assert {one.suite for one in load_last_run()} >= {"corpus", "seeds", "corpora", "versions"}
