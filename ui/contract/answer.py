"""The contract's JSON (docs/contract.md): answers, search results, documents and reports as pydantic models.

`model_validate` fills a body from the attributes of a value of `retrieval` or `corpus`; values that have the same
shape in JSON as in Python are used themselves. Fields may be added, never renamed.
"""

import json
from typing import Annotated

from pydantic import AliasPath, BaseModel, BeforeValidator, ConfigDict, Field

from retrieval.blocks import BIDI_CONTROLS, CONTROLS, LINE_ENDS, Words, markdown_words
from retrieval.claims.model import Verdict
from retrieval.model import Citation, Interpretation, RankedPassage, Status

_ESCAPED = {code: f"\\u{code:04x}" for code in (*CONTROLS, *BIDI_CONTROLS, *LINE_ENDS) if code > 0x20}
"""C1 controls, line separators and direction marks, which JSON needn't escape; only in strings, which stay the same."""


def printed_json(value: object) -> str:
    """Return `value` as indented JSON without a final line end; characters that terminals act upon are escaped."""
    return json.dumps(value, ensure_ascii=False, indent=2).translate(_ESCAPED)


class Body(BaseModel):
    """Base of all bodies: immutable, filled from the attributes of a value (by the alias, if any) or from JSON."""

    model_config = ConfigDict(frozen=True, from_attributes=True, populate_by_name=True)

    def to_json(self) -> str:
        """Return an indented JSON document, without a final line end."""
        return printed_json(self.model_dump(mode="json", by_alias=True))

    def to_batch_line(self, line_id: str | int) -> str:
        """Return a line of a batch run, its `id` first; in ASCII, because some readers end lines at U+2028."""
        return json.dumps({"id": line_id, **self.model_dump(mode="json")})


class TimingsBody(Body):
    total: Annotated[float, Field(ge=0, description="Milliseconds")]


Timings = Annotated[
    TimingsBody,
    BeforeValidator(lambda value: TimingsBody(total=round(value, 3)) if isinstance(value, float) else value),
    Field(validation_alias="elapsed_ms"),
]
"""Read from the `elapsed_ms` of a value."""
Written = Annotated[str, BeforeValidator(lambda value: markdown_words(value) if isinstance(value, Words) else value)]
"""Words in Markdown, code in back quotes."""
Quotes = Annotated[
    tuple[Citation, ...],
    Field(description="`n` is the marker [n]; `source` is relative to the ingested directory, or a connector's URI"),
]
Reading = Annotated[
    Interpretation,
    Field(description="`versions` is the constraint in words, `unknown_products` what isn't in the index"),
]


class AnswerBody(Body):
    """A cited answer."""

    question: str
    status: Status
    confidence: Annotated[float, Field(ge=0, le=1, description="Calibrated probability that the answer is right")]
    answer: Annotated[str, Field(description="Markdown with [n] markers; every marker has a citation")]
    citations: Quotes
    passages: tuple[RankedPassage, ...]
    interpretation: Reading
    notes: tuple[str, ...]
    reason: Annotated[
        str | None, Field(description="What spoke most against an answer, where the confidence decided for none")
    ]
    timings_ms: Timings


class SearchBody(Body):
    """Ranked passages without an answer."""

    query: str
    passages: tuple[RankedPassage, ...]
    interpretation: Reading
    timings_ms: Timings


class CheckedClaimBody(Body):
    """A claim with its verdict; `text[start:end]` of the check is `claim`."""

    claim: Annotated[str, Field(validation_alias=AliasPath("claim", "text"))]
    start: Annotated[
        int, Field(ge=0, description="In code points of `text`", validation_alias=AliasPath("claim", "start"))
    ]
    end: Annotated[int, Field(validation_alias=AliasPath("claim", "end"))]
    verdict: Verdict
    because: Annotated[Written, Field(description="What differs and who says so, for people")]
    citations: Annotated[
        tuple[Citation, ...], Field(max_length=3, description="The deciding one first; none for not_found")
    ]


class ClaimCheckBody(Body):
    """Every claim of a text, in its order."""

    text: str
    claims: tuple[CheckedClaimBody, ...]
    notes: tuple[str, ...]
    timings_ms: Timings
