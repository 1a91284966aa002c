"""The findings of trials, and how they are printed."""

from collections.abc import Iterator
from dataclasses import dataclass

from evals.command import render_table

SummaryRow = tuple[str, str, str, bool]
"""The name of a measure, its required value, its value, and whether the requirement is met."""


@dataclass(frozen=True, slots=True)
class CountTable:
    """A table of raw counts."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""


@dataclass(frozen=True)
class TrialFindings:
    """The findings of a trial; `notes` are paragraphs on the method and on open points."""

    title: str
    summary: tuple[SummaryRow, ...]
    tables: tuple[CountTable, ...] = ()
    notes: tuple[str, ...] = ()


def trial_lines(trial: TrialFindings) -> Iterator[str]:
    """Yield the findings as lines of Markdown, without the requirements."""
    yield f"## {trial.title}"
    for note in trial.notes:
        yield from ("", note)
    for table in trial.tables:
        yield from ("", table.caption) if table.caption else ()
        yield from ("", render_table(table.header, table.rows))
