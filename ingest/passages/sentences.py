"""Splits prose into sentences with exact ranges, and cuts text that is too long.

Rules instead of a model, because ranges must be exact. A full stop and white space end a sentence whatever follows,
unless the text before is an abbreviation, an initial, a bare number of a list, or a name that the text joins to others
by full stops ("torch. Stream").
"""

import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from corpus.model import Span

_END = re.compile(r"[.!?…](?:[\"'”’)\]`*_]{0,3})(?=\s)|\n\s*\n|\s(?=[-•–]\s+[A-Z@`])")
_ABBREVIATION = re.compile(
    r"(?i)(?:^|[\s(\[])(?:e\.g|i\.e|etc|vs|cf|ca|approx|incl|resp|esp|no|nos|fig|mr|mrs|ms|dr|prof|st|inc|ltd|co|al|"
    r"jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec)\.$"
)
_INITIAL = re.compile(r"(?:^|\s)[A-Z]\.$")
_LIST_NUMBER = re.compile(r"(?:^|\n)[^\S\n]*\(?\d{1,3}\.$")
_NAMESPACE = re.compile(r"(?<![\w./@:-])([a-z_]\w+)\.(?=[A-Za-z_])")
_LAST_WORD = re.compile(r"(?<![\w./@:-])([a-z_]\w+)\.$")
_MIN_JOINS = 3
_SHORT = 25


def split_sentences(text: str, span: Span, *, max_characters: int) -> tuple[Span, ...]:
    """Return the sentences of `text` inside `span`, trimmed, in order, disjoint, covering every non-space character.

    A fragment shorter than 25 characters joins its predecessor; a sentence longer than `max_characters` is cut at white
    space, or anywhere if it has none. A blank range gives none.
    """
    joined: list[Span] = []
    for piece in _raw_sentences(text, span):
        short = len(piece) < _SHORT and joined and "\n\n" not in text[joined[-1].end : piece.start]
        if short and piece.end - joined[-1].start <= max_characters:
            joined[-1] = Span(joined[-1].start, piece.end)
        else:
            joined.append(piece)
    return tuple(part for piece in joined for part in cut(text, piece, max_characters=max_characters))


def cut(text: str, span: Span, *, max_characters: int) -> tuple[Span, ...]:
    """Return `span` in trimmed pieces of at most `max_characters`, each cut at the last line end or space that fits."""
    pieces: list[Span | None] = []
    start = span.start
    while span.end - start > max_characters:
        window = text[start : start + max_characters]
        at = max(window.rfind("\n", max_characters // 2), 0) or max(window.rfind(" ", max_characters // 2), 0)
        stop = start + (at or max_characters)
        pieces.append(trim(text, Span(start, stop)))
        start = stop
    pieces.append(trim(text, Span(start, span.end)))
    return tuple(filter(None, pieces))


def trim(text: str, span: Span) -> Span | None:
    """Return `span` without white space at its ends; None if nothing else is in it."""
    written = text[span.start : span.end].rstrip()
    end = span.start + len(written)
    start = end - len(written.lstrip())
    return Span(start, end) if start < end else None


def _raw_sentences(text: str, span: Span) -> Iterator[Span]:
    """Yield the trimmed sentences of `span`, however short or long."""
    namespaces = _namespaces(text)
    start = span.start
    for match in _END.finditer(text, span.start, span.end):
        end = match.end() if not match.group().isspace() else match.start()
        if match.group()[:1] == "." and _is_unfinished(text[max(start, end - 40) : match.start() + 1], namespaces):
            continue
        piece = trim(text, Span(start, end))
        if piece:
            yield piece
        start = end
    if last := trim(text, Span(start, span.end)):
        yield last


def _is_unfinished(before: str, namespaces: frozenset[str]) -> bool:
    """Return whether the full stop that ends `before` doesn't end a sentence."""
    # ".." begins explicit markup in reStructuredText.
    if before.lstrip() == ".." or any(form.search(before) for form in (_ABBREVIATION, _INITIAL, _LIST_NUMBER)):
        return True
    word = _LAST_WORD.search(before)
    return word is not None and word.group(1) in namespaces


@lru_cache(maxsize=2)
def _namespaces(text: str) -> frozenset[str]:
    """Return the names that `text` joins to others by full stops at least three times."""
    joins = Counter(match.group(1) for match in _NAMESPACE.finditer(text))
    return frozenset(name for name, count in joins.items() if count >= _MIN_JOINS)
