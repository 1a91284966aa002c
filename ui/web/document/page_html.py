"""A document as a page of its own: what it is, its releases, its text with the passages outlined and a quote marked.

The page is complete without a script, and holds its own style.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib.resources import files

from corpus.ages import age_words
from corpus.index.stored import DocumentSummary, StoredPassage
from corpus.model import Kind, Release, Span
from retrieval.quoting.links import is_web_page, quote_link
from ui.web.escaping import escape
from ui.web.visible_text import visible_text


@dataclass(frozen=True, slots=True)
class DocumentView:
    """What one part of a document's page shows; `passages` are those of the part, in order."""

    document: DocumentSummary
    text: str
    releases: tuple[Release, ...]
    passages: tuple[StoredPassage, ...]
    parts: tuple[Span, ...]
    part: int
    quote: Span | None
    today: date


def render_document_html(view: DocumentView) -> str:
    """The page, with the quote as `<mark id="quote">` where there is one."""
    document = view.document
    contents = _contents(view)
    main = (
        f'<header><p><a href="/">relnotes</a></p><h1>{visible_text(document.title or document.source)}</h1>'
        f"{_about(view)}</header>"
        f'<div class="rn-columns">{contents}<main>{_parts_nav(view)}{_body(view)}{_parts_nav(view)}</main></div>'
    )
    return _page(f"{document.title or document.source} · {document.product}", main)


def render_notice_html(title: str, message: str, *, link: str = "/", link_text: str = "Back to relnotes") -> str:
    """A page that says why there is no document to show."""
    return _page(
        title,
        f'<header><p><a href="/">relnotes</a></p></header><main class="rn-notice"><h1>{escape(title)}</h1>'
        f'<p>{visible_text(message)}</p><p><a href="{escape(link)}">{escape(link_text)}</a></p></main>',
    )


def _page(title: str, body: str) -> str:
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">'
        f"<title>{escape(title)} · relnotes</title><style>{_styles()}</style></head><body>{body}</body></html>"
    )


@cache
def _styles() -> str:
    base, own = (
        files("ui.web").joinpath(f"styles/{name}.css").read_text(encoding="utf-8") for name in ("base", "document")
    )
    return document_styles(base) + own


def document_styles(base: str) -> str:
    """The colours and fonts of the sheet `base`, with its dark ones where the system asks for dark."""
    light, dark = (re.search(rf"^{re.escape(name)} {{([^}}]*)}}", base, re.MULTILINE) for name in (":root", ".dark"))
    assert light is not None
    assert dark is not None
    return f":root {{{light[1]}}} @media (prefers-color-scheme: dark) {{ :root {{{dark[1]} color-scheme: dark; }} }}\n"


def _about(view: DocumentView) -> str:
    document = view.document
    facts = [
        ("Product", visible_text(document.product)),
        ("Versions", _versions(document, view.releases)),
        ("Date", _date(document, view.releases, today=view.today)),
        ("Source", visible_text(document.source)),
        ("Authority", f'<span class="rn-badge rn-{document.authority.value}">{document.authority.value}</span>'),
    ]
    address = quote_link(document, view.text, view.quote) if view.quote else document.url
    if address and is_web_page(address):
        link = f'<a href="{escape(address)}" target="_blank" rel="noopener noreferrer">Open the original</a>'
        facts.append(("Original", link))
    return f"<dl>{''.join(f'<div><dt>{name}</dt><dd>{fact}</dd></div>' for name, fact in facts)}</dl>"


def _versions(document: DocumentSummary, releases: Sequence[Release]) -> str:
    versions = sorted({release.version for release in releases if release.version})
    if not versions:
        return visible_text(document.version or "none named")
    if len(versions) == 1:
        return visible_text(versions[0].label)
    return f"{visible_text(versions[0].label)}–{visible_text(versions[-1].label)}, {len(versions)} releases"


def _date(document: DocumentSummary, releases: Sequence[Release], *, today: date) -> str:
    day = max((release.date for release in releases if release.date), default=document.date)
    return _dated(day, today=today) if day else "undated"


def _dated(day: date, *, today: date) -> str:
    return f'<time datetime="{day.isoformat()}">{day.isoformat()}</time>, {age_words(day, today=today)}'


