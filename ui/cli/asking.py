"""`relnotes ask`, `search` and `cite`."""

import sys
from typing import Annotated

import typer

from corpus.errors import UsageError
from ui.cli import options
from ui.opening import open_assistant, open_chat_model
from ui.settings import load_asking_settings, load_settings


def ask(
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="The question, in quotes")],
    product: options.ProductOption = None,
    version: options.VersionOption = None,
    history: Annotated[
        list[str] | None,
        typer.Option(metavar="Q", help="An earlier question of the conversation; repeat it, oldest first"),
    ] = None,
    limit: options.LimitOption = 10,
    model: options.ModelOption = None,
    index: options.IndexOption = None,
    as_json: options.JsonOption = False,
) -> None:
    """Answer a question from the release notes, with verbatim, cited quotes.

    An honest "not found" is an answer too: the exit status is 0.

    Examples:
      relnotes ask "Which Python does PyTorch 2.9 need?"
      relnotes ask "What was removed?" --product django --version 4.2
      relnotes ask "Is ROCm 7 supported?"
      relnotes ask "And in 2.9?" --history "What is new for ROCm in 2.8?"
    """

    text = options.checked_question(question)
    earlier = tuple(options.checked_question(previous) for previous in history or ())
    settings = load_asking_settings(index=index, model=model)
    with open_assistant(settings, model=open_chat_model(settings), for_few=True) as assistant:
        answer = assistant.ask(text, history=earlier, product=product, version=version, limit=limit)
    if as_json:
        from ui.contract.answer import AnswerBody

        typer.echo(AnswerBody.model_validate(answer).to_json())
        return
    from ui.rendering.answer_terminal import render_answer

    options.show_result(render_answer(answer))


def search(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="What to look for, in quotes")],
    product: options.ProductOption = None,
    version: options.VersionOption = None,
    limit: options.LimitOption = 10,
    model: options.ModelOption = None,
    index: options.IndexOption = None,
    as_json: options.JsonOption = False,
) -> None:
    """Rank the passages nearest to a query, without composing an answer.

    Examples:
      relnotes search "async context manager" --product django
      relnotes search torch.cond -k 3 --json
    """

    text = options.checked_question(query)
    settings = load_settings(index=index, model=model)
    with open_assistant(settings, for_few=True) as assistant:
        result = assistant.search(text, product=product, version=version, limit=limit)
    if as_json:
        from ui.contract.answer import SearchBody

        typer.echo(SearchBody.model_validate(result).to_json())
        return
    from ui.rendering.answer_terminal import render_search

    options.show_result(render_search(result))


def cite(
    text: Annotated[
        str, typer.Argument(metavar="[TEXT|-]", help="The claim, or a text that makes several; - reads stdin")
    ] = "-",
    product: options.ProductOption = None,
    version: options.VersionOption = None,
    model: options.ModelOption = None,
    index: options.IndexOption = None,
    as_json: options.JsonOption = False,
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

    if text != "-":
        options.check_text(text, label="text")
    elif sys.stdin.isatty():
        raise UsageError('No claim is given. Write one: relnotes cite "TorchScript was deprecated in 2.12".')
    else:
        text = options.decoded(sys.stdin.buffer.read(), label="the text")
    settings = load_asking_settings(index=index, model=model)
    with open_assistant(settings, model=open_chat_model(settings), for_few=True) as assistant:
        check = assistant.cite(text, product=product, version=version)
    if as_json:
        typer.echo(ClaimCheckBody.model_validate(check).to_json())
        return
    from ui.rendering.claim import render_claims

    options.show_result(render_claims(check))
