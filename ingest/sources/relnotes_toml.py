"""`relnotes.toml`: the sources that `relnotes sync` keeps an index in step with."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from corpus.errors import UsageError
from ingest.sources.connectors import Connectors
from ingest.sources.connectors.environments import SCHEME as ENVIRONMENT
from ingest.sources.requests import Request
from ingest.sources.sources_toml import hint_faults, is_filled, read_hints, read_tables

CONFIG_FILE = "relnotes.toml"


def read_config(file: Path, *, connectors: Connectors) -> tuple[Request, ...]:
    """The sources that a relnotes.toml lists, in its order; paths in it are relative to its folder.

    Raises:
        UsageError: it can't be read, lists nothing, or anything in it is wrong (all its faults in one message).
    """
    try:
        raw, faults = read_tables(file, "source", remedy="List fewer sources.")
    except FileNotFoundError as error:
        raise UsageError(
            f"No file {str(file)!r}. Write one with a [[source]] for each source, or name another with --config."
        ) from error
    for number, entry in enumerate(raw, start=1):
        faults += [f"source {number}: {fault}" for fault in _faults(entry, connectors)]
    if not raw and not faults:
        faults.append("it lists no [[source]]")
    if faults:
        raise UsageError(f"{str(file)!r}: {'; '.join(faults)}. Mend it and sync again.")
    folder = file.absolute().parent
    return tuple(
        Request(_argument(entry["source"], folder, connectors), read_hints(entry), may_fail=True) for entry in raw
    )


def _faults(entry: Any, connectors: Connectors) -> Iterator[str]:
    if not isinstance(entry, dict):
        yield "must be a table"
        return
    yield from hint_faults(entry, also=frozenset({"source"}))
    source = entry.get("source")
    if source is None:
        yield "needs a source"
    elif not is_filled(source):
        yield "source must be a string that isn't empty"
    else:
        try:
            connectors.name(source)
        except UsageError as error:
            yield str(error).rstrip(".")


def _argument(source: str, folder: Path, connectors: Connectors) -> str:
    is_elsewhere = connectors.name(source) is not None or source.lower().startswith(ENVIRONMENT)
    return source if is_elsewhere else str(folder / Path(source).expanduser())
