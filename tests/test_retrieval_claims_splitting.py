"""A text as its claims, and a claim as its parts."""

from itertools import pairwise

import pytest
from case_files import read_cases
from hypothesis import given
from hypothesis import strategies as st
from property_examples import examples

from retrieval.claims.parts import split_parts
from retrieval.claims.splitting import MAX_WHOLE_CHARACTERS, split_claims

CASES = {case.name: (case.text, case.gives) for case in read_cases("claim-texts")}
"""An expected claim of several lines has `\\n` where they end."""
TEXTS = CASES | {
    "nothing but white space": (" \n\t", []),
    "nothing but marks": ("--- ***", []),
    "Windows line ends": (
        "Lamp 2.0 removed glow.\r\n\r\nIt added shine.\r\n",
        ["Lamp 2.0 removed glow.", "It added shine."],
    ),
    "an option before its verb": ("--dim was removed in lamp 2.0.\n\n-- \nDana", ["--dim was removed in lamp 2.0."]),
}


@pytest.mark.parametrize(("text", "claims"), TEXTS.values(), ids=TEXTS.keys())
def test_a_text_is_split_into_what_can_be_checked(text: str, claims: list[str]) -> None:
    assert [claim.text.replace("\n", "\\n") for claim in split_claims(text)] == claims


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


@pytest.mark.timeout(60)
def test_blanks_without_end_are_read_once() -> None:
    # Read anew from each of them, and given back one by one, they take hours.
    claim = f"Lamp 2.0 removed{' ' * 19_000}glow"
    assert split_parts(claim) == (claim,)
