"""The contract's JSON of a review."""

from typing import Annotated

from pydantic import AliasPath, Field

from corpus.dependencies.model import Ecosystem
from ui.contract.answer import Body, CitationBody, Timings
from ui.contract.upgrade import UpgradeItemBody


class ReviewedBumpBody(Body):
    """A version that the diff changes, and what the release notes say of the range."""

    product: str
    start: Annotated[str, Field(alias="from", description="Bare version before")]
    end: Annotated[str, Field(alias="to", description="Bare version after")]
    file: Annotated[str, Field(validation_alias=AliasPath("bump", "file"))]
    line: Annotated[int, Field(ge=1, validation_alias=AliasPath("bump", "line"))]
    name: Annotated[str, Field(description="As the file names it", validation_alias=AliasPath("bump", "name"))]
    ecosystem: Annotated[Ecosystem, Field(validation_alias=AliasPath("bump", "ecosystem"))]
    items: tuple[UpgradeItemBody, ...]
    security: Annotated[tuple[UpgradeItemBody, ...], Field(description="Vulnerabilities that the range fixes")]
    missing_releases: tuple[str, ...]
    notes: tuple[str, ...]


class ReviewedSymbolBody(Body):
    """A symbol on a changed line, and what the release notes say of it."""

    symbol: str
    product: str
    file: str
    line: Annotated[int, Field(ge=1)]
    citations: tuple[CitationBody, ...]


class UnknownBody(Body):
    """What the index can't speak of."""

    name: str
    reason: str


class ReviewBody(Body):
    """The review of a diff."""

    bumps: tuple[ReviewedBumpBody, ...]
    symbols: tuple[ReviewedSymbolBody, ...]
    unknown: tuple[UnknownBody, ...]
    timings_ms: Timings
