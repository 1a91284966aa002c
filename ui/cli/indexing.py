"""`relnotes ingest` and `relnotes sync`."""

import signal
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from corpus.errors import UsageError
from corpus.model import Authority
from ui.cli.options import IndexOption, JsonOption, ModelOption, StoreOption, echo, is_quiet, show_result
from ui.settings import load_fetching_settings

if TYPE_CHECKING:
    from ingest.pipeline import IngestReport

SOURCES_HELP = (
    "Files and directories; https://..., github:owner/repo, pypi:name, npm:name; requirements.txt, pyproject.toml, "
    "uv.lock, poetry.lock, package.json, package-lock.json for all dependencies"
)


def ingest(
    sources: Annotated[list[str], typer.Argument(metavar="SOURCE...", help=SOURCES_HELP)],
    product: Annotated[str | None, typer.Option(metavar="NAME", help="The product these documents are about")] = None,
    version: Annotated[
        str | None, typer.Option(metavar="VERSION", help="The release they are about, where they don't say")
    ] = None,
    authority: Annotated[Authority | None, typer.Option(help="Who speaks in them")] = None,
    rebuild: Annotated[bool, typer.Option("--rebuild", help="Start a new index in place of the one there")] = False,
    store: StoreOption = None,
    ray: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Embed on a Ray cluster: HOST:PORT, `auto` or `local`")
    ] = None,
    model: ModelOption = None,
    index: IndexOption = None,
    as_json: JsonOption = False,
) -> None:
    """Read release notes into the index; only changed documents are parsed and embedded again.

    Documents that vanished from an ingested directory are removed. One that
    can't be read is listed, and the others are ingested; the exit status is 1
    if no document at all could be ingested.

    Only the named sources are fetched, and fetched again only if they changed;
    list sources in a relnotes.toml for `relnotes sync`.

    Examples:
      relnotes ingest ./release-notes
      relnotes ingest CHANGELOG.md --product mylib --authority official
      relnotes ingest pypi:pytest npm:axios github:astral-sh/ruff
      relnotes ingest requirements.txt
      relnotes ingest ./release-notes --store milvus://localhost:19530
      relnotes ingest ./release-notes --ray head.example.org:6379
    """
    from ingest.pipeline import build_index
    from ingest.progress import BarProgress
    from ui.opening import document_embedder_at, open_connectors
    from ui.rendering.ingest import render_report

    _end_on_sigterm()
    if not all(sources):
        raise UsageError("A SOURCE is empty. Name a file or a directory; the current directory is `.`.")
    settings = load_fetching_settings(index=index, model=model, store=store)
    with document_embedder_at(settings, ray=ray) as embedder, BarProgress(is_shown=not is_quiet()) as progress:
        report = build_index(
            sources,
            index=settings.index,
            embedder=embedder,
            product=product,
            version=version,
            authority=authority,
            rebuild=rebuild,
            store=settings.store_choice,
            connectors=open_connectors(settings),
            progress=progress,
        )
    _print_report(report, render_report(report), as_json=as_json)
    if not report.succeeded:
        echo(
            "relnotes: No document was ingested. The failures say why; correct them and run ingest again.",
            is_error=True,
        )
        raise typer.Exit(1)


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

    Unchanged documents are neither sent nor embedded again. If a source fails,
    the others go on, and its documents stay; so do those of a source that is
    gone, until --prune. Safe to run from cron: one writer at a time, readers
    are never disturbed. The exit status is 1 if a source failed or is gone,
    or if another process is writing.

    Examples:
      relnotes sync
      relnotes sync --config /etc/relnotes.toml --index /srv/relnotes --json
    """
    from ingest.pipeline import update_index
    from ingest.progress import BarProgress
    from ingest.sources.requests import CONFIG_FILE, SourceState, read_config
    from ui.opening import open_connectors, open_document_embedder
    from ui.rendering.ingest import render_sync
    from ui.rendering.words import counted

    _end_on_sigterm()
    settings = load_fetching_settings(index=index, model=model)
    connectors = open_connectors(settings)
    requests = read_config(config if config is not None else Path(CONFIG_FILE), connectors=connectors)
    with BarProgress(is_shown=not is_quiet()) as progress:
        report = update_index(
            requests,
            index=settings.index,
            embedder=open_document_embedder(settings),
            prune=prune,
            store=settings.store_choice,
            connectors=connectors,
            progress=progress,
        )
    _print_report(report, render_sync(report, now=datetime.now(UTC)), as_json=as_json)
    behind_states = {SourceState.FAILED} if prune else {SourceState.FAILED, SourceState.GONE}
    behind = [source for source in report.sources if source.state in behind_states]
    if behind or report.failed:
        n = len(behind) or 1
        verb, hint = ("is", "Its line says") if n == 1 else ("are", "Their lines say")
        echo(f"relnotes: {n} of {counted(len(report.sources), 'source')} {verb} behind. {hint} why.", is_error=True)
        raise typer.Exit(1)


def _end_on_sigterm() -> None:
    # SystemExit rolls back the commit in progress, as Ctrl-C does.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))


def _print_report(report: "IngestReport", text: str, *, as_json: bool) -> None:
    from ui.contract.ingest import IngestBody

    if as_json:
        typer.echo(IngestBody.from_report(report).to_json())
    else:
        show_result(text)
