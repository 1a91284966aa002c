"""The contract's JSON of a claim check: `relnotes cite --json`, a `claim` line of `batch`, `POST /v1/cite`."""

from typing import Annotated

from pydantic import AliasPath, Field

from retrieval.claims.model import Verdict
from ui.contract.answer import Body, CitationBody, Timings


class CheckedClaimBody(Body):
    """A claim with its verdict; `text[start:end]` of the check is `claim`."""

    claim: Annotated[str, Field(validation_alias=AliasPath("claim", "text"))]
    start: Annotated[
        int, Field(ge=0, description="In code points of `text`", validation_alias=AliasPath("claim", "start"))
    ]
    end: Annotated[int, Field(validation_alias=AliasPath("claim", "end"))]
    verdict: Verdict
    because: Annotated[str, Field(description="What differs and who says so, for people")]
    citations: Annotated[
        tuple[CitationBody, ...], Field(max_length=3, description="The deciding one first; none for not_found")
    ]


class ClaimCheckBody(Body):
    """Every claim of a text, in its order."""

    text: str
    claims: tuple[CheckedClaimBody, ...]
    timings_ms: Timings
