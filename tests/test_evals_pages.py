"""What counts as a verbatim quote, and where it stands in a document."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.pages import prepare_page

TWICE = "1.1\n- Fix a leak.\n1.0\n- Fix a leak.\n"


@pytest.mark.parametrize(
    ("quote", "expected"),
    [("- Fix a\n  leak.", True), ("- fix a leak.", False), ("Fixaleak.", False), ("  ", False)],
    ids=["white-space-may-differ", "case-may-not", "words-may-not-run-together", "blank"],
)
def test_verbatim_means_word_for_word(quote: str, expected: bool) -> None:
    assert prepare_page("notes.md", TWICE).holds_verbatim(quote) is expected


@given(st.text(max_size=60), st.data())
def test_every_visible_slice_is_verbatim_and_stands_where_it_says(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    page = prepare_page("a.txt", text)
    place = page.place(text[start:end], start=start, end=end)
    if text[start:end].strip():
        assert page.holds_verbatim(text[start:end])
        assert place is not None
        sources = [page.squashed.positions[index] for index in range(place.start, place.end)]
        assert all(start <= source < end for source in sources)
