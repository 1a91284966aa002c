"""`relnotes feedback`: what people thought of answers, and their questions for the evals."""

from pathlib import Path
from typing import Annotated

import typer

from corpus.errors import RelnotesError
from ui.cli.options import IndexOption, JsonOption, say, show_result


def feedback(
    questions: Annotated[
        Path | None,
        typer.Option("--questions", metavar="OUT.jsonl", help="Write the questions as a question file to look through"),
    ] = None,
    index: IndexOption = None,
    as_json: JsonOption = False,
) -> None:
    """List what people thought of answers, on the page and in Slack.

    A question is kept where the person sent it with the verdict. With
    --questions they become lines as `relnotes eval` reads them: a good
    answer's quotes are the gold, a bad one's line says what is to be
    reviewed. Look through them before you believe them.

    Examples:
      relnotes feedback
      relnotes feedback --questions from-users.jsonl
    """
    from ui.feedback import read_feedback
    from ui.feedback_places import feedback_files
    from ui.feedback_questions import render_questions
    from ui.feedback_rendering import FeedbackBody, render_feedback
    from ui.settings import load_settings

    files = feedback_files(load_settings(index=index).index)
    stored = tuple(sorted((one for file in files for one in read_feedback(file)), key=lambda one: one.at))
    if questions is not None:
        text = render_questions(stored)
        try:
            questions.write_text(text, encoding="utf-8")
        except OSError as error:
            raise RelnotesError(
                f"Cannot write {str(questions)!r}: {error.strerror or error}. Name another file."
            ) from None
        say(f"Wrote {text.count(chr(10))} questions to {questions}.")
    if as_json:
        typer.echo(FeedbackBody.from_stored(stored).model_dump_json(indent=2, exclude_none=True))
        return
    show_result(render_feedback(stored))
