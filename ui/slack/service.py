"""Builds the bot from its settings, for `serve` and `slack`; and runs it over Socket Mode, for `slack`."""

import asyncio
import logging
import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress

from slack_bolt.adapter.socket_mode.async_internals import run_async_bolt_app, send_async_response
from slack_sdk.socket_mode.aiohttp import SocketModeClient
from slack_sdk.socket_mode.async_client import AsyncBaseSocketModeClient
from slack_sdk.socket_mode.request import SocketModeRequest

from corpus.errors import IndexUnavailable, UsageError
from ui.opening import open_chat_model, open_live_assistant
from ui.server.live_assistant import LiveAssistant, prepare
from ui.server.question_desk import QuestionDesk
from ui.settings import Settings
from ui.slack.bot import SlackBot
from ui.slack.replying import Replier
from ui.slack.web_api import SlackWebApi

_GRACE_S = 10  # Seconds that accepted requests get at the end.
_ADDRESS_S = 15.0  # Seconds for connecting to one address.
_PING_S = 10.0


def open_bot(settings: Settings, *, main: LiveAssistant, desk: QuestionDesk) -> SlackBot:
    """Build the bot over `main`, the assistant of the server's own index, and the desk of the same server."""
    api = SlackWebApi(settings.slack_api_url, settings.slack_bot_token)
    return SlackBot(Replier(api, desk, settings.slack_products, main))


class SocketConnection(SocketModeClient):
    """The SDK's connection, which would try the same address for ever, but asks for a new one if connecting fails."""

    async def connect(self) -> None:
        """Connect; retry until it works or the connection is closed."""
        while not self.closed:
            with suppress(TimeoutError):
                await asyncio.wait_for(super().connect(), _ADDRESS_S)  # type: ignore[no-untyped-call]
                break
            self.wss_uri = None


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
    desk = QuestionDesk(
        max_questions=settings.max_questions, timeout_s=settings.question_timeout_s, max_waiting=settings.max_waiting
    )
    bot = open_bot(settings, main=main, desk=desk)
    await bot.replier.identify()
    received: asyncio.Queue[int] = asyncio.Queue()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, received.put_nowait, number)

    async def forward(client: AsyncBaseSocketModeClient, request: SocketModeRequest) -> None:
        started = time.time()
        await send_async_response(client, request, await run_async_bolt_app(bot.app, request), started)

    # The SDK logs only its own workings below this level.
    logger = logging.getLogger("relnotes.slack.socket")
    logger.setLevel(logging.ERROR)
    token = settings.slack_app_token or ""
    connection = SocketConnection(token, logger=logger, web_client=api.client, ping_interval=_PING_S)
    connection.socket_mode_request_listeners.append(forward)

    async def connect() -> None:
        await connection.connect()
        announce("Slack's events come in over Socket Mode.")

    # A task, because connecting retries for ever if the network blocks web sockets, and a signal must still end it.
    connecting = asyncio.create_task(connect())
    try:
        return await received.get()
    finally:
        connecting.cancel()
        # Closed first, so that later events stay unacknowledged and Slack sends them again.
        await connection.close()  # type: ignore[no-untyped-call]  # the SDK leaves it so
        await bot.stop(drain_s=_GRACE_S)
        main.close()
