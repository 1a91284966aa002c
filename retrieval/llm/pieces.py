"""Words that are said to stand in a passage, as a quote of it: found letter by letter and rounded up to whole
sentences, or not at all.

Whole sentences, because a part of one may say the opposite of it: "so the device has to be named" of "in 3.0 there will
be no default, so the device has to be named".
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from corpus.index.stored import StoredPassage
from corpus.model import Item, Span
from corpus.plain_words import one_line
from retrieval.llm.reply import Piece
from retrieval.quoting.quotes import MAX_QUOTE_CHARACTERS, Quote, widen_items
from retrieval.quoting.statements import SENTENCE_END, leans_back

_TYPED_AS = str.maketrans("‘’‚“”„‐‑‒–—−\u00a0", "'''\"\"\"------ ")
"""Typographic signs as they stand on a keyboard, each one character long."""
_ROW = ("|", "+")


def quote_pieces(
    pieces: Sequence[Piece], passages: Sequence[StoredPassage], text_of: Callable[[StoredPassage], str]
) -> Iterator[Quote]:
    """The quotes of the pieces that are found, each in the passage of its number, else in the first that has it; no two
    of them overlapping but where one proves both."""
    told: list[Quote] = []
    for piece in pieces:
        named = passages[piece.passage - 1 : piece.passage] if piece.passage > 0 else ()
        found = (locate(piece.words, passage, text_of(passage)) for passage in (*named, *passages))
        quote = next((quote for quote in found if quote is not None), None)
        if quote is None or any(map(quote.shares_core, told)):
            continue
        bare = replace(quote, span=quote.core)
        holder = next((other for other in told if other.overlaps(quote)), quote)
        # One of an entry's sentences is proven by the quote of another; of two entries under one line one has it.
        if holder.span.holds(quote.core):
            told.append(replace(quote, span=holder.span))
        elif not any(map(bare.overlaps, told)):
            told.append(bare)
        else:
            continue
        yield told[-1]


def locate(words: str, passage: StoredPassage, text: str) -> Quote | None:
    """The quote of the whole sentences that hold `words`, up to white space and typographic signs. None where the
    passage doesn't hold them, or they are more than a quote holds.

    `text` is that of the passage's document.
    """
    for found in find_words(words, passage.span.slice(text)):
        said = Span(passage.span.start + found.start, passage.span.start + found.end)
        met = [number for number, item in enumerate(passage.items) if item.span.meets(said)]
        # A heading is no item.
        if met:
            items = [passage.items[number] for number in met]
            core = Span(_begin(items[0], said, text), _end(items[-1], said, text))
            span = widen_items(passage, met[0], met[-1], text)
            if len(core) > MAX_QUOTE_CHARACTERS or any(item.retracted for item in items):
                return None
            return Quote(passage, span if len(span) <= MAX_QUOTE_CHARACTERS else core, core)
    return None


def find_words(words: str, text: str) -> Iterator[Span]:
    """Where words stand in a text, up to white space and typographic signs; words without a letter stand nowhere."""
    sought = _folded(words)[0].strip()
    if not any(map(str.isalnum, sought)):
        return
    folded, places = _folded(text)
    at = folded.find(sought)
    while at >= 0:
        yield Span(places[at], places[at + len(sought) - 1] + 1)
        at = folded.find(sought, at + 1)


def _begin(item: Item, said: Span, text: str) -> int:
    """Where the sentence begins in which `said` does; the one before it where it can't be read without."""
    starts = [start for start in _starts(item, text) if start <= max(said.start, item.span.start)]
    while len(starts) > 1 and leans_back(one_line(text[starts[-1] : item.span.end])):
        starts.pop()
    return starts[-1]


def _end(item: Item, said: Span, text: str) -> int:
    """Where the sentence ends in which `said` does."""
    after = next((start for start in _starts(item, text) if start >= said.end), item.span.end)
    return item.span.start + len(text[item.span.start : after].rstrip())


def _starts(item: Item, text: str) -> Sequence[int]:
    """Where the sentences of an item begin; the lines of code, and the rows of a table."""
    words = item.span.slice(text)
    if item.is_code or words.lstrip().startswith(_ROW):
        ends = [place + 1 for place, sign in enumerate(words) if sign == "\n"]
    else:
        ends = [end.end() for end in SENTENCE_END.finditer(words)]
    return [item.span.start, *(item.span.start + end for end in ends)]


def _folded(text: str) -> tuple[str, list[int]]:
    """The text with each run of white space as one blank, and the place of each of its characters."""
    kept = list(_without_runs(text.translate(_TYPED_AS)))
    return "".join(sign for sign, _ in kept), [place for _, place in kept]


def _without_runs(text: str) -> Iterator[tuple[str, int]]:
    was_space = False
    for place, sign in enumerate(text):
        if not sign.isspace():
            yield sign, place
        elif not was_space:
            yield " ", place
        was_space = sign.isspace()
