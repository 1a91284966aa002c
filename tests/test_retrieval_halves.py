"""Questions for two things: which are read so, and what is told of the other one."""

from collections.abc import Callable

import pytest
from case_files import read_rows

from retrieval.answers.halves import split_halves
from retrieval.assistant import Assistant


@pytest.mark.parametrize(("question", "second"), read_rows("retrieval-what-asks-for-two-things"))
def test_what_asks_for_two_things(question: str, second: str) -> None:
    halves = split_halves(question)
    assert halves is not None
    assert halves[1] == second


@pytest.mark.parametrize("question", read_rows("retrieval-what-asks-for-one-thing"))
def test_what_asks_for_one_thing(question: str) -> None:
    assert split_halves(question) is None


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (
            "When was beam() deprecated in hall and when was it removed?",
            ["`beam()` is deprecated.", "Removed `beam()`."],
        ),
        (
            "When was beam() removed in hall and when was it deprecated?",
            ["Removed `beam()`.", "`beam()` is deprecated."],
        ),
        ("When was pahoehoe() deprecated in hall and when was it removed?", []),
    ],
)
def test_what_answers_the_other_half_is_told_after_the_answer(
    library: Callable[[str], Assistant], question: str, said: list[str]
) -> None:
    assert [one.quote.removeprefix("- ") for one in library("sides").ask(question).citations] == said
