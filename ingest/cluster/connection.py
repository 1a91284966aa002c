"""The way to a Ray cluster; Ray is imported here at the earliest, told to be quiet and to call nobody."""

import logging
import os
import signal
import socket
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, redirect_stdout
from importlib.util import find_spec

from corpus.errors import ClusterError, UsageError

_REACH_SECONDS = 5.0
_OWN_CLUSTER, _ANY_CLUSTER = "local", "auto"
_CLIENT_SCHEME = "ray://"
_QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_ENABLE_UV_RUN_RUNTIME_ENV": "0",
}


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

    quiet = {"log_to_driver": False, "logging_level": logging.CRITICAL}
    try:
        if address == _OWN_CLUSTER:
            drafts = tempfile.TemporaryDirectory(prefix="relnotes-ray-", ignore_cleanup_errors=True)
            ray.init(address=address, include_dashboard=False, _temp_dir=stack.enter_context(drafts), **quiet)
        else:
            ray.init(address=address, **quiet)
    except Exception as error:  # of many types; each means that there is no cluster for us
        reason = " ".join(str(error).split())
        raise ClusterError(
            f"Cannot join the Ray cluster {address!r}: {reason} This machine must belong to it (`ray start "
            "--address=HOST:PORT`) and have the same versions of Ray and Python."
        ) from error
