"""TOML from strangers, read with a limit on keys that Python's reader doesn't have."""

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
    """Parse a text as TOML.

    Raises:
        ValueError: it isn't TOML, or a key has over 50 parts: the reader stores each prefix of a key, which takes 1 GB
            for a key of 32 KB and 16 GB for one of 128 KB.
        RecursionError: it is nested too deep.
    """
    if _LONG_KEY.search(text):
        raise ValueError(f"a key has more than {_MAX_PARTS} parts")
    return tomllib.loads(text, parse_float=parse_float)
