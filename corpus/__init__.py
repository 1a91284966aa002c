"""What release notes are, and how they are kept: versions, and the errors that calls raise."""

from corpus.errors import (
    IndexBusy,
    IndexCorrupt,
    IndexMismatch,
    IndexNotFound,
    IndexUnavailable,
    ModelError,
    NotIndexed,
    RelnotesError,
    UsageError,
)
from corpus.versions import Version

__all__ = [
    "IndexBusy",
    "IndexCorrupt",
    "IndexMismatch",
    "IndexNotFound",
    "IndexUnavailable",
    "ModelError",
    "NotIndexed",
    "RelnotesError",
    "UsageError",
    "Version",
]
