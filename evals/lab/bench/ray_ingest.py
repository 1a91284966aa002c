"""Whether an ingest on a Ray cluster gives the index that one process gives, while a machine of the cluster is killed.

Two nodes on this machine, one processor each; the second is killed, not stopped, once a third of the documents came
back. Neither way finds a vector that was computed before. Needs `pip install 'relnotes[ray]'`.

    python -m evals.lab.bench.ray_ingest [FOLDER]
"""

import argparse
import os
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from corpus.cache_folder import cache_folder
from corpus.embedding import open_embedder
from evals.command import run_command
from evals.lab.bench.index_content import lowest_cosine, read_content
from ingest.cluster.connection import connected_cluster
from ingest.cluster.spool import count_spooled
from ingest.encoding import Encoding
from ingest.pipeline import IngestReport, build_index

_CORPORA = Path(__file__).parents[4] / "shared" / "corpora"
_OWN_DOCUMENTS = Path(__file__).parents[3] / "corpus" / "documents"
_WATCH_SECONDS = 0.05


@contextmanager
def two_nodes() -> Iterator[Any]:
    """A cluster of two nodes on this machine, as Ray's own tests make one."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    try:
        cluster.add_node(num_cpus=1)
        cluster.wait_for_nodes()
        yield cluster
    finally:
        cluster.shutdown()


@contextmanager
def killing_a_node(cluster: Any, index: Path, *, after: int) -> Iterator[list[int]]:
    """Kill the second node once `after` documents came back to the index; the list tells how many had."""
    killed: list[int] = []
    is_over = threading.Event()

    def watch() -> None:
        while not is_over.wait(_WATCH_SECONDS):
            if (back := count_spooled(index)) >= after:
                cluster.remove_node(next(iter(cluster.worker_nodes)), allow_graceful=False)
                killed.append(back)
                return

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield killed
    finally:
        is_over.set()
        watcher.join()


def main() -> int:
    """Ingest both ways and compare."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("folder", nargs="?", type=Path, default=_CORPORA if _CORPORA.is_dir() else _OWN_DOCUMENTS)
    folder = parser.parse_args().folder
    with tempfile.TemporaryDirectory() as place:
        alone, spread = Path(place) / "alone", Path(place) / "spread"
        report, told = _ingest(folder, alone)
        total = report.added
        print(told)
        with two_nodes() as cluster, connected_cluster(cluster.address):
            from ingest.cluster.encoder import RayEncoding

            encoding = RayEncoding(partial(open_embedder, cache_dir=cache_folder()))
            with killing_a_node(cluster, spread, after=max(1, total // 3)) as killed:
                _, told = _ingest(folder, spread, encoding=encoding)
        print(told)
        one, other = read_content(alone), read_content(spread)
    lost = sorted(set(one.sources) - set(other.sources))
    print(f"a node was killed when {killed[0]} of {total} documents were back" if killed else "no node was killed")
    print(f"lost: {', '.join(lost) or 'nothing'}")
    print(f"lowest cosine of an item's two vectors: {lowest_cosine(one, other):.7f}")
    return 0 if one.digest == other.digest and killed and not lost else 1


def _ingest(folder: Path, index: Path, *, encoding: Encoding | None = None) -> tuple[IngestReport, str]:
    """The report, and a line about the index that came of it."""
    started = time.perf_counter()
    embedder = open_embedder(cache_dir=cache_folder())
    report = build_index([str(folder)], index=index, embedder=embedder, encoding=encoding)
    content = read_content(index)
    return (
        report,
        f"{'Ray' if encoding else 'one process'}: {len(content.sources)} documents, {content.passages} passages, "
        f"{len(content.vectors)} items, {len(report.failed)} failed, content {content.digest[:16]}, "
        f"{time.perf_counter() - started:.1f} s",
    )


if __name__ == "__main__":
    run_command(main)
