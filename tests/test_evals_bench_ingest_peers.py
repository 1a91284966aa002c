"""Measured processes and the section of ingest; the peers themselves run in the command only."""

import mmap
import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from corpus.errors import RelnotesError
from evals.lab.bench.ingest_tables import IngestRecord, IngestSection, render_ingest
from evals.lab.bench.peer_ingests import read_texts, write_texts
from evals.lab.bench.processes import LimitReached, ProcessLimits, memory_parts, run_measured

OURS = IngestRecord("relnotes", "", 10.0, 12.0, 20.0, 400.0, 5.0, 100, 40_000, 10_000)
SLOW = IngestRecord("haystack", "same", 40.0, 50.0, 80.0, 800.0, 10.0, 100, 40_000, 10_000)
LEAN = IngestRecord("chroma", "same", 50.0, 60.0, 90.0, 1000.0, 4.0, 200, 40_000, 10_000)


def run(program: str, folder: Path) -> tuple[str, float, float]:
    done = run_measured([sys.executable, "-c", program], environment=os.environ, log=folder / "log")
    return done.output, done.peak_mib, done.cpu_seconds


def page(*records: IngestRecord, rounds: int = 1) -> str:
    return render_ingest(IngestSection("3 documents", rounds, 1.2, records))


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


def test_relnotes_stands_beside_the_best_peer_of_each_measure() -> None:
    told = page(OURS, SLOW, LEAN)
    assert "| relnotes | 100 | 10.0 | 12.0 | 20.0 | 10.0 | 4000 | 1000 | 400 | 5.0 |" in told
    # 10 passages a second against chroma's 200 / 50 = 4, 1,000 tokens against haystack's 10,000 / 40 = 250.
    assert "- passages a second: 2.50 times chroma's" in told
    assert "- tokens a second: 4.00 times haystack's" in told
    assert "- peak memory: 0.50 of haystack's" in told
    assert "- disk: 1.25 of chroma's" in told


def test_each_comparison_has_its_table_with_relnotes_in_it() -> None:
    told = page(OURS, SLOW, replace(SLOW, comparison="own", seconds=20.0))
    same, own = told.split("### Own passages")
    assert same.count("| relnotes |") == own.count("| relnotes |") == 1
    assert "| haystack | 100 | 20.0 |" in own


def test_of_several_rounds_the_medians_are_told() -> None:
    rounds = [
        replace(OURS, seconds=seconds, peak_mib=peak) for seconds, peak in ((9.0, 450.0), (30.0, 410.0), (8.0, 1.0))
    ]
    told = page(*rounds, SLOW, rounds=3)
    assert "medians of 3 rounds" in told
    assert "| relnotes | 100 | 9.0 |" in told
    assert "| 410 |" in told
