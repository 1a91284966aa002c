"""An ingest as HTML: how far it is, and in words what it did."""

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from ui.library.ingest_desk import IngestOutcome, IngestState
from ui.rendering.words import product_version
from ui.web.library.tables_html import LibraryView
from ui.web.visible_text import visible_text

if TYPE_CHECKING:
    from ingest.pipeline import IngestReport

_NAMED = 20


def render_progress_html(state: IngestState) -> str:
    """A bar with the phase; without a measure where the phase has none."""
    measure = f' max="{state.total}" value="{min(state.done, state.total)}"' if state.total > 1 else ""
    count = f"{min(state.done, state.total):,} of {state.total:,}" if state.total > 1 else ""
    phase = "Cancelling" if state.is_cancelled else state.phase
    return (
        f'<div class="rn-progress"><p><strong>{visible_text(state.subject)}</strong> <span>{phase}</span> '
        f"<span>{count}</span></p>"
        f'<progress aria-label="{phase}"{measure}></progress></div>'
    )


def render_outcome_html(outcome: IngestOutcome, view: LibraryView) -> str:
    """What came of an ingest, and why what was left out was; `view` is the index afterwards."""
    if outcome.is_cancelled:
        return f'<div class="rn-note" role="status"><p>{visible_text(outcome.error)}</p></div>'
    if outcome.error:
        return render_refusal_html(outcome.error)
    report = outcome.report
    refused = [("Not added", one.source, one.error) for one in outcome.refused]
    lines = [*_kept(outcome.kept, view), *(_line(*line) for line in (*refused, *(_lines(report) if report else ())))]
    succeeded = report is not None and report.succeeded and not refused
    style = "rn-note" if succeeded else "rn-note rn-warn"
    summary = _summary(report) if report else "Nothing was added."
    return f'<div class="{style}" role="status"><p>{summary}</p>{_list(lines)}</div>'


def render_refusal_html(message: str) -> str:
    """Why something wasn't begun, or what stopped it."""
    return f'<div class="rn-note rn-warn" role="alert"><p>{visible_text(message)}</p></div>'


def _summary(report: "IngestReport") -> str:
    counts = (
        (report.added, "added"),
        (report.updated, "updated"),
        (report.unchanged, "unchanged"),
        (report.removed, "removed"),
    )
    told = [f"{count} {word}" for count, word in counts if count]
    documents = ", ".join(told) or "Nothing changed"
    return f"Documents: {documents}. The index has {report.passages:,} passages. It took {report.seconds:.1f} s."


def _lines(report: "IngestReport") -> Iterator[tuple[str, str, str]]:
    yield from (("Failed", one.source, one.error) for one in report.failed)
    yield from (("Check", one.source, one.reason) for one in report.suspicious)
    yield from (("Skipped", one.source, one.reason) for one in report.skipped)


def _kept(kept: Collection[str], view: LibraryView) -> Iterator[str]:
    """What the uploads were taken for, so that a wrong name is seen at once."""
    for document in view.documents:
        if document.id in view.uploaded and document.source in kept:
            about = product_version(document.product, view.versions.get(document.id))
            yield (
                f'<li><a href="/documents/{document.id}">{visible_text(document.source)}</a> '
                f"is about {visible_text(about)}; it has {document.passages:,} passages</li>"
            )


def _line(word: str, source: str, reason: str) -> str:
    return f"<li>{word}: <strong>{visible_text(source)}</strong> {visible_text(reason)}</li>"


def _list(lines: Sequence[str]) -> str:
    if not lines:
        return ""
    more = f"<li>and {len(lines) - _NAMED:,} more</li>" if len(lines) > _NAMED else ""
    return f"<ul>{''.join(lines[:_NAMED])}{more}</ul>"
