"""`relnotes.toml`: the sources that `relnotes sync` keeps an index in step with.

All the faults of a file are told at once, for it is written by hand.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from corpus.errors import UsageError
from ingest.sources.connectors import Connectors
from ingest.sources.connectors.environments import SCHEME as ENVIRONMENT
from ingest.sources.requests import Request
from ingest.sources.toml_tables import HINT_KEYS, hint_faults, is_filled, read_hints, read_tables, unknown_keys

CONFIG_FILE = "relnotes.toml"
_KEYS = HINT_KEYS | {"source"}


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
    requests: list[Request] = []
    for number, entry in enumerate(raw, start=1):
        wrong = list(_faults(entry, connectors))
        faults += [f"source {number}: {fault}" for fault in wrong]
        if not wrong:
            requests.append(_request(entry, file.absolute().parent, connectors))
    if not raw and not faults:
        faults.append("it lists no [[source]]")
    if faults:
        raise UsageError(f"{str(file)!r}: {'; '.join(faults)}. Mend it and sync again.")
    return tuple(requests)


def _faults(entry: Any, connectors: Connectors) -> Iterator[str]:
    if not isinstance(entry, dict):
        yield "must be a table"
        return
    yield from unknown_keys(entry, _KEYS)
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
    yield from hint_faults(entry)


def _request(entry: dict[str, str], folder: Path, connectors: Connectors) -> Request:
    source = entry["source"]
    is_path = connectors.name(source) is None and not source.lower().startswith(ENVIRONMENT)
    argument = str(folder / Path(source).expanduser()) if is_path else source
    return Request(argument, read_hints(entry), may_fail=True)