def _contents(view: DocumentView) -> str:
    """The releases as a table of contents; nothing for a single one."""
    named = [(number, release) for number, release in enumerate(view.releases) if release.label or release.version]
    if len(named) < 2:
        return ""
    entries = []
    for number, release in named:
        part = next(at for at, span in enumerate(view.parts) if release.span.start < span.end or span == view.parts[-1])
        place = "" if part == view.part else f"?part={part + 1}"
        day = f" <time>{release.date.isoformat()}</time>" if release.date else ""
        entries.append(f'<li><a href="{place}#release-{number}">{_release_name(release)}</a>{day}</li>')
    return (
        f'<nav class="rn-contents" aria-labelledby="rn-contents"><details open><summary id="rn-contents">Releases '
        f"({len(named)})</summary><ol>{''.join(entries)}</ol></details></nav>"
    )


def _release_name(release: Release) -> str:
    name = visible_text(release.version.label if release.version else release.label)
    return f"{name} (yanked)" if release.yanked else name


def _parts_nav(view: DocumentView) -> str:
    if len(view.parts) < 2:
        return ""
    number, total = view.part + 1, len(view.parts)
    before = f'<a rel="prev" href="?part={number - 1}">Previous part</a>' if view.part else "<span></span>"
    after = f'<a rel="next" href="?part={number + 1}">Next part</a>' if number < total else "<span></span>"
    return f'<nav class="rn-parts" aria-label="Parts">{before}<span>Part {number} of {total}</span>{after}</nav>'


def _body(view: DocumentView) -> str:
    part = view.parts[view.part]
    pieces: list[str] = []
    at = part.start
    marker = _Marker(view.text, view.quote)
    first = next((one for one in view.releases if one.span.start < part.start < one.span.end), None)
    if first is not None and (first.label or first.version):
        pieces.append(f"<h2>{_release_name(first)} <small>continued</small></h2>")
    for start, end, piece in _landmarks(view, part):
        if start > at:
            pieces.append(_between(marker.render(Span(at, start))))
            at = start
        if isinstance(piece, int):
            pieces.append(_release_heading(piece, view.releases[piece], today=view.today))
        elif end > at:
            pieces.append(_passage(piece, marker.render(Span(at, end)), title=view.document.title))
            at = end
    return "".join([*pieces, _between(marker.render(Span(at, part.end)))])


def _landmarks(view: DocumentView, part: Span) -> Iterator[tuple[int, int, "int | StoredPassage"]]:
    """The releases (by number) and passages that begin in the part, in the order of the text."""
    found: list[tuple[int, int, int | StoredPassage]] = [
        (release.span.start, part.end, number)
        for number, release in enumerate(view.releases)
        if part.start <= release.span.start < part.end
    ]
    found += [(one.span.start, min(one.span.end, part.end), one) for one in view.passages]
    return iter(sorted(found, key=lambda landmark: (landmark[0], not isinstance(landmark[2], int))))


def _release_heading(number: int, release: Release, *, today: date) -> str:
    if not (release.label or release.version):
        return ""
    day = f" <small>{_dated(release.date, today=today)}</small>" if release.date else ""
    return f'<h2 id="release-{number}">{_release_name(release)}{day}</h2>'


def _between(html: str) -> str:
    return f'<div class="rn-between" dir="auto">{html}</div>' if html.strip() else ""


def _passage(passage: StoredPassage, html: str, *, title: str) -> str:
    # The release's own heading would only say again what stands before it.
    heading = [part for part in passage.heading if part != title and not (passage.release and passage.release in part)]
    kind = "" if passage.kind is Kind.OTHER else passage.kind.value
    words = [passage.release or "", "never quoted" if passage.boilerplate else kind, " › ".join(heading)]
    label = " · ".join(visible_text(word) for word in words if word)
    style = "rn-passage rn-boilerplate" if passage.boilerplate else "rn-passage"
    label = f'<p class="rn-label">{label}</p>' if label else ""
    return f'<section class="{style}">{label}<div dir="auto">{html}</div></section>'


class _Marker:
    """Renders ranges of a text with the quote marked; only the first piece of a quote is the place to scroll to."""

    def __init__(self, text: str, quote: Span | None) -> None:
        self._text = text
        self._quote = quote
        self._has_begun = False

    def render(self, span: Span) -> str:
        """The range as HTML; calls come in the order of the text."""
        quote = self._quote
        if quote is None or quote.end <= span.start or span.end <= quote.start:
            return visible_text(span.slice(self._text))
        start, end = max(span.start, quote.start), min(span.end, quote.end)
        place = "" if self._has_begun else ' id="quote"'
        self._has_begun = True
        before, marked, after = (
            visible_text(self._text[first:last]) for first, last in ((span.start, start), (start, end), (end, span.end))
        )
        return f"{before}<mark{place}>{marked}</mark>{after}"
