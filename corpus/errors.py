"""The tree of errors that relnotes raises on purpose; any other exception is a defect.

A message says what happened, why, and what to do next.
"""


class RelnotesError(Exception):
    """Base of all errors that relnotes raises on purpose; `str(error)` is one line for people, the exit status 1."""


class UsageError(RelnotesError):
    """The request itself is wrong: an unknown product, a malformed version, a missing path; the exit status is 2."""


class NotIndexed(UsageError):
    """The request names a product that the index doesn't have, or a version that no release can have."""


class SourceError(RelnotesError):
    """One source can't be read or parsed; ingest reports it and goes on with the others."""


class ClusterError(RelnotesError):
    """The Ray cluster can't be reached, or its machines can't be used."""


class ModelError(RelnotesError):
    """The embedding model is missing, doesn't match its digest, or can't be loaded."""


class IndexUnavailable(RelnotesError):
    """The index can't be opened or served."""


class IndexNotFound(IndexUnavailable):
    """There is no index at that place."""


class IndexMismatch(IndexUnavailable):
    """The index was built with another model or another format version."""


class IndexCorrupt(IndexUnavailable):
    """The index on disk fails its checksums or its offsets are outside their text."""


class IndexBusy(IndexUnavailable):
    """Another process has the index's write lock."""


class StoreUnavailable(IndexUnavailable):
    """The store that searches the index doesn't answer, or lacks what the index wrote to it."""
