"""Each measure against figures worked out by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.metrics import (
    Abstention,
    abstention_f1,
    abstention_precision,
    abstention_recall,
    false_answer_rate,
    ndcg,
    over_abstention_rate,
    recall_at,
    reciprocal_rank,
)

YES, NO = True, False
# Two golds: the first is found at rank 2, the second at rank 4 and again at rank 5.
SPREAD = ((NO, NO), (YES, NO), (NO, NO), (NO, YES), (NO, YES))
TOGETHER = ((YES, YES),)
LATE = (*((NO,) for _ in range(10)), (YES,))


@pytest.mark.parametrize(
    ("hits", "any_of", "expected"),
    [
        # ranks 2 and 4: (1/log2 3 + 1/log2 5) / (1/log2 2 + 1/log2 3) = (0.63093 + 0.43068) / 1.63093
        pytest.param(SPREAD, False, 0.650920, id="both-needed"),
        pytest.param(SPREAD, True, 0.630930, id="one-needed-found-second"),
        pytest.param(TOGETHER, False, 1.0, id="one-passage-with-both-is-ideal"),
        # two of three golds in the first passage: (1 + 1/log2 3) / (1 + 1/log2 3 + 1/log2 4) = 1.63093 / 2.13093
        pytest.param(((YES, YES, NO),), False, 0.765361, id="the-third-is-missing"),
        pytest.param(LATE, False, 0.0, id="eleventh-is-too-late"),
        pytest.param((), False, 0.0, id="no-passages"),
    ],
)
def test_ndcg_discounts_each_needed_gold(hits: tuple[tuple[bool, ...], ...], any_of: bool, expected: float) -> None:
    assert ndcg(hits, any_of=any_of) == pytest.approx(expected, abs=1e-6)


def test_recall_is_the_share_of_the_needed_golds() -> None:
    assert [recall_at(SPREAD, depth, any_of=False) for depth in (1, 3, 5)] == [0.0, 0.5, 1.0]


@given(st.lists(st.tuples(st.booleans(), st.booleans(), st.booleans()), max_size=14), st.booleans())
def test_retrieval_measures_stay_between_nothing_and_ideal(rows: list[tuple[bool, ...]], any_of: bool) -> None:
    hits = tuple(rows)
    recalls = [recall_at(hits, depth, any_of=any_of) for depth in (1, 3, 5, 10)]
    assert recalls == sorted(recalls)
    assert 0.0 <= ndcg(hits, any_of=any_of) <= 1.0 + 1e-12
    assert (ndcg(hits, any_of=any_of) > 0) == (reciprocal_rank(hits) > 0) == (recalls[-1] > 0)


def test_abstention_figures_by_hand() -> None:
    # 4 answerable of which 1 abstained; 3 unanswerable of which 2 abstained: 3 abstentions, 2 right.
    decisions = [
        *(Abstention(answerable=True, abstained=abstained) for abstained in (True, False, False, False)),
        *(Abstention(answerable=False, abstained=abstained) for abstained in (True, True, False)),
    ]
    assert abstention_precision(decisions) == pytest.approx(2 / 3)
    assert abstention_recall(decisions) == pytest.approx(2 / 3)
    assert abstention_f1(decisions) == pytest.approx(2 / 3)
    assert false_answer_rate(decisions) == pytest.approx(1 / 3)
    assert over_abstention_rate(decisions) == 0.25
