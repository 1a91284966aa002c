"""A claim check for a terminal and as Markdown: each claim with its verdict, the reason and the quotes."""

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from retrieval.claims.model import CheckedClaim, ClaimCheck, Verdict
from ui.rendering.answer_terminal import render_citation, render_words
from ui.rendering.markup import evidence_markdown, indented, marked_text
from ui.rendering.words import VERDICT_WORDS, printable

NO_CLAIM = "No checkable claim in this text: no sentence of it states something about software."
_SIGNS = {
    Verdict.SUPPORTED: ("✓", "bold green"),
    Verdict.CONTRADICTED: ("✗", "bold red"),
    Verdict.PARTLY: ("~", "bold yellow"),
    Verdict.UNSURE: ("?", "bold blue"),
    Verdict.NOT_FOUND: ("–", "bold"),
}
"""A sign and a word show each verdict, never colour alone."""


def render_claims(check: ClaimCheck) -> RenderableType:
    """Render every claim, in the order of the text, for a terminal; or a line that there are none."""
    parts: list[RenderableType] = []
    for checked in check.claims:
        sign, style = _SIGNS[checked.verdict]
        head = Text(f"{sign} {VERDICT_WORDS[checked.verdict]}", style=style)
        head.append(f"  {printable(' '.join(checked.claim.text.split()))}", style="bold")
        below = [render_words(checked.because), *map(render_citation, checked.citations)]
        parts += [Text("")] if parts else []
        parts += [head, *(Padding(part, (0, 0, 0, 2)) for part in below)]
    parts += [Padding(render_words(note), (1, 0, 0, 0)) for note in check.notes]
    return Group(*parts) if parts else Text(NO_CLAIM)


def render_claims_markdown(check: ClaimCheck) -> str:
    """Render every claim, in the order of the text, as Markdown for a comment; or a line that there are none."""
    lines = [line for checked in check.claims for line in _claim_lines(checked)]
    notes = [f"*{marked_text(note)}*\n" for note in check.notes]
    return "\n".join(
        ["# Claims and the release notes", "", *(lines or ["No checkable claim in this text.", ""]), *notes]
    )


def _claim_lines(checked: CheckedClaim) -> Iterator[str]:
    yield f"- **{VERDICT_WORDS[checked.verdict]}**: {marked_text(checked.claim.text)}"
    yield from ("", f"  {marked_text(checked.because)}")
    for citation in checked.citations:
        yield from indented(evidence_markdown(citation))
    yield ""
