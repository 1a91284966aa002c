"""A claim check as HTML: the text with its claims marked, and beside each its verdict, the reason and the quotes."""

from collections import Counter

from retrieval.claims.model import CheckedClaim, ClaimCheck, Verdict
from retrieval.model import Citation
from ui.rendering.claim_markdown import render_claims_markdown
from ui.rendering.upgrade_kinds import counted
from ui.rendering.words import VERDICT_WORDS, product_version
from ui.web.citation_cards import quote_words, render_evidence, render_words
from ui.web.escaping import escape
from ui.web.export_html import render_export, render_head
from ui.web.surroundings import Around

_SHAPES = {
    Verdict.SUPPORTED: '<circle r="7"/><path d="M-3.4 .2-1 2.8 3.6-2.6"/>',
    Verdict.CONTRADICTED: '<path d="M-3-7H3L7-3V3L3 7H-3L-7 3V-3Z"/><path d="M-2.8-2.8 2.8 2.8M2.8-2.8-2.8 2.8"/>',
    Verdict.PARTLY: '<circle r="7"/><path class="rn-filled" d="M0-7A7 7 0 0 1 0 7Z"/>',
    Verdict.NOT_FOUND: '<circle r="7" stroke-dasharray="3 2.4"/><path d="M-3 0H3"/>',
}
"""A verdict is told by its shape and its word, never by colour alone."""


def render_claims_html(check: ClaimCheck, around: Around) -> str:
    """Every claim of the text, in its order."""
    if not check.claims:
        said = "No checkable claim in this text: no sentence of it states something about software."
        return (
            f'<div class="rn-answer rn-failure"><p data-announce="{said}">{said}</p><p>If it is a diff, paste it with '
            "the lines that name its files, as <code>git diff</code> writes it.</p></div>"
        )
    verdicts = Counter(checked.verdict for checked in check.claims)
    found = ", ".join(f"{verdicts[one]} {words.lower()}" for one, words in VERDICT_WORDS.items() if verdicts[one])
    said = f"{counted(len(check.claims), 'claim')}: {found}."
    export = render_export(render_claims_markdown(check), file_name="claims.md")
    return (
        f'<section class="rn-review" aria-label="Review">{render_head("Claims in the text", export)}'
        f'<p class="rn-summary" data-announce="{said}">Read as a text. {said}</p>{_rows(check, around)}</section>'
    )


def _rows(check: ClaimCheck, around: Around) -> str:
    """The whole text, cut after each claim."""
    rows: list[str] = []
    position = 0
    for number, checked in enumerate(check.claims):
        claim, is_last = checked.claim, number == len(check.claims) - 1
        before = check.text[position : claim.start]
        after = check.text[claim.end :] if is_last else ""
        stated = escape(check.text[claim.start : claim.end])
        rows.append(
            f'<div class="rn-beside rn-claim rn-says-{checked.verdict.value}"><p class="rn-left">'
            f"{_plain(before.lstrip())}<mark>{stated}</mark>{_plain(after.rstrip())}</p>"
            f'<div class="rn-right">{_verdict(checked, around)}</div></div>'
        )
        position = claim.end
    return "".join(rows)


def _plain(text: str) -> str:
    return f'<span class="rn-aside">{escape(text)}</span>' if text.strip() else escape(text)


def _verdict(checked: CheckedClaim, around: Around) -> str:
    cited = "".join(f"<li>{_citation(citation, around)}</li>" for citation in checked.citations)
    return (
        f'<p class="rn-verdict">{_icon(checked.verdict)} <strong>{VERDICT_WORDS[checked.verdict]}</strong></p>'
        f'<p class="rn-because">{render_words(checked.because)}</p>'
        + (f'<ul class="rn-changes">{cited}</ul>' if cited else "")
    )


def _icon(verdict: Verdict) -> str:
    box = 'width="18" height="18" viewBox="-9 -9 18 18"'
    return f'<svg class="rn-icon" aria-hidden="true" {box}>{_SHAPES[verdict]}</svg>'


def _citation(citation: Citation, around: Around) -> str:
    about = product_version(citation.product, citation.version)
    return render_evidence(citation, around(citation), words=quote_words(citation.quote), about=about)
