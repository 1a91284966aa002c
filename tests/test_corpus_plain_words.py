"""Prose without its markup, in every markup."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.plain_words import one_line, plain_words, readable


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- **Fix** the `foo()` of *bar*", "Fix the foo() of bar"),
        ("[docs](https://example.org/a_(b)) here", "docs here"),
        ('![logo](a.png "Our logo") text', "logo text"),
        ("`the docs <https://example.org>`_ say", "the docs say"),
        (":func:`~foo.bar` and :py:class:`Foo <foo.Foo>`", "foo.bar and Foo"),
        ("See https://example.org/x?y=1#z.", "See"),
        ("<b>bold</b> and a < b > c", "bold and a < b > c"),
        ("snake_case and __init__ stay", "snake_case and __init__ stay"),
        ("2 * 3 * 4", "2 * 3 * 4"),
        ("1. first\n2) second\n• third", "first second third"),
        ("--use-feature and -v", "--use-feature and -v"),
        ("Title\n=====\nText", "Title Text"),
        ("use ``np.cast[dtype](arg)`` or `a[0](b)`, see [`x`](y)", "use np.cast[dtype](arg) or a[0](b), see x"),
        ("``code`` with  spaces\n\nand lines", "code with spaces and lines"),
        ("", ""),
    ],
)
def test_one_line(text: str, expected: str) -> None:
    assert one_line(text) == expected


@given(st.from_regex(r"[a-z]{2,8}( [a-z]{2,8}){0,8}", fullmatch=True))
def test_plain_words_stay_as_they_are(text: str) -> None:
    assert one_line(text) == text


@pytest.mark.timeout(120)
@pytest.mark.parametrize("unit", ["[", "<a ", "`", ":a", "`a <", "*_", "![a]("])
def test_hostile_markup_ends_as_no_quadratic_pass_would_in_minutes(unit: str) -> None:
    assert plain_words(f"{unit * (200_000 // len(unit))}\nzebra").endswith("\nzebra")


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
        "entities",
        "comment",
        "label",
        "a sentence in bold",
        "version in MyST",
        "over lines",
        "tickets",
        "link over lines",
        "brackets in a link",
    ],
)
def test_what_a_person_reads(text: str, words: str) -> None:
    assert readable(text, keeps_code=True) == words
