"""JSON of what an ingest did to the index."""

from typing import Annotated, Self

from pydantic import Field

from ingest.report import IngestReport, SourceOutcome, SuspiciousSource
from ingest.sources.files import FailedSource, SkippedSource
from ui.contract.answer import Body
from ui.contract.index import ProductBody


class IngestedDocumentsBody(Body):
    """How many documents an ingest touched, and which it left out."""

    added: int
    updated: int
    unchanged: int
    removed: int
    skipped: tuple[SkippedSource, ...]
    failed: tuple[FailedSource, ...]
    suspicious: tuple[SuspiciousSource, ...]


class IngestBody(Body):
    """What an ingest did."""

    documents: IngestedDocumentsBody
    sources: tuple[SourceOutcome, ...]
    products: Annotated[
        tuple[ProductBody, ...],
        Field(description="What was added or updated, by product; `gaps` are those of the whole index afterwards"),
    ]
    passages: Annotated[int, Field(description="Passages in the index afterwards")]
    seconds: float

    @classmethod
    def from_report(cls, report: IngestReport) -> Self:
        return cls(
            documents=IngestedDocumentsBody.model_validate(report),
            sources=report.sources,
            products=tuple(ProductBody.from_product(intake.product, gaps=intake.gaps) for intake in report.products),
            passages=report.passages,
            seconds=round(report.seconds, 3),
        )
