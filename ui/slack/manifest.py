"""The app's manifest, from the one file that says which scopes and events the bot needs."""

from functools import cache
from importlib.resources import files

import yaml


def manifest_text() -> str:
    """The manifest as Slack takes it, in YAML."""
    return (files("ui.slack") / "manifest.yaml").read_text(encoding="utf-8")


@cache
def bot_scopes() -> tuple[str, ...]:
    """The scopes that the bot needs, sorted."""
    return tuple(sorted(yaml.safe_load(manifest_text())["oauth_config"]["scopes"]["bot"]))
