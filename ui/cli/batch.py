"""`relnotes batch`: a file of questions and claims in, one answer or verdict a line out."""

import json
import sys
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from corpus.errors import RelnotesError, UsageError
from ui.cli.options import IndexOption, JsonOption, LimitOption, ModelOption, echo

if TYPE_CHECKING:
    from retrieval.assistant import Assistant
    from ui.cli.batch_lines import BatchLine


def batch(
    questions: Annotated[Path, typer.Argument(metavar="QUESTIONS.jsonl", help="One JSON object a line; - reads stdin")],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="RUN.jsonl", help="Write the answers here, not to stdout")
    ] = None,
    limit: LimitOption = 10,
    model: ModelOption = None,
    index: IndexOption = None,
    as_json: JsonOption = False,
) -> None:
    """Answer a file of questions and claims: one JSON answer a line, in order, each written as soon as it is known.

    Input lines have "id" and either "question" (and optionally "history", a
    list) or "claim", a text that is checked as `relnotes cite` does; both may
    have "product" and "version"; other keys are ignored. Blank lines are
    skipped. The whole file is checked before the first line is answered. The
    answers are JSON lines with or without --json; with -o, --json prints a
    summary of the run. The exit status is 1 when a line couldn't be answered.

    Examples:
      relnotes batch questions.jsonl -o run.jsonl
      relnotes batch - -k 5 < questions.jsonl | jq .status
    """
    from rich.console import Console
    from rich.progress import track

    from ui.cli.batch_lines import STANDARD_INPUT, read_batch
    from ui.opening import open_assistant, open_chat_model
    from ui.settings import load_asking_settings

    lines = read_batch(questions)
    if output is not None and questions != STANDARD_INPUT and output.exists() and output.samefile(questions):
        raise UsageError(f"Cannot write the answers over the questions in {str(questions)!r}. Give -o another name.")
    failed = 0
    settings = load_asking_settings(index=index, model=model)
    with open_assistant(settings, model=open_chat_model(settings)) as assistant, _open_output(output) as sink:
        for line in track(lines, description="Answering", console=Console(stderr=True), transient=True):
            try:
                answered = _answer(line, assistant, limit=limit)
            except UsageError as error:
                # One line's wrong filter must not cost the answers of the lines after it.
                failed += 1
                request = {"question": line.question} if line.question else {"claim": line.claim}
                echo(f"relnotes: {next(iter(request))} {line.id!r}: {error}", is_error=True)
                sink.write(json.dumps({"id": line.id, **request, "error": str(error)}) + "\n")
            else:
                sink.write(answered + "\n")
            sink.flush()
    if as_json and output is not None:
        typer.echo(json.dumps({"questions": len(lines), "failed": failed, "output": str(output)}, indent=2))
    if failed:
        raise RelnotesError(f"{failed} of {len(lines)} lines weren't answered; their lines hold the error.")


def _answer(line: "BatchLine", assistant: "Assistant", *, limit: int) -> str:
    """Return the output line of a question or a claim, without a line end."""
    from ui.contract.answer import AnswerBody, ClaimCheckBody

    if line.claim is not None:
        check = assistant.cite(line.claim, product=line.product, version=line.version)
        return ClaimCheckBody.model_validate(check).to_batch_line(line.id)
    answer = assistant.ask(
        line.question or "", history=line.history or (), product=line.product, version=line.version, limit=limit
    )
    return AnswerBody.model_validate(answer).to_batch_line(line.id)


def _open_output(output: Path | None) -> AbstractContextManager[TextIO]:
    try:
        return output.open("w", encoding="utf-8") if output else nullcontext(sys.stdout)
    except OSError as error:
        raise UsageError(f"Cannot write the answers to {str(output)!r}: {error.strerror}. Check the path.") from None
