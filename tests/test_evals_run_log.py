"""The last run's figures: written, read back, and compared with."""

import subprocess
from pathlib import Path

import pytest

from corpus.errors import UsageError
from evals.comparison import QuestionScores, read_scores


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


@pytest.mark.parametrize("line", ["{", "[]", '{"suite": "a", "id": "b"}', '{"suite": "a", "id": "b", "scores": [1]}'])
def test_a_damaged_run_is_an_error_with_a_next_step(line: str, tmp_path: Path) -> None:
    path = tmp_path / "gate.jsonl"
    path.write_text(line, encoding="utf-8")
    with pytest.raises(UsageError, match=r"Cannot read the last run .* Delete the file"):
        read_scores(path)
