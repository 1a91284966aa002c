"""`relnotes sync`."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from ui.cli.interruption import ending_when_told
from ui.cli.options import IndexOption, JsonOption, ModelOption, say, show_result


@ending_when_told()
def sync(
    config: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The list of sources (default: relnotes.toml here)")
    ] = None,
    prune: Annotated[
        bool, typer.Option("--prune", help="Remove the documents of sources whose servers have nothing any more")
    ] = False,
    model: ModelOption = None,
    index: IndexOption = None,
    as_json: JsonOption = False,
) -> None:
    """Bring the index up to date with the sources of a relnotes.toml.

    What didn't change is neither sent nor embedded again. A source that fails
    stops no other, and its documents stay; so do those of a source that is
    gone, until --prune. Safe to run from cron: one writer at a time, readers
    are never disturbed. The exit status is 1 where a source failed or is gone,
    or where another process is writing.

    Examples:
      relnotes sync
      relnotes sync --config /etc/relnotes.toml --index /srv/relnotes --json
    """
    from ingest.pipeline import update_index
    from ingest.progress import BarProgress
    from ingest.sources.fetching import SourceState
    from ingest.sources.requests import CONFIG_FILE, read_config
    from ui.contract.ingest import IngestBody
    from ui.opening import open_connectors, open_document_embedder
    from ui.rendering.ingest import render_sync
    from ui.settings import load_fetching_settings

    settings = load_fetching_settings(index=index, model=model)
    connectors = open_connectors(settings)
    requests = read_config(config if config is not None else Path(CONFIG_FILE), connectors=connectors)
    with BarProgress() as progress:
        report = update_index(
            requests,
            index=settings.index,
            embedder=open_document_embedder(settings),
            prune=prune,
            store=settings.store_choice,
            connectors=connectors,
            progress=progress,
        )
    if as_json:
        typer.echo(IngestBody.from_report(report).to_json())
    else:
        show_result(render_sync(report, now=datetime.now(UTC)))
    behind = [
        one
        for one in report.sources
        if one.state is SourceState.FAILED or (one.state is SourceState.GONE and not prune)
    ]
    if behind or report.failed:
        say(f"relnotes: {len(behind) or 1} of {len(report.sources)} sources are behind. Their lines say why.")
        raise typer.Exit(1)
