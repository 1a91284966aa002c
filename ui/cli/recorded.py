"""The options of `eval` and `batch` that have a language model's completions written down, or used again."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from corpus.errors import UsageError
from ui.cli.options import echo

if TYPE_CHECKING:
    from evals.recordings import RecordedModel
    from ui.settings import AskingSettings

ReplayOption = Annotated[
    Path | None,
    typer.Option(
        metavar="RECORDINGS.jsonl", help="Let a language model read, whose completions were recorded in this file"
    ),
]
RecordOption = Annotated[
    Path | None,
    typer.Option(
        metavar="REQUESTS.jsonl",
        help="Write the requests here that the recordings lack, with the completions of the language model that is set",
    ),
]


def open_recorded(
    settings: "AskingSettings", *, replay: Path | None, record: Path | None, reads: tuple[Path, ...]
) -> "RecordedModel | None":
    """Return the model of the recordings; None where neither option is given.

    Raises:
        UsageError: a file can't be read or written, or one that is read would be written over; the model that is set is
            set wrong.
    """
    from evals.recordings import RecordedModel, load_recordings
    from ui.opening import open_chat_model

    if record is None and replay is None:
        return None
    if record is not None and record.exists() and any(record.samefile(read) for read in (*reads, replay) if read):
        raise UsageError(f"Cannot write requests over {str(record)!r}, which is read. Give --record another name.")
    completions = {} if replay is None else load_recordings(replay)
    model = open_chat_model(settings) if record is not None else None
    return RecordedModel(completions, record_to=record, model=model)


def report_replayed(model: "RecordedModel | None") -> None:
    """Say how many requests were replayed, and how many nothing was recorded for."""
    from ui.rendering.words import counted

    if model is not None:
        echo(f"{counted(model.replayed, 'request')} replayed, {len(model.missing)} not recorded.")
