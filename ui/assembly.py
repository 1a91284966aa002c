"""Assembles the server of `relnotes serve`; imported only once it listens, because it imports everything."""

import logging
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import uvicorn
from fastapi import FastAPI
from starlette.middleware import Middleware

from corpus.errors import IndexUnavailable
from ui.environment import check_extra
from ui.gradio.app import mount_gradio
from ui.http.api import create_app
from ui.http.workers import AnsweredElsewhere, Workers, answering_elsewhere
from ui.log import start_logging
from ui.mcp.endpoint import mount_mcp
from ui.opening import open_chat_model, open_desk, open_live_assistant
from ui.server.binding import host_names
from ui.server.live_assistant import LiveAssistant
from ui.settings import Settings
from ui.web.page import mount_page, refusal
from ui.web.services import PageServices

if TYPE_CHECKING:
    from ui.slack.bot import SlackBot

_SLACK_GRACE_S = 7  # Seconds that acknowledged Slack events get at shutdown, after all open requests.


@dataclass(frozen=True, slots=True)
class Assembled:
    """The parts of one server; `app` answers over HTTP, `slack` answers Slack's events."""

    app: FastAPI
    assistants: LiveAssistant
    slack: "SlackBot | None"
    workers: Workers


def assemble(settings: Settings) -> Assembled:
    """Assemble the server; the index isn't opened yet.

    Raises:
        UsageError: the settings of the language model or Slack are wrong.
        RelnotesError: the libraries for Slack aren't installed.
    """
    app = _assemble_answers(settings)
    assistants, desk = app.state.answering.assistants, app.state.answering.desk
    workers = Workers(partial(_assemble_worker, settings), desk)
    answering = answering_elsewhere(workers)
    # Behind all others, which check what comes in.
    app.user_middleware.append(Middleware(AnsweredElsewhere, workers=workers, respond=refusal))
    slack = None
    if settings.slack_bot_token and settings.slack_signing_secret:
        check_extra("slack")
        from ui.slack.bot import add_slack_events
        from ui.slack.service import open_bot

        slack = open_bot(settings, answering)
        add_slack_events(app, slack.app, signing_secret=settings.slack_signing_secret)

    mount_gradio(app, answering)
    return Assembled(app, assistants, slack, workers)


def _assemble_answers(settings: Settings) -> FastAPI:
    """Assemble what answers requests: the API, MCP and the pages."""
    assistants = open_live_assistant(settings, model=open_chat_model(settings))
    desk = open_desk(settings)
    app = create_app(assistants, desk, token=settings.token, hosts=host_names(settings.host))
    mount_mcp(app, assistants, desk)
    mount_page(app, PageServices(assistants, desk))
    return app


def _assemble_worker(settings: Settings) -> FastAPI:
    """Assemble what answers requests in a process of its own, which gets only what the server has let in."""
    app = _assemble_answers(settings)
    # All but the innermost, which compresses.
    del app.user_middleware[:-1]
    start_logging(log_questions=settings.log_questions)
    return app


class AnnouncedServer(uvicorn.Server):
    """Serves the assembled app; calls `announce` once questions are answered, and `warn` if there is no index."""

    def __init__(
        self, config: uvicorn.Config, served: Assembled, *, announce: Callable[[], None], warn: Callable[[str], None]
    ) -> None:
        super().__init__(config)
        self.failure: BaseException | None = None  # The error that ended the server, such as a missing model.
        self._served = served
        self._announce = announce
        self._warn = warn

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, and open the index in a thread; until it is open, probes report that it is loading."""
        await super().startup(sockets=sockets)
        threading.Thread(target=self._open_index, name="open index", daemon=True).start()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Let open requests end, then wait up to `_SLACK_GRACE_S` seconds for the acknowledged Slack events."""
        # uvicorn would log cancelled questions as errors.
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
        await super().shutdown(sockets=sockets)
        if self._served.slack is not None:
            await self._served.slack.intake.stop(drain_s=_SLACK_GRACE_S)

    def _open_index(self) -> None:
        try:
            try:
                self._served.workers.start()
                # Probes look at the one of this process.
                with self._served.assistants.borrow():
                    pass
            except IndexUnavailable as error:
                self._warn(f"{error} Serving goes on; the index is picked up when it is there.")
        except BaseException as error:
            self.failure = error
            self.should_exit = True
            return
        # The reader of stdout may have closed it.
        with suppress(OSError):
            self._announce()
