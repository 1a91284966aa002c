"""The Python that runs other libraries: this one where they are installed, or another with its own packages."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from corpus.errors import UsageError
from evals.machine import usable_cores

_REPOSITORY = Path(__file__).parents[3]
_DISTRIBUTIONS = (
    "llama-index-core", "haystack-ai", "txtai", "chromadb", "sentence-transformers", "torch", "faiss-cpu",
)  # fmt: skip
_ASK_VERSIONS = (
    "import json, sys; from importlib.metadata import version; print(json.dumps([version(n) for n in sys.argv[1:]]))"
)
_QUIET = {
    "ANONYMIZED_TELEMETRY": "False", "HAYSTACK_TELEMETRY_ENABLED": "False", "HF_HUB_OFFLINE": "1",
    "TOKENIZERS_PARALLELISM": "false",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class PeerPython:
    """An interpreter that has the peers; `libraries` are their names with versions."""

    path: str
    libraries: tuple[str, ...]

    def environment(self) -> dict[str, str]:
        """Variables for its processes: our packages importable, as many threads as cores, no reports, no downloads."""
        return {
            **os.environ, **_QUIET, "OMP_NUM_THREADS": str(usable_cores()), "PYTHONPATH": str(_REPOSITORY)
        }  # fmt: skip


def find_peer_python(path: str | None) -> PeerPython:
    """The interpreter at `path`, or this one.

    Raises:
        UsageError: it lacks one of the libraries.
    """
    python = path or sys.executable
    try:
        done = subprocess.run(  # noqa: S603 - an interpreter that the user named
            [python, "-c", _ASK_VERSIONS, *_DISTRIBUTIONS], capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError) as error:
        raise UsageError(
            f"Cannot run the peers with {python!r}: not all of {', '.join(_DISTRIBUTIONS)} are installed there. "
            "Install them with `pip install 'relnotes[peers]'`, best into an environment of their own, and name its "
            "Python with --peer-python."
        ) from error
    versions = json.loads(done.stdout)
    return PeerPython(python, tuple(f"{name} {found}" for name, found in zip(_DISTRIBUTIONS, versions, strict=True)))
