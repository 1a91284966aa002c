"""Quotes: how much around the best item is quoted, and which items are quoted at all."""

from dataclasses import replace
from itertools import accumulate
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from indexes_by_hand import every_passage, note, open_index, scored
from property_examples import examples

from corpus.index.reader import IndexReader
from corpus.index.stored import StoredPassage
from corpus.model import Item, Span
from retrieval.assistant import Assistant
from retrieval.quoting.quotes import (
    MAX_QUOTE_CHARACTERS,
    Quote,
    code_of,
    explain,
    join_neighbours,
    select_quotes,
    surround,
    widen,
    words_alone,
)

LONG = "The valve was redesigned so that it closes without a sound even where the water is hard. "
CODE = "```sh\n" + "pump --drain --slowly\n" * 50 + "```"

# name: items in order, each with what follows it, the item that answers, the quote, its core
WIDENED: dict[str, tuple[tuple[str, ...], int, str, str]] = {
    "a sentence with its neighbours": (
        ("The pump is new. ", "It also runs at night. ", "Nobody hears it."),
        1,
        "The pump is new. It also runs at night. Nobody hears it.",
        "It also runs at night.",
    ),
    "a sentence over one line end": (
        ("The pump is new.\n", "It also runs at night."),
        0,
        "The pump is new.\nIt also runs at night.",
        "The pump is new.",
    ),
    "a paragraph without the next": (
        ("The pump is new.\n\n", "The valve is old."),
        0,
        "The pump is new.",
        "The pump is new.",
    ),
    "a paragraph with Windows line ends": (
        ("The pump is new.\r\n\r\n", "The valve is old."),
        1,
        "The valve is old.",
        "The valve is old.",
    ),
    "a heading with nothing below": (("Quieter pumps",), 0, "Quieter pumps", "Quieter pumps"),
    "a colon with nothing below": (("As follows:",), 0, "As follows:", "As follows:"),
    "a bulleted entry": (
        ("- The pump is new\n", "- The valve is old\n", "- The tap drips"),
        1,
        "- The valve is old",
        "- The valve is old",
    ),
    "the first entry is no heading": (("- Quieter pumps\n", "- Louder taps"), 0, "- Quieter pumps", "- Quieter pumps"),
    "the first numbered entry is no heading": (
        ("1. Open the tap\n", "2. Close the tap"),
        0,
        "1. Open the tap",
        "1. Open the tap",
    ),
    "a numbered entry": (
        ("1. Open the tap.\n", "2. Close the tap.\n", "10) Sit down."),
        1,
        "2. Close the tap.",
        "2. Close the tap.",
    ),
    "a number in prose is no entry": (
        ("It takes a while.\n", "40 seconds are usual."),
        1,
        "It takes a while.\n40 seconds are usual.",
        "40 seconds are usual.",
    ),
    "an entry whose bullet is outside the item": (
        ("The pump is new.\n* ", "The valve is old.\n* ", "The tap drips."),
        1,
        "The valve is old.",
        "The valve is old.",
    ),
    "a later sentence of an entry": (
        ("- The pump is new. ", "It hums.\n", "- The valve is old."),
        1,
        "- The pump is new. It hums.",
        "It hums.",
    ),
    "a code block": (
        ("Set the mode.\n\n", "```\nmode = 3\n```\n\n", "Then start."),
        1,
        "```\nmode = 3\n```",
        "```\nmode = 3\n```",
    ),
    "a long code block whole": (("Drain it first:\n\n", CODE), 1, CODE, CODE),
    "prose up to its limit": ((LONG,) * 9, 4, " ".join([LONG.strip()] * 4), LONG.strip()),
}


def passage_of(folder: Path, parts: tuple[str, ...]) -> tuple[StoredPassage, str]:
    """A passage of these parts, each an item with what follows it: white space, and the mark of the next entry."""
    text = "".join(parts)
    with open_index(folder, note(text, *(part.rstrip(" \r\n*") for part in parts))) as index:
        return every_passage(index)[0], text


@pytest.mark.parametrize(("parts", "number", "quoted", "core"), WIDENED.values(), ids=WIDENED.keys())
def test_what_is_quoted_around_an_item(
    tmp_path: Path, parts: tuple[str, ...], number: int, quoted: str, core: str
) -> None:
    passage, text = passage_of(tmp_path, parts)
    quote = widen(scored(passage, number), text)
    assert (quote.span.slice(text), quote.core.slice(text)) == (quoted, core)
    assert not quote.retracted


