"""The history of runs: appended where figures are new, and read back."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from corpus.errors import UsageError
from evals.run_history import RecordedRun, SuiteFigures, load_history, record_run

AT = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)
RUN = RecordedRun(AT, "gate", (SuiteFigures("corpus", "", 4, {"recall@5": 0.75}),))


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
    better = replace(later, suites=(SuiteFigures("corpus", "", 4, {"recall@5": 0.8}),))
    assert [record_run(path, one) for one in (better, RUN)] == [True, True]
    assert [one.run for one in load_history(path)] == ["gate", "full", "gate", "gate"]


@pytest.mark.parametrize("line", ["{", "[]", '{"at": "yesterday", "run": "gate", "suites": []}', '{"run": "gate"}'])
def test_a_damaged_history_is_an_error_with_a_next_step(line: str, tmp_path: Path) -> None:
    path = tmp_path / "history.jsonl"
    path.write_text(line, encoding="utf-8")
    with pytest.raises(UsageError, match=r"Cannot read the history .* Restore the file"):
        record_run(path, RUN)


def test_the_committed_history_is_in_order_and_has_figures() -> None:
    history = load_history()
    assert [one.at for one in history] == sorted(one.at for one in history)
    assert all("end_to_end" in suite.metrics for run in history for suite in run.suites if not suite.split)
