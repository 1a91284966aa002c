"""The tokens file of a running server: read again when it has changed, so that a token is taken back at once."""

import logging
from pathlib import Path

from corpus.errors import UsageError
from ui.http.tokens import Grant, load_grants

_LOG = logging.getLogger("relnotes.tokens")
_Stamp = tuple[int, int, int, int]


class TokensFile:
    """The tokens that a file holds now; one that can't be used any more leaves those that it held before."""

    def __init__(self, path: Path) -> None:
        """Read the file.

        Raises:
            UsageError: it can't be read, doesn't fit, or holds no token.
        """
        self._path = path
        # Taken first: what changes while the file is being read is read the next time.
        self._stamp = _stamp(path)
        self._grants = load_grants(path)
        if not self._grants:
            raise UsageError(
                f"The tokens file {str(path)!r} holds no token. `relnotes token NAME` prints the lines of one."
            )

    def grants(self) -> tuple[Grant, ...]:
        """The tokens of this moment; none once the last one was deleted. A fault is logged once for each change."""
        stamp = _stamp(self._path)
        if stamp != self._stamp:
            self._stamp = stamp
            try:
                self._grants = load_grants(self._path)
            except UsageError as error:
                _LOG.error("%s The tokens that it held before are still taken.", error)
            else:
                _LOG.info("The tokens file has changed; tokens that are taken now: %d.", len(self._grants))
        return self._grants


def _stamp(path: Path) -> _Stamp | None:
    """What tells one state of a file from another without reading it; None where it isn't there."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino
