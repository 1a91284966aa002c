"""Comparisons as text: Markdown for RESULTS.md, JSON for `--json`. Pure: no clock, no files."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace

from evals.comparison import compare_runs
from evals.lab.peers.answers import AnswerRule
from evals.lab.peers.trial import GIVEN, RELNOTES, Comparison, Entrant
from evals.runner import EvalReport, EvalRun, Group, evaluate

TEST = "test"
_COLUMNS = (
    ("recall@5", "recall@5"),
    ("mrr@10", "MRR@10"),
    ("answer_key", "key facts"),
    ("citation_precision", "citation precision"),
    ("false_answer_rate", "false answers"),
    ("over_abstention_rate", "over-abstention"),
    ("end_to_end", "end to end"),
    ("median_answer_chars", "answer, characters"),
)
_COMPARED = ("recall@5", "mrr@10", "answer_key", "false_answer_rate")
_SEED = 20
_RESAMPLES = 1000


def test_half(run: EvalRun) -> EvalRun:
    """The questions of a run that are in the test half; none where its file states no halves."""
    return replace(run, results=tuple(result for result in run.results if result.question.split == TEST))


def render_comparisons(comparisons: Sequence[Comparison]) -> str:
    """Markdown, a section for each question set: the test half where there is one, all questions, recall by kind."""
    return "\n\n".join(part for comparison in comparisons for part in _section(comparison)) + "\n"


def render_comparisons_json(comparisons: Sequence[Comparison]) -> str:
    """One JSON document: for each question set its entrants with their figures."""
    shape = {
        comparison.name: [
            {
                "system": entrant.system,
                "rule": entrant.rule,
                "questions": len(entrant.run.results),
                "ingest_seconds": round(entrant.ingest_seconds, 2),
                "p50_ms": round(entrant.p50_ms, 2),
                "passage_chars": entrant.passage_chars,
                "unplaced": entrant.unplaced,
                **_halves(entrant.run),
            }
            for entrant in comparison.entrants
        ]
        for comparison in comparisons
    }
    return json.dumps(shape, ensure_ascii=False, indent=2)


def _halves(run: EvalRun) -> dict[str, object]:
    report = evaluate(run)
    return {
        "all": _figures(report.overall),
        TEST: next((_figures(group) for group in report.by_split if group.name == TEST), None),
        "by_kind": {group.name: _figures(group) for group in report.by_kind},
    }


def _figures(group: Group) -> dict[str, float]:
    return {figure.metric: figure.value for figure in group.figures}


def _section(comparison: Comparison) -> list[str]:
    entrants = comparison.entrants
    halves = [(f"{comparison.name}, test half", [test_half(entrant.run) for entrant in entrants])]
    halves.append((f"{comparison.name}, all questions", [entrant.run for entrant in entrants]))
    parts: list[str] = []
    for title, runs in halves:
        if not runs[0].results:
            continue
        reports = [evaluate(run) for run in runs]
        negatives = sum(not result.question.answerable for result in runs[0].results)
        counts = f"{len(runs[0].results)} questions, {negatives} of them without an answer."
        parts += [f"## {title}", counts, _measures(entrants, reports), "recall@5 by kind:", _kinds(entrants, reports)]
        if len(entrants) > 1:
            parts += ["relnotes less the other, with 95 % intervals (paired bootstrap; * leaves out zero):"]
            parts += [_differences(entrants, runs)]
    parts += [f"## {comparison.name}, times and lengths", _times(entrants)]
    return parts


def _measures(entrants: Sequence[Entrant], reports: Sequence[EvalReport]) -> str:
    rows = (
        (entrant.system, entrant.rule, *(_number(report.overall, metric) for metric, _ in _COLUMNS))
        for entrant, report in zip(entrants, reports, strict=True)
    )
    return _table(("system", "answer", *(title for _, title in _COLUMNS)), rows)


def _differences(entrants: Sequence[Entrant], runs: Sequence[EvalRun]) -> str:
    """Against each peer's longest answers, which hold the most key facts, and against those with a cut-off."""
    ours = runs[0]
    titles = dict(_COLUMNS)
    rows = (
        (entrant.system, entrant.rule, *(_difference(run, ours, metric) for metric in _COMPARED))
        for entrant, run in zip(entrants[1:], runs[1:], strict=True)
        if entrant.rule != AnswerRule(GIVEN[0]).name
    )
    return _table(("system", "answer", *(titles[metric] for metric in _COMPARED)), rows)


def _difference(theirs: EvalRun, ours: EvalRun, metric: str) -> str:
    found = compare_runs(theirs, ours, metric, seed=_SEED, resamples=_RESAMPLES)
    if found is None:
        return "-"
    return f"{found.mean:+.3f} ({found.low:+.2f} to {found.high:+.2f}){' *' if found.is_significant else ''}"


def _kinds(entrants: Sequence[Entrant], reports: Sequence[EvalReport]) -> str:
    """The rule of answering changes no ranking: a column for each system, not for each rule."""
    systems = {entrant.system: report for entrant, report in zip(entrants, reports, strict=True)}
    kinds = [group for group in reports[0].by_kind if group.figure("recall@5") is not None]
    rows = (
        (
            group.name,
            str(group.questions),
            *(_number(_kind(report, group.name), "recall@5") for report in systems.values()),
        )
        for group in kinds
    )
    return _table(("kind", "n", *systems), rows)


def _kind(report: EvalReport, name: str) -> Group:
    return next(group for group in report.by_kind if group.name == name)


def _times(entrants: Sequence[Entrant]) -> str:
    systems = {entrant.system: entrant for entrant in entrants}
    ours = systems[RELNOTES]
    rows = (
        (
            name,
            f"{entrant.ingest_seconds:.1f}",
            f"{entrant.ingest_seconds / ours.ingest_seconds:.2f}",
            f"{entrant.p50_ms:.1f}",
            f"{entrant.p50_ms / ours.p50_ms:.2f}",
            f"{entrant.passage_chars:.0f}",
            str(entrant.unplaced),
        )
        for name, entrant in systems.items()
    )
    header = (
        "system", "ingest, s", "of ours", "question p50, ms", "of ours", "passage, characters (median)",
        "passages not in their file",
    )  # fmt: skip
    return _table(header, rows)


def _number(group: Group, metric: str) -> str:
    value = group.figure(metric)
    if value is None:
        return "-"
    return f"{value:.0f}" if metric.endswith("_chars") else f"{value:.3f}"


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [header, ["---", *("---:" for _ in header[1:])], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
