"""A program of ours that does what it is told in lines, and ends with whoever told it.

Evals import nothing of the entrances, so what needs them runs as such a program.
"""

import os
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Self

_REPOSITORY = Path(__file__).parents[3]


class LineProgram:
    """A process of this interpreter, for a `with` block."""

    def __init__(self, program: str, *, folder: Path) -> None:
        """`program` is Python; it finds ours, and its caches go into `folder`."""
        self._process = subprocess.Popen(  # noqa: S603 - our own interpreter and program
            [sys.executable, "-c", program],
            env={
                **os.environ,
                "PYTHONPATH": str(_REPOSITORY),
                "RELNOTES_CACHE_DIR": str(folder / "cache"),
                "OMP_NUM_THREADS": "1",
            },
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for stream in (self._process.stdin, self._process.stdout):
            if stream:
                stream.close()
        self._process.kill()
        self._process.wait()

    def say(self, line: str) -> None:
        """Give it a line.

        Raises:
            OSError: it has ended.
        """
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def hear(self) -> str:
        """The next line that it says, when it does; empty where it has ended."""
        assert self._process.stdout is not None
        return self._process.stdout.readline()
