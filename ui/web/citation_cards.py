"""A citation as a card that opens: the quote marked in its surroundings, and where it stands."""

from datetime import date

from retrieval.links import is_web_page
from retrieval.model import Citation
from ui.rendering import product_version
from ui.web.escaping import escape
from ui.web.surroundings import Surroundings


def render_card(citation: Citation, around: Surroundings) -> str:
    """One source, closed: what it is, and inside the quote marked in its surroundings."""
    badge = f'<span class="rn-badge rn-{citation.authority.value}">{citation.authority.value}</span>'
    about = escape(product_version(citation.product, citation.version))
    heading = " › ".join(citation.heading)
    quote = (
        ("… " if around.goes_on_before else "")
        + f"{escape(around.before)}<mark>{escape(citation.quote)}</mark>{escape(around.after)}"
        + (" …" if around.goes_on_after else "")
    )
    return (
        f'<details class="rn-card" id="rn-source-{citation.n}"><summary><span class="rn-n">[{citation.n}]</span> '
        f'<span class="rn-title">{escape(citation.title or citation.source)}</span> '
        f'<span class="rn-about">{about} · {_date(citation.date)}</span> {badge}</summary>'
        + (f'<p class="rn-heading">{escape(heading)}</p>' if heading else "")
        + f'<blockquote tabindex="0">{quote}</blockquote>'
        + f'<p class="rn-place">{escape(citation.source)}, characters {citation.start}–{citation.end}{_link(citation)}'
        + "</p></details>"
    )


def _link(citation: Citation) -> str:
    if citation.url is None or not is_web_page(citation.url):
        return ""
    return f' · <a href="{escape(citation.url)}" target="_blank" rel="noopener noreferrer">Open the original</a>'


def _date(released: date | None) -> str:
    return f'<time datetime="{released.isoformat()}">{released.isoformat()}</time>' if released else "undated"
