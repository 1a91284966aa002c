"""Reports as text: Markdown for evals/results/RESULTS.md, JSON for `python -m evals --json`; no clock, no files."""

import json
from collections.abc import Sequence

from evals.command import render_table
from evals.comparison import Difference
from evals.metrics import METRIC_NAMES
from evals.runner import EvalReport, Group

_GROUP_METRICS = (
    "recall@1", "recall@3", "recall@5", "recall@10", "mrr@10", "ndcg@10", "answer_key", "citation_precision",
    "citation_recall", "quote_verbatim", "false_answer_rate", "over_abstention_rate", "end_to_end",
    "median_answer_chars", "median_with_quotes_chars",
)  # fmt: skip


def render_results(reports: Sequence[EvalReport], *, preface: str = "") -> str:
    """Render Markdown with a section for each report: overall, by split, by kind, skipped."""
    sections = (_section(report) for report in reports)
    return "\n\n".join(part for part in ("# Results", preface, *sections) if part) + "\n"


def render_comparison(differences: Sequence[Difference]) -> str:
    """Render a Markdown table of differences between two runs; a star marks intervals that exclude zero."""
    rows = (
        (
            difference.metric,
            f"{difference.mean:+.3f}",
            f"{difference.low:+.3f} to {difference.high:+.3f}{' *' if difference.is_significant else ''}",
            str(difference.questions),
        )
        for difference in differences
    )
    return render_table(("metric", "difference", "95 % interval", "questions"), rows)


def render_json(report: EvalReport, *, unreviewed: int) -> str:
    """Render a JSON document: `questions`, `metrics`, `by_kind`, `by_split`, `skipped`, `failed`, and
    `unreviewed`, the number of unreviewed lines in the question file."""
    shape = {
        "questions": report.overall.questions,
        "metrics": report.overall.figures,
        "by_kind": {group.name: {"questions": group.questions, **group.figures} for group in report.by_kind},
        "by_split": {group.name: {"questions": group.questions, **group.figures} for group in report.by_split},
        "skipped": [{"id": name, "reason": reason} for name, reason in report.skipped.items()],
        "failed": [{"id": name, "reason": reason} for name, reason in report.failed.items()],
        "unreviewed": unreviewed,
    }
    return json.dumps(shape, ensure_ascii=False, indent=2)


def _section(report: EvalReport) -> str:
    overall = ((metric, render_figure(report.overall, metric)) for metric in METRIC_NAMES)
    parts = [
        f"## {report.name}",
        f"{report.overall.questions} questions asked, {len(report.skipped)} skipped, {len(report.failed)} failed.",
        render_table(("metric", "value"), overall),
    ]
    if report.by_split:
        parts += ["### By split", _groups("split", report.by_split)]
    parts += ["### By kind", _groups("kind", report.by_kind)]
    for title, unasked in (("Skipped", report.skipped), ("Failed", report.failed)):
        if unasked:
            parts += [f"### {title}", "\n".join(f"- `{name}`: {reason}" for name, reason in unasked.items())]
    return "\n\n".join(parts)


def _groups(heading: str, groups: Sequence[Group]) -> str:
    rows = (
        (group.name, str(group.questions), *(render_figure(group, metric) for metric in _GROUP_METRICS))
        for group in groups
    )
    return render_table((heading, "n", *_GROUP_METRICS), rows)


def render_figure(group: Group, metric: str) -> str:
    """Format a figure for a table; a dash if it wasn't measured."""
    value = group.figures.get(metric)
    if value is None:
        return "-"
    return f"{value:.0f}" if metric.endswith(("_chars", "_ms")) else f"{value:.3f}"
