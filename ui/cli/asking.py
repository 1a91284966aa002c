"""`relnotes ask` and `relnotes search`."""

from typing import Annotated

import typer

from ui.cli.options import (
    IndexOption,
    JsonOption,
    LimitOption,
    ModelOption,
    ProductOption,
    VersionOption,
    checked_question,
    show_result,
)


def ask(
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="The question, in quotes")],
    product: ProductOption = None,
    version: VersionOption = None,
    history: Annotated[
        list[str] | None,
        typer.Option(metavar="Q", help="An earlier question of the conversation; repeat it, oldest first"),
    ] = None,
    limit: LimitOption = 10,
    model: ModelOption = None,
    explain: Annotated[
        bool,
        typer.Option(
            "--explain", help="Say what counted for the decision to answer and for the order of the first passages"
        ),
    ] = False,
    index: IndexOption = None,
    as_json: JsonOption = False,
) -> None:
    """Answer a question from the release notes, with verbatim, cited quotes.

    An honest "not found" is an answer too: the exit status is 0.

    Examples:
      relnotes ask "Which Python does PyTorch 2.9 need?"
      relnotes ask "What was removed?" --product django --version 4.2
      relnotes ask "Is ROCm 7 supported?" --explain
      relnotes ask "And in 2.9?" --history "What is new for ROCm in 2.8?"
    """
    from ui.opening import open_assistant, open_chat_model
    from ui.settings import load_asking_settings

    text = checked_question(question)
    earlier = tuple(checked_question(asked) for asked in history or ())
    settings = load_asking_settings(index=index, model=model)
    with open_assistant(settings, model=open_chat_model(settings), for_few=True) as assistant:
        answer = assistant.ask(text, history=earlier, product=product, version=version, limit=limit, explain=explain)
    if as_json:
        from ui.contract.answer import answer_body

        typer.echo(answer_body(answer).to_json())
        return
    from ui.rendering.answer_terminal import render_answer

    show_result(render_answer(answer))


def search(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="What to look for, in quotes")],
    product: ProductOption = None,
    version: VersionOption = None,
    limit: LimitOption = 10,
    model: ModelOption = None,
    index: IndexOption = None,
    as_json: JsonOption = False,
) -> None:
    """Rank the passages nearest to a query, without composing an answer.

    Examples:
      relnotes search "async context manager" --product django
      relnotes search torch.cond -k 3 --json
    """
    from ui.opening import open_assistant
    from ui.settings import load_settings

    text = checked_question(query)
    settings = load_settings(index=index, model=model)
    with open_assistant(settings, for_few=True) as assistant:
        result = assistant.search(text, product=product, version=version, limit=limit)
    if as_json:
        from ui.contract.answer import SearchBody

        typer.echo(SearchBody.model_validate(result).to_json())
        return
    from ui.rendering.answer_terminal import render_search

    show_result(render_search(result))
