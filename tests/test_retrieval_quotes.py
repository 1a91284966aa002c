"""Quotes: whatever is told of an item lies in its quote, which lies in its passage and keeps to its limits."""

from dataclasses import replace
from itertools import accumulate

from hypothesis import given
from hypothesis import strategies as st
from property_examples import examples

from corpus.model import Item, Span
from corpus.versions import VersionMatch
from retrieval.assistant import Assistant
from retrieval.quoting.quote_ranges import SHOWN_CHARACTERS, quote_item, surround
from retrieval.quoting.quotes import MAX_QUOTE_CHARACTERS, ItemScore
from retrieval.quoting.wording import word_quote
from retrieval.search.hits import Hit

LONG = "The valve was redesigned so that it closes without a sound even where the water is hard. "


@examples(60)
@given(
    sentences=st.lists(
        st.sampled_from(("It hums. ", "- Pumps\n", "2. Taps\n", "See below:\n\n", "Heading\n\n", LONG, LONG * 4)),
        min_size=1,
        max_size=12,
    ),
    number=st.integers(0, 11),
)
def test_a_quote_holds_what_it_tells_and_keeps_its_limits(
    handmade: Assistant, sentences: list[str], number: int
) -> None:
    text = "".join(sentences)
    starts = list(accumulate(map(len, sentences), initial=0))
    items = tuple(
        Item(Span(start, start + len(words.strip())), opens=words not in ("It hums. ", LONG, LONG * 4))
        for start, words in zip(starts, sentences, strict=False)
    )
    passage = replace(handmade.index.load_passages([0])[0], span=Span(0, len(text)), items=items)
    chosen = ItemScore(Hit(passage, 1.0, 1.0, VersionMatch.EXACT), number % len(items), None, 1.0)
    quote = quote_item(chosen, text)
    assert passage.span.start <= quote.span.start <= quote.core.start < quote.core.end <= quote.span.end
    assert quote.span.end <= passage.span.end
    assert len(surround(quote).span) <= max(MAX_QUOTE_CHARACTERS, len(chosen.item.span))
    assert all(quote.span.holds(span) for span in quote.shown)
    said = word_quote(quote, text).words
    own = len(" ".join(chosen.item.span.slice(text).split()))
    assert len(said.text) <= max(SHOWN_CHARACTERS, own) + len(passage.heading[-1]) + 3
    before = said.text.find(next((run.text for run in said.runs if run.is_strong), said.text))
    assert before <= 250
