"""From where a document comes, and by what right it speaks for its product: `corpus.index.speakers` weighs them."""

import re
from pathlib import Path, PurePath
from urllib.parse import urlsplit

from corpus.model import Claim, Speaker
from ingest.releases.identity import Identity
from ingest.releases.subjects import letters, read_place_name
from ingest.sources.files import Source

_PACKAGE = re.compile(r"(?P<origin>pypi:[^=]+|npm:@?[^@]+|github:[^@]+)(?:[=@].*)?")
_FORGES = {"github.com": "github:", "raw.githubusercontent.com": "github:", "gitlab.com": "gitlab:"}
_FORGES |= {host: f"{host.partition('.')[0]}:" for host in ("codeberg.org", "bitbucket.org")}


def speaker_of(source: Source, identity: Identity) -> Speaker:
    """Who speaks in a document: its origin, and whether its product is named by the user (a flag, a `sources.toml`, the
    name of a folder or file of theirs), by the package or repository that was asked for, by its text, or by a tag."""
    claim, own = _claim(source, identity.product)
    kin = source.fetched.kin if source.fetched else ()
    return Speaker(_origin(source, claim), claim, own, identity.from_headings, kin)


def _claim(source: Source, product: str) -> tuple[Claim, str]:
    """Return what names the product, and what it is called where that doesn't count."""
    fetched = source.fetched
    names = {letters(product), letters(product.rpartition("/")[2])}
    if source.is_stated or not names.isdisjoint(map(letters, _users_places(source))):
        return Claim.USER, ""
    if fetched is None:
        return Claim.TEXT, ""
    if fetched.hints.product and fetched.hints.product.casefold() != fetched.home.casefold():
        return Claim.TAG, f"{fetched.home}/{product}"
    return (Claim.NAME if _PACKAGE.fullmatch(source.root) else Claim.STRANGER), ""


def _origin(source: Source, claim: Claim) -> str:
    root = source.root
    if package := _PACKAGE.fullmatch(root):
        return package["origin"].lower()
    if not Path(root).is_absolute():
        return place_of(root)
    if source.fetched:
        return f"saved:{place_of(source.hints.url)}" if source.hints.url else root
    if source.path is None or source.path != Path(root):
        return f"{root}/"
    # A lone file speaks as its folder does, so that files beside it aren't strangers to it.
    return root if claim is Claim.USER else f"{Path(root).parent}/*"


def place_of(url: str) -> str:
    """Return the repository of an address (`github:owner/repo`), else its host; empty for none."""
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").lower().removeprefix("www.")
    except ValueError:
        return ""
    path = parts.path.strip("/").removesuffix(".git").split("/")
    return f"{_FORGES[host]}{'/'.join(path[:2]).lower()}" if host in _FORGES and len(path) > 1 else host


def _users_places(source: Source) -> list[str]:
    """Return the names that the user gave to the folders and files that a document lies in."""
    if not Path(source.root).is_absolute():
        return []
    place = PurePath(source.root).name
    named = [place, PurePath(place).stem, source.hints.folder or ""]
    return [name for place in filter(None, named) for name in (place, read_place_name(place)) if name]
