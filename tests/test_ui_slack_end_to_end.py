"""The Slack bot as a real process against a local Slack: threads, buttons, retries, load, its end."""

import asyncio
import json
import re
import signal
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from chat_server import send as answer_ok
from chat_server import serving
from slack_workspace import (
    PLAIN,
    TEAM,
    Fault,
    FaultySlack,
    Workspace,
    clicked,
    event_request,
    form_request,
    running_server,
    send,
    shown_texts,
)
from waiting import until

from ui.feedback.log import FEEDBACK_FILE, FeedbackLog

pytestmark = pytest.mark.slow

QUESTION = "Is widget.spin deprecated?"
ACKNOWLEDGED_S = 3.0  # Slack waits no longer.


@pytest.fixture(scope="module")
def server(workspace: Workspace, own_index: Path) -> Iterator[str]:
    with running_server(own_index, workspace) as (_, address):
        yield address


def shown(message: dict[str, Any]) -> str:
    return "".join(shown_texts(message["blocks"]))


def button(message: dict[str, Any], action_id: str) -> dict[str, Any]:
    elements = (element for block in message["blocks"] for element in block.get("elements", []))
    return next(dict(element) for element in elements if element.get("action_id") == action_id)


def interact(server: str, payload: dict[str, Any]) -> httpx.Response:
    """What the bot answers at once to a click."""
    response = send(form_request(server, {"payload": json.dumps(payload)}))
    assert response.status_code == 200
    return response


def answered(workspace: Workspace, server: str, channel: str) -> tuple[str, dict[str, Any]]:
    """When the question was put in a channel, and the reply to it."""
    ts = workspace.say(channel, f"<@{workspace.bot_user}> {QUESTION}")
    assert send(event_request(server, workspace.mention(channel, QUESTION, ts=ts))).status_code == 200
    (reply,) = workspace.wait_for_replies(channel, ts)
    return ts, reply


def counted(server: str, series: str) -> float:
    metrics = httpx.get(f"{server}/metrics", verify=PLAIN).text.splitlines()
    return float(next(line for line in metrics if line.startswith(series)).removeprefix(series))


def test_a_mention_is_answered_in_its_thread_with_numbered_sources(workspace: Workspace, server: str) -> None:
    channel = workspace.channels[0]
    ts, reply = answered(workspace, server, channel)
    assert reply["thread_ts"] == ts
    assert "widget.spin` is deprecated" in shown(reply)
    body, _, sources = shown(reply).partition("Sources")
    assert set(re.findall(r"\[\d+\]", body)) == set(re.findall(r"\[\d+\]", sources)) == {"[1]"}
    until(lambda: counted(server, 'relnotes_questions_total{status="answered"}'))


def test_feedback_is_kept_without_the_question(workspace: Workspace, server: str, own_index: Path) -> None:
    channel = workspace.channels[3]
    _, reply = answered(workspace, server, channel)
    buttons = button(reply, "relnotes_feedback")
    value = buttons["negative_button"]["value"]
    action = {"type": "feedback_buttons", "action_id": "relnotes_feedback", "value": value, "action_ts": "1.0"}
    interact(server, clicked(channel, action, user=workspace.user, message=reply))
    log = FeedbackLog(own_index / FEEDBACK_FILE)
    until(log.feedback)
    (kept,) = log.feedback()
    assert (kept.feedback.good, kept.feedback.channel, kept.feedback.message) == (False, channel, reply["ts"])
    assert b"spin" not in (own_index / FEEDBACK_FILE).read_bytes()


def test_a_slash_command_is_answered_at_its_own_address_where_that_is_slacks(
    workspace: Workspace, own_index: Path
) -> None:
    taken = Fault(instead=(200, {}, b"ok"))
    with (
        FaultySlack(workspace, {"respond": [taken]}) as slack,
        serving(lambda handler, *_: answer_ok(handler, b"ok")) as elsewhere,
        running_server(own_index, replace(workspace, url=slack.api_url[: -len("/api/")])) as (_, address),
    ):
        for number, place in enumerate((f"{elsewhere.url}/", slack.api_url)):
            command = {
                "command": "/relnotes",
                "team_id": TEAM,
                "text": QUESTION,
                "channel_id": workspace.channels[4],
                "user_id": workspace.user,
                "trigger_id": f"13345224609.738474920.{number}",
                "response_url": f"{place}respond",
            }
            response = send(form_request(address, command))
            assert (response.status_code, response.json()["response_type"]) == (200, "ephemeral")
        until(lambda: "respond" in slack.calls)
        until(lambda: counted(address, 'relnotes_slack_requests_total{event="given_up"}'))
        assert elsewhere.seen == []
    answer = json.loads(slack.bodies[slack.calls.index("respond")])
    assert answer["response_type"] == "ephemeral"
    assert "widget.spin" in shown(answer)


def test_200_deliveries_of_50_events_are_acknowledged_in_time_and_give_50_replies(
    workspace: Workspace, server: str
) -> None:
    asked = [(channel, workspace.say(channel, QUESTION)) for channel in workspace.channels for _ in range(5)]
    events = [workspace.mention(channel, QUESTION, ts=ts) for channel, ts in asked]
    # Each event four times, as a mention and as a message in turn.
    for number in range(4):
        slowest = asyncio.run(_deliver(server, [_again(event, number) for event in events]))
        assert slowest < ACKNOWLEDGED_S
    for channel, ts in asked:
        workspace.wait_for_replies(channel, ts)
    assert [len(workspace.replies(channel, ts)) for channel, ts in asked] == [1] * 50


def test_what_was_acknowledged_is_answered_before_the_server_ends(workspace: Workspace, own_index: Path) -> None:
    channel = workspace.channels[7]
    asked = [workspace.say(channel, QUESTION) for _ in range(3)]
    with running_server(own_index, workspace) as (process, address):
        asyncio.run(_deliver(address, [workspace.mention(channel, QUESTION, ts=ts) for ts in asked]))
        process.send_signal(signal.SIGTERM)
        assert process.wait() == 0
    assert [len(workspace.replies(channel, ts)) for ts in asked] == [1] * 3


def _again(event: dict[str, Any], number: int) -> dict[str, Any]:
    if number % 2 == 0:
        return event
    message = event["event"] | {"type": "message", "channel_type": "channel"}
    return event | {"event_id": f"{event['event_id']}M", "event": message}


async def _deliver(address: str, events: Sequence[dict[str, Any]]) -> float:
    """Deliver all at once; the seconds after which the last one was acknowledged."""
    async with httpx.AsyncClient(timeout=60, verify=PLAIN) as client:
        retry = {"X-Slack-Retry-Num": "1", "X-Slack-Retry-Reason": "http_timeout"}
        began = time.monotonic()
        responses = await asyncio.gather(*(client.send(event_request(address, event, **retry)) for event in events))
    assert {response.status_code for response in responses} == {200}
    return time.monotonic() - began
