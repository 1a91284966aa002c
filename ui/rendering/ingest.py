"""The report of an ingest, for a terminal or a log: sources with the same outcome share a line, and long lists are cut
with a count of the rest; the JSON has everything."""

import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from corpus.version_gaps import name_gaps
from ingest.report import IngestReport, ProductIntake
from ui.rendering.index import line_of
from ui.rendering.words import counted

_NAMED = 3  # Sources named of those that share a line.
_LINES = 12  # Lines shown of each label.
_PRODUCTS = 20


def render_report(report: IngestReport) -> str:
    """Render the counts, a table by product, then skipped sources, notes on read ones, suspicious ones and failures."""
    noted = ((s.source, s.note) for s in report.sources if s.note and s.state in ("read", "unchanged"))
    parts = (
        _render_counts(report),
        *_render_products(report.products),
        *_render_outcomes("skipped", ((s.source, s.reason) for s in report.skipped)),
        *_render_outcomes("note   ", noted),
        *_render_outcomes("check  ", ((s.source, s.reason) for s in report.suspicious)),
        *_render_outcomes("failed ", ((s.source, s.error) for s in report.failed)),
    )
    return "\n".join(parts)


def render_sync(report: IngestReport, *, now: datetime) -> str:
    """Render a line of `key=value` pairs for each source, then a line of counts."""
    lines = []
    for outcome in report.sources:
        note = f" note={json.dumps(outcome.note, ensure_ascii=False)}" if outcome.note else ""
        is_plain = not any(sign in outcome.source for sign in ' "=')
        source = outcome.source if is_plain else json.dumps(outcome.source, ensure_ascii=False)
        line = (
            f"{now.isoformat(timespec='seconds')} source={source} state={outcome.state} "
            f"documents={outcome.documents} changed={outcome.changed}{note}"
        )
        lines.append(line)
    return "\n".join((*lines, _render_counts(report)))


def _render_counts(report: IngestReport) -> str:
    return (
        f"{report.added} added, {report.updated} updated, {report.unchanged} unchanged, {report.removed} removed; "
        f"the index has {counted(report.passages, 'passage')}; {report.seconds:.1f} s"
    )


def _render_products(products: Sequence[ProductIntake]) -> Iterator[str]:
    """Yield a line for each of the products with what was ingested of it."""
    for intake in products[:_PRODUCTS]:
        product, gaps = intake.product, name_gaps(intake.gaps)
        yield line_of(
            product.name,
            counted(product.documents, "document"),
            counted(len(product.releases), "release"),
            first_to_last([str(release.version) for release in reversed(product.releases)]),
            # Months are short enough for a narrow terminal.
            first_to_last(sorted(f"{release.date:%Y-%m}" for release in product.releases if release.date)),
            f"no notes for {gaps}" if gaps else "",
        )
    if len(products) > _PRODUCTS:
        yield f"and {counted(len(products) - _PRODUCTS, 'more product')}; --json lists all of them"


def first_to_last(values: Sequence[str]) -> str:
    """Return "1.0 … 2.1" for `("1.0", …, "2.1")`, a single value alone, and "" for none."""
    return f"{values[0]} … {values[-1]}" if len(values) > 1 else "".join(values)


def _render_outcomes(label: str, outcomes: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield a line for each source, or one for several with the same reason; at most 12, then a count of the rest."""
    sources: dict[str, list[str]] = {}
    for source, reason in outcomes:
        sources.setdefault(reason, []).append(source)
    lines: list[str] = []
    for reason, affected in sources.items():
        many = f"{', '.join(affected[:_NAMED])} and {len(affected) - _NAMED} more"
        lines += [f"{source}: {reason}" for source in (affected if len(affected) <= _NAMED else [many])]
    yield from (f"{label} {line}" for line in lines[:_LINES])
    if len(lines) > _LINES:
        yield f"{label} and {counted(len(lines) - _LINES, 'more line')} like these; --json lists all of them"
