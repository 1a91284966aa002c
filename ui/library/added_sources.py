"""The addresses that people gave over the page, kept as a `relnotes.toml` in the index, so that they can be synced.

`relnotes sync --config INDEX/relnotes.toml` reads the same file.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from ui.library.requests import AddHints

if TYPE_CHECKING:
    from ingest.sources.connectors import Connectors
    from ingest.sources.requests import Request


class AddedSources:
    """The list of added addresses; for one ingest at a time, as the desk of ingests has it."""

    def __init__(self, index: Path) -> None:
        self._file = index / "relnotes.toml"

    @property
    def is_empty(self) -> bool:
        """Whether nothing was added."""
        return not self._file.is_file()

    def requests(self, connectors: "Connectors") -> "tuple[Request, ...]":
        """What to ingest to be in step with them.

        Raises:
            UsageError: the file was changed by hand and is wrong.
        """
        from ingest.sources.requests import read_config

        return () if self.is_empty else read_config(self._file, connectors=connectors)

    def add(self, uri: str, hints: AddHints, *, connectors: "Connectors") -> None:
        """Remember an address with what was said of it, in place of what was said before."""
        self._write(
            [*self._entries(connectors, without=uri), _entry(uri, hints.product, hints.version, hints.authority)]
        )

    def remove(self, uri: str, *, connectors: "Connectors") -> None:
        """Forget an address; nothing where it isn't there."""
        if not self.is_empty:
            self._write(self._entries(connectors, without=uri))

    def _entries(self, connectors: "Connectors", *, without: str) -> list[str]:
        return [
            _entry(
                one.argument,
                one.flags.product,
                str(one.flags.version) if one.flags.version else None,
                one.flags.authority,
            )
            for one in self.requests(connectors)
            if one.argument != without
        ]

    def _write(self, entries: Iterable[str]) -> None:
        text = "\n".join(entries)
        if not text:
            self._file.unlink(missing_ok=True)
            return
        # Beside it first: whoever syncs meanwhile reads the list as it was or as it will be.
        new = self._file.with_name(f".{self._file.name}.new")
        new.write_text(text, encoding="utf-8")
        new.replace(self._file)


def _entry(uri: str, product: str | None, version: str | None, authority: str | None) -> str:
    """One table; a string of JSON without its escapes of surrogates is one of TOML."""
    given = {"source": uri, "product": product, "version": version, "authority": authority}
    lines = (f"{key} = {json.dumps(str(value), ensure_ascii=False)}\n" for key, value in given.items() if value)
    return "[[source]]\n" + "".join(lines)
