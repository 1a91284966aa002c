"""`relnotes feedback`: what people thought of answers."""

import json
from typing import Annotated

import typer

from ui.cli.options import IndexOption, JsonOption, show_result


def feedback(
    forget: Annotated[bool, typer.Option("--forget", help="Delete all of it instead")] = False,
    index: IndexOption = None,
    as_json: JsonOption = False,
) -> None:
    """List what people thought of answers, on the page and in Slack.

    A question is stored if the person sent it with the verdict. A server
    deletes verdicts after RELNOTES_KEEP_DAYS; --forget does it now.

    Examples:
      relnotes feedback
      relnotes feedback --forget
    """
    from pydantic_core import to_jsonable_python

    from ui.contract.answer import printed_json
    from ui.feedback.log import FEEDBACK_FILE, FeedbackLog
    from ui.rendering.index import cells, table
    from ui.settings import load_settings

    log = FeedbackLog(load_settings(index=index).index / FEEDBACK_FILE)
    if forget:
        deleted = log.forget(days=0)
        typer.echo(json.dumps({"deleted": deleted}) if as_json else f"{deleted} deleted")
        return
    entries = log.feedback()
    if as_json:
        good = sum(entry.feedback.good for entry in entries)
        listed = to_jsonable_python({"entries": entries}, exclude_none=True)
        typer.echo(printed_json({"good": good, "bad": len(entries) - good, **listed}))
        return
    if not entries:
        show_result("No feedback yet. People give it below an answer, on the page or in Slack.")
        return
    verdicts = table("when", "verdict", "status", "filter", "question", "reason")
    for entry in entries:
        verdict = entry.feedback
        filters = " ".join(filter(None, (verdict.product, verdict.version)))
        question, reason = (" ".join(text.split()) for text in (verdict.question or "(not kept)", verdict.reason or ""))
        when, label = entry.at.strftime("%Y-%m-%d %H:%M"), "good" if verdict.good else "bad"
        verdicts.add_row(*cells(when, label, verdict.status, filters, question, reason))
    show_result(verdicts)
