"""Buttons below an answer: what they look like, and what a click on them asks for.

A button carries the question it is about, so that a click needs no memory of ours; one too long to carry has no button.
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
    """Return the blocks below an answer: more passages, where there are any, and feedback."""
    blocks: list[kit.Block] = []
    # As much of the history as there is room for, the newest first.
    asked = (_value(q=request.text, h=request.history[dropped:]) for dropped in range(len(request.history) + 1))
    if uncited_passages(answer) and (value := next(filter(None, asked), None)):
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
    """Return the passages of an answer that none of its citations is from, best first: what "more" can show."""
    cited = {(citation.document_id, citation.start) for citation in answer.citations}
    return tuple(
        passage
        for passage in answer.passages
        if not any(passage.document_id == document and passage.start <= at < passage.end for document, at in cited)
    )


def parse_click(body: Payload) -> SlackRequest:
    """Return the request for passages beyond an answer's, the same however often it is clicked."""
    asked = json.loads(body["actions"][0]["value"])
    channel, message_ts = _place(body)
    container: Payload = body.get("container") or {}
    thread_ts = (body.get("message") or {}).get("thread_ts") or container.get("thread_ts") or message_ts
    return SlackRequest(
        name=f"more:{channel}:{message_ts}",
        wants_more=True,
        channel=channel,
        user=str(body["user"]["id"]),
        text=str(asked["q"]),
        thread_ts=None if container.get("is_ephemeral") else str(thread_ts),
        response_url=body.get("response_url"),
        history=tuple(map(str, asked["h"])),
    )


def parse_verdict(body: Payload) -> Feedback:
    """Return what a click on a feedback button says."""
    said = json.loads(body["actions"][0]["value"])
    channel, message = _place(body)
    return Feedback(
        good=bool(said["up"]),
        status=str(said["status"]),
        confidence=float(said["confidence"]),
        question=said.get("q"),
        channel=channel,
        message=message,
    )


def _place(body: Payload) -> tuple[str, str]:
    """Return the channel and the message that was clicked on."""
    container: Payload = body.get("container") or {}
    channel = (body.get("channel") or {}).get("id") or container["channel_id"]
    return str(channel), str(container.get("message_ts") or body["message"]["ts"])


def _verdict_value(answer: Answer, *, up: bool) -> str:
    verdict = {"up": up, "status": answer.status.value, "confidence": answer.confidence}
    return _value(**verdict, q=answer.question) or json.dumps(verdict)


def _value(**fields: Any) -> str | None:
    """Return what a button carries; None where it is too long for one."""
    value = json.dumps(fields, ensure_ascii=False)
    return value if len(value) <= _MAX_VALUE_CHARACTERS else None
