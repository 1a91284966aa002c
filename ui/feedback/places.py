"""Where feedback is kept, and all of it: below the index, and in the Slack bot's folder where it has one elsewhere."""

from pathlib import Path

from ui.feedback.log import FEEDBACK_FILE, StoredFeedback, earlier_file, read_feedback
from ui.feedback.unanswered import unanswered_file


def feedback_files(index: Path) -> tuple[Path, ...]:
    """Every file that the entrances over `index` may have written to."""
    from ui.slack.settings import load_slack_settings

    folder = load_slack_settings().folder
    return tuple(place / FEEDBACK_FILE for place in (index, *((folder,) if folder is not None else ())))


def kept_files(index: Path) -> tuple[Path, ...]:
    """Every file that keeps what people asked or said, whole or not."""
    files = feedback_files(index)
    return (*files, *map(earlier_file, files), unanswered_file(index))


def read_all_feedback(index: Path) -> tuple[StoredFeedback, ...]:
    """What people thought of answers from `index`, oldest first.

    Raises:
        RelnotesError: a file can't be read.
    """
    stored = (one for file in feedback_files(index) for one in read_feedback(file))
    return tuple(sorted(stored, key=lambda one: one.at))