@pytest.mark.parametrize(("number", "expected"), [(0, False), (1, True), (2, False)])
def test_only_what_the_source_takes_back_is_retracted(tmp_path: Path, number: int, expected: bool) -> None:
    sentences = ("The pump is new.", 'Update: we removed "it flies".', "It still swims.")
    with open_index(tmp_path, note(" ".join(sentences), *sentences, retracted=[1])) as index:
        passage = every_passage(index)[0]
        assert widen(scored(passage, number), " ".join(sentences)).retracted is expected


@examples(60)
@given(
    sentences=st.lists(
        st.sampled_from(("It hums. ", "- Pumps\n", "2. Taps\n", "See below:\n\n", "Heading\n\n", LONG, LONG * 4)),
        min_size=1,
        max_size=12,
    ),
    number=st.integers(0, 11),
)
def test_a_quote_holds_its_core_and_keeps_its_limit(handmade: Assistant, sentences: list[str], number: int) -> None:
    text = "".join(sentences)
    starts = list(accumulate(map(len, sentences), initial=0))
    items = tuple(
        Item(Span(start, start + len(words.strip())), opens=words not in ("It hums. ", LONG, LONG * 4))
        for start, words in zip(starts, sentences, strict=False)
    )
    passage = replace(every_passage(handmade.index)[0], span=Span(0, len(text)), items=items)
    chosen = scored(passage, number % len(items))
    quote = widen(chosen, text)
    assert quote.span.start <= quote.core.start < quote.core.end <= quote.span.end
    assert passage.span.start <= quote.span.start
    assert quote.span.end <= passage.span.end
    assert len(quote.span) <= max(MAX_QUOTE_CHARACTERS, len(chosen.item.span))
    assert quote.span.start <= chosen.item.span.start


# name: items as above, the item that answers, those that add to it, the room, whether code is shown, the core that it
# grows to
EXPLAINED: dict[str, tuple[tuple[str, ...], int, tuple[int, ...], int, bool, str]] = {
    "what to do instead stands in the next sentence": (
        ("- The tap is gone. ", "Use a valve.\n", "- Bolts are red."),
        0,
        (1, 2),
        100,
        True,
        "- The tap is gone. Use a valve.",
    ),
    "a sentence that adds nothing": (("The tap is gone. ", "We thank all."), 0, (), 100, True, "The tap is gone."),
    "a sentence behind one that adds nothing": (
        ("The tap is gone. ", "We thank all. ", "Use a valve."),
        0,
        (2,),
        100,
        True,
        "The tap is gone.",
    ),
    "the next sentence first, then the one before": (
        ("The pump hums. ", "It is gone. ", "Use a valve."),
        1,
        (0, 2),
        25,
        True,
        "It is gone. Use a valve.",
    ),
    "no more than a reader sees in the room": (
        ("The [tap](https://example.org/a/long/address) is gone. ", "Use a valve."),
        0,
        (1,),
        35,
        True,
        "The [tap](https://example.org/a/long/address) is gone. Use a valve.",
    ),
    "a list is told whole with what introduces it": (("Set it so:\n\n", "- mode 3"), 0, (), 100, True, "Set it so:"),
    "code with what introduces it": (
        ("Set it so:\n\n", "```\nmode = 3\nspeed = 2\n```"),
        1,
        (),
        100,
        True,
        "Set it so:\n\n```\nmode = 3\nspeed = 2\n```",
    ),
    "no code where nobody asks what to write": (
        ("Set it so:\n\n", "```\nmode = 3\nspeed = 2\n```"),
        0,
        (1,),
        100,
        False,
        "Set it so:",
    ),
}


@pytest.mark.parametrize(
    ("parts", "number", "adding", "room", "shows_code", "core"), EXPLAINED.values(), ids=EXPLAINED.keys()
)
def test_what_explains_an_item_is_said_with_it(
    tmp_path: Path,
    parts: tuple[str, ...],
    number: int,
    adding: tuple[int, ...],
    room: int,
    shows_code: bool,
    core: str,
) -> None:
    passage, text = passage_of(tmp_path, parts)
    quote = surround(widen(scored(passage, number), text), room=MAX_QUOTE_CHARACTERS)
    spans = frozenset(passage.items[one].span for one in (number, *adding))
    grown = explain(quote, text, room=room, shows_code=shows_code, adding=spans)
    assert grown.core.slice(text) == core


