"""An embedder that maps batches of texts over a Ray cluster: this process reads, parses and writes, workers embed.

Ray is imported only when used, without its messages and its usage reports.
"""

import logging
import os
import pickle
import platform
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, redirect_stdout
from functools import lru_cache
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpus.children import as_a_child
from corpus.embedding import Embedder
from corpus.errors import ClusterError, RelnotesError, UsageError

_TEXTS_AT_ONCE = 64  # Sent to a worker: enough to batch, few enough to repeat. So few in all are embedded here.
_LISTEN_S = 0.2
Vectors = NDArray[np.float32]
PATIENCE_S = 300.0  # Without a result for so long, the cluster lacks resources for its tasks and is given up.
_WORKERS_OF_A_GPU = 4
_REACH_SECONDS = 5.0
_OWN_CLUSTER, _ANY_CLUSTER = "local", "auto"
_QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_ENABLE_UV_RUN_RUNTIME_ENV": "0",
}
_AGAIN = "Run the same command again."


class RayEmbedder:
    """Embeds on the cluster that this process is connected to; see `connected_cluster`."""

    def __init__(self, embedder: Embedder, *, open_there: Callable[[], Embedder]) -> None:
        """`embedder` is the model on this machine; `open_there`, importable on the workers, opens it on them."""
        self._embedder = embedder
        self._open_there = open_there
        self.model_id, self.digest, self.dimensions = embedder.model_id, embedder.digest, embedder.dimensions

    def embed(self, texts: Sequence[str], *, progress: Callable[[int], None] | None = None) -> Vectors:
        """See `Embedder.embed`.

        Raises:
            ClusterError: a worker can't be used, these texts kill workers again and again, or no worker is left.
        """
        if len(texts) <= _TEXTS_AT_ONCE:
            return self._embedder.embed(texts, progress=progress)
        import ray

        has_gpu = "GPU" in ray.cluster_resources()
        needed = {"CPU": 1.0, "GPU": 1 / _WORKERS_OF_A_GPU if has_gpu else 0.0}
        # A worker is kept for the next texts, because it has loaded the model.
        task = ray.remote(num_cpus=needed["CPU"], num_gpus=needed["GPU"], max_retries=3, max_calls=0)(embed_on_worker)
        opener = ray.cloudpickle.dumps(self._open_there)
        starts = range(0, len(texts), _TEXTS_AT_ONCE)
        waiting = {task.remote(list(texts[at : at + _TEXTS_AT_ONCE]), opener, self.digest): at for at in starts}
        vectors = np.empty((len(texts), self.dimensions), np.float32)
        last_result = time.monotonic()
        while waiting:
            done, _ = ray.wait(list(waiting), timeout=_LISTEN_S)
            done_starts = [waiting.pop(reference) for reference in done]
            last_result = time.monotonic() if done else last_result
            for at, reference in zip(done_starts, done, strict=True):
                vectors[at : at + _TEXTS_AT_ONCE] = _task_result(reference)
            if progress:
                # Also for no texts, so that the caller can stop the work.
                progress(sum(len(texts[at : at + _TEXTS_AT_ONCE]) for at in done_starts))
            resources = ray.cluster_resources() if time.monotonic() - last_result > PATIENCE_S else needed
            if any(resources.get(name, 0.0) < amount for name, amount in needed.items()):
                # Ray would wait forever for another machine.
                raise ClusterError(f"The cluster has no machine left that could embed. {_AGAIN}")
        return vectors


def _task_result(reference: Any) -> Vectors:
    """Wait for a task, and return the vectors that it computed.

    Raises:
        ClusterError: the task failed.
    """
    import ray

    try:
        rows: Vectors = ray.get(reference)
    except ray.exceptions.RayTaskError as error:
        raise ClusterError(str(error.cause).strip().splitlines()[-1]) from error
    except ray.exceptions.RayError as error:
        raise ClusterError(
            f"Workers of the cluster ended again and again ({type(error).__name__}). {_AGAIN}"
        ) from error
    return rows


def embed_on_worker(texts: list[str], opener: bytes, digest: str) -> Vectors:
    """Embed texts on a worker, with the model that `opener` (a pickled function) opens.

    Raises:
        ClusterError: it can't be opened, or has another digest.
    """
    same = "Install and set the same relnotes on every machine: pip install '.[ray]'"
    try:
        embedder = _worker_embedder(opener)
        if embedder.digest != digest:
            raise ClusterError("it has another embedding model than this machine")
        return embedder.embed(texts)
    except (RelnotesError, OSError, ImportError) as error:
        raise ClusterError(f"Cannot embed on {platform.node()!r}: {' '.join(str(error).split())}. {same}") from None


@lru_cache(maxsize=1)
def _worker_embedder(opener: bytes) -> Embedder:
    """Return this worker's model, opened once for all of its tasks."""
    embedder: Embedder = pickle.loads(opener)()  # noqa: S301 - made by our own driver
    return embedder


@contextmanager
def connected_cluster(address: str) -> Iterator[None]:
    """Connect to a Ray cluster for the duration of a `with` block.

    `address` is HOST:PORT, "auto" for the cluster that this machine belongs to, or "local" for one that is started on
    this machine and ended with the block. Output goes to stderr meanwhile: Ray reports lost machines on stdout.

    Raises:
        UsageError: it can't be an address.
        ClusterError: Ray isn't installed, or the cluster can't be reached or joined.
    """
    if find_spec("ray") is None:
        raise ClusterError("`--ray` needs Ray, which isn't installed. In a clone: pip install '.[ray]'.")
    _check_address(address)
    for name, value in _QUIET.items():
        os.environ.setdefault(name, value)
    # Ray replaces the handler of SIGTERM; how the process ends is the caller's decision.
    handler = signal.getsignal(signal.SIGTERM)
    with ExitStack() as stack:
        stack.enter_context(redirect_stdout(sys.stderr))
        import ray

        try:
            _connect(address, stack)
            signal.signal(signal.SIGTERM, handler)
            yield
        finally:
            ray.shutdown()


def _check_address(address: str) -> None:
    if address in (_OWN_CLUSTER, _ANY_CLUSTER):
        return
    host, _, port = address.rpartition(":")
    if "/" in host or not (host and port.isdecimal() and int(port) < 2**16):
        raise UsageError(
            f"Cannot use {address!r} as the address of a Ray cluster: it must be HOST:PORT of its head, `auto` for the "
            "cluster of this machine, or `local` for one on this machine alone."
        )
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=_REACH_SECONDS).close()
    except OSError as error:
        raise ClusterError(
            f"Cannot reach a Ray cluster at {address!r} ({error.strerror or error}). Check the address, and that "
            "`ray start --head` ran there."
        ) from error


def _connect(address: str, stack: ExitStack) -> None:
    """Join a cluster, or start one whose files are removed when `stack` is closed; raise ClusterError if that fails."""
    import ray

    local_settings: dict[str, Any] = {}
    if address == _OWN_CLUSTER:
        drafts = tempfile.TemporaryDirectory(prefix="relnotes-ray-", ignore_cleanup_errors=True)
        local_settings = {"include_dashboard": False, "_temp_dir": stack.enter_context(drafts)}
    try:
        # Workers import from the working directory of the process that joins.
        with as_a_child():
            ray.init(address=address, log_to_driver=False, logging_level=logging.CRITICAL, **local_settings)
    except Exception as error:  # of many types; each means that no cluster can be used
        raise ClusterError(
            f"Cannot join the Ray cluster {address!r}: {' '.join(str(error).split())} This machine must belong to it "
            "(`ray start --address=HOST:PORT`) and have the same versions of Ray and Python."
        ) from error
