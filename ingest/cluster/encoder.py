"""Documents encoded on a Ray cluster: this process reads and writes, the cluster's workers parse and embed.

What comes back is kept in the spool as it comes, so that a killed ingest goes on where it was. Ray is imported
at the earliest where it is used, told to be quiet and to call nobody.
"""

import logging
import os
import pickle
import platform
import re
import signal
import socket
import sys
import tempfile
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, redirect_stdout
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from corpus.children import OUR_PYTHON, as_a_child
from corpus.embedding import Embedder
from corpus.errors import ClusterError, RelnotesError, UsageError
from corpus.index.commit import fingerprint
from corpus.index.faults import refused
from ingest.cluster.spool import Spool, pack_document
from ingest.encoding import ChangedSource, EncodedSources, OneProcess
from ingest.pipeline import PIPELINE_VERSION
from ingest.report import IngestProgress, Unwatched
from ingest.sources.files import DocumentKey, FailedSource

_PARCEL_DOCUMENTS, _PARCEL_BYTES = 8, 1 << 20
"""What a worker gets at once: enough to batch by length, little enough to be done again."""
_FEW_DOCUMENTS = 8
_ALL_ENDED = "can't be encoded: each worker that tried ended; please report it"
PATIENCE_S = 300.0
"""Once nothing came back for so long, a cluster that lacks what its tasks wait for is given up."""
_SAME_ON_ALL = "Install and set the same relnotes on every machine: pip install '.[ray]'"
_NONE_LEFT = (
    "The cluster has no machine left that could embed. What came back is kept: add a machine, and run the same command "
    "again."
)
_WORKERS_OF_A_GPU = 4
"""So many parse what one GPU embeds."""
_SENT_AHEAD = 2
"""Parcels a worker: one to work on and one to go on with, so that few of what they become wait to be fetched."""
_REACH_SECONDS = 5.0
_OWN_CLUSTER, _ANY_CLUSTER = "local", "auto"
_CLIENT_SCHEME = "ray://"
_QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_ENABLE_UV_RUN_RUNTIME_ENV": "0",
}

Parcel = list[tuple[str, ChangedSource]]
"""Documents that are sent together, by their names in the spool."""
Outcome = tuple[str, bytes | str]
"""A document's name, and itself as `pack_document` has it, or why it can't be parsed, in one line."""