GONE = ("These taps are gone:\n\n", "- red\n", "- blue\n  ", "It was old.\n", "- green")
ALONE = {
    "what leans on the sentence before": (
        ("The pump is new. ", "It also runs at night."),
        1,
        100,
        "The pump is new.\nIt also runs at night.",
    ),
    "what leans, over the room": (("The pump is new. ", "It runs at night."), 1, 30, "It runs at night."),
    "what leans on another paragraph": (
        ("The pump is new.\n\n", "It also runs at night."),
        1,
        100,
        "The pump is new.\nIt also runs at night.",
    ),
    "an entry under its stem": (GONE, 1, 100, "These taps are gone:\n- red"),
    "a further entry under its stem": (GONE, 4, 100, "These taps are gone:\n- green"),
    "a stem with its list": (GONE, 0, 100, "These taps are gone:\n- red;\n- blue"),
    "a stem with the first of a long list": (GONE, 0, 10, "These taps are gone:\n- red; …"),
    "an entry under an entry": (("- Taps are gone:\n  ", "- red\n  ", "- blue"), 2, 100, "- Taps are gone:\n- blue"),
    "an entry beside one with a colon": (("- Taps are new:\n", "- Bolts"), 1, 100, "- Bolts"),
    "an entry under a word": (("Features:\n\n", "- Taps"), 1, 100, "- Taps"),
    "code under its stem": (("Set it so:\n\n", "```sh\nmode 3\nspeed 2\n```"), 1, 10, "Set it so:"),
    "code by its comments": (("```\n# Faster\nmode 3\n\n// Quieter\nspeed 2\n```",), 0, 10, "Faster; Quieter"),
    "code under no stem nor heading": (("Set it.\n\n", "```\nmode 3\n```"), 1, 100, ""),
    "a sentence without what joins it": (("The pump is new. ", "However, valves hum."), 1, 100, "Valves hum."),
    "a name behind what joins it": (("Pumps are new. ", "Also, `hum` is."), 1, 100, "`hum` is."),
    "a stem before prose": (("Set it so:\n\n", "Modes are old."), 0, 100, "Set it so:"),
    "an entry under a paragraph": (("Taps are new.\n\n", "- Bolts"), 1, 100, "- Bolts"),
}


@pytest.mark.parametrize(("parts", "number", "room", "said"), ALONE.values(), ids=ALONE.keys())
def test_what_a_quote_says_can_be_read_alone(
    tmp_path: Path, parts: tuple[str, ...], number: int, room: int, said: str
) -> None:
    passage, text = passage_of(tmp_path, parts)
    quote = surround(widen(scored(passage, number), text), room=MAX_QUOTE_CHARACTERS)
    assert words_alone(quote, text, room=room, room_before=room) == said


def test_what_leans_back_on_nothing_is_told_after_its_heading(tmp_path: Path) -> None:
    passage, text = passage_of(tmp_path, ("The pump is new.\n\n", "This also runs at night."))
    passage = replace(passage, heading=("demo 1.0", "Quieter pumps:"))
    quote = widen(scored(passage, 1), text)
    assert words_alone(quote, text, room=100, room_before=100) == "Quieter pumps: This also runs at night."
    of_a_kind = replace(quote, passage=replace(passage, heading=("demo 1.0", "New features")))
    assert words_alone(of_a_kind, text, room=100, room_before=100) == "This also runs at night."


# name: items as above, the item that answers, the lines of code that are shown
SHOWN: dict[str, tuple[tuple[str, ...], int, tuple[str, ...]]] = {
    "what a colon introduces": (("Set it so:\n\n", "```sh\nmode `3`\n```"), 0, ("mode `3`",)),
    "several lines, as indented as they need": (
        ("- Set it so:\n\n", "  ```sh\n  if mode:\n      speed 2\n  ```"),
        0,
        ("if mode:", "    speed 2"),
    ),
    "what a directive sets off": (
        ("Set it so:\n\n", ".. code-block:: sh\n   :linenos:\n\n   mode 3"),
        0,
        ("mode 3",),
    ),
    "what stands after two colons": (("Set it so::\n\n    ", "mode 3"), 0, ("mode 3",)),
    "several lines after two colons": (("Set it so::\n\n    ", "mode 3\n    speed 2"), 0, ("mode 3", "speed 2")),
    "the code that answers": (("Set it.\n\n", "```\nmode 3\nspeed 2\n```"), 1, ("mode 3", "speed 2")),
    "none that nothing introduces": (("Set it.\n\n", "```\nmode 3\n```"), 0, ()),
    "no entries": (("Set it so:\n\n", "- mode 3"), 0, ()),
}


