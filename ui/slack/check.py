"""`relnotes slack --check`: what the bot needs, and which of it is missing."""

import asyncio
from dataclasses import dataclass, replace

import yaml

from corpus.errors import RelnotesError, UsageError
from ui.opening import open_assistant
from ui.settings import Settings
from ui.slack import manifest_text
from ui.slack.channels import load_channels
from ui.slack.web_api import SlackWebApi


@dataclass(frozen=True, slots=True)
class Check:
    name: str
    ok: bool
    detail: str


def run_checks(settings: Settings) -> tuple[Check, ...]:
    """Ask Slack about the tokens, and open the indexes that channels see; nothing is sent."""
    checks = []
    for name, work in (("SLACK_BOT_TOKEN", _bot), ("way in", _way_in), ("channels", _channels)):
        try:
            checks.append(Check(name, True, work(settings)))
        except RelnotesError as error:
            checks.append(Check(name, False, str(error)))
    return tuple(checks)


def _bot(settings: Settings) -> str:
    if settings.slack_bot_token is None:
        raise UsageError("It isn't set. Install the app, and take it from OAuth & Permissions.")
    told = asyncio.run(SlackWebApi(settings.slack_api_url, settings.slack_bot_token).call("auth.test", json={}))
    wanted = set(yaml.safe_load(manifest_text())["oauth_config"]["scopes"]["bot"])
    # Where Slack doesn't say which it has, nothing is known to be missing.
    granted = next((value for name, value in told.headers.items() if name.lower() == "x-oauth-scopes"), None)
    if granted and (missing := sorted(wanted.difference(map(str.strip, granted.split(","))))):
        hint = "Update the app from `relnotes slack --manifest` and install it again."
        raise UsageError(f"Scopes are missing: {', '.join(missing)}. {hint}")
    return f"The bot is {told['user_id']} in {told['team']!r}, with all scopes."


def _way_in(settings: Settings) -> str:
    if settings.slack_app_token is not None:
        asyncio.run(SlackWebApi(settings.slack_api_url, settings.slack_app_token).call("apps.connections.open"))
        return "Socket Mode can be opened: run `relnotes slack`."
    if settings.slack_signing_secret is not None:
        return "`relnotes serve` answers /slack/events."
    raise UsageError("No events can come in. Set SLACK_APP_TOKEN for Socket Mode, or SLACK_SIGNING_SECRET for HTTP.")


def _channels(settings: Settings) -> str:
    file = load_channels(settings.slack_channels)
    for name, rules in {"default": file.default, **file.channels}.items():
        try:
            if rules.answers:
                with open_assistant(replace(settings, index=rules.index or settings.index)) as assistant:
                    assistant.understand("release notes", product=rules.product, version=rules.version)
        except RelnotesError as error:
            raise UsageError(f"{name}: {error}") from None
    return f"What the default and {len(file.channels)} channels see is there."
