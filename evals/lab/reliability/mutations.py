"""Faults put into the code, one at a time, to see whether its tests notice: `python -m
evals.lab.reliability.mutations`.

`mutations.toml` lists them, each with the test files that must notice it. They are tried in a copy of the tree. One
that isn't noticed has survived: it wants a test that says what must hold.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from corpus.errors import UsageError
from corpus.git import run_git
from evals.command import run_command
from evals.lab.reliability.trials import CountTable, Trial, TrialClock, keep_trial

ROOT = Path(__file__).parents[3]
_LIST = Path(__file__).with_name("mutations.toml")
_LEAST_NOTICED = 0.95


@dataclass(frozen=True, slots=True)
class Mutation:
    """A fault: in `file`, the code `before` becomes `after`."""

    area: str
    breaks: str
    """What a user would get."""
    file: str
    before: str
    after: str
    tests: tuple[str, ...]
    """The test files of which one must fail."""

    def mutate(self, code: str) -> str:
        """The file's code with the fault in it.

        Raises:
            UsageError: `before` isn't in it just once.
        """
        if (found := code.count(self.before)) != 1:
            raise UsageError(
                f"Cannot try {self.breaks!r}: {self.before!r} stands {found} times in {self.file}, which has changed. "
                f"Write its entry in {_LIST.name} for the code as it is now."
            )
        return code.replace(self.before, self.after)


def load_mutations() -> tuple[Mutation, ...]:
    """The faults that are listed, in their order."""
    areas = tomllib.loads(_LIST.read_text("utf-8"))
    return tuple(Mutation(area, **{**one, "tests": tuple(one["tests"])}) for area in areas for one in areas[area])


def main(arguments: Sequence[str] | None = None) -> int:
    """Try every fault and keep the counts; status 1 where too many survive."""
    parser = argparse.ArgumentParser(prog="python -m evals.lab.reliability.mutations", description=__doc__)
    parser.add_argument("--only", default="", help="those alone whose area or file holds this; keeps nothing")
    only = parser.parse_args(arguments).only
    clock = TrialClock.start()
    noticed: dict[Mutation, bool] = {}
    with tempfile.TemporaryDirectory(prefix="relnotes-mutations-") as folder:
        copy_tree(Path(folder))
        chosen = [one for one in load_mutations() if only in one.area or only in one.file]
        for mutation, is_noticed in try_mutations(chosen, Path(folder)):
            noticed[mutation] = is_noticed
            sys.stderr.write(f"{'noticed' if is_noticed else 'SURVIVED'}: {mutation.breaks} ({mutation.file})\n")
    trial = _told(clock, noticed)
    if not only:
        keep_trial("mutations", trial)
    return int(not trial.summary[-1][-1])


def copy_tree(place: Path) -> None:
    """Copy what git tracks, and what it would, as it lies in the work tree."""
    listed = run_git(["ls-files", "-zco", "--exclude-standard"], ROOT, environment=os.environ, seconds=60)
    for name in filter(None, os.fsdecode(listed).split("\0")):
        if (ROOT / name).is_file():
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, place / name)


def try_mutations(mutations: Sequence[Mutation], tree: Path) -> Iterator[tuple[Mutation, bool]]:
    """Each fault, and whether its tests noticed it.

    Raises:
        UsageError: a fault no longer fits the code, or its tests fail without it.
    """
    sound = {one.file: (tree / one.file).read_text("utf-8") for one in mutations}
    faulty = [one.mutate(sound[one.file]) for one in mutations]
    if _fails(sorted({test for one in mutations for test in one.tests}), tree):
        raise UsageError("Cannot tell what tests notice: some fail without any fault. Run `make test` first.")
    for mutation, code in zip(mutations, faulty, strict=True):
        (tree / mutation.file).write_text(code, "utf-8")
        yield mutation, _fails(mutation.tests, tree)
        (tree / mutation.file).write_text(sound[mutation.file], "utf-8")


def _fails(tests: Sequence[str], tree: Path) -> bool:
    command = [sys.executable, "-m", "pytest", "-x", "-q", *tests]
    environment = {**os.environ, "PYTHONPATH": str(tree)}
    ran = subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True, check=False)  # noqa: S603
    if ran.returncode not in (0, 1):
        raise UsageError(f"Cannot run {', '.join(tests)}: pytest ended with {ran.returncode}.\n{ran.stdout[-2000:]}")
    return ran.returncode == 1


def _told(clock: TrialClock, noticed: Mapping[Mutation, bool]) -> Trial:
    tried, killed = (
        Counter(one.area for one in noticed),
        Counter(one.area for one, is_noticed in noticed.items() if is_noticed),
    )
    survivors = tuple((one.breaks, one.file) for one, is_noticed in noticed.items() if not is_noticed)
    least = f"≥ {_LEAST_NOTICED:.0%}", f"{killed.total()} of {len(noticed)}"
    tables = [
        CountTable(
            ("faults in", "tried", "noticed"), tuple((area, str(tried[area]), str(killed[area])) for area in tried)
        ),
        CountTable(("not noticed", "in"), survivors),
    ]
    return clock.finish(
        "Faults that tests must notice",
        command="python -m evals.lab.reliability.mutations",
        seed=None,
        summary=[
            ("faults put into the code, one at a time", "≥ 60", str(len(noticed)), len(noticed) >= 60),
            ("noticed by the tests of that code", *least, killed.total() >= _LEAST_NOTICED * len(noticed)),
        ],
        tables=tables if survivors else tables[:1],
        notes=[
            "`evals/lab/reliability/mutations.toml` lists them: what each would break, and which tests must notice it."
        ],
    )


if __name__ == "__main__":
    run_command(main)
