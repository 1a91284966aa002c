"""The commands of `relnotes`, put together."""

from collections.abc import Callable
from typing import Annotated

import typer

from ui.cli.asking import ask, cite, search
from ui.cli.batch import batch
from ui.cli.documents import docs, model, status
from ui.cli.indexing import ingest, sync
from ui.cli.options import RelnotesGroup
from ui.cli.reviewing import review, upgrade
from ui.cli.serving import mcp, serve, slack

app = typer.Typer(
    cls=RelnotesGroup,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(is_set: bool) -> None:
    if is_set:
        from importlib.metadata import version

        typer.echo(f"relnotes {version('relnotes')}")
        raise typer.Exit


@app.callback()
def relnotes(
    version: Annotated[
        bool, typer.Option("--version", "-V", help="Print the version and exit", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """Ask questions about software release notes and get answers made of verbatim, cited quotes.

    Start with:
      relnotes ingest ./release-notes
      relnotes ask "What was deprecated in 2.9?"
      relnotes serve
    """


command: Callable[..., None]
for command in (ingest, sync, ask, search, cite, batch, review, upgrade):
    app.command()(command)
app.add_typer(docs, name="docs")
for command in (status, model, serve, slack, mcp):
    app.command()(command)
