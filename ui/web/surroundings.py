"""A quote in its place: the document's text around it, cut at words, and a link that scrolls the original to it."""

from dataclasses import dataclass
from urllib.parse import quote as percent_encode
from urllib.parse import urlsplit

from corpus.model import Span

SURROUNDING_CHARACTERS = 600
_WHOLE_FRAGMENT_CHARACTERS = 120
_EDGE_WORDS = 5


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The text before and after a quote; the flags say that the document goes on beyond it."""

    before: str
    after: str
    goes_on_before: bool
    goes_on_after: bool


def split_surroundings(text: str, span: Span, *, width: int = SURROUNDING_CHARACTERS) -> Surroundings:
    """Cut up to `width` characters of `text` on each side of `span`, at white space where there is some.

    `before + span.slice(text) + after` is a slice of `text`.
    """
    start = max(0, span.start - width)
    if start > 0:
        found = next((at for at in range(start, span.start) if text[at].isspace()), None)
        start = start if found is None else found + 1
    end = min(len(text), span.end + width)
    if end < len(text):
        found = next((at for at in range(end - 1, span.end - 1, -1) if text[at].isspace()), None)
        end = end if found is None else found
    return Surroundings(
        before=text[start : span.start],
        after=text[span.end : end],
        goes_on_before=bool(text[:start].strip()),
        goes_on_after=bool(text[end:].strip()),
    )


def original_link(url: str | None, quote: str) -> str | None:
    """The address of the original, with a text fragment that finds the quote there; None unless it's http(s).

    Source: WICG Scroll to Text Fragment, https://wicg.github.io/scroll-to-text-fragment/
    """
    if not url:
        return None
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not parts.netloc:
        return None
    words = quote.replace("`", "").replace("**", "").split()
    if not words:
        return url
    if len(" ".join(words)) <= _WHOLE_FRAGMENT_CHARACTERS or len(words) <= 2 * _EDGE_WORDS:
        directive = _encoded(words)
    else:
        directive = f"{_encoded(words[:_EDGE_WORDS])},{_encoded(words[-_EDGE_WORDS:])}"
    return f"{url}{'' if parts.fragment else '#'}:~:text={directive}"


def _encoded(words: list[str]) -> str:
    # `-`, `&` and `,` are syntax in a directive; percent_encode leaves the hyphen alone.
    return percent_encode(" ".join(words), safe="").replace("-", "%2D")
