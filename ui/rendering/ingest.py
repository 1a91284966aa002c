"""What an ingest did, for a terminal or a log: what is told of many alike is told once, long lists say how much more
there is, and all of it is in the JSON."""

import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.text import Text

from corpus.version_gaps import name_gaps
from ui.rendering.index import cells, table
from ui.rendering.words import counted, printable

if TYPE_CHECKING:
    from ingest.pipeline import IngestReport
    from ingest.report import ProductIntake

_NAMED = 3  # So many of several sources of which the same is told are named.
_LINES = 12  # So many lines of one sort are shown.
_PRODUCTS = 20


def render_report(report: "IngestReport") -> RenderableType:
    """What an ingest did: counts, what came in by product, then what was left out and why, and what looks wrong."""
    noted = ((one.source, one.note) for one in report.sources if one.note and one.state in ("read", "unchanged"))
    return Group(
        _counts(report),
        *_intake(report.products),
        *_lines("skipped", ((one.source, one.reason) for one in report.skipped), style="dim"),
        *_lines("note   ", noted, style="yellow"),
        *_lines("check  ", ((one.source, one.reason) for one in report.suspicious), style="yellow"),
        *_lines("failed ", ((one.source, one.error) for one in report.failed), style="red"),
    )


def render_sync(report: "IngestReport", *, now: datetime) -> RenderableType:
    """A line a source, in the form that logs are searched in, then a line of counts."""
    lines = []
    for one in report.sources:
        note = f" note={json.dumps(one.note, ensure_ascii=False)}" if one.note else ""
        is_plain = not any(sign in one.source for sign in ' "=')
        source = one.source if is_plain else json.dumps(one.source, ensure_ascii=False)
        line = (
            f"{now.isoformat(timespec='seconds')} source={source} state={one.state} "
            f"documents={one.documents} changed={one.changed}{note}"
        )
        lines.append(Text(printable(line), style="red" if one.state in ("failed", "gone") else ""))
    return Group(*lines, _counts(report))


def _counts(report: "IngestReport") -> Text:
    return Text(
        f"{report.added} added, {report.updated} updated, {report.unchanged} unchanged, {report.removed} removed; "
        f"the index has {counted(report.passages, 'passage')}; {report.seconds:.1f} s"
    )


def _intake(products: "Sequence[ProductIntake]") -> Iterator[RenderableType]:
    """A table of what came in, by product; nothing where nothing did."""
    if not products:
        return
    rows = table("product", "documents", "releases", "versions", "dates", "no notes for")
    for one in products[:_PRODUCTS]:
        product, days = one.product, [release.date for release in one.product.releases if release.date]
        versions = first_to_last([str(release.version) for release in reversed(product.releases)])
        # By month, so that a row fits a narrow terminal.
        dates = first_to_last([f"{day:%Y-%m}" for day in sorted(days)])
        counts = (product.documents, len(product.releases))
        rows.add_row(*cells(product.name, *counts, versions, dates, name_gaps(one.gaps)))
    yield rows
    if len(products) > _PRODUCTS:
        yield Text(f"and {counted(len(products) - _PRODUCTS, 'more product')}; --json lists all of them", style="dim")


def first_to_last(values: Sequence[str]) -> str:
    """ "1.0 … 2.1", or the only one; empty where there are none."""
    return f"{values[0]} … {values[-1]}" if len(values) > 1 else "".join(values)


def _lines(label: str, outcomes: Iterable[tuple[str, str]], *, style: str) -> Iterator[Text]:
    """A line for each source, or for several of which the same is told; the first of them where there are many."""
    sources: dict[str, list[str]] = {}
    for source, reason in outcomes:
        sources.setdefault(reason, []).append(source)
    lines: list[str] = []
    for reason, named in sources.items():
        many = f"{', '.join(named[:_NAMED])} and {len(named) - _NAMED} more"
        lines += [f"{source}: {reason}" for source in (named if len(named) <= _NAMED else [many])]
    yield from (Text(printable(f"{label} {line}"), style=style) for line in lines[:_LINES])
    if len(lines) > _LINES:
        more = f"{label} and {counted(len(lines) - _LINES, 'more line')} like these; --json lists all of them"
        yield Text(more, style=style)
