"""Headers of tar archives, bounded before they are read.

Python's reader takes a time that grows with the square of an extended header's length (CVE-2024-6232, mended in 3.11.10
only), and keeps all of a long name. Real headers have some hundred bytes, for paths and times.
"""

import tarfile
from typing import Self

_EXTENDED = frozenset(
    {tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE, tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK}
)
_MAX_HEADER_BYTES = 16 * 1024
_MAX_SQUARES = 10**9
"""Of the lengths of all extended headers of an archive, in square bytes."""


class BoundedTarInfo(tarfile.TarInfo):
    """A member whose extended headers are refused where they are longer than any that a program writes."""

    def _proc_member(self, tarfile_: tarfile.TarFile) -> Self:
        if self.type in _EXTENDED:
            squares = getattr(tarfile_, "_squares_seen", 0) + self.size * self.size
            tarfile_._squares_seen = squares  # type: ignore[attr-defined]
            if self.size > _MAX_HEADER_BYTES or squares > _MAX_SQUARES:
                raise tarfile.ReadError("extended headers are too long")
        found: Self = super()._proc_member(tarfile_)  # type: ignore[misc]
        return found
