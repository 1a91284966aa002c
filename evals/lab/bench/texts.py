"""Texts in a file, one JSON string a line: what processes of a benchmark hand on."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path


def read_texts(path: Path) -> Iterator[str]:
    """The texts of a file, in order."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def write_texts(path: Path, texts: Iterable[str]) -> None:
    """Write what `read_texts` reads."""
    with path.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(text) + "\n" for text in texts)
