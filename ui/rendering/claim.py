"""A claim check for a terminal and as Markdown: each claim with its verdict, the reason and the quotes."""

from collections.abc import Iterator

from retrieval.claims.model import CheckedClaim, ClaimCheck
from ui.rendering.answer_terminal import indented, render_citation, render_words
from ui.rendering.markup import evidence_markdown, in_list, marked_text
from ui.rendering.words import VERDICT_WORDS

NO_CLAIM = "No checkable claim in this text: no sentence of it states something about software."


def render_claims(check: ClaimCheck) -> str:
    """Render every claim, in the order of the text, for a terminal; or a line that there are none."""
    parts: list[str] = []
    for checked in check.claims:
        claim = " ".join(checked.claim.text.split())
        parts.append(f"{VERDICT_WORDS[checked.verdict]}: {claim}\n{indented(render_words(checked.because))}")
        parts += (indented(render_citation(citation)) for citation in checked.citations)
    parts += map(render_words, check.notes)
    return "\n\n".join(parts) or NO_CLAIM


def render_claims_markdown(check: ClaimCheck) -> str:
    """Render every claim, in the order of the text, as Markdown for a comment."""
    lines = [line for checked in check.claims for line in _claim_lines(checked)]
    notes = [f"*{marked_text(note)}*\n" for note in check.notes]
    return "\n".join(["# Claims and the release notes", "", *lines, *notes])


def _claim_lines(checked: CheckedClaim) -> Iterator[str]:
    yield f"- **{VERDICT_WORDS[checked.verdict]}**: {marked_text(checked.claim.text)}"
    yield from ("", f"  {marked_text(checked.because)}")
    for citation in checked.citations:
        yield from in_list(evidence_markdown(citation))
    yield ""
