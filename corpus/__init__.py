"""What release notes are, and how they are kept: versions, the errors of every call, and below the index itself."""

from corpus.errors import (
    ClusterError,
    IndexBusy,
    IndexCorrupt,
    IndexMismatch,
    IndexNotFound,
    IndexUnavailable,
    ModelError,
    NotIndexed,
    RelnotesError,
    SourceError,
    StoreUnavailable,
    UsageError,
)
from corpus.versions import Version, VersionConstraint

__all__ = [
    "ClusterError",
    "IndexBusy",
    "IndexCorrupt",
    "IndexMismatch",
    "IndexNotFound",
    "IndexUnavailable",
    "ModelError",
    "NotIndexed",
    "RelnotesError",
    "SourceError",
    "StoreUnavailable",
    "UsageError",
    "Version",
    "VersionConstraint",
]
