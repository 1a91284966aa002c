"""Buttons below an answer: what they look like, and what a click on them asks for.

A button carries the question it is about, so that a click needs no memory of ours; where the question is too long to
carry, there is no button.
"""

from typing import TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError
from slack_sdk.models import blocks as kit

from retrieval.model import Answer, RankedPassage
from ui.feedback.log import Feedback
from ui.rendering.slack import Json
from ui.slack.payloads import Payload
from ui.slack.request_queue import RequestKind, SlackRequest

MORE_ACTION = "relnotes_more"
FEEDBACK_ACTION = "relnotes_feedback"
_MAX_VALUE_CHARACTERS = 2_000


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True)

    def fitting(self) -> str | None:
        """As the value of a button; None where it is too long for one."""
        value = self.model_dump_json(exclude_none=True)
        return value if len(value) <= _MAX_VALUE_CHARACTERS else None


class _Question(_Value):
    """The question that a control is about."""

    q: str
    h: tuple[str, ...] = ()


class _Verdict(_Value):
    """What a feedback button says, and about which answer."""

    up: bool
    status: str
    confidence: float
    q: str | None = None


_Kind = TypeVar("_Kind", bound=_Value)


def answer_controls(answer: Answer, request: SlackRequest) -> tuple[Json, ...]:
    """Return the blocks below an answer: more passages, where there are any, and feedback."""
    blocks: list[kit.Block] = []
    value = _question_value(request)
    if value is not None and uncited_passages(answer):
        more = kit.ButtonElement(text="More from the notes", action_id=MORE_ACTION, value=value)
        blocks.append(kit.ActionsBlock(elements=[more]))
    feedback = kit.FeedbackButtonsElement(
        action_id=FEEDBACK_ACTION,
        positive_button=kit.FeedbackButtonObject(text="Good answer", value=_verdict_value(answer, up=True)),
        negative_button=kit.FeedbackButtonObject(text="Bad answer", value=_verdict_value(answer, up=False)),
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


def parse_click(body: Payload) -> SlackRequest | None:
    """Return the request for passages beyond an answer's, once a message however often it is clicked; None for
    another's button."""
    asked = _clicked(body, _Question)
    channel, message_ts = _place(body)
    if asked is None or not channel or not message_ts:
        return None
    container: Payload = body.get("container") or {}
    thread_ts = (body.get("message") or {}).get("thread_ts") or container.get("thread_ts") or message_ts
    return SlackRequest(
        name=f"more:{channel}:{message_ts}",
        kind=RequestKind.MORE,
        channel=channel,
        user=str(body["user"]["id"]),
        text=asked.q,
        thread_ts=None if container.get("is_ephemeral") else str(thread_ts),
        response_url=body.get("response_url"),
        history=asked.h,
    )


def parse_verdict(body: Payload) -> Feedback | None:
    """Return what a click on a feedback button says; None where it isn't one of ours."""
    verdict = _clicked(body, _Verdict)
    if verdict is None:
        return None
    channel, message = _place(body)
    return Feedback(
        good=verdict.up,
        status=verdict.status,
        confidence=verdict.confidence,
        question=verdict.q,
        channel=channel,
        message=message,
    )


def _clicked(body: Payload, kind: type[_Kind]) -> _Kind | None:
    try:
        return kind.model_validate_json(body["actions"][0]["value"])
    except (LookupError, ValidationError):
        return None


def _place(body: Payload) -> tuple[str, str]:
    """Return the channel and the message that was clicked on; empty where they aren't told."""
    container: Payload = body.get("container") or {}
    channel = (body.get("channel") or {}).get("id") or container.get("channel_id") or ""
    return str(channel), str(container.get("message_ts") or (body.get("message") or {}).get("ts") or "")


def _question_value(request: SlackRequest) -> str | None:
    """Return the question as a value, with as much of its history as there is room for, the newest first."""
    for dropped in range(len(request.history) + 1):
        asked = _Question(q=request.text, h=request.history[dropped:])
        if (value := asked.fitting()) is not None:
            return value
    return None


def _verdict_value(answer: Answer, *, up: bool) -> str:
    verdict = _Verdict(up=up, status=answer.status.value, confidence=answer.confidence, q=answer.question)
    return verdict.fitting() or verdict.model_copy(update={"q": None}).model_dump_json(exclude_none=True)