class RayEncoding:
    """Parses and embeds on the cluster that this process is connected to; see `connected_cluster`."""

    def __init__(self, open_embedder: Callable[[], Embedder]) -> None:
        """Name what opens the model on a worker; it must be importable there."""
        self._open_embedder = open_embedder

    def encode(
        self, changed: Iterable[ChangedSource], *, index: Path, embedder: Embedder, progress: IngestProgress
    ) -> EncodedSources:
        """See `Encoding.encode`; only the digest of `embedder` is asked for here.

        Raises:
            ClusterError: a worker can't be used, or there is none left; what came back is kept.
            IndexUnavailable: the disk doesn't take what comes back.
        """
        try:
            spool = Spool(index, embedder)
            names: dict[DocumentKey, str] = {}
            missing: set[str] = set()
            parcels: list[Any] = []
            parcel: Parcel = []
            for source in changed:
                names[source.key] = name = spool.name(source)
                if spool.holds(source):
                    continue
                missing.add(name)
                parcel.append((name, source))
                # This process holds no more than one parcel.
                if len(parcel) >= _PARCEL_DOCUMENTS or sum(len(one.content) for _, one in parcel) >= _PARCEL_BYTES:
                    parcels.append(_send(parcel))
                    parcel = []
            if parcel:
                parcels.append(_send(parcel))
            progress.phase("Embedding", len(names))
            progress.advance(len(names) - len(missing))
            errors: dict[str, str] = {}
            for attempt in _attempts(parcels, missing):
                for name, outcome in self._run(attempt, digest=embedder.digest):
                    if name not in missing:
                        continue
                    if isinstance(outcome, str):
                        errors[name] = outcome
                    else:
                        spool.keep(name, outcome)
                    missing.discard(name)
                    progress.advance(1)
            errors |= dict.fromkeys(missing, _ALL_ENDED)
            failures = {key: FailedSource(key[1], errors[name]) for key, name in names.items() if name in errors}
            kept = {key: name for key, name in names.items() if key not in failures}
            return EncodedSources(tuple(kept), failures, map(spool.load, kept.values()))
        except OSError as error:
            raise refused(index, error.strerror or str(error)) from error

    def _run(self, parcels: list[Any], *, digest: str) -> Iterator[Outcome]:
        """Send parcels through the cluster; what comes back lacks those whose worker or machine ended.

        Raises:
            ClusterError: a worker is of no use or failed otherwise, or no machine is left that could be one.
        """
        import ray

        resources = ray.cluster_resources()
        workers, gpus = max(1, int(resources.get("CPU", 1))), int(resources.get("GPU", 0))
        if gpus:
            workers = min(workers, _WORKERS_OF_A_GPU * gpus)
        # Ray's own retries would begin a document that ends its worker again and again, unseen; a worker stays for
        # the next parcel, for it holds the model.
        needed = {"CPU": 1.0, "GPU": 1 / _WORKERS_OF_A_GPU if gpus else 0.0}
        encode = ray.remote(num_cpus=needed["CPU"], num_gpus=needed["GPU"], max_retries=0, max_calls=0)(encode_parcel)
        opener, seal = ray.cloudpickle.dumps(self._open_embedder), encoding_seal(digest)
        waiting = deque(parcels)
        working: list[Any] = []
        while waiting or working:
            while waiting and len(working) < _SENT_AHEAD * workers:
                working.append(encode.remote(waiting.popleft(), opener, seal))
            done, working = ray.wait(working, timeout=PATIENCE_S)
            if not done:
                # Ray would wait for another machine for ever.
                has = ray.cluster_resources()
                if any(has.get(name, 0.0) < amount for name, amount in needed.items()):
                    raise ClusterError(_NONE_LEFT)
                continue
            try:
                outcomes = ray.get(done[0])
            except ray.exceptions.RayTaskError as error:
                if isinstance(error.cause, ClusterError):
                    raise ClusterError(str(error.cause)) from error
                # The worker lives, and would fail all others as quickly.
                raise _cannot_encode(_address(error), f"{_last_line(error.cause)}. {_SAME_ON_ALL}") from error
            except ray.exceptions.RayError:
                continue
            yield from outcomes


def _attempts(parcels: list[Any], missing: set[str]) -> Iterator[list[Any]]:
    """What to send together, until nothing is missing: all, what is left one by one, and then each of it alone.

    What shares a parcel or a machine with one that dies is lost with it, so each is tried without company before it is
    blamed. Where many are left and the second attempt brings none of them, nothing ever will.
    """
    if parcels:
        yield parcels
    left = len(missing)
    alone = _split(parcels, keep=missing)
    if alone:
        yield alone
    if len(missing) < left or left <= _FEW_DOCUMENTS:
        yield from ([parcel] for parcel in _split(alone, keep=missing))


def _split(parcels: list[Any], *, keep: set[str]) -> list[Any]:
    """Parcels of one document each, of those whose names are in `keep`."""
    import ray

    sent = (ray.get(parcel) for parcel in parcels) if keep else ()
    return [_send([(name, source)]) for parcel in sent for name, source in parcel if name in keep]


def _send(parcel: Parcel) -> Any:
    """A parcel of documents in the cluster's store."""
    import ray

    return ray.put(parcel)


def encoding_seal(digest: str) -> str:
    """What must be the same on every machine for documents to be encoded alike; `digest` is the model's."""
    return fingerprint(PIPELINE_VERSION, digest)


