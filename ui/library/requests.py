"""What people say of the documents that they add over the page, and which addresses they may give."""

import json
import re

from corpus.catalogue import check_product
from corpus.errors import UsageError
from corpus.model import Authority
from corpus.versions import Version
from ingest.releases.identity import Hints
from ingest.sources.requests import is_path

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
