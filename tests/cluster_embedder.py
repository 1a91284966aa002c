"""An embedder for workers of a Ray cluster, and an ingest there as a process of its own.

python cluster_embedder.py INDEX ADDRESS LOG NOTES

A worker that finds no folder LOG can't embed.
"""

import json
import os
import re
import sys
import time
import uuid
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from small_corpus import HashedEmbedder

_MARK = re.compile(r"mark\d+")


class SlowEmbedder(HashedEmbedder):
    """Takes its time, writes down the marks in what it embeds, and takes its process along where it reads "poison"."""

    def __init__(self, log: Path) -> None:
        super().__init__()
        if not log.is_dir():
            raise FileNotFoundError(log)
        self.log = log

    def embed(self, texts: Sequence[str], *, progress: Callable[[int], None] | None = None) -> NDArray[np.float32]:
        if any("poison" in text for text in texts):
            os._exit(1)
        time.sleep(0.5)
        (self.log / uuid.uuid4().hex).write_text("\n".join(texts))
        return super().embed(texts, progress=progress)


def embedded_marks(log: Path) -> list[str]:
    """The marks in all that was embedded, sorted."""
    return sorted(mark for file in log.iterdir() for mark in _MARK.findall(file.read_text()))


def main() -> None:
    from ui_small_index import Silence

    import ingest.encoding
    from corpus.errors import ClusterError
    from ingest import cluster
    from ingest.pipeline import build_index

    index, address, log, notes = sys.argv[1:]
    cluster.PATIENCE_S = 3.0
    cluster._TEXTS_AT_ONCE = 4
    ingest.encoding._EMBED_BATCH = 16
    embedder = cluster.RayEmbedder(HashedEmbedder(), open_there=partial(SlowEmbedder, Path(log)))
    try:
        with cluster.connected_cluster(address):
            told: object = build_index([notes], index=Path(index), embedder=embedder, progress=Silence()).added
    except ClusterError as error:
        told = str(error)
    sys.stdout.write(json.dumps(told))


if __name__ == "__main__":
    # Workers know the class by its module's name, which it hasn't as a program.
    from cluster_embedder import main as main_of_module

    main_of_module()
