"""The bot put together from its settings, as `serve` and `slack` run it; and over Socket Mode, as `slack` does."""

import asyncio
import logging
import os
import signal
import time
from collections.abc import Callable

from slack_bolt.adapter.socket_mode.async_internals import run_async_bolt_app, send_async_response
from slack_bolt.async_app import AsyncApp
from slack_sdk.socket_mode.aiohttp import SocketModeClient
from slack_sdk.socket_mode.async_client import AsyncBaseSocketModeClient
from slack_sdk.socket_mode.request import SocketModeRequest

from corpus.errors import IndexUnavailable, UsageError
from retrieval.llm import ChatModel
from ui.feedback.log import FEEDBACK_FILE, FeedbackLog
from ui.opening import open_chat_model, open_live_assistant
from ui.server.live_assistant import LiveAssistant
from ui.server.question_desk import ComputingTurns, QuestionDesk
from ui.settings import Settings
from ui.slack.bot import Listeners, build_app
from ui.slack.channel_answers import SlackAnswers, load_channels
from ui.slack.replying import Replier
from ui.slack.request_queue import open_queue
from ui.slack.web_api import SlackWebApi
from ui.slack.workers import SlackWorkers

_GRACE_S = 10  # Seconds that requests which were taken in get at the end.
_ADDRESS_S = 15.0  # Seconds for which one address of a connection is tried.
_PING_S = 10.0


def open_service(
    settings: Settings,
    *,
    main: LiveAssistant,
    counted_at: QuestionDesk | None = None,
    turns: ComputingTurns | None = None,
    model: ChatModel | None = None,
) -> tuple[AsyncApp, SlackWorkers]:
    """Put the bot together over `main`, the assistant of the server's own index: the app takes requests in, and the
    workers answer them in the event loop that they come in on.

    Its answers are counted at `counted_at`, the desk of the server that it is a part of, and it computes in the `turns`
    of it; None: it runs by itself.

    Raises:
        UsageError: the file of channels can't be used.
        RelnotesError: the bot's folder can't be written to.
    """
    answers = SlackAnswers(
        load_channels(settings.slack_channels),
        main=main,
        open_index=lambda index: open_live_assistant(settings, index, model=model),
    )
    api = SlackWebApi(settings.slack_api_url, settings.slack_bot_token)
    desk = QuestionDesk(max_questions=settings.slack_workers, timeout_s=settings.question_timeout_s, turns=turns)
    replier = Replier(answers, api=api, desk=desk, counted_at=counted_at or desk)
    folder = settings.slack_dir or settings.index / "slack"
    memory = open_queue(folder, token=settings.slack_bot_token or "")
    workers = SlackWorkers(memory, replier, workers=settings.slack_workers, lock=folder / "workers.lock")
    kept = (settings.slack_dir or settings.index) / FEEDBACK_FILE
    feedback = FeedbackLog(kept, keep_days=settings.keep_days, with_questions=settings.slack_log_questions)
    return build_app(Listeners(workers, replier, feedback)), workers


class SocketConnection(SocketModeClient):
    """The SDK's connection, which asks for a new address where one can't be connected to: the SDK alone tries the one
    that it has for ever."""

    async def connect(self) -> None:
        """Connect, however long it takes."""
        while not self.closed:
            try:
                await asyncio.wait_for(super().connect(), _ADDRESS_S)  # type: ignore[no-untyped-call]
            except TimeoutError:
                self.wss_uri = None
            else:
                return


def run_socket_mode(settings: Settings, *, announce: Callable[[str], None], warn: Callable[[str], None]) -> None:
    """Answer until SIGTERM, which ends the process, or Ctrl-C; `announce` is called once events come in.

    Raises:
        UsageError: a token is missing, or the file of channels can't be used.
        RelnotesError: Slack refuses a token, or can't be reached.
        ModelError: the model is missing, altered or can't be loaded.
    """
    tokens = {"SLACK_BOT_TOKEN": settings.slack_bot_token, "SLACK_APP_TOKEN": settings.slack_app_token}
    if lacking := [name for name, token in tokens.items() if token is None]:
        raise UsageError(
            f"Cannot run the Slack bot without {' and '.join(lacking)}. docs/operations.md says where to find them; "
            "`relnotes slack --check` says what else is missing."
        )
    if asyncio.run(_serve(settings, announce=announce, warn=warn)) == signal.SIGINT:
        raise KeyboardInterrupt
    # Python would wait for the thread of a question that is still worked on.
    os._exit(0)


async def _serve(settings: Settings, *, announce: Callable[[str], None], warn: Callable[[str], None]) -> int:
    """Answer until a signal comes, and give its number."""
    api = SlackWebApi(settings.slack_api_url, settings.slack_app_token)
    await api.check_app_token()
    model = open_chat_model(settings)
    main = open_live_assistant(settings, model=model)
    try:
        with main.borrow():
            pass
    except IndexUnavailable as error:
        warn(f"{error} The bot goes on; the index is picked up when it is there.")
    app, workers = open_service(settings, main=main, model=model)
    received: asyncio.Queue[int] = asyncio.Queue()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, received.put_nowait, number)

    async def forward(client: AsyncBaseSocketModeClient, request: SocketModeRequest) -> None:
        started = time.time()
        await send_async_response(client, request, await run_async_bolt_app(app, request), started)

    # The client logs each failed try to connect with its traceback; it connects again by itself.
    logger = logging.getLogger("relnotes.slack.socket")
    logger.setLevel(logging.ERROR)
    logger.addFilter(_without_traceback)
    connection = SocketConnection(
        settings.slack_app_token or "", logger=logger, web_client=api.client, ping_interval=_PING_S
    )
    connection.socket_mode_request_listeners.append(forward)
    stopping = asyncio.create_task(received.get())
    await workers.start()
    try:
        # It tries on and on while the network keeps web sockets away, and must end when it is asked to nevertheless.
        connecting = asyncio.create_task(connection.connect())
        await asyncio.wait((connecting, stopping), return_when=asyncio.FIRST_COMPLETED)
        if connecting.done():
            connecting.result()
            announce("Slack's events come in over Socket Mode.")
        else:
            connecting.cancel()
        return await stopping
    finally:
        # What comes in from here on isn't acknowledged, so that Slack sends it again.
        await connection.close()  # type: ignore[no-untyped-call]  # the SDK leaves it so
        await workers.stop(drain_s=_GRACE_S)
        main.close()


def _without_traceback(record: logging.LogRecord) -> bool:
    record.exc_info = None
    return True
