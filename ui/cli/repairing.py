"""`relnotes repair`."""

from dataclasses import asdict

import typer

from ui.cli.interruption import ending_when_told
from ui.cli.options import IndexOption, JsonOption, show_result


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
    from ui.contract.index import RepairBody
    from ui.settings import load_settings

    path = load_settings(index=index).index
    found = repair_index(path)
    body = RepairBody(index=str(path), damaged=found.damaged, swept=found.swept, **asdict(found.manifest))
    if as_json:
        typer.echo(body.to_json())
        return
    from ui.rendering.index import render_repair

    show_result(render_repair(body))
