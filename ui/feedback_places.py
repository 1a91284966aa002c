"""Where feedback is kept: below the index, and in the Slack bot's folder where it has one elsewhere."""

from pathlib import Path

from ui.feedback import FEEDBACK_FILE


def feedback_files(index: Path) -> tuple[Path, ...]:
    """Every file that the entrances over `index` may have written to."""
    from ui.slack.settings import load_slack_settings

    folder = load_slack_settings().folder
    return tuple(place / FEEDBACK_FILE for place in (index, *((folder,) if folder is not None else ())))
