"""`relnotes ingest` and `relnotes status`."""

from typing import Annotated

import typer

from corpus.errors import UsageError
from corpus.model import Authority
from ui.cli.interruption import ending_when_told
from ui.cli.options import IndexOption, JsonOption, ModelOption, StoreOption, say, show_result

SOURCES_HELP = (
    "Files and directories; https://..., github:owner/repo, pypi:name, npm:name; requirements.txt, pyproject.toml, "
    "uv.lock, poetry.lock, package.json, package-lock.json for all dependencies; env: for a Python environment"
)


@ending_when_told()
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
        str | None,
        typer.Option("--ray", metavar="ADDRESS", help="Parse and embed on a Ray cluster: HOST:PORT, `auto` or `local`"),
    ] = None,
    model: ModelOption = None,
    index: IndexOption = None,
    as_json: JsonOption = False,
) -> None:
    """Read release notes into the index: only what changed is parsed and embedded again.

    What vanished from an ingested directory is removed. A document that can't
    be read is listed and stops nothing; the exit status is 1 when no document
    at all could be ingested.

    Nothing is fetched but what is named. What is fetched is asked for again
    only where it changed; list sources in a relnotes.toml for `relnotes sync`.

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
    from ui.contract.ingest import IngestBody
    from ui.opening import open_connectors, open_document_embedder, open_encoding
    from ui.rendering.ingest import render_report
    from ui.settings import load_fetching_settings

    if not all(sources):
        raise UsageError("A SOURCE is empty. Name a file or a directory; the current directory is `.`.")
    settings = load_fetching_settings(index=index, model=model, store=store)
    with open_encoding(settings, ray=ray) as encoding, BarProgress() as progress:
        report = build_index(
            sources,
            index=settings.index,
            embedder=open_document_embedder(settings),
            encoding=encoding,
            product=product,
            version=version,
            authority=authority,
            rebuild=rebuild,
            store=settings.store_choice,
            connectors=open_connectors(settings),
            progress=progress,
        )
    if as_json:
        typer.echo(IngestBody.from_report(report).to_json())
    else:
        show_result(render_report(report))
    if not report.succeeded:
        say("relnotes: No document was ingested. The failures say why; correct them and run ingest again.")
        raise typer.Exit(1)


def status(
    verify: Annotated[
        bool, typer.Option("--verify", help="Check every checksum and stored offset; exit status 1 on a fault")
    ] = False,
    index: IndexOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show what the index covers and whether it is sound.

    Examples:
      relnotes status
      relnotes status --verify --json
    """
    from corpus.index.repair import verify_index
    from corpus.index.tables import TableReader
    from ui.contract.index import StatusBody
    from ui.settings import load_settings

    path = load_settings(index=index).index
    faults = verify_index(path) if verify else None
    with TableReader.open(path) as reader:
        body = StatusBody.from_reader(reader, faults=faults)
    if as_json:
        typer.echo(body.to_json())
    else:
        from ui.rendering.index import render_status

        show_result(render_status(body))
    if faults:
        raise typer.Exit(1)
