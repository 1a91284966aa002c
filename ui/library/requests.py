"""What people say of the documents that they add over the page, and which addresses they may give; those that they gave
are kept in the index as a `relnotes.toml`, as `relnotes sync` reads it."""

import json
import re
from pathlib import Path

from corpus.catalogue import check_product
from corpus.errors import UsageError
from corpus.model import Authority
from corpus.versions import Version
from ingest.releases.identity import Hints
from ingest.sources.connectors import Connectors
from ingest.sources.requests import Request, is_path, read_config

# What isn't named here could be a place on this machine; the list grows with what ingest can fetch.
_ADDRESS = re.compile(r"(?:https?://|(?:github|pypi|npm):)[^\s/]\S*", re.IGNORECASE)
_MAX_HINT_CHARACTERS = 100
_MAX_ADDRESS_CHARACTERS = 2_048


def toml_table(name: str, hints: Hints, **place: str) -> str:
    """A `[[name]]` of a TOML file that says of the documents at a place what a form can say."""
    version = hints.version and hints.version.label
    values = {**place, "product": hints.product, "version": version, "authority": hints.authority}
    # A string of JSON is one of TOML, but for a character that names and hints can't hold.
    lines = (f"{key} = {json.dumps(value, ensure_ascii=False)}\n" for key, value in values.items() if value)
    return f"[[{name}]]\n{''.join(lines)}\n"


def read_hints(product: str, version: str, authority: str) -> Hints:
    """The hints of a form; empty fields say nothing.

    Raises:
        UsageError: a field is too long, the version isn't one, or the authority is unknown.
    """
    product, version = product.strip(), version.strip()
    if max(len(product), len(version)) > _MAX_HINT_CHARACTERS:
        raise UsageError(f"A product and a version may have {_MAX_HINT_CHARACTERS} characters each.")
    if product:
        check_product(product)
    stated = Version.parse(version) if version else None
    if authority and authority not in set(Authority):
        raise UsageError(f"The kind must be one of {', '.join(Authority)}.")
    return Hints(product=product or None, version=stated, authority=Authority(authority) if authority else None)


def check_address(address: str) -> str:
    """An address that the page may have read: on the web, or in a registry; never a place on this machine.

    Raises:
        UsageError: it is a path or something else.
    """
    plain = address.strip()
    if len(plain) > _MAX_ADDRESS_CHARACTERS or not _ADDRESS.fullmatch(plain) or is_path(plain):
        raise UsageError(
            "Write an address, such as https://example.org/changelog or github:owner/name. The page reads no files of "
            "this server: choose files of yours, or ask whoever runs it."
        )
    return plain


class AddedSources:
    """The list of added addresses; for one ingest at a time, as the desk of ingests has it."""

    def __init__(self, index: Path) -> None:
        self._file = index / "relnotes.toml"

    @property
    def is_empty(self) -> bool:
        return not self._file.is_file()

    def requests(self, connectors: Connectors) -> tuple[Request, ...]:
        """What to ingest to be in step with them.

        Raises:
            UsageError: the file was changed by hand and is wrong.
        """
        return () if self.is_empty else read_config(self._file, connectors=connectors)

    def add(self, uri: str, hints: Hints, *, connectors: Connectors) -> None:
        """Remember an address with what was said of it, in place of what was said before."""
        self._write({**self._entries(connectors), uri: hints})

    def remove(self, uri: str, *, connectors: Connectors) -> None:
        """Forget an address; nothing where it isn't there."""
        entries = self._entries(connectors)
        if entries.pop(uri, None) is not None:
            self._write(entries)

    def _entries(self, connectors: Connectors) -> dict[str, Hints]:
        return {request.argument: request.flags for request in self.requests(connectors)}

    def _write(self, entries: dict[str, Hints]) -> None:
        if not entries:
            self._file.unlink()
            return
        # Beside it first: a sync meanwhile reads the list as it was or as it will be.
        new = self._file.with_name(f".{self._file.name}.new")
        new.write_text("".join(toml_table("source", hints, source=uri) for uri, hints in entries.items()), "utf-8")
        new.replace(self._file)
