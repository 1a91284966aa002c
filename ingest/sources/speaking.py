"""Determines a document's origin, and whether the user named its product; `corpus.index.speakers` compares these."""

import re
from pathlib import Path, PurePath
from urllib.parse import urlsplit

from corpus.model import Claim, Speaker
from ingest.releases.identity import Identity
from ingest.releases.subjects import letters, read_place_name
from ingest.sources.files import Source

_PACKAGE = re.compile(r"(?P<origin>pypi:[^=]+|npm:@?[^@]+|github:[^@]+)(?:[=@].*)?")


def speaker_of(source: Source, identity: Identity) -> Speaker:
    """Return a document's speaker: its origin, and whether the user or only its own text names its product."""
    claim = Claim.NAMED if _is_named(source, identity.product) else Claim.TEXT
    return Speaker(_origin(source, claim), claim, identity.from_headings)


def _is_named(source: Source, product: str) -> bool:
    """Return whether the user named the product: by a flag, the folder's name, or a package or repository of it."""
    root, fetched = PurePath(source.root), source.fetched
    if source.is_stated or fetched is None:
        is_folder = root.is_absolute() and source.path != root
        names = {letters(product), letters(product.rpartition("/")[2])}  # Also of the package in its scope.
        is_named = any(name and letters(name) in names for name in (root.name, read_place_name(root.name)))
        return source.is_stated or (is_folder and is_named)
    is_own = fetched.hints.product is None or fetched.hints.product.casefold() == fetched.home.casefold()
    return is_own and _PACKAGE.fullmatch(source.root) is not None


def _origin(source: Source, claim: Claim) -> str:
    """Return a document's origin, as described at `Speaker.origin`."""
    root = source.root
    if package := _PACKAGE.fullmatch(root):
        return package["origin"].lower()
    if not Path(root).is_absolute():
        return urlsplit(root).netloc.lower()
    if source.path == Path(root):
        # What the user says of a lone file isn't said of the others in its folder.
        return root if claim is Claim.NAMED else f"{Path(root).parent}/"
    # Documents in a folder of another name are no kin of those that the user gave this product.
    folder = source.hints.folder or ""
    return f"{root}/{folder}/" if claim is Claim.TEXT and read_place_name(folder) else f"{root}/"
