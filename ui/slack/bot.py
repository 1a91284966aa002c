"""The bolt app: it takes in what Slack sends, and acknowledges it once it is on disk."""

import logging
import re
from collections.abc import Mapping
from typing import Any

from slack_bolt.async_app import AsyncApp, AsyncAssistant
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.context.ack.async_ack import AsyncAck
from slack_bolt.response import BoltResponse
from slack_sdk.web.async_client import AsyncWebClient

from corpus.errors import RelnotesError, UsageError
from ui.feedback.log import FeedbackLog
from ui.rendering.slack import render_slack_text
from ui.server.question_desk import QuestionDesk
from ui.slack.answering import SlackAnswers
from ui.slack.controls import (
    FEEDBACK_ACTION,
    FILTER_ACTION,
    FILTER_VIEW,
    FIND_NOTE_SHORTCUT,
    MORE_ACTION,
    VERSION_INPUT,
    Click,
    filter_view,
    more_request,
    parse_click,
    parse_filter,
    parse_verdict,
)
from ui.slack.intake import MISSHAPEN, parse_command, parse_event, parse_message_shortcut
from ui.slack.replying import Replier
from ui.slack.response_urls import respond
from ui.slack.web_api import SlackWebApi
from ui.slack.workers import SlackWorkers, TooManyWaitingError

COMMAND = "/relnotes"
_READING = "Reading the notes…"
_BUSY = "I have too many questions to answer just now. Ask me again in a few minutes."
_BUSY_S = 60
_THANKS = "Thank you: that helps to make the answers better."

_Body = Mapping[str, Any]
_log = logging.getLogger("relnotes.slack")


def build_app(
    workers: SlackWorkers,
    replier: Replier,
    *,
    answers: SlackAnswers,
    api: SlackWebApi,
    desk: QuestionDesk,
    feedback: FeedbackLog,
) -> AsyncApp:
    """The app with all of its listeners; whoever hands requests to it has checked that they are Slack's."""

    async def authorize() -> AuthorizeResult:
        # Without asking Slack: an event must be taken in even while the Web API is away.
        return AuthorizeResult(
            enterprise_id=None, team_id=None, bot_user_id=replier.bot_user, bot_token=api.client.token
        )

    logger = logging.getLogger("relnotes.slack.bolt")
    # It warns of what is meant to be so: no token of the environment, events that nobody listens to.
    logger.setLevel(logging.ERROR)
    app = AsyncApp(
        logger=logger,
        name="relnotes",
        authorize=authorize,
        client=AsyncWebClient(base_url=api.client.base_url),
        request_verification_enabled=False,
        ssl_check_enabled=False,
        # `parse_event` tells our own messages.
        ignoring_self_events_enabled=False,
        # A listener ends when its request is on disk, and only then Slack hears that we have it.
        process_before_response=True,
    )
    app.error(_answer_fault)
    _add_events(app, workers, replier)
    _add_command_and_shortcut(app, workers, replier)
    _add_buttons(app, workers, replier, feedback=feedback)
    _add_filter(app, workers, replier, answers=answers, api=api, desk=desk)
    return app


async def _answer_fault(error: Exception) -> BoltResponse:
    """Refuse a payload that can't be read, by bolt or by us; what else goes wrong is a fault of ours.

    What is refused for a while, Slack sends again by itself: at once, after a minute and after five.
    """
    if isinstance(error, TooManyWaitingError):
        _log.warning("A request from Slack is refused for now: %s", error)
        return BoltResponse(status=503, body=str(error), headers={"Retry-After": str(_BUSY_S)})
    if isinstance(error, MISSHAPEN):
        _log.warning("A payload that isn't shaped as Slack documents it is refused.", exc_info=error)
        return BoltResponse(status=400, body="This isn't shaped as Slack documents it.")
    _log.error("A payload from Slack couldn't be taken in; Slack will send it again.", exc_info=error)
    return BoltResponse(status=500, body="It couldn't be taken in. Send it again.")


def _add_events(app: AsyncApp, workers: SlackWorkers, replier: Replier) -> None:
    async def take_event(body: _Body) -> None:
        taken = parse_event(body, bot_user=replier.bot_user)
        if taken is not None:
            await workers.take_in(taken)

    async def ignore() -> None:
        """Where the user looks in Slack changes nothing for us."""

    assistant = AsyncAssistant()
    assistant.thread_started(take_event)
    assistant.thread_context_changed(ignore)
    assistant.user_message(take_event)
    app.use(assistant)
    app.event(re.compile(""))(take_event)


def _add_command_and_shortcut(app: AsyncApp, workers: SlackWorkers, replier: Replier) -> None:
    async def take_command(ack: AsyncAck, body: _Body) -> None:
        taken = parse_command(body)
        try:
            await workers.take_in(taken)
        except TooManyWaitingError:
            # Slack doesn't send a command again: the person has to.
            await ack(text=_BUSY, response_type="ephemeral")
        else:
            await ack(text=_READING, response_type="ephemeral")

    async def take_shortcut(ack: AsyncAck, body: _Body) -> None:
        taken = parse_message_shortcut(body, bot_user=replier.bot_user)
        await workers.take_in(taken)
        await ack()

    app.command(COMMAND)(take_command)
    app.message_shortcut(FIND_NOTE_SHORTCUT)(take_shortcut)


def _add_buttons(app: AsyncApp, workers: SlackWorkers, replier: Replier, *, feedback: FeedbackLog) -> None:
    async def take_more(ack: AsyncAck, body: _Body) -> None:
        click = parse_click(body)
        if click is not None:
            taken = more_request(click)
            await workers.take_in(taken)
        await ack()

    async def take_feedback(ack: AsyncAck, body: _Body) -> None:
        verdict = parse_verdict(body)
        if verdict is not None:
            await workers.on_disk(lambda: feedback.add(verdict.feedback))
            if verdict.response_url:
                (thanks,) = render_slack_text(_THANKS)
                replier.aside(respond(verdict.response_url, thanks))
        await ack()

    app.action(MORE_ACTION)(take_more)
    app.action(FEEDBACK_ACTION)(take_feedback)


def _add_filter(
    app: AsyncApp,
    workers: SlackWorkers,
    replier: Replier,
    *,
    answers: SlackAnswers,
    api: SlackWebApi,
    desk: QuestionDesk,
) -> None:
    async def open_filter(ack: AsyncAck, body: _Body) -> None:
        click = parse_click(body)
        if click is not None:
            replier.aside(show(click, str(body["trigger_id"])))
        await ack()

    async def show(click: Click, trigger_id: str) -> None:
        products = await desk.run(lambda: answers.products(click.channel))
        await api.open_view(trigger_id, filter_view(click, products))

    async def take_filter(ack: AsyncAck, body: _Body) -> None:
        taken = parse_filter(body)
        if taken is not None:
            try:
                await desk.run(lambda: answers.check_filters(taken.request))
            except UsageError as error:
                await ack(response_action="errors", errors={VERSION_INPUT: str(error)})
                return
            except RelnotesError:
                # Not a fault of the filter: the answer will say it, or be there by then.
                pass
            await workers.take_in(taken)
        await ack()

    app.action(FILTER_ACTION)(open_filter)
    app.view(FILTER_VIEW)(take_filter)
