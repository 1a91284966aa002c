"""Quotes: what is told of an item, in which words, how much of its document is quoted, and which items are."""

from dataclasses import replace
from itertools import accumulate
from pathlib import Path

import pytest
from case_files import read_rows
from hypothesis import given
from hypothesis import strategies as st
from indexes_by_hand import every_passage, note, open_index, scored
from property_examples import examples

from corpus.index.stored import StoredPassage
from corpus.model import Act, Item, Span
from retrieval.assistant import Assistant
from retrieval.blocks import markdown_words
from retrieval.quoting.quote_ranges import BEFORE_CHARACTERS, SHOWN_CHARACTERS, quote_item, surround
from retrieval.quoting.quotes import MAX_QUOTE_CHARACTERS
from retrieval.quoting.wording import code_of, word_quote

LONG = "The valve was redesigned so that it closes without a sound even where the water is hard. "
GONE = ("These taps are gone:\n\n", "- red\n", "- blue\n  ", "It was old.\n", "- green")
NESTED = ("- The pump is new:\n  ", "- it hums\n  ", "- it runs at night\n", "- The valve is old")

# name: items in order, each with what follows it, the item that tells, what is told
TOLD: dict[str, tuple[tuple[str, ...], int, str]] = {
    "a sentence alone": (("The pump is new.",), 0, "The pump is new."),
    "a sentence in its paragraph": (
        ("The pump is new. ", "It also runs at night. ", "Nobody hears it."),
        1,
        "The pump is new. **It also runs at night.**",
    ),
    "a paragraph without the next": (("The pump is new.\n\n", "The valve is old."), 0, "The pump is new."),
    "with the next that leans on it": (
        ("The pump is new.\n\n", "This saves water."),
        0,
        "**The pump is new.** This saves water.",
    ),
    "what leans on another paragraph": (
        ("The pump is new.\n\n", "It also runs at night."),
        1,
        "The pump is new. **It also runs at night.**",
    ),
    "without the title above it": (("Quieter pumps\n\n", "The pump hums. ", "Taps drip."), 1, "The pump hums."),
    "under the title that it leans on": (("Quieter pumps\n\n", "They hum."), 1, "Quieter pumps: They hum."),
    "a title with what it names": (
        ("Quieter pumps\n\n", "The pump hums. ", "Nobody hears it."),
        0,
        "**Quieter pumps:** The pump hums. Nobody hears it.",
    ),
    "first of all what goes on": (
        (LONG, LONG, "The pump is new. ", *[LONG.replace("The", "This")] * 5),
        2,
        f"**The pump is new.** {LONG.replace('The', 'This') * 5}".strip(),
    ),
    "an entry": (("- The pump is new\n", "- The valve is old\n", "- The tap drips"), 1, "The valve is old"),
    "a later sentence of an entry": (
        ("- The pump is new. ", "It hums.\n", "- The valve is old."),
        1,
        "The pump is new. **It hums.**",
    ),
    "an entry under its stem": (GONE, 1, "These taps are gone: red"),
    "a further entry under its stem": (GONE, 4, "These taps are gone: green"),
    "a stem with its list": (GONE, 0, "These taps are gone: red; blue: It was old. green"),
    "an entry with those below it": (NESTED, 0, "The pump is new: it hums; it runs at night"),
    "an entry below another": (NESTED, 2, "The pump is new: it runs at night"),
    "an entry below a long one": ((f"- {LONG * 3}\n  ", "- it hums"), 1, "It hums"),
    "an entry beside one with a colon": (("- Taps are new:\n", "- Bolts"), 1, "Bolts"),
    "an entry under a word": (("Features:\n\n", "- Taps"), 1, "Taps"),
    "an entry under a paragraph": (("Taps are new.\n\n", "- Bolts"), 1, "Bolts"),
    "a row of a table": (("| Option | Default |\n", "| pumps | 3 |"), 1, "pumps: 3"),
    "what a colon introduces": (("Set it so:\n\n", "```sh\nmode `3`\n```"), 0, "Set it so: `mode '3'`"),
    "code under its stem": (("Set it so:\n\n", "```sh\nmode 3\n```"), 1, "Set it so: `mode 3`"),
    "code by its comment": (("```\n# Faster\nmode 3\nspeed 2\n```",), 0, "Faster"),
    "a sentence without what joins it": (("However, valves hum.",), 0, "Valves hum."),
    "a name behind what joins it": (("Also, `hum` is.",), 0, "`hum` is."),
}


