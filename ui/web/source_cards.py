"""The sources of an answer as cards: where a quote stands, and the quote marked in its surroundings."""

from collections.abc import Mapping, Sequence
from datetime import date

from retrieval.links import is_web_page
from retrieval.model import Citation
from ui.rendering import product_version
from ui.web.answer_html import card_id, escape
from ui.web.surroundings import Surroundings


def render_sources(citations: Sequence[Citation], surroundings: Mapping[int, Surroundings], prefix: str) -> str:
    """One closed card a citation, in order, under a heading; `surroundings` by citation number. Empty without any."""
    if not citations:
        return ""
    cards = "".join(render_card(citation, surroundings[citation.n], prefix) for citation in citations)
    # What the cards say isn't read out when an answer comes: whoever wants it opens one.
    return f'<section class="rn-sources" aria-label="Sources" aria-live="off"><h3>Sources</h3>{cards}</section>'


def render_card(citation: Citation, around: Surroundings, prefix: str) -> str:
    """One source, closed; a marker of the same `prefix` opens it."""
    about = escape(product_version(citation.product, citation.version))
    heading = " › ".join(citation.heading)
    quote = (
        ("… " if around.goes_on_before else "")
        + f"{escape(around.before)}<mark>{escape(citation.quote)}</mark>{escape(around.after)}"
        + (" …" if around.goes_on_after else "")
    )
    return (
        f'<details class="rn-card" id="{card_id(prefix, citation.n)}"><summary>'
        f'<span class="rn-n">[{citation.n}]</span> '
        f'<span class="rn-title">{escape(citation.title or citation.source)}</span> '
        f'<span class="rn-about">{about} · {render_date(citation.date)}</span> {render_badge(citation)}</summary>'
        + (f'<p class="rn-heading">{escape(heading)}</p>' if heading else "")
        + f'<blockquote tabindex="0" aria-label="Quote {citation.n} in its place">{quote}</blockquote>'
        + f'<p class="rn-place">{" ".join(_links(citation))}'
        + f'<span class="rn-file">{escape(citation.source)}</span></p></details>'
    )


def render_badge(citation: Citation) -> str:
    """What weight the source has, as a word."""
    return f'<span class="rn-badge rn-{citation.authority.value}">{citation.authority.value}</span>'


def render_date(released: date | None) -> str:
    """The day, or that none is known."""
    return f'<time datetime="{released.isoformat()}">{released.isoformat()}</time>' if released else "undated"


def document_address(citation: Citation) -> str:
    """Where the page shows the document with the quote marked."""
    return f"/documents/{citation.document_id}?start={citation.start}&end={citation.end}"


def _links(citation: Citation) -> list[str]:
    here = f'<a href="{escape(document_address(citation))}" target="_blank" rel="noopener">Open in the document</a>'
    if citation.url is None or not is_web_page(citation.url):
        return [here]
    there = (
        f'<a href="{escape(citation.url)}" target="_blank" rel="noopener noreferrer">Open the original'
        '<span class="rn-unseen"> at another site</span></a>'
    )
    return [here, there]
