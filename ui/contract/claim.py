"""The contract's JSON of a claim check: `relnotes cite --json`, a `claim` line of `batch`, `POST /v1/cite`."""

import json
from typing import Annotated, Self

from pydantic import Field

from retrieval.claims.model import CheckedClaim, ClaimCheck, Verdict
from ui.contract.answer import Body, CitationBody, TimingsBody, citation_body


class CheckedClaimBody(Body):
    """A claim with its verdict; `text[start:end]` of the check is `claim`."""

    claim: str
    start: Annotated[int, Field(ge=0, description="In code points of `text`")]
    end: int
    verdict: Verdict
    because: Annotated[str, Field(description="What differs and who says so, for people")]
    citations: Annotated[
        tuple[CitationBody, ...], Field(max_length=3, description="The deciding one first; none for not_found")
    ]

    @classmethod
    def from_claim(cls, checked: CheckedClaim) -> Self:
        """The body of one claim, field by field."""
        return cls(
            claim=checked.claim.text,
            start=checked.claim.start,
            end=checked.claim.end,
            verdict=checked.verdict,
            because=checked.because,
            citations=tuple(map(citation_body, checked.citations)),
        )


class ClaimCheckBody(Body):
    """Every claim of a text, in its order."""

    text: str
    claims: tuple[CheckedClaimBody, ...]
    timings_ms: TimingsBody

    @classmethod
    def from_check(cls, check: ClaimCheck) -> Self:
        """The body of `check`, field by field."""
        return cls(
            text=check.text,
            claims=tuple(map(CheckedClaimBody.from_claim, check.claims)),
            timings_ms=TimingsBody(total=round(check.elapsed_ms, 3)),
        )


def claim_batch_line(line_id: str | int, check: ClaimCheck) -> str:
    """One line of a batch run: the check's JSON with its `id` first, in ASCII, without the final line end."""
    return json.dumps({"id": line_id, **ClaimCheckBody.from_check(check).model_dump(mode="json")})
