"""What a command tells of its progress where its output is piped."""

import re
import time

import pytest

from ingest.progress import BarProgress, Phase


def _work(seconds: float) -> None:
    with BarProgress(line_s=0.05) as progress:
        progress.phase("Reading", 2000)
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            time.sleep(0.01)
            progress.advance(1)
        progress.phase("Writing", 1)
        time.sleep(0.2)


def test_piped_output_gets_a_line_now_and_then_with_what_is_left(capfd: pytest.CaptureFixture[str]) -> None:
    _work(1.0)
    told = capfd.readouterr()
    assert told.out == ""
    lines = told.err.splitlines()
    assert all(re.fullmatch(r"\w+(: [\d,]+ of [\d,]+)? after \d+ s(, some [\d,]+ s left)?", line) for line in lines)
    reading = [line for line in lines if line.startswith("Reading: ")]
    assert len({line for line in reading if "left" in line}) > 1
    assert lines[-1] == "Writing after 0 s"


@pytest.mark.parametrize(
    ("done", "now", "line"),
    [
        pytest.param([], 12, "Embedding: 0 of 1,000 after 12 s", id="nothing yet"),
        pytest.param([(10, 100)], 20, "Embedding: 100 of 1,000 after 20 s", id="no pace yet"),
        pytest.param([(10, 100), (20, 100)], 20, "Embedding: 200 of 1,000 after 20 s, some 80 s left", id="a pace"),
        pytest.param([(0, 500), (25, 8)], 25, "Embedding: 508 of 1,000 after 25 s, some 1,538 s left",
                     id="much is kept from before"),
        pytest.param([(0, 0), (31, 1), (31, 7)], 40, "Embedding: 8 of 1,000 after 40 s, some 1,275 s left",
                     id="workers took long to begin"),
        pytest.param([(0, 100), (10, 100)], 3600, "Embedding: 200 of 1,000 after 3,600 s, some 28,800 s left",
                     id="it stands still"),
        pytest.param([(0, 1), (90, 999)], 90, "Embedding: 1,000 of 1,000 after 90 s", id="all is done"),
    ],
)  # fmt: skip
def test_what_is_left_follows_from_the_pace_since_the_first_steps(
    done: list[tuple[float, int]], now: float, line: str
) -> None:
    phase = Phase("Embedding", 1000, began=0.0)
    for when, count in done:
        phase.advance(count, now=when)
    assert phase.line(now) == line


def test_what_is_soon_done_says_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    with BarProgress() as progress:
        progress.phase("Reading", 1)
        progress.advance(1)
    assert capfd.readouterr() == ("", "")


def test_nothing_is_told_after_the_end(capfd: pytest.CaptureFixture[str]) -> None:
    _work(0.2)
    capfd.readouterr()
    time.sleep(0.2)
    assert capfd.readouterr().err == ""
