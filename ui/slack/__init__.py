"""The Slack bot: events come in over HTTP or Socket Mode, are acknowledged at once, and are answered once each."""

from importlib.resources import files


def manifest_text() -> str:
    """Return the app's manifest for Slack, in YAML: the only list of the scopes and events that the bot needs."""
    return (files("ui.slack") / "manifest.yaml").read_text(encoding="utf-8")
