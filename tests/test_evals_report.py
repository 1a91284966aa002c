"""Reports as Markdown and JSON, and the gate on their figures."""

import pytest
from case_files import read_rows

from corpus.errors import UsageError
from evals.metrics import RiskPoint, check_minimums, parse_minimum
from evals.runner import EvalReport, Group

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


@pytest.mark.parametrize(("text", "message"), read_rows("evals-a-malformed-minimum-is-a-usage-error"))
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
