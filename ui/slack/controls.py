"""Builds the buttons below an answer, and parses clicks on them.

The value of a button contains its question, so that nothing is stored for a click; too long a question has no button.
"""

import json
from typing import Any

from slack_sdk.models import blocks as kit

from retrieval.model import Answer, RankedPassage
from ui.feedback.log import Feedback
from ui.rendering.slack import Json
from ui.slack.payloads import Payload, SlackRequest

MORE_ACTION = "relnotes_more"
FEEDBACK_ACTION = "relnotes_feedback"
_MAX_VALUE_CHARACTERS = 2_000


def answer_controls(answer: Answer, request: SlackRequest) -> tuple[Json, ...]:
    """Return the blocks below an answer: a button for more passages, if there are any, and feedback buttons."""
    blocks: list[kit.Block] = []
    # As much of the newest history as there is room for.
    values = (_button_value(q=request.text, h=request.history[dropped:]) for dropped in range(len(request.history) + 1))
    if uncited_passages(answer) and (value := next(filter(None, values), None)):
        more = kit.ButtonElement(text="More from the notes", action_id=MORE_ACTION, value=value)
        blocks.append(kit.ActionsBlock(elements=[more]))
    good, bad = (_verdict_value(answer, up=up) for up in (True, False))
    feedback = kit.FeedbackButtonsElement(
        action_id=FEEDBACK_ACTION,
        positive_button=kit.FeedbackButtonObject(text="Good answer", value=good),
        negative_button=kit.FeedbackButtonObject(text="Bad answer", value=bad),
    )
    blocks.append(kit.ContextActionsBlock(elements=[feedback]))
    return tuple(block.to_dict() for block in blocks)


def uncited_passages(answer: Answer) -> tuple[RankedPassage, ...]:
    """Return the passages of an answer that it doesn't cite, best first, which "more" can show."""
    cited = {(citation.document_id, citation.start) for citation in answer.citations}
    return tuple(
        passage
        for passage in answer.passages
        if not any(passage.document_id == document and passage.start <= at < passage.end for document, at in cited)
    )


def parse_click(body: Payload) -> SlackRequest:
    """Return the request of a click on "more", named by its message, so that further clicks repeat it."""
    value = json.loads(body["actions"][0]["value"])
    channel, message_ts = _clicked_message(body)
    container: Payload = body.get("container") or {}
    thread_ts = (body.get("message") or {}).get("thread_ts") or container.get("thread_ts") or message_ts
    return SlackRequest(
        name=f"more:{channel}:{message_ts}",
        wants_more=True,
        channel=channel,
        user=str(body["user"]["id"]),
        text=str(value["q"]),
        thread_ts=None if container.get("is_ephemeral") else str(thread_ts),
        response_url=body.get("response_url"),
        history=tuple(map(str, value["h"])),
    )


def parse_verdict(body: Payload) -> Feedback:
    """Return the verdict of a click on a feedback button."""
    value = json.loads(body["actions"][0]["value"])
    channel, message = _clicked_message(body)
    return Feedback(
        good=bool(value["up"]),
        status=str(value["status"]),
        confidence=float(value["confidence"]),
        question=value.get("q"),
        channel=channel,
        message=message,
    )


def _clicked_message(body: Payload) -> tuple[str, str]:
    """Return `(channel, ts)` of the message with the clicked button."""
    container: Payload = body.get("container") or {}
    channel = (body.get("channel") or {}).get("id") or container["channel_id"]
    return str(channel), str(container.get("message_ts") or body["message"]["ts"])


def _verdict_value(answer: Answer, *, up: bool) -> str:
    verdict = {"up": up, "status": answer.status.value, "confidence": answer.confidence}
    return _button_value(**verdict, q=answer.question) or json.dumps(verdict)


def _button_value(**fields: Any) -> str | None:
    """Return a button's value as JSON; None if it is longer than Slack allows."""
    value = json.dumps(fields, ensure_ascii=False)
    return value if len(value) <= _MAX_VALUE_CHARACTERS else None
