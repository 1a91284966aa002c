"""An ingest that embeds on a Ray cluster: the index that one process makes, whoever dies on the way."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from cluster_embedder import embedded_marks
from fault_place import stored_rows
from ingest_documents import SEEDS
from small_corpus import HashedEmbedder
from ui_small_index import ingest
from waiting import until

from corpus.errors import ClusterError, UsageError
from corpus.index.repair import verify_index
from evals.lab.processes import RELNOTES
from ingest.cluster import connected_cluster

TESTS = Path(__file__).parent
DOCUMENTS = 40
STARTS_S = 180
"""Ray's own 30 are too few where other tests have all processors."""


class Place:
    """Notes, the index that one process makes of them, and one to be made on a cluster."""

    def __init__(self, root: Path) -> None:
        self.notes, self.alone, self.index, self.log = (root / name for name in ("notes", "alone", "index", "log"))
        for folder in (self.notes, self.log):
            folder.mkdir()
        for number in range(DOCUMENTS):
            self.write(number, f"It turns by mark{number} degrees.")
        ingest(self.notes, index=self.alone, embedder=HashedEmbedder())

    def write(self, number: int, line: str) -> None:
        text = f"# Gizmo {number}.0 (2024-01-{number % 28 + 1:02})\n\n## Fixed\n\n- The lid of {number}.\n- {line}\n"
        (self.notes / f"{number:02}.md").write_text(text)

    def start(self, address: str) -> "subprocess.Popen[str]":
        """Begin an ingest on a cluster."""
        command = [sys.executable, TESTS / "cluster_embedder.py", self.index, address, self.log, self.notes]
        return subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, text=True)

    def ingest(self, address: str, *, meanwhile: Callable[[], object] | None = None) -> Any:
        """Ingest on a cluster, with something done once some texts more are embedded; what it printed."""
        before, process = len(list(self.log.glob("*"))), self.start(address)
        if meanwhile:
            until(lambda: len(list(self.log.iterdir())) > before + 1)
            meanwhile()
        told, _ = process.communicate(timeout=300)
        assert process.returncode == 0, told
        return json.loads(told)

    def check(self) -> None:
        """Both indexes hold the same."""
        assert verify_index(self.index) == ()
        assert stored_rows(self.index) == stored_rows(self.alone)


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


def kill_nodes(cluster: Any, count: int) -> None:
    for node in list(cluster.worker_nodes)[:count]:
        cluster.remove_node(node, allow_graceful=False)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_killed_machine_loses_nothing_and_after_a_killed_ingest_another_is_whole(place: Place, cluster: Any) -> None:
    process = place.start(cluster.address)
    until(lambda: len(embedded_marks(place.log)) > 16)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert not list(place.index.glob("columns-*"))
    assert place.ingest(cluster.address, meanwhile=lambda: kill_nodes(cluster, 1)) == DOCUMENTS
    place.check()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_cluster_that_cannot_embed_ends_the_ingest_with_its_reason(place: Place, cluster: Any) -> None:
    assert "no machine left" in place.ingest(cluster.address, meanwhile=lambda: kill_nodes(cluster, 2))
    cluster.add_node(num_cpus=1)
    place.write(3, "It is poison.")
    assert "ended again and again" in place.ingest(cluster.address)
    place.log.rename(place.log.with_name("elsewhere"))
    told = place.ingest(cluster.address)
    assert told.startswith("Cannot embed on ")
    assert told.endswith("Install and set the same relnotes on every machine: pip install '.[ray]'")


@pytest.mark.skipif(not SEEDS.is_dir(), reason="needs the documents of ../shared")
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_the_command_embeds_on_a_cluster(tmp_path: Path, cluster: Any) -> None:
    # Where they are started is nothing that they import from.
    (tmp_path / "numpy.py").write_text("raise ImportError")
    here = {**os.environ, "PYTHONSAFEPATH": "1", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    index = tmp_path / "index"
    command = [*RELNOTES, "ingest", str(SEEDS), "--json", "--index", str(index), "--ray", cluster.address]
    ran = subprocess.run(command, check=True, capture_output=True, text=True, cwd=tmp_path, env=here)
    assert json.loads(ran.stdout)["documents"]["added"] > 0
    assert verify_index(index) == ()


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
    monkeypatch.setattr("ingest.cluster.find_spec", lambda _: has_ray or None)
    with pytest.raises(error, match=said), connected_cluster(address):
        pass
