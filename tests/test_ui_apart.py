"""Ingests in a process of their own: what they do, and that each is called off wherever it stands."""

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from small_corpus import STAMP, HashedEmbedder
from ui_small_index import WIDGET, Silence
from waiting import until

from corpus.errors import RelnotesError, UsageError
from corpus.index.reader import IndexReader
from corpus.index.repair import verify_index
from ingest.releases.identity import Hints
from ingest.report import IngestProgress
from ingest.sources.connectors import Connectors, ConnectorSettings
from ui.library.apart import apart
from ui.library.changes import Library
from ui.library.ingest_desk import IngestDesk, IngestJob, IngestOutcome, IngestTools


def connectors() -> Connectors:
    return Connectors(ConnectorSettings())


def library(index: Path) -> Library:
    return Library(IngestTools(index, HashedEmbedder, connectors), open_runner=apart)


def outcome_of(job: IngestJob) -> IngestOutcome:
    until(lambda: job.state.outcome)
    assert job.state.outcome is not None
    return job.state.outcome


# --- what is done


def add(one: int, other: int, progress: IngestProgress) -> int:
    progress.phase("Adding", 2)
    progress.advance(2)
    return one + other


def own_number(progress: IngestProgress) -> int:
    return os.getpid()


def refuse(progress: IngestProgress) -> None:
    raise UsageError("Say something else.")


def break_down(progress: IngestProgress) -> None:
    raise ZeroDivisionError("a defect")


def fall(progress: IngestProgress) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_work_apart_tells_how_far_it_is_and_what_came_of_it() -> None:
    job = IngestJob("sums")
    with apart() as run:
        assert run(partial(add, 1, 2), job) == 3
        assert (job.state.phase, job.state.done, job.state.total) == ("Adding", 2, 2)
        assert run(partial(add, 3, 4), job) == 7
        with pytest.raises(UsageError, match="Say something else"):
            run(refuse, job)
        with pytest.raises(RuntimeError, match="ZeroDivisionError: a defect"):
            run(break_down, job)
        process = run(own_number, job)
    assert not _is_there(process)


def test_work_whose_process_is_killed_is_one_clear_error() -> None:
    with (
        apart() as run,
        pytest.raises(RelnotesError, match=r"stopped before it was done \(status -9\).*The library is as it was"),
    ):
        run(fall, Silence())


def test_an_upload_is_ingested_apart(tmp_path: Path) -> None:
    added = library(tmp_path / "index")
    outcome = outcome_of(added.add_files([added.uploads.take_in("CHANGELOG.md", WIDGET.encode())], Hints()))
    assert outcome.kept == ("widget/CHANGELOG.md",)
    assert outcome.report is not None
    assert outcome.report.added == 1
    assert verify_index(tmp_path / "index") == ()


# --- called off


def count_for_ever(progress: IngestProgress) -> IngestOutcome:
    progress.phase("Busy", 1)
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass


def match_for_ever(progress: IngestProgress) -> IngestOutcome:
    progress.phase("Busy", 1)
    re.fullmatch("(?:a+)+b", "a" * 60)
    return IngestOutcome()


def wait_for_ever(progress: IngestProgress) -> IngestOutcome:
    progress.phase("Busy", 1)
    threading.Event().wait()
    return IngestOutcome()


@pytest.mark.parametrize("work", [count_for_ever, match_for_ever, wait_for_ever])
def test_whatever_an_ingest_is_at_it_is_called_off_and_the_next_begins(
    work: Callable[[IngestProgress], IngestOutcome],
) -> None:
    processes = []

    def done_apart(progress: IngestProgress) -> IngestOutcome:
        with apart() as run:
            processes.append(run(own_number, progress))
            return run(work, progress)

    desk = IngestDesk()
    job = desk.start("something hostile", done_apart)
    until(lambda: job.state.phase == "Busy")
    job.cancel()
    assert outcome_of(job).is_cancelled
    assert not _is_there(processes[0])
    assert not outcome_of(desk.start("the next", lambda _: IngestOutcome())).error


class _CalledOffAt(IngestJob):
    """Calls itself off when a phase begins."""

    def __init__(self, name: str) -> None:
        super().__init__("x")
        self._name = name

    def phase(self, name: str, total: int) -> None:
        if name == self._name:
            self.cancel()
        super().phase(name, total)


@pytest.mark.parametrize("phase", ["Reading", "Committing"])
def test_an_ingest_that_is_called_off_in_a_phase_changes_nothing(
    phase: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    added = library(tmp_path / "index")
    assert not outcome_of(added.add_files([added.uploads.take_in("a.md", WIDGET.encode())], Hints())).error
    monkeypatch.setattr("ui.library.ingest_desk.IngestJob", lambda subject: _CalledOffAt(phase))
    later = WIDGET.replace("2.0.0", "3.0.0").encode()
    assert outcome_of(added.add_files([added.uploads.take_in("a.md", later)], Hints())).is_cancelled
    assert verify_index(tmp_path / "index") == ()
    with IndexReader.open(tmp_path / "index", model=STAMP) as reader:
        assert "3.0.0" not in reader.document_text(reader.documents[0].id)
    assert (added.uploads.folder / "widget/a.md").read_bytes() == WIDGET.encode()


_PARENT = """
from test_ui_apart import apart, own_number, Silence, count_for_ever
if __name__ == "__main__":
    with apart() as run:
        print(run(own_number, Silence()), flush=True)
        run(count_for_ever, Silence())
"""


def test_an_ingest_does_not_outlive_its_server(tmp_path: Path) -> None:
    program = tmp_path / "parent.py"
    program.write_text(_PARENT)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    with subprocess.Popen([sys.executable, program], stdout=subprocess.PIPE, env=environment, text=True) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        parent.kill()
    until(lambda: not _is_there(child))


def _is_there(process: int) -> bool:
    try:
        # Nobody here waits for it, so that it stays as a zombie where the machine's first process doesn't either.
        return "State:\tZ" not in Path(f"/proc/{process}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
