"""An embedder for workers of a Ray cluster, and an ingest there as a process of its own.

python cluster_embedder.py INDEX ADDRESS LOG NOTES...

A worker that finds no folder LOG can't embed; where LOG is "", none takes its time or writes anything down.
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

_SECONDS = 0.5
_PATIENCE_S = 3.0
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
        time.sleep(_SECONDS)
        (self.log / uuid.uuid4().hex).write_text("\n".join(texts))
        return super().embed(texts, progress=progress)


def embedded_marks(log: Path) -> list[str]:
    """The marks in all that was embedded, sorted."""
    return sorted(mark for file in log.iterdir() for mark in _MARK.findall(file.read_text()))


def main() -> None:
    from ui_small_index import Silence

    from corpus.errors import ClusterError
    from ingest.cluster import encoder
    from ingest.pipeline import build_index

    index, address, log, *notes = sys.argv[1:]
    encoder.PATIENCE_S = _PATIENCE_S
    opener = partial(SlowEmbedder, Path(log)) if log else HashedEmbedder
    try:
        with encoder.connected_cluster(address):
            report = build_index(
                notes,
                index=Path(index),
                embedder=HashedEmbedder(),
                encoding=encoder.RayEncoding(opener),
                progress=Silence(),
            )
    except ClusterError as error:
        told: dict[str, object] = {"error": str(error)}
    else:
        told = {"added": report.added, "failed": {one.source: one.error for one in report.failed}}
    sys.stdout.write(json.dumps(told))


if __name__ == "__main__":
    # Workers know the class by its module's name, which it hasn't as a program.
    from cluster_embedder import main as main_of_module

    main_of_module()
