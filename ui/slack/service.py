"""The bot put together from its settings: memory, workers, bolt app; what `serve` and `slack` run."""

import asyncio
import contextlib
import os
import sqlite3
import time
from pathlib import Path

from slack_bolt.async_app import AsyncApp

from corpus.errors import RelnotesError
from ui.feedback.log import FEEDBACK_FILE, FeedbackLog
from ui.opening import open_live_assistant
from ui.server.computing_turns import ComputingTurns
from ui.server.live_assistant import LiveAssistant
from ui.server.question_desk import QuestionDesk
from ui.settings import Settings
from ui.slack.answering import SlackAnswers, open_answers
from ui.slack.bot import build_app
from ui.slack.channels import load_channels
from ui.slack.counts import SlackCounts
from ui.slack.memory import RequestMemory
from ui.slack.replying import Replier
from ui.slack.requests import Seal
from ui.slack.settings import SlackSettings
from ui.slack.web_api import SlackWebApi
from ui.slack.workers import SlackWorkers


class SlackService:
    """The running bot; `start` and `stop` in the event loop that its requests come in on."""

    def __init__(self, app: AsyncApp, workers: SlackWorkers, answers: SlackAnswers) -> None:
        self.app = app
        self._workers = workers
        self._answers = answers

    @property
    def counts(self) -> SlackCounts:
        """What became of its requests."""
        return self._workers.counts

    async def start(self) -> None:
        """Begin to answer, first of all what an earlier process left."""
        # The first question loads the model, which would hold up the acknowledgement of events beside it.
        with contextlib.suppress(RelnotesError):
            await asyncio.to_thread(self._answers.warm_up)
        self._workers.start()

    async def stop(self, *, drain_s: float) -> None:
        """Answer what waits, for at most `drain_s` seconds; the rest waits for the next start."""
        await self._workers.stop(drain_s=drain_s)
        self._answers.close()


def open_service(
    settings: Settings,
    slack: SlackSettings,
    *,
    main: LiveAssistant,
    counted_at: QuestionDesk | None = None,
    turns: ComputingTurns | None = None,
) -> SlackService:
    """Put the bot together over `main`, the assistant of the server's own index.

    Its answers are counted at `counted_at`, the desk of the server that it is a part of, and it computes in the `turns`
    of it; None: it runs by itself.

    Raises:
        UsageError: the file of channels can't be used.
        RelnotesError: the bot's folder can't be written to.
    """
    channels = load_channels(slack.channels)
    folder = slack_folder(settings, slack)
    token = slack.bot_token.get_secret_value() if slack.bot_token else ""
    answers = open_answers(
        channels, main=main, open_index=lambda index: open_live_assistant(settings, index, turns=turns)
    )
    api = SlackWebApi(slack)
    # Two more places than there are workers, for the filter.
    desk = QuestionDesk(max_questions=slack.workers + 2, timeout_s=settings.question_timeout_s, turns=turns)
    replier = Replier(answers, api=api, desk=desk, counted_at=counted_at or desk)
    workers = SlackWorkers(
        _open_memory(folder), replier, seal=Seal(token), workers=slack.workers, lock=folder / "workers.lock"
    )
    kept = (slack.folder or settings.index) / FEEDBACK_FILE
    feedback = FeedbackLog(kept, with_questions=slack.log_questions, now=time.time)
    return SlackService(
        build_app(workers, replier, answers=answers, api=api, desk=desk, feedback=feedback), workers, answers
    )


def slack_folder(settings: Settings, slack: SlackSettings) -> Path:
    """Where the bot keeps what it remembers."""
    return slack.folder if slack.folder is not None else settings.index / "slack"


def _open_memory(folder: Path) -> RequestMemory:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK):
            raise PermissionError(13, "it can't be written to")
        return RequestMemory(folder / "requests.sqlite", now=time.time)
    except (OSError, sqlite3.Error) as error:
        fault = (error.strerror if isinstance(error, OSError) else None) or error
        raise RelnotesError(
            f"Cannot keep Slack's requests in {str(folder)!r}: {fault}. Name a folder that can be written to in "
            "RELNOTES_SLACK_DIR, or move a damaged requests.sqlite out of it."
        ) from None
