"""docs/reliability.md says what the trials counted, and nothing else."""

from dataclasses import replace
from pathlib import Path

import pytest

from evals.reliability.report import PAGE, main, render_page
from evals.reliability.trials import CountTable, TrialClock, keep_trial, load_trials

TRIAL = TrialClock.start().finish(
    "Killed ingests",
    command="python -m evals.reliability.faults --seed 7",
    seed=7,
    summary=[("ingests killed", "≥ 300", "312", True), ("answers of neither state", "0", "1", False)],
    tables=[CountTable(("call", "kills"), (("rename", "12"),), caption="By call.")],
    notes=["Each is killed at a call chosen by chance."],
)


def test_a_trial_is_read_as_it_was_kept(tmp_path: Path) -> None:
    keep_trial("faults", TRIAL, tmp_path)
    assert load_trials(tmp_path) == {"faults": TRIAL}


def test_the_page_says_of_each_trial_what_holds_and_what_does_not() -> None:
    page = render_page({"faults": TRIAL})
    assert "| [Killed ingests](#killed-ingests) | ingests killed | ≥ 300 | 312 | yes |" in page
    assert "| [Killed ingests](#killed-ingests) | answers of neither state | 0 | 1 | **no** |" in page
    assert "`python -m evals.reliability.faults --seed 7`, seed 7" in page
    assert "| rename | 12 |" in page


@pytest.mark.parametrize("seed", [None, 3])
def test_a_trial_without_chance_says_so(seed: int | None) -> None:
    assert ("no choice by chance" in render_page({"soak": replace(TRIAL, seed=seed)})) == (seed is None)


def test_the_committed_page_is_that_of_the_committed_counts() -> None:
    assert PAGE.read_text("utf-8") == render_page(load_trials())
    assert main(["--check"]) == 0
