"""A citation as a card that opens: the quote marked in its surroundings, and where it stands."""

import re
from collections.abc import Mapping, Sequence
from datetime import date

from corpus.model import Authority, Span
from retrieval.model import Citation
from retrieval.quoting.links import is_web_page
from ui.rendering.answer_text import Code, Marker, Name, Text, split_inlines
from ui.rendering.words import product_version
from ui.web.ask.answer_html import card_id
from ui.web.document.address import document_address
from ui.web.escaping import escape
from ui.web.surroundings import Surroundings

_DRAWN = re.compile(r"^[\s>#*+|-]+(?=\s)|[\s#|]+$")
"""Marks at the ends of a line: of headings, entries, quotes and tables."""


def render_sources(citations: Sequence[Citation], surroundings: Mapping[int, Surroundings], prefix: str) -> str:
    """One closed card a citation, in order, under a heading; `surroundings` by citation number. Empty without any.

    `prefix` begins the ids of the cards, which markers of the same prefix open.
    """
    if not citations:
        return ""
    cards = "".join(_render_card(citation, surroundings[citation.n], prefix) for citation in citations)
    # What the cards say isn't read out when an answer comes: whoever wants it opens one.
    return f'<section class="rn-sources" aria-live="off"><h3>Sources</h3>{cards}</section>'


def render_evidence(citation: Citation, around: Surroundings, *, words: str, about: str, mark: str = "") -> str:
    """A card that says outside what the source says, in one line's `words`, and inside where.

    `about` is a text after the words; `mark` is HTML before them.
    """
    after = f' <span class="rn-about">{escape(about)}</span>' if about else ""
    # Most sources are official; it is said outside where one isn't.
    outside = "" if citation.authority is Authority.OFFICIAL else f" {render_badge(citation)}"
    title = escape(citation.title or citation.source)
    return (
        f'<details class="rn-card rn-evidence"><summary>{mark}<span class="rn-words">{render_words(words)}</span>'
        f'{after}{outside}</summary><p class="rn-of"><span class="rn-title">{title}</span> '
        f"{render_date(citation.date)} {render_badge(citation)}</p>{_inside(citation, around)}</details>"
    )


def render_words(text: str) -> str:
    """Words of a source on one line, what stands between back quotes shown as code."""
    parts: list[str] = []
    for inline in split_inlines(" ".join(text.split())):
        match inline:
            case Code(code):
                parts.append(f"<code>{escape(code)}</code>")
            case Name(name):
                parts.append(f"<strong>{escape(name)}</strong>")
            case Marker(n):
                parts.append(f"[{n}]")
            case Text(plain):
                parts.append(escape(plain))
    return "".join(parts)


def quote_words(quote: str) -> str:
    """A quote on one line for outside its card: without what only draws headings, lists and tables."""
    lines = (_DRAWN.sub("", line).strip() for line in quote.splitlines())
    return " ".join(line for line in lines if any(map(str.isalnum, line)))


def render_badge(citation: Citation) -> str:
    """What weight the source has, as a word."""
    return f'<span class="rn-badge rn-{citation.authority.value}">{citation.authority.value}</span>'


def render_date(released: date | None) -> str:
    """The day for people and machines, or that none is known."""
    return f'<time datetime="{released.isoformat()}">{released.isoformat()}</time>' if released else "undated"


def _render_card(citation: Citation, around: Surroundings, prefix: str) -> str:
    about = escape(product_version(citation.product, citation.version))
    return (
        f'<details class="rn-card" id="{card_id(prefix, citation.n)}"><summary>'
        f'<span class="rn-n">[{citation.n}]</span> '
        f'<span class="rn-title">{escape(citation.title or citation.source)}</span> '
        f'<span class="rn-about">{about} · {render_date(citation.date)}</span> {render_badge(citation)}</summary>'
        f"{_inside(citation, around)}</details>"
    )


def _inside(citation: Citation, around: Surroundings) -> str:
    heading = " › ".join(citation.heading)
    quote = (
        ("… " if around.goes_on_before else "")
        + f"{escape(around.before)}<mark>{escape(citation.quote)}</mark>{escape(around.after)}"
        + (" …" if around.goes_on_after else "")
    )
    return (
        (f'<p class="rn-heading">{escape(heading)}</p>' if heading else "")
        + f'<blockquote tabindex="0" aria-label="Quote {citation.n} in its place">{quote}</blockquote>'
        + f'<p class="rn-place">{" ".join(_links(citation))}'
        + f'<span class="rn-file">{escape(citation.source)}</span></p>'
    )


def _links(citation: Citation) -> list[str]:
    place = document_address(citation.document_id, Span(citation.start, citation.end))
    here = f'<a href="{escape(place)}" target="_blank" rel="noopener">Open in the document</a>'
    if citation.url is None or not is_web_page(citation.url):
        return [here]
    there = (
        f'<a href="{escape(citation.url)}" target="_blank" rel="noopener noreferrer">Open the original'
        '<span class="rn-visually-hidden"> at another site</span></a>'
    )
    return [here, there]
