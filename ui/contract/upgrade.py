"""The contract's JSON of an upgrade, and of the review of a diff (docs/contract.md)."""

from datetime import date
from typing import Annotated

from pydantic import AliasPath, Field

from corpus.dependencies.model import Ecosystem
from corpus.model import Change, Kind
from retrieval.model import Citation
from retrieval.reviews.model import ReviewedSymbol, Unknown
from retrieval.upgrades.model import Usage
from ui.contract.answer import Body, Timings, Written


class UpgradeItemBody(Body):
    """One change that matters to an upgrade, listed once however many releases repeat it."""

    kind: Kind | Change
    change: Change
    summary: Annotated[Written, Field(description="One line in the words of the source")]
    symbols: tuple[str, ...]
    citation: Citation
    repeated_in: tuple[str, ...] = ()
    usages: tuple[Usage, ...] = ()


class UpgradeReleaseBody(Body):
    """A release of the range with its items, most severe first."""

    version: str
    date: date | None
    items: tuple[UpgradeItemBody, ...]


class UpgradeBody(Body):
    """Everything in (from, to] that matters to an upgrade."""

    product: str
    start: Annotated[str, Field(serialization_alias="from")]
    end: Annotated[str, Field(serialization_alias="to")]
    releases: Annotated[tuple[UpgradeReleaseBody, ...], Field(description="In version order; those with items")]
    security: Annotated[tuple[UpgradeItemBody, ...], Field(description="Vulnerabilities that the range fixes")]
    missing_releases: Annotated[tuple[str, ...], Field(description="Known of, and without notes in the index")]
    notes: tuple[str, ...]
    other: Annotated[tuple[UpgradeItemBody, ...], Field(description="Fixes, additions and housekeeping, with `all`")]


class ReviewedBumpBody(Body):
    """A version that the diff changes, and what the release notes say about the range."""

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
    same_as: Annotated[
        int | None,
        Field(
            description="Place in `bumps`, from 0, of the first bump of the product between the same versions, which "
            "alone has the items, security and missing releases; null for that one itself"
        ),
    ]


class ReviewBody(Body):
    """The review of a diff."""

    bumps: tuple[ReviewedBumpBody, ...]
    symbols: tuple[ReviewedSymbol, ...]
    unknown: tuple[Unknown, ...]
    timings_ms: Timings
