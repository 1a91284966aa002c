"""A question file that candidates are added to: what is in it is a person's, and stays as it is byte for byte."""

import json
import os
from collections.abc import Iterable
from pathlib import Path

from corpus.errors import RelnotesError, UsageError


def load_ids(path: Path) -> frozenset[str]:
    """The ids of the lines that are there, reviewed or not; none where there is no file.

    Raises:
        UsageError: it can't be read, or has lines without an id; all of them are listed.
    """
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except FileNotFoundError:
        return frozenset()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"Cannot read the question file {str(path)!r}: {error}. Name another file.") from None
    ids = {number: _id(line) for number, line in enumerate(lines, start=1) if line.strip()}
    # What can't be read can't be told from what is new.
    if faults := [str(number) for number, name in ids.items() if name is None]:
        raise UsageError(
            f"Cannot add to the question file {str(path)!r}: without an id, or no JSON object, on line "
            f"{', '.join(faults)}. Correct them first; nothing was changed."
        )
    return frozenset(name for name in ids.values() if name is not None)


def _id(line: str) -> str | None:
    try:
        name = json.loads(line)["id"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return name if isinstance(name, str) else None


def append_lines(path: Path, lines: Iterable[str]) -> None:
    """Add whole lines at the end; a new file is for its owner alone, like the logs that the questions are from.

    Raises:
        RelnotesError: it can't be written.
    """
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
        with os.fdopen(descriptor, "r+b") as file:
            data = "".join(lines).encode("utf-8", "replace")
            size = os.fstat(descriptor).st_size
            is_cut = size > 0 and os.pread(descriptor, 1, size - 1) != b"\n"
            file.write(b"\n" + data if is_cut else data)
    except OSError as error:
        raise RelnotesError(f"Cannot write {str(path)!r}: {error.strerror or error}. Name another file.") from None
