"""A claim check for a terminal: each claim with its verdict in words and by a sign, the reason, and the quotes."""

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from retrieval.claims.model import CheckedClaim, ClaimCheck, Verdict
from ui.rendering.terminal import render_citation, render_words
from ui.rendering.words import VERDICT_WORDS, printable

_SIGNS = {Verdict.SUPPORTED: "✓", Verdict.CONTRADICTED: "✗", Verdict.PARTLY: "~", Verdict.NOT_FOUND: "?"}
"""A verdict is told by its sign and its word, never by colour alone."""
_STYLES = {
    Verdict.SUPPORTED: "bold green",
    Verdict.CONTRADICTED: "bold red",
    Verdict.PARTLY: "bold yellow",
    Verdict.NOT_FOUND: "bold yellow",
}


def render_claims(check: ClaimCheck) -> RenderableType:
    """Every claim with its verdict, in the order of the text; says so where the text holds none."""
    if not check.claims:
        return Text("No checkable claim in this text: no sentence of it states something about software.")
    parts: list[RenderableType] = []
    for checked in check.claims:
        parts += [Text("")] if parts else []
        parts += [_claim(checked)]
    return Group(*parts)


def _claim(checked: CheckedClaim) -> RenderableType:
    head = Text(f"{_SIGNS[checked.verdict]} {VERDICT_WORDS[checked.verdict]}", style=_STYLES[checked.verdict])
    head.append(f"  {printable(' '.join(checked.claim.text.split()))}", style="bold")
    parts: list[RenderableType] = [head, Padding(render_words(checked.because), (0, 0, 0, 2))]
    parts += [Padding(render_citation(citation), (0, 0, 0, 2)) for citation in checked.citations]
    return Group(*parts)
