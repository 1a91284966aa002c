"""An evaluation for a terminal: a few figures over all and by split and kind, and what wasn't asked."""

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from evals.report import render_figure
from evals.runner import EvalReport
from ui.rendering.words import counted, printable

_COLUMNS = {
    "recall@5": "recall@5",
    "answer_key": "right answer",
    "end_to_end": "end to end",
    "false_answer_rate": "false answers",
    "over_abstention_rate": "wrongly refused",
}


def render_evaluation(report: EvalReport) -> RenderableType:
    """A table with a row for each split and kind, what was left out and why, and a line of the figures over all."""
    table = Table(box=None, header_style="dim", padding=(0, 2, 0, 0))
    table.add_column("", no_wrap=True)
    for column in ("questions", *_COLUMNS.values()):
        table.add_column(column, justify="right")
    for group in (*report.by_split, *report.by_kind, report.overall):
        figures = (render_figure(group, metric) for metric in _COLUMNS)
        is_all = group is report.overall
        table.add_row(
            "all" if is_all else printable(group.name), str(group.questions), *figures, style="bold" if is_all else None
        )
    unasked = (("skipped", report.skipped), ("failed", report.failed))
    lines = (
        Text(printable(f"{state} {name}: {reason}"), style="yellow")
        for state, reasons in unasked
        for name, reason in reasons.items()
    )
    told = ", ".join(f"{name} {render_figure(report.overall, metric)}" for metric, name in _COLUMNS.items())
    counts = f"{counted(report.overall.questions, 'question')} of {printable(report.name)}"
    left_out = (
        f"; {len(report.skipped)} skipped, {len(report.failed)} failed" if report.skipped or report.failed else ""
    )
    return Group(table, *lines, Text(f"\n{counts}: {told}{left_out}. `--json` has all figures."))
