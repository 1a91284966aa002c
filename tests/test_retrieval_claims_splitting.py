"""A text as its claims, and a claim as its parts."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from property_examples import examples

from retrieval.claims.parts import split_parts, with_subject_of
from retrieval.claims.splitting import MAX_WHOLE_CHARACTERS, split_claims

PULL_REQUEST = """\
# Bump lamp to 2.0

<!-- Describe your change. -->

Hi all! This PR updates the lamp client. Lamp 2.0 removed `lamp.glow()`. It was deprecated in 1.4,
and Night mode is new.

- [x] Lamp 2.0 requires Python 3.9.
- I ran the tests.
  * Night mode turns bulbs amber after sunset.

> Lamp 1.0 added nothing.

```python
lamp.glow()  # Lamp 3.0 removed it.
```

Does Lamp 2.0 support Windows?
See https://lamp.example/2.0 for more.

Fixes #12
"""

TEXTS = {
    "one sentence": ("Lamp 2.0 removed glow.", ["Lamp 2.0 removed glow."]),
    "two sentences": (
        "Lamp 2.0 removed glow. It requires Python 3.9.",
        ["Lamp 2.0 removed glow.", "It requires Python 3.9."],
    ),
    "a sentence that begins with a product in small letters": (
        "We pin lamp 3. desk 0.28 removed glow. See e.g. desk 2 for that.",
        ["We pin lamp 3.", "desk 0.28 removed glow.", "See e.g. desk 2 for that."],
    ),
    "points within versions and names": (
        "Call `lamp.shine()` since v. 2.0.1 e.g. from Python 3.9. Desk 3.1 dropped Python 3.8.",
        ["Call `lamp.shine()` since v. 2.0.1 e.g. from Python 3.9.", "Desk 3.1 dropped Python 3.8."],
    ),
    "a question is whole where it is all there is": ("Did Lamp 2.0 remove glow?", ["Did Lamp 2.0 remove glow?"]),
    "nothing but white space": (" \n\t", []),
    "nothing but marks": ("--- ***", []),
    "a pull request": (
        PULL_REQUEST,
        [
            "Lamp 2.0 removed `lamp.glow()`.",
            "It was deprecated in 1.4,\nand Night mode is new.",
            "Lamp 2.0 requires Python 3.9.",
            "Night mode turns bulbs amber after sunset.",
        ],
    ),
    "an underlined heading": ("Lamp 2.0 is out\n===\n\nIt removed glow.", ["It removed glow."]),
    "Windows line ends": (
        "Lamp 2.0 removed glow.\r\n\r\nIt added shine.\r\n",
        ["Lamp 2.0 removed glow.", "It added shine."],
    ),
    "a label at the start of a line": (
        "**Summary:** Lamp 2.0 removed glow.\n**Risk:** low\n**Note**: Lamp 2.0 needs Python 3.9.",
        ["**Summary:** Lamp 2.0 removed glow.", "**Note**: Lamp 2.0 needs Python 3.9."],
    ),
    "dashes and letters before entries": (
        "– Lamp 2.0 removed glow\n– Lamp 2.0 added shine\na) Python 3.8 is dropped",
        ["Lamp 2.0 removed glow", "Lamp 2.0 added shine", "Python 3.8 is dropped"],
    ),
    "what is yet to be ticked off": (
        "- [x] Lamp 2.0 removed glow\n- [ ] Lamp 2.0 added shine",
        ["Lamp 2.0 removed glow"],
    ),
    "an option before its verb": ("--dim was removed in lamp 2.0.\n\n-- \nDana", ["--dim was removed in lamp 2.0."]),
    "an abbreviated month": (
        "Lamp 2.0 (Aug. 2023) removed glow. Lamp 2.1 came in Sept. 2024.",
        ["Lamp 2.0 (Aug. 2023) removed glow.", "Lamp 2.1 came in Sept. 2024."],
    ),
    "references to issues": (
        "- `lamp.glow` was removed (#1234)\n- `lamp.dim` is gone ([#99](https://lamp.example/99), lamp/lamp#7)",
        ["`lamp.glow` was removed", "`lamp.dim` is gone"],
    ),
    "a quote beside claims is somebody else's": (
        "> Lamp 2.0 removed glow.\n\nLamp 2.0 added shine.",
        ["Lamp 2.0 added shine."],
    ),
    "a quoted changelog alone": (
        "From the changelog:\n\n> ## 2.0\n> - Lamp 2.0 removed glow.\n> - Python 3.9 is\n> required now.",
        ["Lamp 2.0 removed glow.", "Python 3.9 is\n> required now."],
    ),
    "a range is no quote": (">=1.25.0-0 is what lamp 2.0 needs.", [">=1.25.0-0 is what lamp 2.0 needs."]),
    "a table": (
        "| Version | Change |\n|---|:-:|\n| 2.0 | `lamp.glow \\| dim` was removed |\n| 2.1 | `shine` |\n",
        ["`lamp.glow \\| dim` was removed"],
    ),
    "a list under its beginning": (
        "Lamp 2.0 removes:\n\n- `lamp.glow`\n- the `dim` option\n\nIt needs Python 3.9.",
        ["`lamp.glow`", "the `dim` option", "It needs Python 3.9."],
    ),
    "a list of reasons under a claim": (
        "Lamp 2.0 removed `lamp.glow`, for reasons:\n- Nobody had used it in Lamp 1.4",
        ["Lamp 2.0 removed `lamp.glow`, for reasons:", "Nobody had used it in Lamp 1.4"],
    ),
    "what a bot wrote in HTML": (
        "Bumps [lamp](https://lamp.example) from 1.4 to 2.0.\n<details>\n<summary>Lamp 2.0 release notes</summary>\n"
        "<blockquote><p>Lamp 1.9 removed shine.</p></blockquote>\n</details>\n<ul><li>Lamp 2.0 <b>removed</b> glow</li>"
        "<li>Lamp 2.0 needs Python 3.9</li></ul>",
        ["Lamp 2.0 <b>removed</b> glow", "Lamp 2.0 needs Python 3.9"],
    ),
    "tags in code": ("`<li>` was removed in Lamp 2.0.", ["`<li>` was removed in Lamp 2.0."]),
    "types that look like tags": ("Lamp 2.0 takes a Vec<Body> now.", ["Lamp 2.0 takes a Vec<Body> now."]),
    "an unclosed fence": ("Lamp 2.0 removed glow.\n```\nLamp 3.0 added it.", ["Lamp 2.0 removed glow."]),
}


@pytest.mark.parametrize(("text", "claims"), TEXTS.values(), ids=TEXTS.keys())
def test_a_text_is_split_into_what_can_be_checked(text: str, claims: list[str]) -> None:
    assert [claim.text for claim in split_claims(text)] == claims


WORDS = {
    "a sentence": ("Lamp 2.0 removed glow.", [""]),
    "a row": (
        "| Package | To | Notes |\n|-|-|-|\n| lamp | 2.0 | Removed `glow` |",
        ["lamp 2.0 Removed `glow`"],
    ),
    "a list under its beginning": (
        "Lamp 2.0 removes:\n- glow\n- the `dim` option",
        ["Lamp 2.0 removes glow", "Lamp 2.0 removes the `dim` option"],
    ),
    "HTML": ("<p>Lamp 2.0 <b>removed</b> glow.</p>", ["Lamp 2.0 removed glow."]),
    "a quote of two lines": ("> Lamp 2.0 removed\n> glow.", ["Lamp 2.0 removed glow."]),
}


@pytest.mark.parametrize(("text", "words"), WORDS.values(), ids=WORDS.keys())
def test_a_claim_is_read_with_what_its_row_or_list_says_and_without_markup(text: str, words: list[str]) -> None:
    assert [claim.words for claim in split_claims(text)] == words


def test_a_long_text_without_a_claim_has_none() -> None:
    assert split_claims("Is it? " * MAX_WHOLE_CHARACTERS) == ()


@examples(30)
@given(
    st.lists(
        st.one_of(
            st.sampled_from([*TEXTS["a pull request"][1], "```", "# x", "> y", "- z", "", "é\u2028ß", "Ok."]), st.text()
        ),
        max_size=12,
    ),
    st.sampled_from(["\n", "\r\n", "\n\n", " "]),
)
def test_a_claim_is_the_slice_of_its_text(lines: list[str], joint: str) -> None:
    """`text[start:end] == claim`, in order, without overlap, without outer white space."""
    text = joint.join(lines)
    claims = split_claims(text)
    assert all(text[one.start : one.end] == one.text == one.text.strip() != "" for one in claims)
    assert all(one.end <= other.start for one, other in pairwise(claims))


PARTS = {
    "one statement": ("Lamp 2.0 removed glow and shine.", ["Lamp 2.0 removed glow and shine."]),
    "a second verb": (
        "Lamp 2.0 removed glow and requires Python 3.9.",
        ["Lamp 2.0 removed glow", "Lamp 2.0 requires Python 3.9."],
    ),
    "a second participle": (
        "Glow was deprecated in 1.4 and removed in 2.0.",
        ["Glow was deprecated in 1.4", "Glow was removed in 2.0."],
    ),
    "a second subject": (
        "Lamp 2.0 removed glow, but shine is still supported.",
        ["Lamp 2.0 removed glow", "shine is still supported."],
    ),
    "a place before both": (
        "In Lamp 2.0, glow is gone and shine is stable.",
        ["In Lamp 2.0, glow is gone", "In Lamp 2.0, shine is stable."],
    ),
    "a second object": (
        "Lamp 2.0 brings night mode and support for Python 3.9.",
        ["Lamp 2.0 brings night mode", "Lamp 2.0 brings support for Python 3.9."],
    ),
}


@pytest.mark.parametrize(("claim", "parts"), PARTS.values(), ids=PARTS.keys())
def test_a_claim_is_split_into_what_can_be_true_apart(claim: str, parts: list[str]) -> None:
    assert list(split_parts(claim)) == parts


def test_a_pronoun_stands_for_the_subject_before_it() -> None:
    assert with_subject_of("Lamp 2.0 removed glow.", "It requires Python 3.9.") == "Lamp 2.0 requires Python 3.9."
    assert with_subject_of("", "It requires Python 3.9.") == "It requires Python 3.9."
    assert with_subject_of("Lamp 2.0 removed glow.", "Desk requires it.") == "Desk requires it."
