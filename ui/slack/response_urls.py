"""Answers where only the asker sees them, at the address that Slack gives along with a command or a click.

Slack takes five of them at one address, within half an hour; whoever has it needs no token.
"""

import json
import logging
from collections.abc import Sequence

from slack_sdk.webhook.async_client import AsyncWebhookClient

from ui.rendering.slack_limits import Json, SlackMessage
from ui.slack.web_api import BLOCKS_REFUSED, TIMEOUT_S, SlackRefusal, SlackUnreachable, error_words

_log = logging.getLogger("relnotes.slack")


async def respond(response_url: str, message: SlackMessage) -> None:
    """Answer at `response_url`; where Slack doesn't take the blocks, the text goes alone.

    Raises:
        SlackRefusal, SlackUnreachable: it didn't arrive, or nobody knows.
    """
    try:
        await _send(response_url, message.text, message.blocks)
    except SlackRefusal as error:
        if error.reason not in BLOCKS_REFUSED:
            raise
        _log.warning("Slack doesn't take the blocks of a response (%s): its text goes alone.", error.reason)
        await _send(response_url, message.text, ())


async def _send(response_url: str, text: str, blocks: Sequence[Json]) -> None:
    webhook = AsyncWebhookClient(response_url, timeout=TIMEOUT_S, retry_handlers=[])
    try:
        response = await webhook.send(
            text=text, blocks=list(blocks) or None, response_type="ephemeral", replace_original=False
        )
    except Exception as error:
        raise SlackUnreachable(f"Slack's response address couldn't be reached: {error_words(error)}.") from error
    reason = _refusal(response.body)
    if reason not in BLOCKS_REFUSED and (response.status_code >= 500 or response.status_code == 429):
        raise SlackUnreachable(f"Slack's response address answered {response.status_code}.")
    if response.status_code != 200 or reason is not None:
        raise SlackRefusal("the response", reason or f"status {response.status_code}")


def _refusal(body: str) -> str | None:
    """Slack's word for why it refuses, which it may say with status 200 too; None where it says none."""
    try:
        told = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return str(told.get("error")) if isinstance(told, dict) and told.get("ok") is False else None
