"""TOML of strangers, read without what Python's reader has no bound for."""

import re
import tomllib
from collections.abc import Callable
from typing import Any

_MAX_PARTS = 50
_LONG_KEY = re.compile(
    rf"""(?<![\w"'-])(?:(?:[\w-]++|"(?>(?:[^"\\\n]|\\.){{0,200}})"|'[^'\n]{{0,200}}+')[ \t]*+\.[ \t]*+)"""
    rf"{{{_MAX_PARTS}}}"
)


def load_toml(text: str, *, parse_float: Callable[[str], Any] = float) -> dict[str, Any]:
    """Return what a text holds as TOML.

    Raises:
        ValueError: it isn't TOML, or has a key of more parts than anybody writes: the reader keeps each beginning of
            one, which of 32 KB takes 1 GB, and of 128 KB 16.
        RecursionError: it is nested too deep.
    """
    if _LONG_KEY.search(text):
        raise ValueError(f"a key has more than {_MAX_PARTS} parts")
    return tomllib.loads(text, parse_float=parse_float)
