"""The last run's figures, read back."""

from pathlib import Path

import pytest

from corpus.errors import UsageError
from evals.comparison import read_scores


@pytest.mark.parametrize("line", ["{", "[]", '{"suite": "a", "id": "b"}', '{"suite": "a", "id": "b", "scores": [1]}'])
def test_a_damaged_run_is_an_error_with_a_next_step(line: str, tmp_path: Path) -> None:
    path = tmp_path / "gate.jsonl"
    path.write_text(line, encoding="utf-8")
    with pytest.raises(UsageError, match=r"Cannot read the last run .* Delete the file"):
        read_scores(path)
