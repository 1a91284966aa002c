"""Fuzz targets of Slack: events, and the forms of commands, clicks and dialogs, signed as Slack signs them."""

import json
from functools import partial
from urllib.parse import urlencode

from fuzz_bench import Bench
from fuzz_requests import JSON
from fuzz_signs import JSON_SIGNS
from fuzz_target import Target, text_of
from slack_workspace import signed

_FORM = {"Content-Type": "application/x-www-form-urlencoded"}


def _check_slack_event(bench: Bench, data: bytes) -> None:
    bench.sent("POST", "/slack/events", data, {**JSON, **signed(data)})


def _check_slack_form(bench: Bench, data: bytes) -> None:
    bench.sent("POST", "/slack/events", data, {**_FORM, **signed(data)})
    wrapped = urlencode({"payload": text_of(data)}).encode()
    bench.sent("POST", "/slack/events", wrapped, {**_FORM, **signed(wrapped)})


_MENTION = {
    "type": "event_callback",
    "team_id": "T1",
    "api_app_id": "A1",
    "event_id": "Ev1",
    "event_time": 1,
    "authorizations": [{"team_id": "T1", "user_id": "U0BOT", "is_bot": True}],
    "event": {"type": "app_mention", "channel": "C1", "user": "U1", "ts": "5.6", "text": "<@U0BOT> Is it gone?"},
}
_START = {
    **_MENTION,
    "event": {
        "type": "assistant_thread_started",
        "assistant_thread": {"channel_id": "D1", "thread_ts": "1.2", "user_id": "U1"},
    },
}
_COMMAND = urlencode(
    {
        "command": "/relnotes",
        "channel_id": "C1",
        "user_id": "U1",
        "text": "Is widget.spin gone?",
        "response_url": "http://127.0.0.1:9/r",
        "trigger_id": "1.2",
        "team_id": "T1",
    }
)
_CLICK = json.dumps(
    {
        "type": "block_actions",
        "user": {"id": "U1"},
        "channel": {"id": "C1"},
        "trigger_id": "1",
        "actions": [{"action_id": "relnotes_more", "block_id": "b", "value": "{}", "action_ts": "1"}],
        "message": {"ts": "1.2", "blocks": []},
        "response_url": "http://127.0.0.1:9/r",
    }
)
_VIEW = json.dumps(
    {
        "type": "view_submission",
        "user": {"id": "U1"},
        "view": {"callback_id": "relnotes_filter", "private_metadata": "{}", "state": {"values": {}}},
    }
)


def slack_targets(bench: Bench) -> tuple[Target, ...]:
    """What Slack sends."""
    return (
        Target(
            "slack:event",
            partial(_check_slack_event, bench),
            (json.dumps(_MENTION).encode(), json.dumps(_START).encode()),
            (
                *JSON_SIGNS,
                '"event": ',
                '"bot_id": "B1",',
                '"thread_ts": "1.2",',
                "<@U0BOT>",
                "url_verification",
                "<!here>",
            ),
        ),
        Target(
            "slack:form",
            partial(_check_slack_form, bench),
            (_COMMAND.encode(), _CLICK.encode(), _VIEW.encode()),
            (*JSON_SIGNS, "&", "=", "%", "payload=", "text=", "%ff", '"actions": ', '"view": '),
        ),
    )
