"""`relnotes backup`."""

import time
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from ui.cli.interruption import ending_when_told
from ui.cli.options import IndexOption, JsonOption, show_result


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
    from ui.contract.index import BackupBody
    from ui.settings import load_settings

    began = time.perf_counter()
    manifest = back_up(load_settings(index=index).index, folder)
    body = BackupBody(
        folder=str(folder),
        bytes=sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()),
        seconds=time.perf_counter() - began,
        **asdict(manifest),
    )
    if as_json:
        typer.echo(body.to_json())
        return
    show_result(
        f"{body.documents:,} documents, {body.bytes / 2**20:,.1f} MiB, state {body.generation}, in {body.seconds:.1f} s"
    )
