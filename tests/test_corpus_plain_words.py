"""Prose without its markup, in every markup."""

import pytest
from case_files import read_rows
from hypothesis import given
from hypothesis import strategies as st

from corpus.plain_words import one_line, readable


@pytest.mark.parametrize(("text", "expected"), read_rows("corpus-one-line"))
def test_one_line(text: str, expected: str) -> None:
    assert one_line(text) == expected


@given(st.from_regex(r"[a-z]{2,8}( [a-z]{2,8}){0,8}", fullmatch=True))
def test_plain_words_stay_as_they_are(text: str) -> None:
    assert one_line(text) == text


@pytest.mark.timeout(120)
@pytest.mark.parametrize("unit", ["[", "<a ", "`", ":a", "`a <", "*_", "![a]("])
def test_hostile_markup_ends_as_no_quadratic_pass_would_in_minutes(unit: str) -> None:
    assert one_line(f"{unit * (200_000 // len(unit))}\nzebra").endswith("zebra")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a &lt;b&gt; &amp; c&nbsp;d &nosuch; `&lt;`", "a <b> & c d &nosuch; `&lt;`"),
        ("Rims <!-- of 3.0 --> turn", "Rims turn"),
        ("**Impact**<br> Rims stop.", "Impact: Rims stop."),
        ("**Rims stop.**<br>Hubs go on.", "Rims stop. Hubs go on."),
        (":::{versionadded} 2.0", "Added in 2.0."),
        (
            "see :ref:`the\n  hub <hub>`, `a rim\n  of steel`_, **all\n  of it**",
            "see the hub, a rim of steel, all of it",
        ),
        ("turns since :pr:`12`, :line:`7`", "turns since #12, 7"),
        ("[a rim\nof steel](https://a.example) turns", "a rim of steel turns"),
        ("[the [inner] rim](https://a.example) turns", "the [inner] rim turns"),
    ],
    ids=[
        *"entities|comment|label|a sentence in bold".split("|"),
        *"version in MyST|over lines|tickets|link over lines|brackets in a link".split("|"),
    ],
)
def test_what_a_person_reads(text: str, words: str) -> None:
    assert readable(text, keeps_code=True) == words
