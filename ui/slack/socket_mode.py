"""`relnotes slack`: the bot over Socket Mode, which needs no address that Slack can reach."""

import asyncio
import logging
import signal
import time
from collections.abc import Awaitable, Callable

from slack_bolt.adapter.socket_mode.async_internals import run_async_bolt_app, send_async_response
from slack_bolt.app.async_app import AsyncApp
from slack_sdk.errors import SlackApiError
from slack_sdk.socket_mode.aiohttp import SocketModeClient
from slack_sdk.socket_mode.async_client import AsyncBaseSocketModeClient
from slack_sdk.socket_mode.request import SocketModeRequest
from slack_sdk.web.async_client import AsyncWebClient

from corpus.errors import IndexUnavailable, RelnotesError, UsageError
from ui.feedback.places import kept_files
from ui.opening import open_live_assistant
from ui.server.retention import Retention
from ui.settings import Settings
from ui.slack.service import open_service
from ui.slack.settings import SlackSettings, api_base
from ui.slack.web_api import SlackRefusal, api_fault

_GRACE_S = 10
"""Seconds that requests which were taken in get at the end."""
_ADDRESS_S = 15.0
"""Seconds for which one address of a connection is tried."""
_PING_S = 10.0


class SocketConnection(SocketModeClient):
    """The SDK's connection, which asks for a new address where one can't be connected to.

    Slack's addresses are good once, and not for long; the SDK alone tries the one that it has for ever.
    """

    async def connect(self) -> None:
        """Connect, however long it takes."""
        while not self.closed:
            try:
                await asyncio.wait_for(super().connect(), _ADDRESS_S)  # type: ignore[no-untyped-call]
            except TimeoutError:
                self.wss_uri = None
            else:
                return


def run_socket_mode(
    settings: Settings, slack: SlackSettings, *, announce: Callable[[str], None], warn: Callable[[str], None]
) -> None:
    """Answer until SIGTERM or Ctrl-C; `announce` gets the workspace's name once events come in.

    Raises:
        UsageError: a token is missing, or the file of channels can't be used.
        RelnotesError: Slack refuses a token, or can't be reached.
        ModelError: the model is missing, altered or can't be loaded.
    """
    lacking = [
        name
        for name, value in (("SLACK_BOT_TOKEN", slack.bot_token), ("SLACK_APP_TOKEN", slack.app_token))
        if value is None
    ]
    if lacking:
        raise UsageError(
            f"Cannot run the Slack bot without {' and '.join(lacking)}. docs/slack.md says where to find them; "
            "`relnotes slack --check` says what else is missing."
        )
    asyncio.run(_serve(settings, slack, announce=announce, warn=warn))


async def open_connection_url(slack: SlackSettings) -> str:
    """Ask Slack for the address of a Socket Mode connection; that it gives one shows that the app token is good.

    Raises:
        RelnotesError: Slack refuses, or can't be reached.
    """
    client = AsyncWebClient(base_url=api_base(slack.api_url), timeout=10, retry_handlers=[])
    try:
        response = await client.apps_connections_open(app_token=_app_token(slack))
    except SlackApiError as error:
        raise SlackRefusal("apps.connections.open", api_fault(error)[1]) from error
    except Exception as error:
        raise RelnotesError(f"Cannot reach Slack at {slack.api_url}: {error}. Check the network.") from error
    return str(response["url"])


async def _serve(
    settings: Settings, slack: SlackSettings, *, announce: Callable[[str], None], warn: Callable[[str], None]
) -> None:
    await open_connection_url(slack)
    main = open_live_assistant(settings)
    try:
        with main.borrow():
            pass
    except IndexUnavailable as error:
        warn(f"{error} The bot goes on; the index is picked up when it is there.")
    service = open_service(settings, slack, main=main)
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    connection = SocketConnection(
        _app_token(slack),
        logger=_quiet_logger(),
        web_client=AsyncWebClient(base_url=api_base(slack.api_url), timeout=10),
        ping_interval=_PING_S,
    )
    connection.socket_mode_request_listeners.append(_hand_to(service.app))
    stopping = asyncio.create_task(stop.wait())
    retention = Retention(kept_files(settings.index), days=settings.keep_days)
    retention.start()
    await service.start()
    try:
        # It tries on and on while the network keeps web sockets away, and must end when it is asked to nevertheless.
        connecting = asyncio.create_task(connection.connect())
        await asyncio.wait((connecting, stopping), return_when=asyncio.FIRST_COMPLETED)
        if connecting.done():
            connecting.result()
            announce("Slack's events come in over Socket Mode.")
        else:
            connecting.cancel()
        await stopping
    finally:
        retention.close()
        # What comes in from here on isn't acknowledged, so that Slack sends it again.
        await connection.close()  # type: ignore[no-untyped-call]  # the SDK leaves it so
        await service.stop(drain_s=_GRACE_S)
        main.close()


def _hand_to(app: AsyncApp) -> Callable[[AsyncBaseSocketModeClient, SocketModeRequest], Awaitable[None]]:
    async def take(client: AsyncBaseSocketModeClient, request: SocketModeRequest) -> None:
        started = time.time()
        await send_async_response(client, request, await run_async_bolt_app(app, request), started)

    return take


def _app_token(slack: SlackSettings) -> str:
    return slack.app_token.get_secret_value() if slack.app_token else ""


def _quiet_logger() -> logging.Logger:
    logger = logging.getLogger("relnotes.slack.socket")
    logger.setLevel(logging.ERROR)
    logger.addFilter(_one_line)
    return logger


def _one_line(record: logging.LogRecord) -> bool:
    # The client logs each failed try to connect with its traceback; it connects again by itself.
    record.exc_info = None
    return True
