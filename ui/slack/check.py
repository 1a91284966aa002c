"""`relnotes slack --check`: what the bot needs, and which of it is missing."""

import asyncio
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import yaml

from corpus.errors import RelnotesError, UsageError
from ui.opening import open_assistant
from ui.rendering.words import counted
from ui.settings import Settings
from ui.slack import manifest_text
from ui.slack.channel_answers import ChannelRules, load_channels
from ui.slack.service import slack_folder
from ui.slack.web_api import SlackRefusal, SlackWebApi

_BOT_TOKEN_WANTED = "Install the app, and take it from OAuth & Permissions."  # noqa: S105
_APP_TOKEN_WANTED = "Make one with the scope connections:write under Basic Information."  # noqa: S105


@dataclass(frozen=True, slots=True)
class Check:
    name: str
    ok: bool
    detail: str


def run_checks(settings: Settings) -> tuple[Check, ...]:
    """Look at tokens, scopes, the file of channels, the bot's folder and the index; Slack is asked, nothing is sent."""

    def count() -> str:
        with open_assistant(settings) as assistant:
            manifest = assistant.index.manifest
            return f"{counted(manifest.documents, 'document')}, {counted(manifest.passages, 'passage')}."

    return (
        *_check_tokens(settings),
        _check("channels", lambda: _channels(settings)),
        _check("memory", lambda: _folder(settings)),
        _check("index", count),
    )


def _check(name: str, work: Callable[[], str], *, wanted: str = "") -> Check:
    """`work` says what is there, or raises; `wanted` is what to do where Slack refuses."""
    try:
        return Check(name, True, work())
    except SlackRefusal as error:
        return Check(name, False, f"Slack refuses it: {error.reason}. {wanted}")
    except RelnotesError as error:
        return Check(name, False, str(error))


def _check_tokens(settings: Settings) -> Iterator[Check]:
    granted: list[str] = []

    def ask_for_bot() -> str:
        if settings.slack_bot_token is None:
            raise UsageError(f"It isn't set. {_BOT_TOKEN_WANTED}")
        identity = asyncio.run(SlackWebApi(settings.slack_api_url, settings.slack_bot_token).identify())
        granted.extend(identity.scopes)
        return f"The bot is {identity.user} in {identity.workspace!r}."

    def ask_for_connection() -> str:
        asyncio.run(SlackWebApi(settings.slack_api_url, settings.slack_app_token).check_app_token())
        return "Socket Mode can be opened: run `relnotes slack`."

    def compare_scopes() -> str:
        if not granted:
            return "Slack didn't say which scopes the token has."
        if missing := sorted(set(bot_scopes()) - set(granted)):
            hint = "Update the app from `relnotes slack --manifest` and install it again."
            raise UsageError(f"Missing: {', '.join(missing)}. {hint}")
        return "All scopes of the manifest are granted."

    bot = _check("SLACK_BOT_TOKEN", ask_for_bot, wanted=_BOT_TOKEN_WANTED)
    yield bot
    if bot.ok:
        yield _check("scopes", compare_scopes)
    if settings.slack_app_token is not None:
        yield _check("SLACK_APP_TOKEN", ask_for_connection, wanted=_APP_TOKEN_WANTED)
    if settings.slack_signing_secret is not None:
        yield Check("SLACK_SIGNING_SECRET", True, "`relnotes serve` answers /slack/events.")
    if settings.slack_app_token is None and settings.slack_signing_secret is None:
        wanted = "Set SLACK_APP_TOKEN for Socket Mode, or SLACK_SIGNING_SECRET for HTTP."
        yield Check("way in", False, f"No events can come in. {wanted}")


def bot_scopes() -> tuple[str, ...]:
    return tuple(yaml.safe_load(manifest_text())["oauth_config"]["scopes"]["bot"])


def _channels(settings: Settings) -> str:
    file = load_channels(settings.slack_channels)
    if settings.slack_channels is None:
        return "RELNOTES_SLACK_CHANNELS isn't set: every channel sees everything."
    by_index: dict[Path, dict[str, ChannelRules]] = {}
    for name, rules in {"default": file.default, **file.channels}.items():
        if rules.answers and (rules.index or rules.product or rules.version):
            by_index.setdefault(rules.index or settings.index, {})[name] = rules
    faults = []
    for index, ruled in by_index.items():
        try:
            with open_assistant(replace(settings, index=index)) as assistant:
                for name, rules in ruled.items():
                    try:
                        assistant.understand("release notes", product=rules.product, version=rules.version)
                    except UsageError as error:
                        faults.append(f"{name}: {error}")
        except RelnotesError as error:
            faults.append(f"{', '.join(ruled)}: {error}")
    if faults:
        raise UsageError(" ".join(faults))
    return f"{len(file.channels)} {'channel has its' if len(file.channels) == 1 else 'channels have'} own rules."


def _folder(settings: Settings) -> str:
    folder = slack_folder(settings)
    nearest = next(path for path in (folder, *folder.parents) if path.exists())
    if not os.access(nearest, os.W_OK):
        raise UsageError(f"{str(nearest)!r} can't be written to. Name another folder in RELNOTES_SLACK_DIR.")
    memory = folder / "requests.sqlite"
    if memory.exists():
        try:
            with closing(sqlite3.connect(f"{memory.resolve().as_uri()}?mode=ro", uri=True)) as kept:
                kept.execute("SELECT count(*) FROM requests")
        except sqlite3.Error as error:
            raise UsageError(
                f"{str(memory)!r} can't be read: {error}. Move it away; the bot makes a new one."
            ) from None
    return f"Events and feedback are kept in {str(folder)!r}."
