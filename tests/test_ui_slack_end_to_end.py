"""The Slack bot as a real process: load and retries, and its end."""

import asyncio
import signal
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import httpx
import pytest
from slack_workspace import PLAIN, FaultySlack, event_request, mention, running_server
from waiting import until

pytestmark = pytest.mark.slow

QUESTION = "Is widget.spin deprecated?"
ACKNOWLEDGED_S = 3.0  # Slack waits no longer.
EVENTS = [mention(f"C{place}", f"{number}.0", QUESTION) for place in range(5) for number in range(4)]


def test_80_deliveries_of_20_events_are_acknowledged_in_time_and_give_20_replies(own_index: Path) -> None:
    with FaultySlack({}) as slack, running_server(own_index, slack) as (process, address):
        # Each event four times, as a mention and as a message in turn.
        for number in range(4):
            slowest = asyncio.run(_deliver(address, [_again(event, number) for event in EVENTS]))
            assert slowest < ACKNOWLEDGED_S
        until(lambda: slack.calls.count("chat.postMessage") >= len(EVENTS))
        process.send_signal(signal.SIGTERM)
        assert process.wait() == 0
    threads = Counter((one["channel"], one["thread_ts"]) for one in slack.posted())
    assert threads == {(one["event"]["channel"], one["event"]["ts"]): 1 for one in EVENTS}
    assert all("widget.spin" in one["text"] for one in slack.posted())


def test_what_was_acknowledged_is_answered_before_the_server_ends(own_index: Path) -> None:
    with FaultySlack({}) as slack, running_server(own_index, slack) as (process, address):
        asyncio.run(_deliver(address, EVENTS[:3]))
        process.send_signal(signal.SIGTERM)
        assert process.wait() == 0
    assert sorted(one["thread_ts"] for one in slack.posted()) == ["0.0", "1.0", "2.0"]


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
