"""Values as the tables keep them: days, and lists of strings."""

import json
from datetime import date
from functools import lru_cache


def parse_date(value: object) -> date | None:
    """A day; None where there is none.

    Raises:
        ValueError: it isn't one.
    """
    return date.fromisoformat(str(value)) if value else None


@lru_cache(maxsize=8192)
def parse_strings(written: str) -> tuple[str, ...]:
    """A column's list of strings; headings and empty lists are the same in many rows.

    Raises:
        ValueError: it is no such list.
    """
    strings = json.loads(written)
    if not isinstance(strings, list) or not all(isinstance(one, str) for one in strings):
        raise ValueError(f"must be a list of strings, got {written!r}")
    return tuple(strings)
