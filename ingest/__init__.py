"""Documents to an index: `build_index(["folder"], index="index")`.

What it offers is imported when it is asked for: every module of this package imports this file first.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ingest.pipeline import IngestProgress, IngestReport, build_index

__all__ = ["IngestProgress", "IngestReport", "build_index"]

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name in __all__:
            from ingest import pipeline

            return getattr(pipeline, name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
