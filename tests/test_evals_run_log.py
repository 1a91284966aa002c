"""The last run's figures: written, read back, and compared with."""

import subprocess
from pathlib import Path

import pytest

from corpus.errors import UsageError
from evals.comparison import Difference, QuestionScores, compare_logged, read_scores, write_scores


def scores(*recalls: float, suite: str = "seeds") -> tuple[QuestionScores, ...]:
    return tuple(
        QuestionScores(suite, f"q{number}", "dev", {"recall@5": recall, "end_to_end": 1.0})
        for number, recall in enumerate(recalls)
    )


def git(folder: Path, *words: str) -> None:
    subprocess.run(
        ("git", "-c", "user.name=n", "-c", "user.email=e@example.org", *words),
        cwd=folder, check=True, capture_output=True,
    )  # fmt: skip


def test_the_committed_run_counts_not_the_one_just_written(tmp_path: Path) -> None:
    path = tmp_path / "gate.jsonl"
    write_scores(path, scores(0.0))
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "a run")
    write_scores(path, scores(1.0))
    assert read_scores(path) == scores(0.0)


def test_only_questions_of_both_runs_and_the_same_suite_are_compared() -> None:
    before, after = (*scores(0.0, 1.0), *scores(0.0, suite="corpus")), scores(1.0, 1.0, 0.0)
    recall, end_to_end = compare_logged(before, after)
    assert (recall.metric, recall.mean, recall.questions) == ("recall@5", 0.5, 2)
    assert end_to_end == Difference("end_to_end", 0.0, 0.0, 0.0, 2)


@pytest.mark.parametrize("line", ["{", "[]", '{"suite": "a", "id": "b"}', '{"suite": "a", "id": "b", "scores": [1]}'])
def test_a_damaged_run_is_an_error_with_a_next_step(line: str, tmp_path: Path) -> None:
    path = tmp_path / "gate.jsonl"
    path.write_text(line, encoding="utf-8")
    with pytest.raises(UsageError, match=r"Cannot read the last run .* Delete the file"):
        read_scores(path)
