"""The Quality tab as HTML: figures of the last run, one measure by kind and over the runs, and what has no answer."""

from collections.abc import Sequence
from datetime import datetime

from evals.last_run import AskedQuestion, Mean, distinct, mean_of, means_by_kind
from evals.run_history import RecordedRun, SuiteFigures
from ui.feedback.unanswered import Unanswered
from ui.web.escaping import escape
from ui.web.quality.charts import ChartLine, percent, render_bars, render_lines
from ui.web.quality.measures import MEASURES, Measure, kind_title, suite_title

_OVERVIEW = (
    "end_to_end",
    "recall@5",
    "citation_precision",
    "quote_verbatim",
    "false_answer_rate",
    "over_abstention_rate",
)
ALL_SUITES = ""


def render_overview_html(asked: Sequence[AskedQuestion], history: Sequence[RecordedRun]) -> str:
    """A row for each suite with its figures in the last run."""
    if not asked:
        return (
            '<section class="rn-section"><h2>How good the answers are</h2><div class="rn-empty">'
            "<p><strong>No run is kept here.</strong></p><p>In a checkout of relnotes, <code>make eval</code> asks the "
            "question sets and keeps their figures.</p></div></section>"
        )
    measures = [measure for measure in MEASURES if measure.metric in _OVERVIEW]
    headings = [("Suite", False), ("Questions", True), *((_heading(measure), True) for measure in measures)]
    rows = "".join(_overview_row(suite, _of_suite(asked, suite), measures) for suite in _suites(asked))
    measured = f", last measured {_time(history[-1].at)}" if history else ""
    return (
        '<section class="rn-section"><h2>How good the answers are</h2>'
        f'<p class="rn-lead">{len(distinct(asked)):,} questions with known answers, asked of documents of this project '
        f"and of others{measured}. Each figure is a share, with its 95 % interval below; ↓ marks those that should be "
        f"low.</p>{_table('Figures by suite', headings, rows)}</section>"
    )


def render_measure_html(
    asked: Sequence[AskedQuestion], history: Sequence[RecordedRun], *, suite: str, measure: Measure
) -> str:
    """One measure: by kind in the last run, and over the runs; `suite` is `ALL_SUITES` or a name."""
    chosen = _of_suite(asked, suite)
    direction = " Lower is better." if measure.lower_is_better else ""
    lead = f'<p class="rn-lead">The share of {escape(measure.meaning)}.{direction}</p>'
    return (
        f'<section class="rn-section"><h2>{escape(measure.title)}</h2>{lead}'
        f"<h3>By kind of question</h3>{_by_kind(chosen, measure)}"
        f"<h3>Over the runs</h3>{_over_runs(history, suite, measure)}</section>"
    )


def render_gaps_html(asked: Sequence[AskedQuestion], unanswered: Sequence[Unanswered], *, is_kept: bool) -> str:
    """What has no answer: questions of the suites, and those that people asked here, where those are kept."""
    return (
        '<section class="rn-section"><h2>Questions without an answer</h2>'
        f"<h3>In the last run, though the documents answer them</h3>{_missed(asked)}"
        f"<h3>Asked here</h3>{_asked_here(unanswered, is_kept=is_kept)}</section>"
    )


def _overview_row(suite: str, asked: Sequence[AskedQuestion], measures: Sequence[Measure]) -> str:
    means = (mean_of(suite, asked, measure.metric) for measure in measures)
    cells = "".join(f'<td class="rn-number">{_cell(mean)}</td>' for mean in means)
    return (
        f'<tr><th scope="row">{escape(suite_title(suite))} <code>{escape(suite)}</code></th>'
        f'<td class="rn-number">{len(asked)}</td>{cells}</tr>'
    )


def _cell(mean: Mean | None) -> str:
    if mean is None:
        return '<span class="rn-soft">not asked</span>'
    return f"{percent(mean.value)}<small>{percent(mean.low)} to {percent(mean.high)}</small>"


def _by_kind(asked: Sequence[AskedQuestion], measure: Measure) -> str:
    means = means_by_kind(asked, measure.metric)
    if not means:
        return '<div class="rn-empty"><p>No question of this suite has this figure.</p></div>'
    overall = mean_of("all of them", asked, measure.metric)
    shown = (*means, overall) if overall is not None and len(means) > 1 else means
    caption = f"{measure.title}: the bar is the share, the line across its end the 95 % interval (Wilson)."
    return render_bars(shown, caption=caption)


def _over_runs(history: Sequence[RecordedRun], suite: str, measure: Measure) -> str:
    lines = [
        line
        for name, split in _line_names(history, suite)
        if (line := _line(history, name, split, measure.metric, by_split=suite != ALL_SUITES)) is not None
    ]
    used = sorted({place for line in lines for place in line.places})
    if not used:
        return '<div class="rn-empty"><p>No recorded run has this figure.</p></div>'
    # Only the runs that have a place in the picture take up room in it.
    lines = [ChartLine(line.name, tuple(used.index(place) for place in line.places), line.values) for line in lines]
    runs = [f"{history[place].at:%Y-%m-%d %H:%M}" for place in used]
    picture = render_lines(
        lines, title=f"{measure.title} over {len(runs)} runs; the table below has the values", runs=runs
    )
    return (
        f'{picture}<details class="rn-values"><summary>The values as a table</summary>{_values(lines, runs)}</details>'
    )


