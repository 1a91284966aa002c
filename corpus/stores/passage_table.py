"""The columns with which an index's passages are filtered and scored, in mapped files."""

import json
from dataclasses import Field, dataclass, fields
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from corpus.stores.mapped_arrays import map_array
from corpus.versions import Version

_VERSIONS = "distinct_versions.json"


@dataclass(frozen=True, slots=True)
class PassageTable:
    """Per-passage columns, all of length n, for filtering and scoring without reading the tables."""

    ids: NDArray[np.int64]
    products: NDArray[np.int32]  # Position in `IndexReader.products`.
    distinct_versions: tuple[Version | None, ...]
    """Each release once, however it is written (2.8 and 2.8.0 are one): they are few, and a result computed for one
    serves all its passages."""
    version_codes: NDArray[np.int32]  # Position in `distinct_versions`.
    kind_codes: NDArray[np.int8]  # Position in `tuple(Kind)`.
    authority_weights: NDArray[np.int8]
    boilerplate: NDArray[np.bool_]
    item_offsets: NDArray[np.int64]
    """Shape (n + 1,): items of passage i are the rows item_offsets[i] … item_offsets[i + 1] - 1 of the vectors."""
    item_passages: NDArray[np.int32]  # The position of the passage of each row of the vectors.

    @classmethod
    def open(cls, folder: Path) -> "PassageTable":
        """Map the files that `write` wrote into `folder`, one for each column; no rows are read.

        Raises:
            OSError, ValueError, UsageError: they can't be read.
        """
        labels = json.loads((folder / _VERSIONS).read_text("utf-8"))
        arrays = {field.name: map_array(folder / f"{field.name}.npy") for field in _array_fields()}
        versions = tuple(None if label is None else Version.parse(label) for label in labels)
        return cls(distinct_versions=versions, **arrays)

    def write(self, folder: Path) -> None:
        """Write the columns into the existing `folder`.

        Raises:
            OSError: they can't be written.
        """
        for field in _array_fields():
            np.save(folder / f"{field.name}.npy", getattr(self, field.name), allow_pickle=False)
        labels = [None if version is None else version.label for version in self.distinct_versions]
        (folder / _VERSIONS).write_text(json.dumps(labels), "utf-8")

    def version_of(self, position: int) -> Version | None:
        """Return the release of one passage; None for text about no version."""
        return self.distinct_versions[int(self.version_codes[position])]


def _array_fields() -> list[Field[object]]:
    return [field for field in fields(PassageTable) if field.name != "distinct_versions"]
