"""What the benchmarks compute of what they measure: passes, recall, ratios; what processes cost."""

import mmap
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from corpus.errors import RelnotesError
from evals.lab import questions
from evals.lab.bench import growth
from evals.lab.bench.growth import growth_exponent, warm_ratio
from evals.lab.peers.process import listed_recall
from evals.lab.processes import LimitReached, ProcessLimits, memory_parts, run_measured
from evals.lab.questions import ask_in_passes, bench_questions, read_texts, write_texts
from evals.lab.recall import exact_recalls
from evals.suites import CORPORA, load_suite


class Clock:
    """Tells the times it was given, one after the other."""

    def __init__(self, times: Sequence[float]) -> None:
        self._times = iter(times)

    def perf_counter(self) -> float:
        return next(self._times)


def test_each_question_counts_with_its_fastest_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    # The first time is when it began; then two questions of 3 s and 1 s; the look at the clock; 2 s and 4 s.
    monkeypatch.setattr(questions, "time", Clock([0, 0, 3, 3, 4, 4, 4, 6, 6, 10]))
    assert ask_in_passes(str, ["a", "b"], passes=2, seconds=100) == (2000.0, 1000.0)


def test_a_slow_system_is_asked_five_questions_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(questions, "time", Clock(range(0, 1000, 10)))
    asked: list[str] = []
    times = ask_in_passes(asked.append, [str(number) for number in range(50)], passes=3, seconds=20)
    assert len(times) == len(asked) == 5


def test_recall_counts_rows_as_near_as_the_tenth_best() -> None:
    # Twenty rows; row 15 is row 0 once more. The first question's ten best are 0 … 8 and 15 for all but one of them.
    angles = np.append(np.arange(15), [0, 50, 51, 52, 53]) / 60
    rows = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
    vectors = np.array([[1, 0]], np.float32)
    every = np.ones(20, np.bool_)
    found = np.array([[0, 15, 1, 2, 3, 4, 5, 6, 7, 17]])
    few = np.isin(np.arange(20), [16, 17, 18])
    found_few = np.array([[16, 17, *[-1] * 8]])
    recalls = exact_recalls([rows[:7], rows[7:]], vectors, [found, found_few], [every, few])
    assert recalls == pytest.approx((0.9, 2 / 3))


def test_what_a_peer_lists_is_held_against_exact_products_by_its_texts(tmp_path: Path) -> None:
    vectors = np.eye(12, 16, dtype=np.float32)
    vectors[:, 15] = np.linspace(0.1, 1.2, 12)
    asked = np.zeros((2, 16), np.float32)
    asked[:, 15] = 1
    texts = [f"passage {number}" for number in range(11)] + ["passage 3"]
    write_texts(tmp_path / "texts", texts)
    nearest = [texts[row] for row in range(11, 1, -1)]
    # The text that two passages have is told once, and counts as the nearer of them.
    all_but_one = [*dict.fromkeys(nearest)]
    recall = listed_recall([all_but_one, texts[:2]], asked, texts=tmp_path / "texts", vectors=vectors)
    assert recall == pytest.approx((0.9 + 0.0) / 2)


@pytest.mark.parametrize(
    ("ratios", "median"),
    [
        ([0.5, 2.0, 3.0], 2.0),
        ([2.0, 3.0, 0.0], 2.0),
        ([0.5, 2.0], 1.25),
        # The one of the two in the middle that could be asked.
        ([0.5, 2.0, 0.0, 0.0], 0.5),
        ([0.0], 0.0),
    ],
    ids=["three", "one absent", "two", "two absent", "all absent"],
)
def test_a_peer_that_cannot_hold_as_many_counts_as_slower_than_all_that_can(ratios: list[float], median: float) -> None:
    assert warm_ratio(ratios) == median


def test_as_many_of_the_questions_name_their_product_as_the_notes_say() -> None:
    asked = [one for one in load_suite(CORPORA) if one.question in bench_questions()]
    names = [{"cpython": "python"}.get(asked_question.project, asked_question.project) for asked_question in asked]
    named = sum(bool(re.search(rf"\b{n}\b", q.question, re.IGNORECASE)) for n, q in zip(names, asked, strict=True))
    assert f"Of the {len(asked)} questions {named} name their product." in " ".join(growth._NOTES)


@pytest.mark.parametrize(("p50_ms", "exponent"), [(20.0, 0.0), (200.0, 0.5), (2000.0, 1.0)])
def test_growth_is_told_as_a_power_of_the_passages(p50_ms: float, exponent: float) -> None:
    assert growth_exponent((10_000, 20.0), (1_000_000, p50_ms)) == pytest.approx(exponent)


def run(program: str, folder: Path) -> tuple[str, float, float]:
    done = run_measured([sys.executable, "-c", program], environment=os.environ, log=folder / "log")
    return done.output, done.peak_mib, done.cpu_seconds


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="without /proc, memory is what wait4 tells")
def test_output_and_costs_of_a_process_are_told(tmp_path: Path) -> None:
    ours = b"x" * 2**27
    output, peak_mib, cpu_seconds = run("print('done'); held = b'x' * 2**26; import time; time.sleep(0.2)", tmp_path)
    assert len(ours) == 2**27, "held while the process began: it isn't that process's memory"
    assert output == "done\n"
    assert 64 < peak_mib < 120
    assert cpu_seconds > 0


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="children are seen through /proc")
def test_memory_of_children_counts(tmp_path: Path) -> None:
    child = "import time; held = b'x' * 2**27; print('held', flush=True); time.sleep(0.3)"
    program = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}], check=True)"
    alone, both = run(child, tmp_path)[1], run(program, tmp_path)[1]
    assert both > alone + 3, "the parent's own memory stands beside the child's"


def test_failed_process_is_an_error_with_its_last_line(tmp_path: Path) -> None:
    with pytest.raises(RelnotesError, match="status 3: no disk"):
        run("import sys; sys.stderr.write('first\\nno disk\\n'); sys.exit(3)", tmp_path)


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="limits are looked after through /proc")
@pytest.mark.parametrize(
    ("limits", "told"),
    [(ProcessLimits(0.3, 1e6), "more than 0 minutes"), (ProcessLimits(60, 48), r"more than 0\.0 GiB of memory")],
    ids=["time", "memory"],
)
def test_process_that_takes_more_than_it_may_is_ended(limits: ProcessLimits, told: str, tmp_path: Path) -> None:
    program = "held = b'x' * 2**27; import time; time.sleep(60)"
    with pytest.raises(LimitReached, match=told):
        run_measured([sys.executable, "-c", program], environment=os.environ, log=tmp_path / "log", limits=limits)


@pytest.mark.skipif(not Path("/proc/self/smaps_rollup").exists(), reason="Linux tells of what memory consists")
def test_memory_of_a_process_is_its_own_or_of_files() -> None:
    before = memory_parts(os.getpid())
    # Fresh from the system: what an allocator hands out may have been resident before.
    with mmap.mmap(-1, 2**26, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) as held:
        for page in range(0, len(held), mmap.PAGESIZE):
            held[page] = 1
        after = memory_parts(os.getpid())
    assert after.anonymous - before.anonymous == pytest.approx(64, abs=8)
    assert after.of_files > 1
    assert after.proportional <= after.resident


@pytest.mark.parametrize("texts", [[], ["a"], ["two\nlines", "", "\u2028 é", "\ud800"]], ids=len)
def test_texts_come_back_as_written(tmp_path: Path, texts: list[str]) -> None:
    write_texts(tmp_path / "texts", texts)
    assert list(read_texts(tmp_path / "texts")) == texts
