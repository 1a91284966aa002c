"""An ingest on a Ray cluster: the index that one process makes, whoever dies on the way."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from cluster_embedder import embedded_marks
from fault_place import each_row, stored_rows
from ingest_documents import SEEDS, SHARED
from small_corpus import HashedEmbedder
from ui_small_index import ingest

from corpus.errors import ClusterError, UsageError
from corpus.index.repair import verify_index
from evals.lab.processes import RELNOTES
from ingest.cluster.encoder import connected_cluster

TESTS = Path(__file__).parent
CLUSTER_INGEST = (sys.executable, str(TESTS / "cluster_embedder.py"))
DOCUMENTS = 40
STARTS_S = 180
"""Ray's own 30 are too few where other tests have all processors."""
KINDS_OF_DOCUMENT = tuple(SHARED / "corpora" / name for name in ("attrs", "curl", "git", "sqlite-utils", "cpython"))
"""Markdown, plain text, AsciiDoc, reStructuredText, HTML."""
BROKEN = ("broken.pdf", b"%PDF-1.4\nnothing that a PDF has\n")


def count_spooled(index: Path) -> int:
    """How many documents came back that aren't committed yet."""
    return sum(path.name != "draft" for path in (index / "spool").glob("*"))


class Place:
    """Notes, the index that one process makes of them, and one to be made on a cluster."""

    def __init__(self, root: Path) -> None:
        self.notes, self.alone, self.index, self.log = (root / name for name in ("notes", "alone", "index", "log"))
        self.notes.mkdir()
        for number in range(DOCUMENTS):
            self.write(number, f"It turns by mark{number} degrees.")

    def write(self, number: int, line: str) -> None:
        text = f"# Gizmo {number}.0 (2024-01-{number % 28 + 1:02})\n\n## Fixed\n\n- The lid of {number}.\n- {line}\n"
        (self.notes / f"{number:02}.md").write_text(text)

    def ingest_alone(self) -> None:
        ingest(self.notes, index=self.alone, embedder=HashedEmbedder())

    def start(self, address: str, *, can_embed: bool = True) -> "subprocess.Popen[str]":
        """Begin an ingest on a cluster, with a log of its own."""
        self.log = self.log.with_name(f"{self.log.name}+")
        if can_embed:
            self.log.mkdir()
        command = [*CLUSTER_INGEST, self.index, address, self.log, self.notes]
        return subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, text=True)

    def ingest(self, address: str, *, can_embed: bool = True) -> Any:
        """Ingest on a cluster; what it printed."""
        process = self.start(address, can_embed=can_embed)
        told, _ = process.communicate(timeout=300)
        assert (process.returncode, told[:1]) == (0, "{"), told
        return json.loads(told)

    def check(self) -> None:
        """Both indexes hold the same."""
        assert verify_index(self.index) == ()
        assert stored_rows(self.index) == stored_rows(self.alone)
        assert not (self.index / "spool").exists()


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


@pytest.fixture(scope="module")
def nodes() -> Iterator[Any]:
    """A cluster on this machine, as Ray's own tests make one: a head that computes nothing."""
    pytest.importorskip("ray", reason="needs Ray, which `make test-all` installs")
    with pytest.MonkeyPatch.context() as environment:
        # Workers can import what lies beside this file.
        environment.setenv("PYTHONPATH", os.pathsep.join((str(TESTS), str(TESTS.parent))))
        environment.setenv("RAY_USAGE_STATS_ENABLED", "0")
        environment.setenv("RAY_gcs_server_port_wait_time_s", str(STARTS_S))
        # A dead machine is asked five times before it is given up: not three seconds apart, as Ray does.
        environment.setenv("RAY_health_check_period_ms", "300")
        from ray.cluster_utils import Cluster

        head = {"num_cpus": 0, "include_dashboard": False, "wait": False}
        cluster = Cluster(initialize_head=True, head_node_args=head)
        try:
            yield cluster
        finally:
            cluster.shutdown()


@pytest.fixture
def cluster(nodes: Any) -> Any:
    """The same with two machines that compute, whatever the test before has killed."""
    while len(nodes.worker_nodes) < 2:
        nodes.add_node(num_cpus=1, wait=False)
    nodes.wait_for_nodes(timeout=STARTS_S)
    return nodes


