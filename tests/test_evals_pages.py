"""Where quotes and passages stand in a document."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.model import Span
from evals.pages import prepare_page

TWICE = "1.1\n- Fix a leak.\n1.0\n- Fix a leak.\n"
LONG = (
    "Every gear of the old train was cast again, after two winters of complaints, in softer brass, which keeps it "
    "quiet at high load and lets a worn tooth be filed by hand instead of being replaced. "
)
FIRST, SECOND = Span(4, 13), Span(17, 26)


@pytest.mark.parametrize(
    ("quote", "start", "expected"),
    [
        pytest.param("Fix a leak.", 6, FIRST, id="stated-range"),
        pytest.param("Fix a leak.", 24, SECOND, id="the-range-tells-which"),
        pytest.param("Fix a leak.", 0, FIRST, id="wrong-range-falls-back-to-the-words"),
        pytest.param("Fix a leak.", 900, FIRST, id="range-beyond-the-end"),
        pytest.param("Fix a flood.", 6, None, id="not-there"),
        pytest.param(" \n", 6, FIRST, id="nothing-visible-trusts-the-range"),
    ],
)
def test_a_quote_is_placed_by_its_range_or_else_by_its_words(quote: str, start: int, expected: Span | None) -> None:
    end = start + 11
    assert prepare_page("notes.md", TWICE).place(quote, start=start, end=end) == expected


def test_a_long_passage_of_an_extractor_is_placed_in_html_by_its_ends() -> None:
    page = prepare_page("a.html", f"<p>Before. {LONG}After.</p>")
    extracted = LONG.replace("softer brass,", "softer brass (link),")
    whole = Span(7, 7 + len(LONG.replace(" ", "")))
    assert page.place(LONG, start=0, end=9) == whole
    assert page.place(extracted, start=0, end=9) == whole
    assert page.place(extracted[:150], start=0, end=9) is None
    assert prepare_page("a.txt", page.text).place(extracted, start=0, end=9) is None


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
