"""Shared by the commands: option types, the two output streams, and the handler of errors.

Results alone go to stdout; everything about the work goes to stderr.
"""

import logging
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup, TyperOption

from corpus.errors import RelnotesError, UsageError
from ui.log import OURS


def _parse_index(text: str) -> Path:
    # Path("") would be the current directory.
    if not text:
        raise UsageError("The path of --index is empty. Name a directory; the current one is `.`.")
    return Path(text)


IndexOption = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR",
        parser=_parse_index,
        help="Directory of the index (env RELNOTES_INDEX; default: the user data directory)",
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON document on stdout, nothing else")]
LimitOption = Annotated[
    int, typer.Option("-k", "--limit", min=1, max=50, metavar="N", help="Ranked passages to return, 1 to 50")
]
ModelOption = Annotated[
    str | None,
    typer.Option(
        metavar="NAME|DIR",
        help="Embedding model: a sentence-transformers name or folder (env RELNOTES_MODEL; default: the built-in one)",
    ),
]
StoreOption = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        help="What searches the index from now on: milvus://HOST:PORT, milvus+tls://HOST:PORT, milvus+lite:///PATH.db "
        "or embedded (env RELNOTES_STORE; default: what searches it now, at first embedded)",
    ),
]
ProductOption = Annotated[str | None, typer.Option(metavar="NAME", help="Only this product, by its name or an alias")]
VersionOption = Annotated[str | None, typer.Option(metavar="VERSION", help="Only this version's notes")]


class RelnotesGroup(TyperGroup):
    """Handles the errors of all commands: a line on stderr, and exit status 2 for wrong usage, 1 for a failure."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        # Subgroups of this class have added the options themselves.
        plain = (command for command in self.commands.values() if not isinstance(command, RelnotesGroup))
        for command in (self, *plain):
            command.params.extend(
                TyperOption(
                    param_decls=[name],
                    is_flag=True,
                    default=False,
                    expose_value=False,
                    is_eager=True,
                    callback=callback,
                    help=text,
                )
                for name, callback, text in (
                    ("--quiet", _be_quiet, "Say nothing on stderr but errors: no progress, no notes, no log"),
                    ("--verbose", _be_verbose, "Tell on stderr what is done, step by step"),
                )
            )

    def invoke(self, ctx: Any) -> Any:
        """Run the chosen command; report a RelnotesError, and exit with 2 for a UsageError, else 1; 130 for Ctrl-C."""
        try:
            return super().invoke(ctx)
        except RelnotesError as error:
            echo(f"relnotes: {error}", is_error=True)
            raise typer.Exit(2 if isinstance(error, UsageError) else 1) from None
        except KeyboardInterrupt:
            echo("relnotes: Ended by Ctrl-C.", is_error=True)
            raise typer.Exit(130) from None


def _be_quiet(_context: Any, _option: Any, is_set: bool) -> None:
    if is_set:
        logging.getLogger(OURS).setLevel(logging.ERROR)
        logging.disable(logging.WARNING)


def _be_verbose(_context: Any, _option: Any, is_set: bool) -> None:
    if is_set:
        logging.basicConfig(format="%(asctime)s %(name)s: %(message)s", level=logging.WARNING)
        for name in (OURS, "corpus", "ingest", "retrieval", "evals", "ui"):
            logging.getLogger(name).setLevel(logging.DEBUG)
        logging.disable(logging.NOTSET)


def is_quiet() -> bool:
    """Return whether `--quiet` was given, so that only errors go to stderr."""
    return logging.getLogger(OURS).level == logging.ERROR


def echo(line: str, *, is_error: bool = False) -> None:
    """Print a line about the work on stderr; with `--quiet`, errors only."""
    from ui.rendering.words import printable

    if is_error or not is_quiet():
        typer.echo(printable(line), err=True)


def show_result(result: str) -> None:
    """Print a result for people on stdout, without control characters."""
    from ui.rendering.words import printable

    typer.echo(printable(result))


def check_text(text: str, *, label: str) -> None:
    """Check a command-line argument; `label` is its name in the error.

    Raises:
        UsageError: it isn't valid Unicode text.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        raise UsageError(f"Cannot read the {label}: it isn't valid UTF-8. Write it in UTF-8.") from None


def decoded(content: bytes, *, label: str) -> str:
    """Decode the content of a file or of standard input as UTF-8, without its mark; `label` is its name in the error.

    Raises:
        UsageError: it isn't UTF-8.
    """
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"Cannot read {label}: not UTF-8 at byte {error.start}. Save it as UTF-8.") from None


def checked_question(question: str) -> str:
    """Return `question` without outer white space.

    Raises:
        UsageError: it is empty, or isn't valid Unicode text.
    """
    check_text(question, label="question")
    if not question.strip():
        raise UsageError('The question is empty. Write one: relnotes ask "What changed in 2.12?"')
    return question.strip()
