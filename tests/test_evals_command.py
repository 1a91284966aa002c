"""`python -m evals`: a question set asked over an index, in figures; run as who has a clone does."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[1]
QUESTION = {
    "id": "q1",
    "kind": "fact",
    "question": "Is Adagrad faster with fused=True?",
    "answerable": True,
    "gold": [{"path": "pytorch/2.12.md", "quote": "fused=True"}],
    "answer_key": ["fused"],
}
CALLS: dict[str, tuple[tuple[str, ...], int, str]] = {
    "reached": (("--min", "quote_verbatim=1"), 0, ""),
    "missed": (("--min", "recall@5=2"), 1, "recall@5"),
    "unknown metric": (("--min", "recal@5=1"), 2, "recal@5"),
}


@pytest.mark.parametrize(("options", "status", "line"), CALLS.values(), ids=CALLS.keys())
def test_figures_of_a_question_set_and_its_minimums(
    bundled_index: Path, tmp_path: Path, options: tuple[str, ...], status: int, line: str
) -> None:
    questions = tmp_path / "questions.jsonl"
    questions.write_text(json.dumps(QUESTION) + "\n", "utf-8")
    command = [sys.executable, "-m", "evals", str(questions), "--json", "--index", str(bundled_index), *options]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=REPOSITORY)
    assert ran.returncode == status, ran.stderr
    assert line in ran.stderr
    if status < 2:
        report = json.loads(ran.stdout)
        assert (report["questions"], report["metrics"]["quote_verbatim"]) == (1, 1.0)
        assert list(report["by_kind"]) == ["fact"]
