"""`relnotes docs`, `status` and `model`: list and remove documents, show the index's state, try a language model."""

import json
from typing import Annotated

import typer

from corpus.errors import UsageError
from ui.cli.options import IndexOption, JsonOption, RelnotesGroup, echo, show_result
from ui.opening import open_chat_model, open_document_embedder
from ui.settings import load_asking_settings, load_settings

_QUESTIONS_A_DAY = 500

docs = typer.Typer(cls=RelnotesGroup)


@docs.callback(invoke_without_command=True)
def list_documents(ctx: typer.Context, index: IndexOption = None, as_json: JsonOption = False) -> None:
    """List the documents in the index, or show or remove some of them.

    Examples:
      relnotes docs
      relnotes docs show 3 --text
      relnotes docs remove --product django
    """
    if ctx.invoked_subcommand is not None:
        # `docs --index X show 1` means the same as `docs show 1 --index X`.
        defaults = {"index": index, "as_json": as_json}
        ctx.default_map = dict.fromkeys(("show", "remove"), defaults)
        return
    from corpus.index.tables import TableReader

    with TableReader.open(load_settings(index=index).index) as reader:
        documents = reader.documents
    if as_json:
        from ui.contract.answer import printed_json
        from ui.contract.index import DocumentBody

        bodies = [DocumentBody.model_validate(document).model_dump(mode="json") for document in documents]
        typer.echo(printed_json({"documents": bodies}))
        return
    from ui.rendering.index import render_documents

    show_result(render_documents(documents))


@docs.command()
def show(
    document_id: Annotated[int, typer.Argument(metavar="ID", help="A document's number in `relnotes docs`")],
    text: Annotated[bool, typer.Option("--text", help="Print the text that citations' offsets count in")] = False,
    index: IndexOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show one document: what is known about it, or its text.

    Examples:
      relnotes docs show 3
      relnotes docs show 3 --text > notes.txt
    """
    import sys

    from corpus.index.tables import TableReader

    with TableReader.open(load_settings(index=index).index) as reader:
        # Looked up in the list first, because SQLite raises an error for numbers of more than 64 bits.
        summary = next((document for document in reader.documents if document.id == document_id), None)
        if summary is None:
            raise UsageError(f"No document {document_id} in the index. `relnotes docs` lists them.")
        content = reader.document_text(document_id)
    if as_json:
        from ui.contract.answer import printed_json
        from ui.contract.index import DocumentBody

        about = DocumentBody.model_validate(summary).model_dump(mode="json")
        typer.echo(printed_json(about | ({"text": content} if text else {})))
    elif text and sys.stdout.isatty():
        from ui.rendering.words import printable

        typer.echo(printable(content), nl=False)
    elif text:
        # As bytes: a text stream may translate the document's own line ends.
        sys.stdout.buffer.write(content.encode())
    else:
        from ui.rendering.index import render_document

        show_result(render_document(summary))


@docs.command()
def remove(
    document_ids: Annotated[list[int] | None, typer.Argument(metavar="[ID]...", help="Documents by number")] = None,
    product: Annotated[
        str | None, typer.Option(metavar="NAME", help="All documents of this product, by its name or an alias")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Every document")] = False,
    index: IndexOption = None,
    as_json: JsonOption = False,
) -> None:
    """Remove documents from the index; the files they came from stay.

    Examples:
      relnotes docs remove 3 4
      relnotes docs remove --product django
      relnotes docs remove --all
    """
    if (bool(document_ids), product is not None, every).count(True) != 1:
        raise UsageError("Name either document numbers, --product or --all. `relnotes docs` lists the first two.")
    from corpus.index.commit import remove_documents

    folder = load_settings(index=index).index
    removed = remove_documents(folder, ids=tuple(document_ids or ()), product=product, every=every)
    if as_json:
        typer.echo(json.dumps({"removed": removed}))
    else:
        echo(f"Removed {removed} {'document' if removed == 1 else 'documents'}.")


def status(
    verify: Annotated[
        bool, typer.Option("--verify", help="Check the database, files, texts and offsets; exit status 1 on a fault")
    ] = False,
    index: IndexOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show what the index covers, whether it is sound, and which language model is configured.

    Examples:
      relnotes status
      relnotes status --verify --json
    """
    from corpus.index.repair import verify_index
    from corpus.index.tables import TableReader
    from ui.contract.index import StatusBody

    settings = load_asking_settings(index=index)
    chat = open_chat_model(settings)
    faults = verify_index(settings.index) if verify else None
    with TableReader.open(settings.index) as reader:
        body = StatusBody.from_reader(reader, faults=faults, language_model=chat.name if chat else None)
    if as_json:
        typer.echo(body.to_json())
    else:
        from ui.rendering.index import render_status

        show_result(render_status(body))
    if faults:
        raise typer.Exit(1)


def model(index: IndexOption = None, as_json: JsonOption = False) -> None:
    """Try the configured language model on four questions over a small library of its own.

    Shows whether it keeps to the numbers it is given, its seconds and tokens,
    what a day of 500 questions would take, and which setting to change. The
    exit status is 1 if something should be changed.

    Example:
      RELNOTES_LLM_BASE_URL=http://127.0.0.1:11434/v1 RELNOTES_LLM_MODEL=qwen2.5:14b relnotes model
    """
    from dataclasses import asdict

    from ui.model_trial import try_model

    settings = load_asking_settings(index=index)  # The trial has its own library; the index isn't read.
    chat = open_chat_model(settings)
    if chat is None:
        raise UsageError(
            "No language model is set, so answers are made without one. Set RELNOTES_LLM_BASE_URL "
            "(http://127.0.0.1:11434/v1) and RELNOTES_LLM_MODEL (qwen2.5:14b) to try one."
        )
    trials = try_model(chat, open_document_embedder(settings))
    follows_numbers, factor = all(trial.is_read for trial in trials), _QUESTIONS_A_DAY / len(trials)
    hours = round(sum(trial.seconds for trial in trials) * factor / 3600, 2)
    tokens = [round(sum(n) * factor) for n in zip(*((t.tokens_in, t.tokens_out) for t in trials), strict=True)]
    change = [*dict.fromkeys(trial.change for trial in trials if trial.change)]
    if as_json:
        day = {"questions": _QUESTIONS_A_DAY, "hours": hours, "tokens_in": tokens[0], "tokens_out": tokens[1]}
        summary = {"model": chat.name, "keeps_to_numbers": follows_numbers, "change": change, "day": day}
        typer.echo(json.dumps({**summary, "questions": [*map(asdict, trials)]}, indent=2))
    else:
        for t in trials:
            verdict = "right" if t.is_right else "wrong" if t.is_read else "not read"
            typer.echo(f"{verdict:9}{t.seconds:6.1f} s {t.tokens_in:7,} in {t.tokens_out:5,} out  {t.question}")
        typer.echo(f"{chat.name} {'keeps' if follows_numbers else 'does not keep'} to the numbers.")
        if follows_numbers:
            typer.echo(f"{_QUESTIONS_A_DAY} such questions: {hours:g} h, {tokens[0]:,} tokens in, {tokens[1]:,} out")
        for advice in change:
            typer.echo(f"Look at: {advice}")
    if change:
        raise typer.Exit(1)