def _line_names(history: Sequence[RecordedRun], suite: str) -> list[tuple[str, str]]:
    found = {(one.suite, one.split): None for run in history for one in run.suites}
    if suite == ALL_SUITES:
        return [(name, split) for name, split in found if not split]
    return [(name, split) for name, split in found if name == suite]


def _line(history: Sequence[RecordedRun], suite: str, split: str, metric: str, *, by_split: bool) -> ChartLine | None:
    # Both runs ask some suites; the gate's, which is made more often, tells their history.
    runs = {run.run for run in history if _figures(run, suite, split)}
    told_by = "gate" if "gate" in runs else "full"
    points = [
        (place, figure)
        for place, run in enumerate(history)
        if run.run == told_by
        and (figures := _figures(run, suite, split)) is not None
        and (figure := figures.figure(metric)) is not None
    ]
    if not points:
        return None
    name = (f"{split} questions" if split else "all questions") if by_split else suite_title(suite)
    return ChartLine(name, tuple(place for place, _ in points), tuple(figure for _, figure in points))


def _figures(run: RecordedRun, suite: str, split: str) -> SuiteFigures | None:
    return next((one for one in run.suites if (one.suite, one.split) == (suite, split)), None)


def _values(lines: Sequence[ChartLine], runs: Sequence[str]) -> str:
    rows = "".join(
        f'<tr><th scope="row">{escape(run)}</th>'
        + "".join(f'<td class="rn-number">{_value_at(line, place)}</td>' for line in lines)
        + "</tr>"
        for place, run in reversed(list(enumerate(runs)))
    )
    return _table("Values over the runs", [("Run", False), *((line.name, True) for line in lines)], rows)


def _value_at(line: ChartLine, place: int) -> str:
    return percent(line.values[line.places.index(place)]) if place in line.places else "–"


def _missed(asked: Sequence[AskedQuestion]) -> str:
    missed = [one for one in distinct(asked) if one.lacks_answer]
    if not missed:
        return '<div class="rn-empty"><p>None: whatever the documents answer was answered.</p></div>'
    rows = "".join(
        f'<tr><th scope="row">{escape(one.question.question)}</th><td>{escape(kind_title(one.question.kind))}</td>'
        f"<td>{escape(suite_title(one.suite))}</td><td><code>{escape(one.question.id)}</code></td></tr>"
        for one in missed
    )
    headings = [("Question", False), ("Kind", False), ("Suite", False), ("Id", False)]
    return _table("Questions of the suites without an answer", headings, rows, kind="rn-gaps")


def _asked_here(unanswered: Sequence[Unanswered], *, is_kept: bool) -> str:
    if not is_kept:
        return (
            '<div class="rn-empty"><p><strong>Questions are not kept.</strong></p><p>Start the server with '
            "<code>RELNOTES_LOG_QUESTIONS=1</code> to keep those that find nothing, beside the index. Then everyone "
            "who may open this page can read them here.</p></div>"
        )
    if not unanswered:
        return '<div class="rn-empty"><p>None yet: every question that was asked here found something.</p></div>'
    rows = "".join(
        f'<tr><th scope="row"><bdi>{escape(one.question)}</bdi></th><td class="rn-number">{one.times}</td>'
        f'<td class="rn-number">{_time(one.last_asked)}</td></tr>'
        for one in unanswered
    )
    headings = [("Question", False), ("Times", True), ("Last asked", True)]
    return _table("Questions asked here without an answer", headings, rows, kind="rn-gaps")


def _table(label: str, headings: Sequence[tuple[str, bool]], rows: str, *, kind: str = "") -> str:
    """A table that scrolls in itself; each heading with whether its column holds numbers."""
    cells = "".join(
        f'<th scope="col" class="{"rn-number" if is_number else ""}">{escape(heading)}</th>'
        for heading, is_number in headings
    )
    return (
        f'<div class="rn-scroll" tabindex="0" role="region" aria-label="{escape(label)}">'
        f'<table class="rn-table {kind}"><thead><tr>{cells}</tr></thead><tbody>{rows}</tbody></table></div>'
    )


def _of_suite(asked: Sequence[AskedQuestion], suite: str) -> list[AskedQuestion]:
    return list(distinct(asked)) if suite == ALL_SUITES else [one for one in asked if one.suite == suite]


def _suites(asked: Sequence[AskedQuestion]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one.suite for one in asked))


def _heading(measure: Measure) -> str:
    return f"{measure.title} ↓" if measure.lower_is_better else measure.title


def _time(at: datetime) -> str:
    return f'<time datetime="{at.isoformat()}">{at:%Y-%m-%d}</time>'
