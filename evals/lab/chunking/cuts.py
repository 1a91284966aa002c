"""Ways to cut the corpora: ours for flat prose, the same at other lengths, and the published splitter to compare with.

Offsets are kept throughout: a passage is a range of its corpus, and so are the sentences that it is found by.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from corpus.model import Item, Span
from evals.lab.chunking.benchmark import Corpus
from ingest.formats import parse_blocks
from ingest.passages.enrichment import embedded_text
from ingest.passages.sentences import split_sentences, trim
from ingest.passages.splitting import MAX_QUOTE_CHARACTERS, Embed, split_passages
from ingest.passages.topics import segment_topics
from ingest.releases.splitting import split_releases

_SEPARATORS = ("\n\n", "\n", ".", "?", "!", " ")
"""Of the published splitter, most welcome first; it keeps each at the beginning of the next piece."""


@dataclass(frozen=True, slots=True)
class CutPassage:
    """A passage of one corpus; `items` are the sentences it is found by, at least one."""

    corpus: Corpus
    span: Span
    items: tuple[Span, ...]


def cut_as_product(corpus: Corpus, *, embed: Embed) -> tuple[CutPassage, ...]:
    """The product's passages of a corpus that is about no release, as the benchmark's are."""
    parsed = parse_blocks(f"{corpus.name}.md", corpus.text.encode())
    releases = split_releases(parsed, products=(), version=None, day=None)
    passages = split_passages(parsed, releases, title="", embed=embed)
    return tuple(
        CutPassage(corpus, one.span, tuple(item.span for item in one.items) or (one.span,)) for one in passages
    )


def cut_by_subjects(corpus: Corpus, *, max_characters: int, embed: Embed) -> tuple[CutPassage, ...]:
    """The same cut at another length, over the plain text."""
    sentences = split_sentences(corpus.text, Span(0, len(corpus.text)), max_characters=MAX_QUOTE_CHARACTERS)
    ends = [0, *(sentence.end for sentence in sentences)]
    segments = segment_topics(
        sentences,
        embed([embedded_text(corpus.text, Item(sentence)) for sentence in sentences]),
        begins_paragraph=["\n" in corpus.text[end : one.start] for end, one in zip(ends, sentences, strict=False)],
        max_characters=max_characters,
    )
    return tuple(CutPassage(corpus, Span(items[0].start, items[-1].end), items) for items in segments)


def cut_recursively(corpus: Corpus, *, max_tokens: int, count_tokens: Callable[[str], int]) -> tuple[CutPassage, ...]:
    """The published baseline "Recursive N/0": pieces at the most welcome separator, packed up to `max_tokens`."""
    pieces = _recursive_pieces(
        corpus.text, Span(0, len(corpus.text)), _SEPARATORS, max_tokens=max_tokens, count_tokens=count_tokens
    )
    spans = (trim(corpus.text, piece) for piece in pieces)
    return tuple(CutPassage(corpus, span, (span,)) for span in spans if span is not None)


def _recursive_pieces(
    text: str,
    span: Span,
    separators: Sequence[str],
    *,
    max_tokens: int,
    count_tokens: Callable[[str], int],
) -> Iterator[Span]:
    present = [rank for rank, separator in enumerate(separators) if separator in span.slice(text)]
    if not present:
        yield span
        return
    run: Span | None = None
    tokens = 0
    for piece in _split_before(text, span, separators[present[0]]):
        length = count_tokens(piece.slice(text))
        if run is not None and (length >= max_tokens or tokens + length > max_tokens):
            yield run
            run, tokens = None, 0
        if length >= max_tokens:
            rest = separators[present[0] + 1 :]
            yield from _recursive_pieces(text, piece, rest, max_tokens=max_tokens, count_tokens=count_tokens)
        else:
            run = Span(run.start if run else piece.start, piece.end)
            tokens += length
    if run is not None:
        yield run


def _split_before(text: str, span: Span, separator: str) -> Iterator[Span]:
    begin = span.start
    for match in re.compile(re.escape(separator)).finditer(text, span.start, span.end):
        if match.start() > begin:
            yield Span(begin, match.start())
            begin = match.start()
    yield Span(begin, span.end)
