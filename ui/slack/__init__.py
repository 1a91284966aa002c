"""The Slack bot: events come in over HTTP or Socket Mode, are remembered on disk, and are answered once each."""

from importlib.resources import files
from importlib.util import find_spec

from corpus.errors import RelnotesError

_LIBRARIES = ("slack_bolt", "slack_sdk", "aiohttp", "cryptography")


def check_extra() -> None:
    """See that the bot's libraries are installed.

    Raises:
        RelnotesError: one isn't; the message says what to install.
    """
    missing = [library for library in _LIBRARIES if find_spec(library) is None]
    if missing:
        raise RelnotesError(
            f"Slack needs {' and '.join(missing)}, which isn't installed. In a clone: pip install -e '.[slack]'."
        )


def manifest_text() -> str:
    """The app's manifest as Slack takes it, in YAML: the one place that says which scopes and events the bot needs."""
    return (files("ui.slack") / "manifest.yaml").read_text(encoding="utf-8")
