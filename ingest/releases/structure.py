"""What a document is and which releases it holds: everything that needs no embedding."""

from dataclasses import dataclass

from corpus.errors import SourceError
from corpus.model import Release
from ingest.blocks import ParsedText
from ingest.formats import parse_blocks
from ingest.releases.identity import Identity, identify
from ingest.releases.splitting import split_releases
from ingest.releases.subjects import name_by_place
from ingest.sources.container_kinds import without_compression
from ingest.sources.files import Source


@dataclass(frozen=True, slots=True)
class Structure:
    """A document's text with its blocks, who it is, and its releases, which cover the text."""

    parsed: ParsedText
    identity: Identity
    releases: tuple[Release, ...]


def read_structure(source: Source, content: bytes) -> Structure:
    """Read the structure of one document from its bytes.

    Raises:
        SourceError: it isn't a document, or has no text.
    """
    place, home = without_compression(source.name), source.root
    if source.fetched:
        place, home = source.fetched.place, source.fetched.home
    parsed = parse_blocks(place, content)
    if not parsed.text.strip():
        raise SourceError("has no text (a scan?); nothing to ingest")
    otherwise = name_by_place(place, root=home)
    identity = identify(parsed, source=place, hints=source.hints, otherwise=otherwise)
    names = (identity.product, *identity.aliases)
    return Structure(
        parsed, identity, split_releases(parsed, products=names, version=identity.version, day=identity.date)
    )
