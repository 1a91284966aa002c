"""`relnotes slack --check`: what the bot needs, and which of it is missing."""

import asyncio
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from corpus.errors import RelnotesError, UsageError
from ui.opening import open_assistant
from ui.settings import Settings
from ui.slack.channels import ChannelRules, load_channels
from ui.slack.manifest import bot_scopes
from ui.slack.service import slack_folder
from ui.slack.settings import SlackSettings
from ui.slack.socket_mode import open_connection_url
from ui.slack.web_api import SlackRefusal, SlackWebApi


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that the bot needs."""

    name: str
    ok: bool
    detail: str


def run_checks(settings: Settings, slack: SlackSettings) -> tuple[Check, ...]:
    """Look at tokens, scopes, the file of channels, the bot's folder and the index; Slack is asked, nothing is sent."""
    return (
        *asyncio.run(_check_slack(slack)),
        _check("channels", lambda: _channels(settings, slack)),
        _check("memory", lambda: _folder(settings, slack)),
        _check("index", lambda: _index(settings)),
    )


async def _check_slack(slack: SlackSettings) -> tuple[Check, ...]:
    checks = []
    if slack.bot_token is None:
        checks.append(
            Check("SLACK_BOT_TOKEN", False, "It isn't set. Install the app, and take it from OAuth & Permissions.")
        )
    else:
        checks += await _check_bot_token(slack)
    if slack.app_token is not None:
        try:
            await open_connection_url(slack)
            checks.append(Check("SLACK_APP_TOKEN", True, "Socket Mode can be opened: run `relnotes slack`."))
        except SlackRefusal as error:
            wanted = "Make one with the scope connections:write under Basic Information."
            checks.append(Check("SLACK_APP_TOKEN", False, f"Slack refuses it: {error.reason}. {wanted}"))
        except RelnotesError as error:
            checks.append(Check("SLACK_APP_TOKEN", False, str(error)))
    if slack.signing_secret is not None:
        checks.append(Check("SLACK_SIGNING_SECRET", True, "`relnotes serve` answers /slack/events."))
    if slack.app_token is None and slack.signing_secret is None:
        wanted = "Set SLACK_APP_TOKEN for Socket Mode, or SLACK_SIGNING_SECRET for HTTP."
        checks.append(Check("way in", False, f"No events can come in. {wanted}"))
    return tuple(checks)


async def _check_bot_token(slack: SlackSettings) -> tuple[Check, ...]:
    try:
        user, team, scopes = await SlackWebApi(slack).identify()
    except SlackRefusal as error:
        wanted = "Install the app, and take it from OAuth & Permissions."
        return (Check("SLACK_BOT_TOKEN", False, f"Slack refuses it: {error.reason}. {wanted}"),)
    except RelnotesError as error:
        return (Check("SLACK_BOT_TOKEN", False, str(error)),)
    checks = [Check("SLACK_BOT_TOKEN", True, f"The bot is {user} in {team!r}.")]
    missing = [scope for scope in bot_scopes() if scope not in scopes]
    if not scopes:
        checks.append(Check("scopes", True, "Slack didn't say which scopes the token has."))
    elif missing:
        hint = "Update the app from `relnotes slack --manifest` and install it again."
        checks.append(Check("scopes", False, f"Missing: {', '.join(missing)}. {hint}"))
    else:
        checks.append(Check("scopes", True, "All scopes of the manifest are granted."))
    return tuple(checks)


def _check(name: str, work: Callable[[], str]) -> Check:
    try:
        return Check(name, True, work())
    except RelnotesError as error:
        return Check(name, False, str(error))


def _channels(settings: Settings, slack: SlackSettings) -> str:
    file = load_channels(slack.channels)
    if slack.channels is None:
        return "RELNOTES_SLACK_CHANNELS isn't set: every channel sees everything."
    by_index: dict[Path, dict[str, ChannelRules]] = {}
    for name, rules in {"default": file.default, **file.channels}.items():
        if rules.answers:
            by_index.setdefault(rules.index or settings.index, {})[name] = rules
    faults = [fault for index, ruled in by_index.items() for fault in _faults(settings, index, ruled)]
    if faults:
        raise UsageError(" ".join(faults))
    return f"{len(file.channels)} {'channel has its' if len(file.channels) == 1 else 'channels have'} own rules."


def _faults(settings: Settings, index: Path, ruled: Mapping[str, ChannelRules]) -> Iterator[str]:
    """What of the rules over one index can't be followed there."""
    if index == settings.index and all(rules.product is rules.version is None for rules in ruled.values()):
        return
    try:
        with open_assistant(replace(settings, index=index)) as assistant:
            for name, rules in ruled.items():
                try:
                    assistant.understand("release notes", product=rules.product, version=rules.version)
                except UsageError as error:
                    yield f"{name}: {error}"
    except RelnotesError as error:
        yield f"{', '.join(ruled)}: {error}"


def _folder(settings: Settings, slack: SlackSettings) -> str:
    folder = slack_folder(settings, slack)
    nearest = next(path for path in (folder, *folder.parents) if path.exists())
    try:
        probe = nearest / ".relnotes-check"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise RelnotesError(
            f"{str(nearest)!r} can't be written to ({error.strerror}). Name another folder in RELNOTES_SLACK_DIR."
        ) from None
    memory = folder / "requests.sqlite"
    if memory.exists():
        try:
            with closing(sqlite3.connect(f"{memory.resolve().as_uri()}?mode=ro", uri=True)) as kept:
                kept.execute("SELECT count(*) FROM requests")
        except sqlite3.Error as error:
            raise RelnotesError(
                f"{str(memory)!r} can't be read: {error}. Move it away; the bot makes a new one."
            ) from None
    return f"Events and feedback are kept in {str(folder)!r}."


def _index(settings: Settings) -> str:
    with open_assistant(settings) as assistant:
        manifest = assistant.index.manifest
        return f"{manifest.documents} documents, {manifest.passages} passages."
