"""The contract's JSON (docs/contract.md): answers, search results, documents and reports as pydantic models.

One definition serves the command line, the HTTP API and its OpenAPI: `model_validate` makes a body of the value of
`retrieval` or `corpus` whose attributes it names. Fields may be added, never renamed.
"""

import json
from datetime import date
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from corpus.model import Authority, Kind
from retrieval.model import Status
from ui.rendering.printed_json import printed_json


class Body(BaseModel):
    """Base of all bodies: immutable, filled from values by attribute.

    A field whose attribute has another name or place states it as its alias; by the field's own name bodies are read
    from their JSON.
    """

    model_config = ConfigDict(frozen=True, from_attributes=True, populate_by_name=True)

    def to_json(self) -> str:
        """One indented JSON document, without the final line end."""
        return printed_json(self.model_dump(mode="json", by_alias=True))

    def to_batch_line(self, line_id: str | int) -> str:
        """One line of a batch run: the JSON with its `id` first, without the final line end.

        In ASCII: documents may hold U+2028 and its like, at which some readers of lines would cut.
        """
        return json.dumps({"id": line_id, **self.model_dump(mode="json")})


class CitationBody(Body):
    """A verbatim quote and its place; offsets count Unicode code points in the document's text."""

    n: Annotated[int, Field(ge=1, description="The marker [n] in the answer")]
    quote: str
    source: Annotated[str, Field(description="Path relative to the ingested directory, or a connector's URI")]
    start: int
    end: int
    url: str | None
    title: str
    product: str
    version: str | None
    date: date | None
    authority: Authority
    heading: tuple[str, ...]
    document_id: Annotated[int, Field(description="Key of GET /v1/documents/{id} and `relnotes docs show`")]


class PassageBody(Body):
    """A ranked passage; `text` is the slice [start, end) of the document."""

    source: str
    start: int
    end: int
    text: str
    score: float
    product: str
    version: str | None
    kind: Kind
    title: str
    heading: tuple[str, ...]
    date: date | None
    authority: Authority
    url: str | None
    document_id: int


class ConflictBody(Body):
    """Sources that disagree; `citations` are the numbers of both sides, official first."""

    about: str
    citations: tuple[int, ...]


class InterpretationBody(Body):
    """What the question was understood as."""

    products: tuple[str, ...]
    versions: Annotated[str | None, Field(description="The version constraint in words, or null")]
    symbols: tuple[str, ...]
    intent: Annotated[str, Field(description="What shape of answer it asks for")]
    unknown_products: Annotated[tuple[str, ...], Field(description="Asked about, and not in the index")]


class TimingsBody(Body):
    total: Annotated[float, Field(ge=0, description="Milliseconds")]


def _timed(given: object) -> object:
    return TimingsBody(total=round(given, 3)) if isinstance(given, float) else given


Timings = Annotated[TimingsBody, BeforeValidator(_timed), Field(validation_alias="elapsed_ms")]
"""Of a value that tells its `elapsed_ms`."""


class AnswerBody(Body):
    """A cited answer."""

    question: str
    status: Status
    confidence: Annotated[float, Field(ge=0, le=1, description="Calibrated probability that the answer is right")]
    answer: Annotated[str, Field(description="Markdown with [n] markers; every marker has a citation")]
    citations: tuple[CitationBody, ...]
    passages: tuple[PassageBody, ...]
    conflicts: tuple[ConflictBody, ...]
    interpretation: InterpretationBody
    notes: tuple[str, ...]
    reason: Annotated[
        str | None, Field(description="What spoke most against an answer, where the confidence decided for none")
    ]
    timings_ms: Timings


class SearchBody(Body):
    """Ranked passages without an answer."""

    query: str
    passages: tuple[PassageBody, ...]
    interpretation: InterpretationBody
    timings_ms: Timings
