"""The runner of trials: what a trial gives is told, kept and shown on one page."""

from argparse import ArgumentParser
from dataclasses import replace
from importlib import import_module

import pytest

from evals.lab.__main__ import TRIALS
from evals.lab.trials import PAGE, RESULTS, CountTable, TrialClock, TrialFindings, load_trials, render_page

SUMMARY = (("ingests killed", "≥ 300", "312", True), ("answers of neither state", "0", "1", False))
TABLES = (CountTable(("call", "kills"), (("rename", "12"),), caption="By call."),)
NOTES = ("Each is killed at a call chosen by chance.",)
TRIAL = TrialClock.start().finish(
    TrialFindings("Killed ingests", SUMMARY, TABLES, NOTES), command="python -m evals.lab kills --seed 7", seed=7
)


def test_the_page_says_of_each_trial_what_holds_and_what_does_not() -> None:
    page = render_page({"kills": replace(TRIAL, commit="abc1234")})
    assert "| [Killed ingests](#killed-ingests) | ingests killed | ≥ 300 | 312 | yes |" in page
    assert "| [Killed ingests](#killed-ingests) | answers of neither state | 0 | 1 | **no** |" in page
    assert "`python -m evals.lab kills --seed 7` at abc1234, seed 7, " in page
    assert "| rename | 12 |" in page


def test_the_committed_page_is_that_of_the_committed_trials() -> None:
    assert (RESULTS / PAGE).read_text("utf-8") == render_page(load_trials())


@pytest.mark.parametrize("name", TRIALS)
def test_every_trial_has_its_options_and_a_run(name: str) -> None:
    module = import_module(TRIALS[name][0])
    parser = ArgumentParser()
    module.add_options(parser)
    assert parser.parse_args(["questions.jsonl", "--index", "index"] if name == "agents" else []) is not None
    assert callable(module.run)
