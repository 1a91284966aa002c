"""Builds the bot from its settings, for `serve` and `slack`; and runs it over Socket Mode, for `slack`."""

import asyncio
import logging
import os
import signal
from collections.abc import Callable

from slack_bolt.adapter.socket_mode.async_handler import AsyncSocketModeHandler

from corpus.errors import IndexUnavailable, UsageError
from ui.http.answering import Answering
from ui.opening import open_chat_model, open_desk, open_live_assistant
from ui.server.live_assistant import prepare
from ui.settings import Settings
from ui.slack.bot import SlackBot
from ui.slack.replying import Replier
from ui.slack.web_api import SlackWebApi

_GRACE_S = 10  # Seconds that accepted requests get at the end.


def open_bot(settings: Settings, answering: Answering) -> SlackBot:
    """Build the bot, whose questions `answering` answers."""
    api = SlackWebApi(settings.slack_api_url, settings.slack_bot_token)
    return SlackBot(Replier(api, answering, settings.slack_products))


def run_socket_mode(settings: Settings, *, announce: Callable[[str], None], warn: Callable[[str], None]) -> None:
    """Answer until SIGTERM, which ends the process, or Ctrl-C; `announce` is called once events come in.

    Raises:
        UsageError: a token is missing.
        RelnotesError: Slack refuses a token, or can't be reached.
        ModelError: the model is missing, altered or can't be loaded.
    """
    tokens = {"SLACK_BOT_TOKEN": settings.slack_bot_token, "SLACK_APP_TOKEN": settings.slack_app_token}
    if lacking := [name for name, token in tokens.items() if token is None]:
        raise UsageError(
            f"Cannot run the Slack bot without {' and '.join(lacking)}. docs/operations.md says where to find them."
        )
    if asyncio.run(_serve(settings, announce=announce, warn=warn)) == signal.SIGINT:
        raise KeyboardInterrupt
    # A normal exit would wait for threads that are still answering.
    os._exit(0)


async def _serve(settings: Settings, *, announce: Callable[[str], None], warn: Callable[[str], None]) -> int:
    """Answer until SIGTERM or SIGINT, and return its number."""
    api = SlackWebApi(settings.slack_api_url, settings.slack_app_token)
    await api.call("apps.connections.open")
    model = open_chat_model(settings)
    main = open_live_assistant(settings, model=model)
    try:
        with main.borrow() as assistant:
            prepare(assistant)
    except IndexUnavailable as error:
        warn(f"{error} The bot goes on; the index is picked up when it is there.")
    bot = open_bot(settings, Answering(main, open_desk(settings)))
    await bot.replier.identify()
    received: asyncio.Queue[int] = asyncio.Queue()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, received.put_nowait, number)

    # The SDK logs only its own workings below this level.
    logger = logging.getLogger("relnotes.slack.socket")
    logger.setLevel(logging.ERROR)
    handler = AsyncSocketModeHandler(bot.app, settings.slack_app_token, logger, api.client)

    async def connect() -> None:
        await handler.connect_async()  # type: ignore[no-untyped-call]  # the SDK leaves it so
        announce("Slack's events come in over Socket Mode.")

    # A task, because connecting retries for ever if the network blocks web sockets, and a signal must still end it.
    connecting = asyncio.create_task(connect())
    try:
        return await received.get()
    finally:
        connecting.cancel()
        # Closed first, so that later events stay unacknowledged and Slack sends them again.
        await handler.close_async()  # type: ignore[no-untyped-call]
        await bot.intake.stop(drain_s=_GRACE_S)
        main.close()
