"""A claim check as Markdown for a comment: each claim with its verdict, the reason and the quotes."""

from collections.abc import Iterator

from retrieval.claims.model import CheckedClaim, ClaimCheck
from ui.rendering.review_formats.disarming import marked_text
from ui.rendering.upgrade_markdown import evidence_markdown
from ui.rendering.words import VERDICT_WORDS


def render_claims_markdown(check: ClaimCheck) -> str:
    """Every claim in the order of the text; says so where the text holds none."""
    lines = [line for checked in check.claims for line in _claim(checked)]
    return "\n".join(["# Claims and the release notes", "", *(lines or ["No checkable claim in this text.", ""])])


def _claim(checked: CheckedClaim) -> Iterator[str]:
    yield f"- **{VERDICT_WORDS[checked.verdict]}**: {marked_text(checked.claim.text)}"
    yield from ("", f"  {marked_text(checked.because)}")
    for citation in checked.citations:
        yield ""
        yield from (f"  {line}" if line else "" for line in evidence_markdown(citation))
    yield ""