@contextmanager
def killing_nodes(cluster: Any, index: Path, count: int, *, after: int) -> Iterator[list[int]]:
    """Kill `count` machines once `after` documents came back to the index; the list tells how many had."""
    killed: list[int] = []
    is_over = threading.Event()

    def watch() -> None:
        while not is_over.wait(0.05):
            if (back := count_spooled(index)) >= after:
                for node in list(cluster.worker_nodes)[:count]:
                    cluster.remove_node(node, allow_graceful=False)
                killed.append(back)
                return

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield killed
    finally:
        is_over.set()
        watcher.join()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_neither_a_killed_machine_nor_documents_that_fail_or_end_their_workers_lose_another(
    place: Place, cluster: Any
) -> None:
    (place.notes / BROKEN[0]).write_bytes(BROKEN[1])
    place.write(3, "It is poison.")
    with killing_nodes(cluster, place.index, 1, after=8) as killed:
        told = place.ingest(cluster.address)
    assert killed
    assert killed[0] < DOCUMENTS
    assert (told["added"], set(told["failed"])) == (DOCUMENTS - 1, {BROKEN[0], "03.md"})
    assert told["failed"]["03.md"] == "can't be encoded: each worker that tried ended; please report it"
    (place.notes / "03.md").unlink()
    place.ingest_alone()
    place.check()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_an_ingest_goes_on_where_it_was_killed_and_where_no_machine_was_left(place: Place, cluster: Any) -> None:
    place.ingest_alone()
    process = place.start(cluster.address)
    while count_spooled(place.index) < 8:
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    of_killed = count_spooled(place.index)
    assert 8 <= of_killed < DOCUMENTS
    with killing_nodes(cluster, place.index, 2, after=of_killed + 1):
        assert "no machine left" in place.ingest(cluster.address)["error"]
    back = count_spooled(place.index)
    assert of_killed < back < DOCUMENTS
    cluster.add_node(num_cpus=1)
    assert place.ingest(cluster.address)["added"] == DOCUMENTS
    assert len(embedded_marks(place.log)) == DOCUMENTS - back
    place.check()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_worker_that_cannot_embed_ends_the_ingest_with_its_reason(place: Place, cluster: Any) -> None:
    told = place.ingest(cluster.address, can_embed=False)["error"]
    assert re.fullmatch(r"Cannot encode on '[\d.]+': FileNotFoundError: \S+ Install .*'\.\[ray\]'", told)
    assert count_spooled(place.index) == 0


def check_same(one: Path, other: Path) -> None:
    """Two indexes hold the same, whatever the ids; gone through row by row."""
    assert all(row == same for row, same in zip(each_row(one), each_row(other), strict=True))
    assert verify_index(one) == ()


@pytest.mark.skipif(not all(folder.is_dir() for folder in KINDS_OF_DOCUMENT), reason="needs the documents of ../shared")
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_workers_read_what_one_process_reads_to_the_same_rows(tmp_path: Path, cluster: Any) -> None:
    documents = ingest(*KINDS_OF_DOCUMENT, index=tmp_path / "alone", embedder=HashedEmbedder()).added
    command = [*CLUSTER_INGEST, str(tmp_path / "cluster"), cluster.address, "", *map(str, KINDS_OF_DOCUMENT)]
    told = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    assert told == {"added": documents, "failed": {}}
    check_same(tmp_path / "cluster", tmp_path / "alone")


@pytest.mark.skipif(not SEEDS.is_dir(), reason="needs the documents of ../shared")
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_the_command_embeds_on_a_cluster_as_in_one_process(tmp_path: Path, cluster: Any) -> None:
    # Where they are started is nothing that they import from.
    (tmp_path / "numpy.py").write_text("raise ImportError")
    here = {**os.environ, "PYTHONSAFEPATH": "1", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    for way, options in (("alone", []), ("cluster", ["--ray", cluster.address])):
        command = [*RELNOTES, "ingest", str(SEEDS), "--json", "--index", str(tmp_path / way), *options]
        ran = subprocess.run(command, check=True, capture_output=True, text=True, cwd=tmp_path, env=here)
        assert json.loads(ran.stdout)["documents"]["added"] > 0
    # The vectors that one way computed, the other finds in the cache.
    check_same(tmp_path / "cluster", tmp_path / "alone")


@pytest.mark.parametrize(
    ("address", "has_ray", "error", "said"),
    [
        *(
            (address, True, UsageError, "must be HOST:PORT of its head, `auto`")
            for address in ("head", "head:", ":6379", "head:99999", "ray://head:10001", "")
        ),
        ("127.0.0.1:1", True, ClusterError, "Cannot reach .*127.0.0.1:1'"),
        ("local", False, ClusterError, r"pip install '\.\[ray\]'"),
    ],
)
def test_what_is_no_cluster_is_told_at_once(
    address: str, has_ray: bool, error: type[Exception], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ingest.cluster.encoder.find_spec", lambda _: has_ray or None)
    with pytest.raises(error, match=said), connected_cluster(address):
        pass