def passage_of(folder: Path, parts: tuple[str, ...]) -> tuple[StoredPassage, str]:
    """A passage of these parts, each an item with what follows it: white space, and the mark of the next entry."""
    text = "".join(parts)
    with open_index(folder, note(text, *(part.rstrip(" \r\n*") for part in parts))) as index:
        return every_passage(index)[0], text


@pytest.mark.parametrize(("parts", "number", "told"), TOLD.values(), ids=TOLD.keys())
def test_what_is_told_of_an_item(tmp_path: Path, parts: tuple[str, ...], number: int, told: str) -> None:
    passage, text = passage_of(tmp_path, parts)
    quote = quote_item(scored(passage, number), text)
    assert markdown_words(word_quote(quote, text).words) == told
    assert quote.core == passage.items[number].span
    assert all(quote.span.holds(span) for span in quote.shown)
    assert quote.core.start - quote.shown[0].start <= BEFORE_CHARACTERS


def test_thanks_and_what_the_source_takes_back_are_not_told_beside(tmp_path: Path) -> None:
    passage, text = passage_of(tmp_path, ("The tap is gone. ", "We thank all. ", "It gave way. ", "It is old."))
    first, thanks, third, last = passage.items
    items = (first, replace(thanks, act=Act.OTHER, certainty=0.99), third, replace(last, retracted=True))
    passage = replace(passage, items=items)
    said = word_quote(quote_item(scored(passage, 0), text), text).words
    assert markdown_words(said) == "**The tap is gone.** It gave way."
    taken_back = quote_item(scored(passage, 3), text)
    assert (taken_back.retracted, taken_back.shown) == (True, (last.span,))


# name: items as above, the item that tells, the lines of code that are shown


@pytest.mark.parametrize(("parts", "number", "lines"), read_rows("retrieval-the-code-of-a-quote"))
def test_the_code_of_a_quote(tmp_path: Path, parts: tuple[str, ...], number: int, lines: tuple[str, ...]) -> None:
    passage, text = passage_of(tmp_path, parts)
    quote = quote_item(scored(passage, number), text)
    assert code_of(quote, text) == lines
    assert code_of(replace(quote, retracted=True), text) == ()


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
    passage = replace(every_passage(handmade.index)[0], span=Span(0, len(text)), items=items)
    chosen = scored(passage, number % len(items))
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


ENTRIES = ("- Pumps are new", "- Taps are old", "- Valves are odd", "- Bolts are red", "- Nuts are blue")


@pytest.mark.parametrize(
    ("number", "room", "quoted"),
    [
        pytest.param(2, 0, ENTRIES[2:3], id="no room: the entry alone"),
        pytest.param(2, 34, ENTRIES[2:4], id="what follows comes first"),
        pytest.param(2, 50, ENTRIES[1:4], id="then what stands before"),
        pytest.param(0, 50, ENTRIES[:3], id="the first entry grows on one side"),
        pytest.param(4, 700, ENTRIES, id="no further than the passage"),
    ],
)
def test_a_quote_with_room_takes_whole_neighbours(
    tmp_path: Path, number: int, room: int, quoted: tuple[str, ...]
) -> None:
    passage = every_passage(open_index(tmp_path, note("\n".join(ENTRIES), *ENTRIES)))[0]
    quote = quote_item(scored(passage, number), "\n".join(ENTRIES))
    assert surround(quote, room=room).span.slice("\n".join(ENTRIES)) == "\n".join(quoted)
