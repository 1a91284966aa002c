"""`relnotes cite`: a verdict on each claim of a text."""

import sys
from typing import Annotated

import typer

from corpus.errors import UsageError
from ui.cli.options import (
    IndexOption,
    JsonOption,
    ModelOption,
    ProductOption,
    VersionOption,
    checked_text,
    decoded,
    show_result,
)

_STANDARD_INPUT = "-"


def cite(
    text: Annotated[
        str, typer.Argument(metavar="[TEXT|-]", help="The claim, or a text that makes several; - reads stdin")
    ] = _STANDARD_INPUT,
    product: ProductOption = None,
    version: VersionOption = None,
    model: ModelOption = None,
    index: IndexOption = None,
    as_json: JsonOption = False,
) -> None:
    """Check claims against the release notes: supported, contradicted, partly, unsure or not found, with quotes.

    A text of several sentences (a pull request, a review comment, a Markdown
    file of at most 20,000 characters) is checked claim by claim; code,
    headings and questions are left out, quoted lines too where there are
    others. A contradiction says what differs: the version, the number, the
    name, or a "not". A claim that is refuted or not in the notes is a result:
    the exit status is 0.

    Examples:
      relnotes cite "TorchScript was deprecated in PyTorch 2.12."
      relnotes cite "It dropped Python 3.7." --product pytest
      relnotes cite - --json < pull-request.md
    """
    from ui.contract.answer import ClaimCheckBody
    from ui.opening import open_assistant, open_chat_model
    from ui.settings import load_asking_settings

    words = _read_text(text)
    settings = load_asking_settings(index=index, model=model)
    with open_assistant(settings, model=open_chat_model(settings), for_few=True) as assistant:
        check = assistant.cite(words, product=product, version=version)
    if as_json:
        typer.echo(ClaimCheckBody.model_validate(check).to_json())
        return
    from ui.rendering.claim import render_claims

    show_result(render_claims(check))


def _read_text(text: str) -> str:
    """The text as given, or from standard input, with its own line ends.

    Raises:
        UsageError: nothing was given, or it isn't UTF-8.
    """
    if text == _STANDARD_INPUT:
        if sys.stdin.isatty():
            raise UsageError('No claim is given. Write one: relnotes cite "TorchScript was deprecated in 2.12".')
        return decoded(sys.stdin.buffer.read(), named="the text")
    return checked_text(text, named="text")
