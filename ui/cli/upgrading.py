"""`relnotes upgrade`."""

from pathlib import Path
from typing import Annotated

import typer

from ui.cli.options import IndexOption, JsonOption, show_result


def upgrade(
    product: Annotated[str, typer.Argument(metavar="PRODUCT", help="The product, by its name, an alias or a nickname")],
    start: Annotated[str, typer.Argument(metavar="FROM", help="The version in use; its own changes aren't listed")],
    end: Annotated[str, typer.Argument(metavar="TO", help="The version to move to, or `latest`")],
    symbols_from: Annotated[
        Path | None,
        typer.Option(
            "--symbols-from",
            metavar="PATH",
            help="Keep what the code in this file or directory uses, and say where it does",
        ),
    ] = None,
    index: IndexOption = None,
    as_json: JsonOption = False,
) -> None:
    """List what breaks, is removed, deprecated or needs action after FROM, up to and with TO.

    Grouped by release, most severe first, each change once with its source. Releases without notes in the index are
    named: there, nothing listed doesn't mean that nothing breaks.

    Examples:
      relnotes upgrade django 4.2 5.1
      relnotes upgrade numpy 1.26 latest --symbols-from src
      relnotes upgrade pytest 7.4 8.0 --json
    """
    from corpus.index.tables import TableReader
    from retrieval.code_usage import load_code
    from retrieval.upgrades.changes import list_upgrade
    from ui.settings import load_settings

    with TableReader.open(load_settings(index=index).index) as reader:
        code = load_code(symbols_from) if symbols_from is not None else None
        found = list_upgrade(reader, product, start, end, code=code)
    if as_json:
        from ui.contract.upgrade import UpgradeBody

        typer.echo(UpgradeBody.model_validate(found).to_json())
        return
    from ui.rendering.upgrade import render_upgrade

    show_result(render_upgrade(found))
