"""`relnotes ingest` and `sync` under stress: killed, interrupted, two at once, without room, without rights."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from fault_place import changelog, stored_rows
from forked_relnotes import TESTS, Ended, ForkedRelnotes
from notes_server import Answer, serving
from small_corpus import STAMP, HashedEmbedder
from waiting import until

from corpus.index.reader import IndexReader
from corpus.index.repair import verify_index
from retrieval.answers.evidence import load_calibration
from retrieval.assistant import Assistant

pytestmark = pytest.mark.slow
LATEST = "What is the latest version of Kettle?"


class Place:
    """Notes, an index of them, and notes that have changed since."""

    def __init__(self, root: Path, relnotes: ForkedRelnotes) -> None:
        self.root, self.relnotes = root, relnotes
        self.notes, self.index = root / "notes", root / "index"
        self.notes.mkdir()
        self.write("gone.md", changelog("Gone", 3))
        self.write("kettle.md", changelog("Kettle", 12))
        self.write("still.md", changelog("Still", 12))
        (root / "relnotes.toml").write_text('[[source]]\nsource = "notes"\n')
        assert self.ingest().status == 0
        shutil.copytree(self.index, root / "before")
        self.old = stored_rows(self.index)
        (self.notes / "gone.md").unlink()
        self.write("kettle.md", changelog("Kettle", 40))
        self.write("new.md", changelog("New", 30))
        assert self.ingest().status == 0
        self.new = stored_rows(self.index)
        self.restore()

    def write(self, name: str, text: str) -> None:
        (self.notes / name).write_text(text)

    def restore(self) -> None:
        """The index as it was before anything changed."""
        shutil.rmtree(self.index)
        shutil.copytree(self.root / "before", self.index)

    @property
    def commands(self) -> tuple[tuple[str | Path, ...], ...]:
        return (
            ("ingest", self.notes, "--index", self.index),
            ("sync", "--config", self.root / "relnotes.toml", "--index", self.index),
        )

    def ingest(self, *, room: int | None = None) -> Ended:
        return self.relnotes.run(*self.commands[0], room=room)


def asked(index: Path) -> str:
    """What a question gets out of the index; the whole of it is checked too."""
    assert verify_index(index) == ()
    with IndexReader.open(index, model=STAMP) as reader:
        answer = Assistant(reader, HashedEmbedder(), load_calibration()).ask(LATEST)
        for citation in answer.citations:
            assert citation.quote == reader.document_text(citation.document_id)[citation.start : citation.end]
    return answer.answer


def litter(index: Path) -> set[str]:
    """What lies in the index and belongs to no state of it."""
    with IndexReader.open(index) as reader:
        named = {
            reader.manifest.vectors_file,
            reader.manifest.lexical_folder,
            reader.manifest.columns_folder,
            "relnotes.sqlite",
            "write.lock",
        }
    return {path.name for path in index.iterdir()} - named


@pytest.fixture(scope="module")
def relnotes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ForkedRelnotes]:
    with ForkedRelnotes(tmp_path_factory.mktemp("relnotes")) as relnotes:
        yield relnotes


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, relnotes: ForkedRelnotes) -> Place:
    return Place(tmp_path_factory.mktemp("place"), relnotes)


@pytest.fixture
def place(made: Place) -> Place:
    made.restore()
    return made


def one_line(ended: Ended, *, status: int = 1) -> str:
    """The one line on stderr of a process that failed."""
    assert (ended.status, ended.out) == (status, "")
    (line,) = ended.err.splitlines()
    return line


def check_end(ended: Ended, number: signal.Signals) -> None:
    if number is signal.SIGINT:
        assert one_line(ended, status=130) == "relnotes: Ended by Ctrl-C."
    else:
        assert (ended.status, ended.out, ended.err) == (1, "", "")


# --- killed


def test_a_kill_at_any_of_10_moments_leaves_the_old_index_or_the_new_one(place: Place) -> None:
    lengths = measure_phases(place)
    # Writing is where something can be half done.
    phases = ("Reading", "Embedding", "Labelling", "Writing", "Writing")
    for point in range(10):
        place.restore()
        phase, share = phases[point % len(phases)], (point + 0.5) / 10
        place.relnotes.start(*place.commands[point % 2])
        place.relnotes.reach(phase)
        place.relnotes.let_on()
        time.sleep(share * lengths[phase])
        place.relnotes.signal(signal.SIGKILL)
        ended = place.relnotes.end()
        where = f"{share:.3f} of {phase}, status {ended.status}"
        assert ended.status in (-signal.SIGKILL, 0), where
        after = stored_rows(place.index)
        assert after in (place.old, place.new), where
        assert ("1.40.0" if after == place.new else "1.12.0") in asked(place.index), where
        assert place.ingest().status == 0, where
        assert stored_rows(place.index) == place.new, where
        assert "1.40.0" in asked(place.index), where


def measure_phases(place: Place) -> dict[str, float]:
    """Seconds that each phase of an undisturbed run takes; the last one's are those to the end."""
    place.relnotes.start(*place.commands[0])
    moments = []
    while phase := place.relnotes.next_phase():
        moments.append((phase, time.monotonic()))
    moments.append(("", time.monotonic()))
    assert place.relnotes.reap().status == 0
    return {phase: after - at for (phase, at), (_, after) in pairwise(moments)}


# --- interrupted


@pytest.mark.parametrize(
    ("number", "phase"), [(signal.SIGTERM, "Reading"), (signal.SIGINT, "Embedding"), (signal.SIGTERM, "Writing")]
)
def test_a_run_that_is_told_to_end_changes_nothing(place: Place, number: signal.Signals, phase: str) -> None:
    place.relnotes.start(*place.commands[number is signal.SIGTERM])
    place.relnotes.reach(phase)
    place.relnotes.signal(number)
    check_end(place.relnotes.end(), number)
    assert stored_rows(place.index) == place.old
    assert litter(place.index) == set()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=lambda number: number.name)
