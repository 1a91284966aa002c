"""The columns of an index that filter and score passages, in files that are mapped."""

import json
from collections.abc import Sequence
from dataclasses import Field, dataclass, fields
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from corpus.stores.mapped_arrays import map_array
from corpus.versions import Version

_VERSIONS = "distinct_versions.json"


# Without slots: what is worked out of the columns has its place in the instance.
@dataclass(frozen=True)
class PassageTable:
    """Per-passage columns, all of length n, for filtering and scoring without reading the tables."""

    ids: NDArray[np.int64]
    products: NDArray[np.int32]
    """Position in `IndexReader.products`."""
    distinct_versions: tuple[Version | None, ...]
    """Each release once, however it is written (2.8 and 2.8.0 are one): there are few, so that what is worked out for
    each serves all passages."""
    version_codes: NDArray[np.int32]
    """Position in `distinct_versions`."""
    kind_codes: NDArray[np.int8]
    """Position in `tuple(Kind)`."""
    authority_weights: NDArray[np.int8]
    boilerplate: NDArray[np.bool_]
    item_offsets: NDArray[np.int64]
    """Shape (n + 1,): items of passage i are the rows item_offsets[i] … item_offsets[i + 1] - 1 of the vectors."""
    item_passages: NDArray[np.int32]
    """For each row of the vectors the position of its passage."""

    @classmethod
    def open(cls, folder: Path) -> "PassageTable":
        """Map the files that `write` left in `folder`, a file a column: opening an index reads no rows.

        Raises:
            OSError, ValueError, UsageError: they can't be read.
        """
        labels = json.loads((folder / _VERSIONS).read_text("utf-8"))
        arrays = {field.name: map_array(folder / f"{field.name}.npy") for field in _array_fields()}
        versions = tuple(None if label is None else Version.parse(label) for label in labels)
        return cls(distinct_versions=versions, **arrays)

    def write(self, folder: Path) -> None:
        """Write the columns into `folder`, which exists.

        Raises:
            OSError: the disk doesn't take them.
        """
        for field in _array_fields():
            np.save(folder / f"{field.name}.npy", getattr(self, field.name), allow_pickle=False)
        labels = [None if version is None else version.label for version in self.distinct_versions]
        (folder / _VERSIONS).write_text(json.dumps(labels), "utf-8")

    def version_of(self, position: int) -> Version | None:
        """Return the release of one passage; None for text about no version."""
        return self.distinct_versions[int(self.version_codes[position])]

    def product_runs(self, products: Sequence[int]) -> NDArray[np.int64]:
        """Return where the passages of some products lie: shape (runs, 2), the first of each run and the one after its
        last, ascending. A document's passages lie together, so that others are not looked at."""
        owners, bounds = self._runs
        wanted = np.array(sorted(set(products)), owners.dtype)
        first, end = np.searchsorted(owners, wanted), np.searchsorted(owners, wanted, side="right")
        found = [bounds[start:stop] for start, stop in zip(first.tolist(), end.tolist(), strict=True)]
        runs: NDArray[np.int64] = np.concatenate([np.zeros((0, 2), np.int64), *found])
        return runs[np.argsort(runs[:, 0], kind="stable")]

    @cached_property
    def _runs(self) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """The products of all runs, ascending, and the bounds of each."""
        starts = np.flatnonzero(np.diff(self.products, prepend=-1))
        bounds = np.stack([starts, np.append(starts, len(self.products))[1:]], axis=1)
        owners = self.products[starts]
        order = np.argsort(owners, kind="stable")
        return owners[order], bounds[order]


def _array_fields() -> list[Field[object]]:
    return [field for field in fields(PassageTable) if field.name != "distinct_versions"]
