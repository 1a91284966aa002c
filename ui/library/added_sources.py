"""The addresses that people gave over the page, kept in the index as a `relnotes.toml`, as `relnotes sync` reads it."""

from pathlib import Path
from typing import TYPE_CHECKING

from ui.library.requests import toml_table

if TYPE_CHECKING:
    from ingest.releases.identity import Hints
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

    def add(self, uri: str, hints: "Hints", *, connectors: "Connectors") -> None:
        """Remember an address with what was said of it, in place of what was said before."""
        self._write({**self._entries(connectors), uri: hints})

    def remove(self, uri: str, *, connectors: "Connectors") -> None:
        """Forget an address; nothing where it isn't there."""
        entries = self._entries(connectors)
        if entries.pop(uri, None) is not None:
            self._write(entries)

    def _entries(self, connectors: "Connectors") -> "dict[str, Hints]":
        return {request.argument: request.flags for request in self.requests(connectors)}

    def _write(self, entries: "dict[str, Hints]") -> None:
        if not entries:
            self._file.unlink()
            return
        # Beside it first: a sync meanwhile reads the list as it was or as it will be.
        new = self._file.with_name(f".{self._file.name}.new")
        new.write_text("".join(toml_table("source", hints, source=uri) for uri, hints in entries.items()), "utf-8")
        new.replace(self._file)
