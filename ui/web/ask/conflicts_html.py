"""What sources disagree about, one beside the other."""

from collections.abc import Sequence

from corpus.model import Authority
from retrieval.model import Citation, Conflict
from ui.rendering.words import product_version
from ui.web.ask.answer_html import render_marker
from ui.web.citation_cards import render_badge, render_date
from ui.web.escaping import escape


def render_conflicts(conflicts: Sequence[Conflict], citations: Sequence[Citation], prefix: str) -> str:
    """Each subject with its sides in columns: who says it, with what weight, in which words. Empty without any."""
    if not conflicts:
        return ""
    cited = {citation.n: citation for citation in citations}
    shown = "".join(_conflict(conflict, cited, prefix) for conflict in conflicts)
    return f'<section class="rn-conflicts" aria-label="Sources disagree"><h3>Sources disagree</h3>{shown}</section>'


def _conflict(conflict: Conflict, cited: dict[int, Citation], prefix: str) -> str:
    sides = "".join(_side(cited[n], prefix) for n in conflict.citations if n in cited)
    return f'<p class="rn-subject">About {escape(conflict.about)}</p><ul class="rn-sides">{sides}</ul>'


def _side(citation: Citation, prefix: str) -> str:
    is_official = citation.authority is Authority.OFFICIAL
    weight = '<p class="rn-weight">The project itself says</p>' if is_official else '<p class="rn-weight">Said by</p>'
    about = escape(product_version(citation.product, citation.version))
    return (
        f'<li class="rn-side{" rn-side-official" if is_official else ""}">{weight}'
        f'<p class="rn-speaker">{escape(citation.title or citation.source)} {render_badge(citation)}</p>'
        f'<p class="rn-said">{escape(citation.quote)} {render_marker(citation.n, prefix)}</p>'
        f'<p class="rn-about">{about} · {render_date(citation.date)}</p></li>'
    )
