"""The ordinary clients of registries (npm, pip), run so that they only read: no shell, no scripts of packages."""

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence

from corpus.errors import SourceError

_SECONDS = 180


def run_client(arguments: Sequence[str], *, environment: Mapping[str, str], install: str) -> str:
    """What a client prints on stdout, whether or not it succeeded; its words never come from a stranger unchecked.

    Raises:
        SourceError: it isn't installed (`install` says how), can't be run, or takes too long.
    """
    program = shutil.which(arguments[0], path=environment.get("PATH", os.defpath))
    if program is None:
        raise SourceError(f"needs the program {arguments[0]!r}, which isn't installed; {install}")
    try:
        ran = subprocess.run(  # noqa: S603 no shell, and checked words
            [program, *arguments[1:]],
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise SourceError(f"{arguments[0]} took longer than {_SECONDS} s; try again later") from error
    except OSError as error:
        raise SourceError(f"{arguments[0]} can't be run ({error.strerror}); {install}") from error
    return ran.stdout.decode(errors="replace")
