"""The tables of docs/reliability.md say what the trials counted; the listed faults can be tried."""

from dataclasses import replace
from pathlib import Path

import pytest

from corpus.errors import UsageError
from evals.lab.reliability.mutations import ROOT, Mutation, load_mutations, try_mutations
from evals.lab.reliability.report import main, render_tables
from evals.lab.reliability.trials import CountTable, TrialClock, keep_trial, load_trials

TRIAL = TrialClock.start().finish(
    "Killed ingests",
    command="python -m evals.lab.reliability.faults --seed 7",
    seed=7,
    summary=[("ingests killed", "≥ 300", "312", True), ("answers of neither state", "0", "1", False)],
    tables=[CountTable(("call", "kills"), (("rename", "12"),), caption="By call.")],
    notes=["Each is killed at a call chosen by chance."],
)


def test_a_trial_is_read_as_it_was_kept(tmp_path: Path) -> None:
    keep_trial("faults", TRIAL, tmp_path)
    assert load_trials(tmp_path) == {"faults": TRIAL}


def test_the_page_says_of_each_trial_what_holds_and_what_does_not() -> None:
    day = TRIAL.began[:10]
    assert render_tables({"faults": TRIAL}).splitlines()[2:] == [
        f"| [Killed ingests](../evals/lab/reliability/results/faults.json), {day} | ingests killed | ≥ 300 | 312 |",
        "|  | answers of neither state | 0 | **1** |",
    ]


def test_below_it_stands_what_a_server_did_at_each_load() -> None:
    tables = render_tables({"load": TRIAL})
    assert tables.endswith(f"Killed ingests, on {TRIAL.machine}:\n\n| call | kills |\n| --- | ---: |\n| rename | 12 |")


@pytest.mark.parametrize("mutation", load_mutations(), ids=lambda mutation: mutation.breaks)
def test_every_listed_fault_fits_the_code_as_it_is(mutation: Mutation) -> None:
    faulty = mutation.mutate((ROOT / mutation.file).read_text("utf-8"))
    compile(faulty, mutation.file, "exec")
    assert mutation.tests
    assert all((ROOT / test).is_file() for test in mutation.tests)


def test_a_fault_is_noticed_where_a_test_fails_and_survives_where_none_does(tmp_path: Path) -> None:
    (tmp_path / "count.py").write_text("def count(n):\n    return n + 1\n", "utf-8")
    (tmp_path / "test_one.py").write_text("from count import count\n\ndef test():\n    assert count(1) == 2\n", "utf-8")
    noticed = Mutation("counting", "one too few", "count.py", "n + 1", "n", ("test_one.py",))
    survived = replace(noticed, after="n * 2")
    assert list(try_mutations([noticed, survived], tmp_path)) == [(noticed, True), (survived, False)]
    assert "n + 1" in (tmp_path / "count.py").read_text("utf-8")
    with pytest.raises(UsageError, match=r"'n \+ 2' stands 0 times in count\.py, which has changed\. Write its entry"):
        list(try_mutations([replace(noticed, before="n + 2")], tmp_path))
    (tmp_path / "test_one.py").write_text("def test():\n    assert not 1\n", "utf-8")
    with pytest.raises(UsageError, match="some fail without any fault"):
        list(try_mutations([noticed], tmp_path))


def test_the_committed_tables_are_those_of_the_committed_counts() -> None:
    assert main(["--check"]) == 0
