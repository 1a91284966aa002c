"""Passages of a bounded length for the peers that bring no splitter along."""

from corpus.model import Span

MAX_CHARACTERS = 512
_SEPARATORS = ("\n\n", "\n", ". ", " ")
"""Tried in this order: a paragraph's end, a line's, a sentence's, a word's."""


def split_text(text: str) -> tuple[Span, ...]:
    """Cut a text into spans of at most `MAX_CHARACTERS` that cover it, each as long as its best separator lets it be.

    This is what the recursive character splitters of common tutorials do, without overlap.
    """
    spans: list[Span] = []
    start = 0
    while start < len(text):
        end = _end(text, start)
        spans.append(Span(start, end))
        start = end
    return tuple(spans)


def _end(text: str, start: int) -> int:
    last = start + MAX_CHARACTERS
    if last >= len(text):
        return len(text)
    for separator in _SEPARATORS:
        cut = text.rfind(separator, start + 1, last)
        if cut >= 0:
            return cut + len(separator)
    return last
