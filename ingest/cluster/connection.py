"""The way to a Ray cluster, and a look at its machines before any work is sent there.

Ray is imported here at the earliest, told to be quiet and to call nobody.
"""

import logging
import os
import signal
import socket
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, redirect_stdout
from importlib.util import find_spec
from typing import TYPE_CHECKING

from corpus.errors import ClusterError, UsageError

if TYPE_CHECKING:
    from ingest.cluster.tasks import NodeFacts

_REACH_SECONDS = 5.0
_LOOK_SECONDS = 60.0
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
        ClusterError: Ray isn't installed, the cluster can't be reached, or its machines have other versions.
    """
    if find_spec("ray") is None:
        raise ClusterError("`--ray` needs Ray, which isn't installed. Install it: pip install 'relnotes[ray]'.")
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
            _be_quiet()
            _compare_machines(address)
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

    try:
        if address == _OWN_CLUSTER:
            drafts = tempfile.TemporaryDirectory(prefix="relnotes-ray-", ignore_cleanup_errors=True)
            folder = stack.enter_context(drafts)
            ray.init(
                address=address,
                include_dashboard=False,
                log_to_driver=False,
                logging_level=logging.CRITICAL,
                _temp_dir=folder,
            )
        else:
            ray.init(address=address, log_to_driver=False, logging_level=logging.CRITICAL)
    except Exception as error:  # of many types; each means that there is no cluster for us
        reason = " ".join(str(error).split())
        raise ClusterError(
            f"Cannot join the Ray cluster {address!r}: {reason} This machine must belong to it (`ray start "
            "--address=HOST:PORT`) and have the same versions of Ray and Python."
        ) from error


def _be_quiet() -> None:
    import ray.data

    logging.getLogger("ray.data").setLevel(logging.CRITICAL)
    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    context.print_on_execution_start = False
    # What can't be done is asked for again, and then told by document.
    context.max_errored_blocks = -1


def _compare_machines(address: str) -> None:
    """See that each machine has our code, and the same of it.

    Raises:
        ClusterError: one hasn't.
    """
    import ray
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    from ingest.cluster.tasks import tell_node

    look = ray.remote(num_cpus=0, max_retries=0)(tell_node)
    here = tell_node()
    machines = [one for one in ray.nodes() if one["Alive"]]
    asked = [
        look.options(scheduling_strategy=NodeAffinitySchedulingStrategy(one["NodeID"], soft=False)).remote()
        for one in machines
    ]
    for machine, answer in zip(machines, asked, strict=True):
        host = machine["NodeManagerHostname"]
        try:
            there: NodeFacts = ray.get(answer, timeout=_LOOK_SECONDS)
        except ray.exceptions.RayError as error:
            reason = str(error).strip().splitlines()[-1]
            raise ClusterError(
                f"Cannot use the machine {host!r} of the Ray cluster {address!r}: {reason}. Install the same relnotes "
                "there: pip install 'relnotes[ray]'."
            ) from error
        if (there.pipeline_version, there.python) != (here.pipeline_version, here.python):
            raise ClusterError(
                f"Cannot use the machine {host!r} of the Ray cluster {address!r}: it parses as version "
                f"{there.pipeline_version} on Python {there.python}, this one as version {here.pipeline_version} on "
                f"Python {here.python}. Install the same relnotes on both."
            )
