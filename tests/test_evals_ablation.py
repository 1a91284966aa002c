"""Leaving out modules of the answer: which can be, what stands in for their functions, and that nothing stays so."""

from collections.abc import Sequence

import pytest

from evals.ablation import find_modules, replaced
from retrieval import answers
from retrieval.answers.sources import tell_voices
from retrieval.composing import Draft
from retrieval.findings import Findings
from retrieval.model import Form, Status

IDLE = find_modules()
DRAFT = Draft(Status.ANSWERED, "It is so.")


@pytest.mark.parametrize(
    ("module", "function", "given", "left"),
    [
        ("answers.sources", "tell_voices", (DRAFT, None), DRAFT),
        ("answers.news", "draft_news", (None,), None),
        ("answers.not_found", "says_nothing", (None,), False),
        ("answers.since_when", "_stated", ((), None), ()),
    ],
    ids=["a draft as it came", "nothing found", "it isn't so", "none of them"],
)
def test_what_stands_in_for_a_function_changes_nothing(
    module: str, function: str, given: Sequence[object], left: object
) -> None:
    named = {one.__name__: neutral for one, neutral in IDLE[module].items()}
    assert named[function](*given) == left


def test_what_makes_what_others_need_stays() -> None:
    assert "draft_fact" not in {one.__name__ for idle in IDLE.values() for one in idle}
    assert not any(name.startswith("claims.") for name in IDLE)


def test_a_function_is_replaced_wherever_it_is_called_by_and_comes_back() -> None:
    def fact(findings: Findings) -> Draft:
        return DRAFT

    before, whats_new = dict(answers._SHAPES), answers._SHAPES[Form.WHATS_NEW]
    with replaced({tell_voices: fact, whats_new: fact}):
        assert answers.tell_voices is fact
        assert answers._SHAPES[Form.WHATS_NEW] is fact
    assert answers.tell_voices is tell_voices
    assert before == answers._SHAPES
