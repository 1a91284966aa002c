"""The contract's JSON of an upgrade (docs/contract.md)."""

from datetime import date
from typing import Annotated

from pydantic import Field

from corpus.model import Kind
from retrieval.upgrades.model import Change
from ui.contract.answer import Body, CitationBody


class UsageBody(Body):
    """A place in the given code that uses a symbol of the item."""

    symbol: str
    file: str
    line: Annotated[int, Field(ge=1)]


class UpgradeItemBody(Body):
    """One change with its proof."""

    kind: Annotated[Kind, Field(description="breaking, removal, deprecation or security")]
    change: Annotated[Change, Field(description="What it does to who upgrades, finer than `kind`")]
    summary: Annotated[str, Field(description="One line in the words of the source")]
    symbols: tuple[str, ...]
    citation: CitationBody
    repeated_in: Annotated[tuple[str, ...], Field(description="Other releases of the range that tell it again")]
    usages: tuple[UsageBody, ...]


class UpgradeReleaseBody(Body):
    """A release of the range, its items most severe first."""

    version: str
    date: date | None
    items: tuple[UpgradeItemBody, ...]


class UpgradeBody(Body):
    """Everything in (from, to] that matters to who upgrades."""

    product: str
    start: Annotated[str, Field(serialization_alias="from")]
    end: Annotated[str, Field(serialization_alias="to")]
    releases: Annotated[tuple[UpgradeReleaseBody, ...], Field(description="In version order; those with items")]
    security: Annotated[tuple[UpgradeItemBody, ...], Field(description="Vulnerabilities that the range fixes")]
    missing_releases: Annotated[tuple[str, ...], Field(description="Known of, and without notes in the index")]
    notes: tuple[str, ...]
