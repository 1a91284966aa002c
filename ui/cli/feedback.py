"""`relnotes feedback`: what people thought of answers."""

import typer

from ui.cli.options import IndexOption, JsonOption, show_result
from ui.printed_json import printed_json


def feedback(index: IndexOption = None, as_json: JsonOption = False) -> None:
    """List what people thought of answers, on the page and in Slack.

    A question is kept where the person sent it with the verdict.
    `relnotes eval --from-feedback` makes lines of a question file of them.

    Example:
      relnotes feedback
    """
    from ui.feedback_places import read_all_feedback
    from ui.feedback_rendering import FeedbackBody, render_feedback
    from ui.settings import load_settings

    stored = read_all_feedback(load_settings(index=index).index)
    if as_json:
        typer.echo(printed_json(FeedbackBody.from_stored(stored).model_dump_json(indent=2, exclude_none=True)))
        return
    show_result(render_feedback(stored))
