"""The passage table on disk: a file a column, mapped into memory, so that opening an index reads no rows."""

import json
from dataclasses import fields
from pathlib import Path

from corpus.index.mapped_arrays import map_array, write_array
from corpus.index.stored import PassageTable
from corpus.versions import Version

_VERSIONS = "distinct_versions.json"
_ARRAYS = tuple(field.name for field in fields(PassageTable) if field.name != "distinct_versions")


def write_columns(folder: Path, table: PassageTable) -> None:
    """Write a table's files into `folder`, which exists.

    Raises:
        OSError: the disk doesn't take them.
    """
    for name in _ARRAYS:
        write_array(folder / f"{name}.npy", getattr(table, name))
    labels = [None if version is None else version.label for version in table.distinct_versions]
    (folder / _VERSIONS).write_text(json.dumps(labels), "utf-8")


def open_columns(folder: Path) -> PassageTable:
    """The table that `write_columns` left in `folder`.

    Raises:
        OSError, ValueError, UsageError: it can't be read.
    """
    labels = json.loads((folder / _VERSIONS).read_text("utf-8"))
    versions = tuple(None if label is None else Version.parse(label) for label in labels)
    return PassageTable(distinct_versions=versions, **{name: map_array(folder / f"{name}.npy") for name in _ARRAYS})