def encode_parcel(parcel: Parcel, opener: bytes, seal: str) -> list[Outcome]:
    """Parse and embed documents on a worker, by the model that `opener` (a pickled function) opens.

    Raises:
        ClusterError: it can't be opened, or its `encoding_seal` isn't `seal`.
    """
    try:
        embedder = _opened(opener)
    except RelnotesError as error:
        raise _cannot_encode(platform.node(), str(error)) from error
    if encoding_seal(embedder.digest) != seal:
        fault = f"it has another relnotes or another embedding model than this machine. {_SAME_ON_ALL}"
        raise _cannot_encode(platform.node(), fault)
    names = {changed.key: name for name, changed in parcel}
    encoded = OneProcess().encode(
        (changed for _, changed in parcel), index=None, embedder=embedder, progress=Unwatched()
    )
    documents = zip(encoded.keys, encoded.documents, strict=True)
    failures = ((names[key], failure.error) for key, failure in encoded.failures.items())
    return [*((names[key], pack_document(document)) for key, document in documents), *failures]


def _cannot_encode(machine: str, fault: str) -> ClusterError:
    return ClusterError(f"Cannot encode on {machine!r}: {fault}")


def _address(error: Exception) -> str:
    """Of the machine where a task failed: of what Ray knows of it, only the traceback is kept."""
    found = re.search(r"\bip=([\w.:]+)", str(error))
    return found[1] if found else "a machine of the cluster"


def _last_line(error: BaseException) -> str:
    """An error in one line; where it quotes a traceback, what that ends with."""
    *_, last = ["", *str(error).strip().splitlines()]
    return f"{type(error).__name__}: {last}".rstrip(".: ")


@lru_cache(maxsize=1)
def _opened(opener: bytes) -> Embedder:
    """The model of this worker, opened once for all that it is sent."""
    embedder: Embedder = pickle.loads(opener)()  # noqa: S301 - made by our own driver
    return embedder


@contextmanager
def connected_cluster(address: str) -> Iterator[None]:
    """Be connected to a Ray cluster for a `with` block.

    `address` is HOST:PORT, "auto" for the cluster that this machine belongs to, or "local" for one that is started on
    this machine and ended with the block. What is printed meanwhile goes to stderr: Ray tells of lost machines on
    stdout.

    Raises:
        UsageError: it can't be an address.
        ClusterError: Ray isn't installed, or the cluster can't be reached or joined.
    """
    if find_spec("ray") is None:
        raise ClusterError("`--ray` needs Ray, which isn't installed. In a clone: pip install '.[ray]'.")
    _check_address(address)
    for name, value in _QUIET.items():
        os.environ.setdefault(name, value)
    # Ray ends the process its own way when it is told to end; here that is the caller's to decide.
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
    host, colon, port = address.rpartition(":")
    if address.startswith(_CLIENT_SCHEME) or not (host and colon and port.isdecimal() and int(port) < 2**16):
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
    """Join a cluster, or start one, whose files are gone once `stack` is closed."""
    import ray

    own: dict[str, Any] = {}
    quiet = {"log_to_driver": False, "logging_level": logging.CRITICAL}
    try:
        if address == _OWN_CLUSTER:
            drafts = tempfile.TemporaryDirectory(prefix="relnotes-ray-", ignore_cleanup_errors=True)
            own = {"include_dashboard": False, "_temp_dir": stack.enter_context(drafts)}
        # Its workers import from the working directory of whoever joins.
        with as_a_child(keeps=(*OUR_PYTHON, "RAY_*")):
            ray.init(address=address, **own, **quiet)
    except Exception as error:  # of many types; each means that there is no cluster for us
        reason = " ".join(str(error).split())
        raise ClusterError(
            f"Cannot join the Ray cluster {address!r}: {reason} This machine must belong to it (`ray start "
            "--address=HOST:PORT`) and have the same versions of Ray and Python."
        ) from error
