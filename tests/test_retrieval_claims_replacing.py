"""Claims of a value that took another's place, of support that a list takes away, of what is only planned, and of what
a news page tells otherwise."""

from collections.abc import Callable

import pytest
from case_files import Case, claim_cases

from retrieval.assistant import Assistant
from retrieval.blocks import markdown_words

STILL_WRONG = {
    "more than the notes say",
    "support that such a list takes away",
    "the former value",
    "a name in another one's place",
    "an end of what is merely spoken of",
    "a repair is no speed",
}
"""What the model reads wrong as yet."""


@pytest.mark.parametrize("case", claim_cases("claims-replacing", STILL_WRONG))
def test_a_claim_is_held_against_what_is_so_now(library: Callable[[str], Assistant], case: Case) -> None:
    (checked,) = library("claims").cite(case.text).claims
    because = markdown_words(checked.because).lower()
    assert (checked.verdict, "".join(case.gives).lower() in because) == (case.subject, True), because
