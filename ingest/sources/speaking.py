"""Determines a document's origin and its claim to its product's name; `corpus.index.speakers` compares these."""

import re
from collections.abc import Iterable
from pathlib import Path, PurePath
from urllib.parse import urlsplit

from corpus.model import Claim, Speaker
from ingest.releases.identity import Hints, Identity
from ingest.releases.subjects import letters, read_place_name
from ingest.sources.files import Source

_PACKAGE = re.compile(r"(?P<origin>pypi:[^=]+|npm:@?[^@]+|github:[^@]+)(?:[=@].*)?")
_FORGES = {"github.com": "github:", "raw.githubusercontent.com": "github:", "gitlab.com": "gitlab:"}
_FORGES |= {host: f"{host.partition('.')[0]}:" for host in ("codeberg.org", "bitbucket.org")}


def speaker_of(source: Source, identity: Identity) -> Speaker:
    """Return a document's speaker: its origin, and whether the user or only its own text names its product."""
    claim, own_name = _claim(source, identity.product)
    kin = source.fetched.kin if source.fetched else ()
    return Speaker(_origin(source, claim), claim, own_name, identity.from_headings, kin)


def _claim(source: Source, product: str) -> tuple[Claim, str]:
    """Return the document's claim to its product, and what to call the product if another origin has it, or ""."""
    fetched, root = source.fetched, PurePath(source.root)
    is_file = source.path == root
    if source.is_stated or (root.is_absolute() and not is_file and _any_named([root.name], product)):
        return Claim.NAMED, ""
    # Whoever packed a folder named and described what lies below it.
    stated = fetched.hints if fetched else Hints()
    is_described = (source.hints.product, source.hints.authority) != (stated.product, stated.authority)
    places = [source.hints.folder or "", *((root.name, root.stem) if fetched or is_file else ())]
    if root.is_absolute() and (is_described or _any_named(places, product)):
        return Claim.FILE, ""
    if fetched is None:
        return Claim.TEXT, ""
    if fetched.hints.product and fetched.hints.product.casefold() != fetched.home.casefold():
        return Claim.TEXT, f"{fetched.home}/{product}"
    return (Claim.NAMED if _PACKAGE.fullmatch(source.root) else Claim.TEXT), ""


def _origin(source: Source, claim: Claim) -> str:
    """Return a document's origin, as described at `Speaker.origin`."""
    root = source.root
    if package := _PACKAGE.fullmatch(root):
        return package["origin"].lower()
    if not Path(root).is_absolute():
        return place_of(root)
    if source.fetched:
        return f"saved:{place_of(source.hints.url)}" if source.hints.url else root
    if source.path is None or source.path != Path(root):
        # Documents in a folder of another name are no kin of those that the user gave this product.
        folder = source.hints.folder or ""
        return f"{root}/{folder}/" if claim is Claim.TEXT and read_place_name(folder) else f"{root}/"
    # A lone file has its folder's origin, so that files in the same folder share it.
    return root if claim is not Claim.TEXT else f"{Path(root).parent}/*"


def place_of(url: str) -> str:
    """Return the repository of an address (`github:owner/repo`), else its host; empty if malformed."""
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").lower().removeprefix("www.")
    except ValueError:
        return ""
    path = parts.path.strip("/").removesuffix(".git").split("/")
    return f"{_FORGES[host]}{'/'.join(path[:2]).lower()}" if host in _FORGES and len(path) > 1 else host


def _any_named(places: Iterable[str], product: str) -> bool:
    """Return whether one of some folders and files has the product's name, or that of the package in its scope."""
    names = {letters(product), letters(product.rpartition("/")[2])}
    return any(name and letters(name) in names for place in places for name in (place, read_place_name(place)))
