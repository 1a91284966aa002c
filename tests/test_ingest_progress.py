"""What a command tells of its progress where its output is piped."""

import re
import time

import pytest

from ingest.progress import BarProgress


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
    assert all(re.fullmatch(r"\w+: [\d,]+ of [\d,]+(, some \d+ s left)?", line) for line in lines)
    reading = [line for line in lines if line.startswith("Reading: ")]
    assert len({line for line in reading if "left" in line}) > 1
    assert lines[-1] == "Writing: 0 of 1"


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
