"""The error tree: everything relnotes raises on purpose.

    RelnotesError                 shown to the user as one line, exit status 1
    ├── UsageError                the command or request is wrong, exit status 2
    │   └── NotIndexed            it names a product that the index doesn't have, or what can't be a release
    ├── SourceError               one document can't be read; the others go on
    ├── ClusterError              the Ray cluster can't be reached or used
    ├── ModelError                the embedding model is missing, altered or unusable
    └── IndexUnavailable          the index can't be served
        ├── IndexNotFound         there is none yet
        ├── IndexMismatch         built with another model or format version
        ├── IndexCorrupt          a checksum or an offset doesn't hold
        ├── IndexBusy             another process is writing
        └── StoreUnavailable      the server that searches it doesn't answer, or hasn't what it should have

A message says what happened, why, and what to do next. Anything outside this tree is a defect.
"""


class RelnotesError(Exception):
    """Base of all errors that relnotes raises on purpose; `str(error)` is one line for people."""


class UsageError(RelnotesError):
    """The request itself is wrong: an unknown product, a malformed version, a missing path."""


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
    """The index on disk fails its checksums or its offsets."""


class IndexBusy(IndexUnavailable):
    """Another process holds the index's write lock."""


class StoreUnavailable(IndexUnavailable):
    """The store that searches the index doesn't answer, or doesn't hold what the index wrote there."""
