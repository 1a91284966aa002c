"""Documents for the ingest tests, parsed once."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from corpus.model import Passage, Release
from ingest.blocks import ParsedText
from ingest.formats import parse_blocks
from ingest.passages.splitting import split_passages
from ingest.releases.identity import Hints, Identity, identify
from ingest.releases.splitting import split_releases
from ingest.sources.files import Source, list_sources, read_source

SHARED = Path(__file__).parents[2] / "shared"
CORPORA = SHARED / "corpora"
SEEDS = SHARED / "seeds"


@dataclass(frozen=True, slots=True)
class Ingested:
    """A document with everything that ingest finds in it."""

    name: str
    parsed: ParsedText
    identity: Identity
    releases: tuple[Release, ...]
    passages: tuple[Passage, ...]

    @property
    def told(self) -> list[str]:
        """The day and the label of each release, `-` for a day that isn't told."""
        return [f"{release.date or '-'} {release.label}".rstrip() for release in self.releases]

    @property
    def labels(self) -> list[str]:
        return [release.label for release in self.releases]

    @property
    def versions(self) -> list[str]:
        return [release.version.label for release in self.releases if release.version]


def ingest_parsed(parsed: ParsedText, *, name: str = "CHANGELOG.md", hints: Hints | None = None) -> Ingested:
    """Everything after parsing, as the pipeline does it."""
    identity = identify(parsed, source=name, hints=hints or Hints())
    names = (identity.product, *identity.aliases)
    releases = split_releases(parsed, products=names, version=identity.version, day=identity.date)
    passages = split_passages(parsed, releases, title=identity.title, names=names)
    return Ingested(name, parsed, identity, releases, passages)


def ingest_text(text: str, *, name: str = "CHANGELOG.md", hints: Hints | None = None) -> Ingested:
    return ingest_parsed(parse_blocks(name, text.encode()), name=name, hints=hints)


@cache
def corpora_sources() -> dict[str, Source]:
    if not CORPORA.is_dir():
        return {}
    return {source.name: source for source in list_sources(str(CORPORA), flags=Hints()).sources}


@cache
def ingest_real(name: str) -> Ingested:
    """A file of ../shared/corpora."""
    source = corpora_sources()[name]
    return ingest_parsed(parse_blocks(name, read_source(source)), name=name, hints=source.hints)
