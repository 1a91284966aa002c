"""`relnotes feedback`: what people thought of answers."""

import json
from typing import Annotated

import typer

from ui.cli.options import IndexOption, JsonOption, show_result

_WHEN = "%Y-%m-%d %H:%M"


def feedback(
    forget: Annotated[
        bool, typer.Option("--forget", help="Delete all of it, and the questions that were kept, instead")
    ] = False,
    index: IndexOption = None,
    as_json: JsonOption = False,
) -> None:
    """List what people thought of answers, on the page and in Slack.

    A question is kept where the person sent it with the verdict. With
    RELNOTES_LOG_QUESTIONS=1 those without an answer are kept and listed, too.

    A server deletes both after RELNOTES_KEEP_DAYS; --forget does it now.

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
    entries, unanswered = log.feedback(), log.unanswered()
    if as_json:
        good = sum(kept.feedback.good for kept in entries)
        counts = {"good": good, "bad": len(entries) - good}
        listed = to_jsonable_python({"entries": entries, "unanswered": unanswered}, exclude_none=True)
        typer.echo(printed_json({**counts, **listed}))
        return
    if not entries and not unanswered:
        show_result("No feedback yet. People give it below an answer, on the page or in Slack.")
    if entries:
        verdicts = table("when", "verdict", "status", "filter", "question", "reason")
        for kept in entries:
            verdict = kept.feedback
            verdicts.add_row(
                *cells(
                    kept.at.strftime(_WHEN),
                    "good" if verdict.good else "bad",
                    verdict.status,
                    " ".join(filter(None, (verdict.product, verdict.version))),
                    " ".join((verdict.question or "(not kept)").split()),
                    " ".join((verdict.reason or "").split()),
                )
            )
        show_result(verdicts)
    if unanswered:
        questions = table("when", "times", "question without an answer")
        for missed in unanswered:
            questions.add_row(*cells(missed.last_asked.strftime(_WHEN), missed.times, missed.question))
        show_result(questions)