def test_a_signal_is_not_kept_waiting_by_a_source_that_drips(
    place: Place, monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    # Takes hours: what waits for it runs into the limit of the test, or of the fetch, which says otherwise.
    slow = Answer(b"# Lid 1.0\n\n- The lid turns.\n" * 40, headers={"Content-Type": "text/markdown"}, pause=5)
    with serving({"/slow.md": slow}) as server:
        monkeypatch.setenv("RELNOTES_ALLOW_PRIVATE_HOSTS", server.host)
        with ForkedRelnotes(place.root) as relnotes:
            relnotes.start(*place.commands[0], server.url("/slow.md"))
            relnotes.reach("Fetching")
            relnotes.let_on()
            until(lambda: "/slow.md" in server.paths())
            relnotes.signal(number)
            check_end(relnotes.end(), number)
    assert stored_rows(place.index) == place.old
    # Nothing holds the lock any more.
    assert place.ingest().status == 0


# --- two at once


def test_of_two_runs_at_once_the_second_is_told_and_the_first_goes_on(place: Place) -> None:
    place.relnotes.start(*place.commands[1])
    place.relnotes.reach("Embedding")
    (place.root / "other").mkdir()
    with ForkedRelnotes(place.root / "other") as other:
        said = one_line(other.run(*place.commands[0]))
        assert "Another relnotes process is writing" in said
        assert said.endswith("Wait until it is done and try again.")
        assert "1.12.0" in asked(place.index)
        assert place.relnotes.end().status == 0
        assert "1.40.0" in asked(place.index)
        again = other.run(*place.commands[0], "--json")
    assert (again.status, json.loads(again.out)["documents"]["unchanged"]) == (0, 3)


# --- a disk without room


def check_refused(place: Place, ended: Ended) -> None:
    """The run was refused in one line with why and what next, and the old state is whole."""
    said = one_line(ended)
    assert re.fullmatch(
        r"relnotes: Cannot use index '[^']+': [^:]{3,80}(?:\([^()]+\))?\. Check its folder's permissions and the free "
        r"space on its disk, or choose another place with `--index`\.",
        said,
    ), said
    assert stored_rows(place.index) == place.old
    assert "1.12.0" in asked(place.index)
    assert litter(place.index) == set()


def test_files_that_may_not_grow_are_one_clear_error_until_they_may(place: Place) -> None:
    """A limit on the size of files, from too little for a page of the log to just too little for the vectors."""
    refused = 0
    for kilobytes in (4, 32, 100, 150, 200, 300):
        ended = place.ingest(room=1024 * kilobytes)
        if ended.status == 0:
            break
        check_refused(place, ended)
        refused += 1
    assert refused >= 3
    assert place.ingest().status == 0
    assert "1.40.0" in asked(place.index)


_IN_A_ROOM_OF_ITS_OWN = """
import json, os, shutil, subprocess, sys
from pathlib import Path
from test_ui_ingest_faults import ForkedRelnotes, Place, check_refused, asked, litter

folder = Path(sys.argv[1])
mount = lambda *words: subprocess.run(["mount", *words], check=True)

def on_small_disk(relnotes):
    disk = folder / "disk"
    disk.mkdir()
    mount("-t", "tmpfs", "-o", "size=8m", "none", disk)
    return Place(disk, relnotes)

def ingest_with_room(place, kilobytes):
    disk = os.statvfs(place.root)
    filling = place.root / "filling"
    filling.write_bytes(bytes(disk.f_bavail * disk.f_frsize - 1024 * kilobytes))
    ended = place.ingest()
    filling.unlink()
    return ended
"""


def run_in_a_room_of_its_own(program: str, folder: Path) -> None:
    """Run a program that may mount what it likes: nobody else sees it, and it is gone when the program ends."""
    unshare = ("unshare", "--mount", "--map-root-user")
    try:
        possible = subprocess.run([*unshare, "mount", "-t", "tmpfs", "none", folder], capture_output=True, check=False)
    except FileNotFoundError:
        pytest.skip("needs unshare")
    if possible.returncode:
        pytest.skip(f"needs a mount of its own: {possible.stderr.decode().strip()}")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(TESTS), str(TESTS.parent)))}
    command = [*unshare, sys.executable, "-c", _IN_A_ROOM_OF_ITS_OWN + program, folder]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr


def test_a_full_disk_is_one_clear_error_until_there_is_room(tmp_path: Path) -> None:
    program = """
with ForkedRelnotes(folder) as relnotes:
    place = on_small_disk(relnotes)
    refused = 0
    for room in (0, 16, 64, 160, 320, 480, 640, 800):
        ended = ingest_with_room(place, room)
        if ended.status == 0:
            break
        check_refused(place, ended)
        place.restore()
        refused += 1
    assert refused >= 4, (refused, room)
    assert place.ingest().status == 0
    assert "1.40.0" in asked(place.index)
    assert litter(place.index) == set()
"""
    run_in_a_room_of_its_own(program, tmp_path)


def test_a_folder_for_reading_only_is_one_clear_error_and_goes_on_answering(tmp_path: Path) -> None:
    program = """
with ForkedRelnotes(folder) as relnotes:
    place = Place(folder, relnotes)
    mount("--bind", place.index, place.index)
    mount("-o", "remount,bind,ro", place.index)
    check_refused(place, place.ingest())
    subprocess.run(["umount", place.index], check=True)
    assert place.ingest().status == 0
"""
    run_in_a_room_of_its_own(program, tmp_path)
