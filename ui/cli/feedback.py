"""`relnotes feedback`: what people thought of answers."""

import json
from datetime import UTC, datetime, timedelta
from typing import Annotated

import typer

from corpus.errors import UsageError
from ui.cli.options import IndexOption, JsonOption, show_result


def feedback(
    forget: Annotated[
        bool, typer.Option("--forget", help="Delete all of it, and the questions that were kept, instead")
    ] = False,
    older_than: Annotated[
        int | None, typer.Option("--older-than", metavar="DAYS", min=0, help="With --forget: what is older alone")
    ] = None,
    index: IndexOption = None,
    as_json: JsonOption = False,
) -> None:
    """List what people thought of answers, on the page and in Slack.

    A question is kept where the person sent it with the verdict. With
    RELNOTES_LOG_QUESTIONS=1 those without an answer are kept and listed, too.

    A server deletes both after RELNOTES_KEEP_DAYS; --forget does it now.

    Examples:
      relnotes feedback
      relnotes feedback --forget --older-than 30
    """
    from ui.contract.answer import printed_json
    from ui.feedback.log import feedback_logs
    from ui.feedback.rendering import FeedbackBody, render_feedback
    from ui.settings import load_settings

    if older_than is not None and not forget:
        raise UsageError("--older-than says what --forget deletes. Give both.")
    logs = feedback_logs(load_settings(index=index))
    if forget:
        moment = datetime.now(UTC) - timedelta(days=older_than) if older_than is not None else None
        deleted = sum(log.forget_before(moment) for log in logs)
        if as_json:
            typer.echo(json.dumps({"deleted": deleted}))
        else:
            show_result(f"{deleted} deleted")
        return
    body = FeedbackBody.from_logs(logs)
    if as_json:
        typer.echo(printed_json(body.model_dump(mode="json", exclude_none=True)))
    else:
        show_result(render_feedback(body))
