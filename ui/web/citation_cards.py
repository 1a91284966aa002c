"""A citation as a card that opens: the quote marked in its surroundings, and where it stands."""

import re
from datetime import date

from corpus.model import Authority
from retrieval.links import is_web_page
from retrieval.model import Citation
from ui.rendering import product_version
from ui.rendering.answer_text import Code, Marker, Name, Text, split_inlines
from ui.web.escaping import escape
from ui.web.surroundings import Surroundings

_DRAWN = re.compile(r"^[\s>#*+|-]+(?=\s)|[\s#|]+$")
"""Marks at the ends of a line: of headings, entries, quotes and tables."""


def render_card(citation: Citation, around: Surroundings) -> str:
    """One source, closed: what it is, and inside the quote marked in its surroundings."""
    about = escape(product_version(citation.product, citation.version))
    return (
        f'<details class="rn-card" id="rn-source-{citation.n}"><summary><span class="rn-n">[{citation.n}]</span> '
        f'<span class="rn-title">{escape(citation.title or citation.source)}</span> '
        f'<span class="rn-about">{about} · {render_date(citation.date)}</span> {_badge(citation)}</summary>'
        f"{_inside(citation, around)}</details>"
    )


def render_evidence(citation: Citation, around: Surroundings, *, words: str, about: str = "", mark: str = "") -> str:
    """A card that says outside what the source says, in one line's `words`, and inside where.

    `about` is a text after the words; `mark` is HTML before them.
    """
    after = f' <span class="rn-about">{escape(about)}</span>' if about else ""
    # Most sources are official; it is said outside where one isn't.
    outside = "" if citation.authority is Authority.OFFICIAL else f" {_badge(citation)}"
    title = escape(citation.title or citation.source)
    return (
        f'<details class="rn-card rn-evidence"><summary>{mark}<span class="rn-words">{render_words(words)}</span>'
        f'{after}{outside}</summary><p class="rn-of"><span class="rn-title">{title}</span> '
        f"{render_date(citation.date)} {_badge(citation)}</p>{_inside(citation, around)}</details>"
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


def render_date(released: date | None) -> str:
    """A date for people and machines."""
    return f'<time datetime="{released.isoformat()}">{released.isoformat()}</time>' if released else "undated"


def _inside(citation: Citation, around: Surroundings) -> str:
    heading = " › ".join(citation.heading)
    quote = (
        ("… " if around.goes_on_before else "")
        + f"{escape(around.before)}<mark>{escape(citation.quote)}</mark>{escape(around.after)}"
        + (" …" if around.goes_on_after else "")
    )
    return (
        (f'<p class="rn-heading">{escape(heading)}</p>' if heading else "")
        + f'<blockquote tabindex="0">{quote}</blockquote>'
        + f'<p class="rn-place">{escape(citation.source)}, characters {citation.start}–{citation.end}{_link(citation)}'
        + "</p>"
    )


def _badge(citation: Citation) -> str:
    return f'<span class="rn-badge rn-{citation.authority.value}">{citation.authority.value}</span>'


def _link(citation: Citation) -> str:
    if citation.url is None or not is_web_page(citation.url):
        return ""
    return f' · <a href="{escape(citation.url)}" target="_blank" rel="noopener noreferrer">Open the original</a>'
