"""Reports as Markdown and JSON, and the gate on their figures."""

import io
import json

import pytest
from rich.console import Console

from corpus.errors import UsageError
from evals.metrics import RiskPoint, check_limits, check_minimums, parse_minimum
from evals.report import render_json
from evals.runner import EvalReport, Group
from ui.rendering.evaluation import render_evaluation

GROUP = Group("all", 3, {"recall@5": 0.8, "quote_verbatim": 1.0, "median_answer_chars": 120.5})
REPORT = EvalReport(
    name="seeds",
    overall=GROUP,
    by_kind=(Group("number", 2, {"recall@5": 0.75}), Group("negative_near", 1, {})),
    by_split=(Group("dev", 3, {"recall@5": 0.8}),),
    curve=(RiskPoint(0.5, 0.9, 0.0), RiskPoint(1.0, 0.25, 0.125)),
    skipped={"q7": "'a|b.txt' is absent"},
    failed={},
)


def test_a_terminal_gets_a_few_figures_and_what_they_are_over_all() -> None:
    shown = io.StringIO()
    Console(file=shown, width=100).print(render_evaluation(REPORT))
    assert max(map(len, shown.getvalue().splitlines())) <= 100
    for part in ("recall@5", "wrongly refused", "skipped q7", "3 questions of seeds: recall@5 0.800"):
        assert part in " ".join(shown.getvalue().split())


def test_json_has_the_shape_of_the_contract() -> None:
    assert json.loads(render_json(REPORT, unreviewed=2)) == {
        "questions": 3,
        "metrics": {"recall@5": 0.8, "quote_verbatim": 1.0, "median_answer_chars": 120.5},
        "by_kind": {"number": {"questions": 2, "recall@5": 0.75}, "negative_near": {"questions": 1}},
        "by_split": {"dev": {"questions": 3, "recall@5": 0.8}},
        "risk_coverage": [
            {"coverage": 0.5, "min_confidence": 0.9, "risk": 0.0},
            {"coverage": 1.0, "min_confidence": 0.25, "risk": 0.125},
        ],
        "skipped": [{"id": "q7", "reason": "'a|b.txt' is absent"}],
        "failed": [],
        "unreviewed": 2,
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("recall@5", "METRIC=VALUE", id="no-value"),
        pytest.param("recal@5=0.8", "did you mean 'recall@5'", id="misspelt"),
        pytest.param("zzz=1", "known are recall@1", id="unknown"),
        pytest.param("recall@5=high", "must be a number, got 'high'", id="word"),
        pytest.param("recall@5=nan", "must be a number, got 'nan'", id="nan"),
        pytest.param("recall@5=", "must be a number, got ''", id="empty"),
    ],
)
def test_a_malformed_minimum_is_a_usage_error(text: str, message: str) -> None:
    with pytest.raises(UsageError) as raised:
        parse_minimum(text)
    assert message in str(raised.value)


def test_the_gate_lists_what_is_missed_in_order() -> None:
    minimums = [("quote_verbatim", 1.0), ("recall@5", 0.81), ("mrr@10", 0.0), ("recall@5", 0.8)]
    assert check_minimums(REPORT.overall.figures, minimums) == [
        "recall@5 is 0.8000, the minimum is 0.81",
        "mrr@10 is not measured, the minimum is 0",
    ]


def test_what_is_longer_than_it_may_be_is_missed_and_what_was_not_measured() -> None:
    most = {"median_answer_chars": 120, "median_quote_chars": 9, "recall@5": 0.8}
    assert check_limits(REPORT.overall.figures, {"recall@5": 0.81, "most": most}) == [
        "recall@5 is 0.8000, the minimum is 0.81",
        "median_answer_chars is 120.5000, the maximum is 120",
        "median_quote_chars is not measured, the maximum is 9",
    ]
