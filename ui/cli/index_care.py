"""`relnotes status`, `relnotes backup` and `relnotes repair`."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ui.cli.interruption import ending_when_told
from ui.cli.options import IndexOption, JsonOption, show_result

if TYPE_CHECKING:
    from corpus.manifest import Manifest


def status(
    verify: Annotated[
        bool, typer.Option("--verify", help="Check every checksum and stored offset; exit status 1 on a fault")
    ] = False,
    index: IndexOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show what the index covers, whether it is sound, and which language model is set to read.

    Examples:
      relnotes status
      relnotes status --verify --json
    """
    from corpus.index.repair import verify_index
    from corpus.index.tables import TableReader
    from ui.contract.index import StatusBody
    from ui.opening import open_chat_model
    from ui.settings import load_asking_settings

    settings = load_asking_settings(index=index)
    reads = open_chat_model(settings)
    faults = verify_index(settings.index) if verify else None
    with TableReader.open(settings.index) as reader:
        body = StatusBody.from_reader(reader, faults=faults, language_model=reads.name if reads else None)
    if as_json:
        typer.echo(body.to_json())
    else:
        from ui.rendering.index import render_status

        show_result(render_status(body))
    if faults:
        raise typer.Exit(1)


@ending_when_told()
def backup(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where the copy shall be; it must not exist yet")],
    index: IndexOption = None,
    as_json: JsonOption = False,
) -> None:
    """Copy the index, with all that people gave or said, while it is in use.

    The copy is of one state, whatever is ingested meanwhile, and is an index
    like any other: ask it with --index, check it with `status --verify`, put
    it in the place of the old one to restore.

    Examples:
      relnotes backup /srv/backups/monday
    """
    from corpus.index.backup import back_up
    from ui.contract.answer import printed_json
    from ui.rendering.words import counted
    from ui.settings import load_settings

    began = time.perf_counter()
    manifest = back_up(load_settings(index=index).index, folder)
    seconds = time.perf_counter() - began
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    if as_json:
        about = {"folder": str(folder), **_counts(manifest), "bytes": size, "seconds": seconds}
        typer.echo(printed_json(about))
        return
    documents = counted(manifest.documents, "document")
    show_result(f"{documents}, {size / 2**20:,.1f} MiB, state {manifest.generation}, in {seconds:.1f} s")


@ending_when_told()
def repair(index: IndexOption = None, as_json: JsonOption = False) -> None:
    """Make the index's search files anew from its database, and remove what died writers left.

    Nothing is fetched, parsed or embedded: documents and vectors are in the
    database, which is checked first. Where that is damaged itself, nothing is
    changed, the exit status is 1, and the message says where: then put back a
    backup of the index's folder, or run `relnotes ingest --rebuild SOURCE...`.

    Examples:
      relnotes repair
      relnotes repair --index /srv/relnotes --json
    """
    from corpus.index.repair import repair_index
    from ui.settings import load_settings

    path = load_settings(index=index).index
    found = repair_index(path)
    if as_json:
        from ui.contract.answer import printed_json

        about = {"index": str(path), "damaged": found.damaged, "swept": found.swept, **_counts(found.manifest)}
        typer.echo(printed_json(about))
        return
    from ui.rendering.index import render_repair

    show_result(render_repair(path, found))


def _counts(manifest: "Manifest") -> dict[str, int]:
    return {name: getattr(manifest, name) for name in ("generation", "documents", "passages")}
