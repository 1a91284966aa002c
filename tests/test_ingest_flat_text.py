"""Text that lost its line breaks gets its units back; what never had any stays as it is."""

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.blocks import BlockKind
from ingest.formats.flat_text import FLAT_CHARACTERS, cut_flat
from ingest.formats.plain_text import parse_plain_text

POST = (
    "Lamp 3.2 Release Blog We are happy to announce the release of Lamp 3.2, which brings faster dimming to every "
    "bulb in the house. The work of forty people went into it, and we thank all of them for their patience. "
    "Performance Faster dimming on battery power The dimmer now draws its curve once and keeps it, so that a bulb on "
    "battery power reacts three times as fast as before. This was reported by many users over the last two years. "
    "Fused color filter The color filter now supports fused=True, performing the whole step in a single pass "
    "instead of one pass for each channel. To try it, pass the option when you create the filter: "
    "import lamp filter = lamp.ColorFilter(fused=True) filter.apply(bulb) "
    "Distributed Rooms Support for groups in custom scenes Custom scenes can now accept Group objects directly as "
    "arguments rather than requiring callers to convert them to names. All scenes that ship with Lamp have been "
    "updated to accept both. Deprecations The serial protocol is now deprecated The serial protocol was deprecated "
    "in 3.0 and will be removed in the first release of next year. Please use the socket protocol instead, which is "
    "available on all platforms that we support. Bug fixes - Fixed a crash when a lamp without a bulb is turned on "
    "- Fixed the color of the night mode on old models - The log no longer holds the passwords of the network "
    "- Fixed a leak of memory in long running scenes Thanks to everybody who reported these."
)


@pytest.fixture(scope="module")
def blocks() -> dict[str, BlockKind]:
    assert len(POST) >= FLAT_CHARACTERS
    return {POST[block.start : block.end]: block.kind for block in parse_plain_text(POST).blocks}


@pytest.mark.parametrize(
    "title", ["Faster dimming on battery power", "Fused color filter", "Support for groups in custom scenes"]
)
def test_a_heading_is_cut_from_the_sentence_that_it_was_glued_to(blocks: dict[str, BlockKind], title: str) -> None:
    assert blocks.get(title) is BlockKind.HEADING


@pytest.mark.parametrize(
    "entry", ["Fixed a crash when a lamp without a bulb is turned on", "The log no longer holds the"]
)
def test_entries_of_a_list_stand_alone(blocks: dict[str, BlockKind], entry: str) -> None:
    (found,) = [words for words, kind in blocks.items() if entry in words and kind is BlockKind.LIST_ITEM]
    assert found.count("Fixed") + found.count("The log") == 1


@given(st.text(alphabet="aB.-•* \t(`=:9é", max_size=400), st.integers(0, 20))
def test_every_word_lies_in_one_block(text: str, start: int) -> None:
    units = list(cut_flat(text, min(start, len(text)), len(text)))
    assert all(one.end <= other.start for one, other in pairwise(units))
    covered = {place for unit in units for place in range(unit.start, unit.end)}
    words = re.finditer(r"[^\W_]+", text[start:])
    assert all(start + place in covered for word in words for place in range(word.start(), word.end()))