@pytest.mark.parametrize(("parts", "number", "lines"), SHOWN.values(), ids=SHOWN.keys())
def test_the_code_of_a_quote(tmp_path: Path, parts: tuple[str, ...], number: int, lines: tuple[str, ...]) -> None:
    passage, text = passage_of(tmp_path, parts)
    quote = surround(widen(scored(passage, number), text), room=MAX_QUOTE_CHARACTERS)
    assert code_of(quote, text) == lines
    assert code_of(replace(quote, retracted=True), text) == ()


def select(index: IndexReader, *chosen: tuple[int, int, float], limit: int = 9, room: int = 0) -> list[str]:
    """The quotes of (passage, item, score) triples, as texts."""
    passages = every_passage(index)
    quotes = select_quotes(
        [scored(passages[row], number, score) for row, number, score in chosen], index, limit=limit, room=room
    )
    assert not any(overlap(one, other) for i, one in enumerate(quotes) for other in quotes[:i])
    return [quote.span.slice(index.document_text(quote.passage.document.id)) for quote in quotes]


def overlap(one: Quote, other: Quote) -> bool:
    same = one.passage.document.id == other.passage.document.id
    return same and one.span.start < other.span.end and other.span.start < one.span.end


@pytest.fixture
def entries(tmp_path: Path) -> IndexReader:
    words = ("- Pumps are new", "- Taps are old", "- Valves are odd")
    again = ("* **Pumps** are new", "* Bolts are red")
    return open_index(
        tmp_path,
        note("\n".join(words), *words, source="a", version="2.0"),
        note("\n".join(again), *again, source="b", version="1.9"),
    )


def test_the_same_words_in_two_places_are_quoted_once(entries: IndexReader) -> None:
    assert select(entries, (0, 0, 0.9), (1, 0, 0.8), (1, 1, 0.7)) == ["- Pumps are new", "* Bolts are red"]


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
    index = open_index(tmp_path, note("\n".join(ENTRIES), *ENTRIES))
    assert select(index, (0, number, 1.0), room=room) == ["\n".join(quoted)]


def test_what_the_source_takes_back_is_no_surroundings(tmp_path: Path) -> None:
    index = open_index(tmp_path, note("\n".join(ENTRIES), *ENTRIES, retracted=[1]))
    assert select(index, (0, 2, 1.0), room=700) == ["\n".join(ENTRIES[2:])]


def spans(index: IndexReader, *numbers: int) -> list[str]:
    """The joined quotes of these items of the one passage, as texts."""
    passage = every_passage(index)[0]
    text = index.document_text(passage.document.id)
    quotes = join_neighbours([widen(scored(passage, number), text) for number in numbers])
    assert [quote.core for quote in quotes] == [passage.items[number].span for number in numbers]
    return [quote.span.slice(text) for quote in quotes]


def test_entries_of_one_list_share_a_quote_and_keep_their_order(tmp_path: Path) -> None:
    index = open_index(tmp_path, note("\n".join(ENTRIES), *ENTRIES))
    assert spans(index, 3, 1) == ["\n".join(ENTRIES[1:4])] * 2


def test_entries_too_far_apart_or_around_what_is_taken_back_share_none(tmp_path: Path) -> None:
    far = [f"- {LONG * 4}{number}" for number in range(3)]
    assert spans(open_index(tmp_path / "far", note("\n".join(far), *far)), 0, 2) == [far[0], far[2]]
    taken_back = open_index(tmp_path / "back", note("\n".join(ENTRIES), *ENTRIES, retracted=[2]))
    assert spans(taken_back, 1, 3) == [ENTRIES[1], ENTRIES[3]]


def test_only_what_is_quoted_is_said(tmp_path: Path) -> None:
    passage, text = passage_of(tmp_path, GONE)
    core = passage.items[1].span
    assert words_alone(Quote(passage, core, core, retracted=False), text, room=100, room_before=100) == "- red"


def test_no_more_quotes_than_asked(entries: IndexReader) -> None:
    three = ((0, 0, 0.9), (0, 1, 0.8), (0, 2, 0.2))
    assert select(entries, *three, limit=2) == ["- Pumps are new", "- Taps are old"]
    assert select(entries) == []


def test_a_second_quote_of_a_paragraph_stops_short_of_the_first(tmp_path: Path) -> None:
    sentences = [f"{number}{LONG.strip()}" for number in "abcdefgh"]
    index = open_index(tmp_path, note(" ".join(sentences), *sentences))
    first, second = select(index, (0, 0, 0.9), (0, 5, 0.8))
    assert first.startswith("a")
    assert sentences[5] in second
