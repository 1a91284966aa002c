"""`relnotes status` and `relnotes backup`."""

import time
from pathlib import Path
from typing import Annotated

import typer

from ui.cli.interruption import ending_when_told
from ui.cli.options import IndexOption, JsonOption, show_result


def status(
    verify: Annotated[
        bool, typer.Option("--verify", help="Check every digest and stored offset; exit status 1 on a fault")
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
        counts = {name: getattr(manifest, name) for name in ("generation", "documents", "passages")}
        typer.echo(printed_json({"folder": str(folder), **counts, "bytes": size, "seconds": seconds}))
        return
    documents = counted(manifest.documents, "document")
    show_result(f"{documents}, {size / 2**20:,.1f} MiB, state {manifest.generation}, in {seconds:.1f} s")
