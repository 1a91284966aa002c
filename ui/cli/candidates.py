"""`relnotes eval --from-feedback`: what people asked and judged, as lines of a question file to be reviewed."""

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from ui.rendering.printed_json import printed_json

if TYPE_CHECKING:
    from ui.settings import IndexSettings

_FILE = "candidates.jsonl"
"""In the index, beside the logs, where no other file is named."""


def collect_candidates(path: Path | None, settings: "IndexSettings", *, as_json: bool) -> None:
    """Add to the question file what the logs of the index hold and it doesn't, and print what was added.

    Raises:
        UsageError: the file has lines that can't be told apart.
        RelnotesError: a log can't be read, or the file can't be written.
    """
    from ui.feedback.candidates import add_candidates, gather_candidates
    from ui.feedback.log import FEEDBACK_FILE, FeedbackLog, read_all_feedback

    path = path or settings.index / _FILE
    missed = FeedbackLog(settings.index / FEEDBACK_FILE).unanswered()
    gathered = gather_candidates(read_all_feedback(settings), missed)
    new = add_candidates(path, gathered)
    added = Counter(line["from"] for line in new)
    if as_json:
        told = {"file": str(path), "added": dict(added), "already_there": len(gathered) - len(new)}
        typer.echo(printed_json(told))
    elif new:
        origins = ", ".join(f"{count} {origin}" for origin, count in added.items())
        typer.echo(f'Added to {path}: {origins}. They count once you have checked them and set "reviewed": true.')
    elif gathered:
        typer.echo(f"Nothing new: the logs' questions, {len(gathered)}, are all in {path}.")
    else:
        typer.echo(
            "No questions are kept. People send them with feedback; RELNOTES_LOG_QUESTIONS=1 keeps unanswered ones."
        )
