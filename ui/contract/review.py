"""The contract's JSON of a review."""

from typing import Annotated, Self

from pydantic import ConfigDict, Field

from corpus.dependencies.model import Ecosystem
from retrieval.reviews.model import Review, ReviewedBump
from ui.contract.answer import Body, CitationBody, TimingsBody
from ui.contract.upgrade import UpgradeItemBody


class ReviewedBumpBody(Body):
    """A version that the diff changes, and what the release notes say of the range."""

    model_config = ConfigDict(populate_by_name=True)

    product: str
    start: Annotated[str, Field(alias="from", description="Bare version before")]
    end: Annotated[str, Field(alias="to", description="Bare version after")]
    file: str
    line: Annotated[int, Field(ge=1)]
    name: Annotated[str, Field(description="As the file names it")]
    ecosystem: Ecosystem
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
    timings_ms: TimingsBody

    @classmethod
    def from_review(cls, review: Review) -> Self:
        """The body of `review`, field by field."""
        return cls(
            bumps=tuple(map(_bump_body, review.bumps)),
            symbols=tuple(map(ReviewedSymbolBody.model_validate, review.symbols)),
            unknown=tuple(map(UnknownBody.model_validate, review.unknown)),
            timings_ms=TimingsBody(total=round(review.elapsed_ms, 3)),
        )


def _bump_body(bump: ReviewedBump) -> ReviewedBumpBody:
    return ReviewedBumpBody(
        product=bump.product,
        start=bump.start,
        end=bump.end,
        file=bump.bump.file,
        line=bump.bump.line,
        name=bump.bump.name,
        ecosystem=bump.bump.ecosystem,
        items=tuple(map(UpgradeItemBody.from_item, bump.items)),
        security=tuple(map(UpgradeItemBody.from_item, bump.security)),
        missing_releases=bump.missing_releases,
        notes=bump.notes,
    )
