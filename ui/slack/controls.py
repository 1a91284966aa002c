"""Buttons below an answer and the filter's modal: what they look like, and what a click on them asks for.

A button carries the question it is about, so that a click needs no memory of ours; where the question is too long to
carry, there is no button.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from retrieval.model import Answer, RankedPassage
from ui.feedback.log import Feedback
from ui.rendering.slack_limits import Json
from ui.slack.intake import Payload, TakenIn
from ui.slack.requests import RequestKind, SlackRequest

MORE_ACTION = "relnotes_more"
FILTER_ACTION = "relnotes_filter"
FEEDBACK_ACTION = "relnotes_feedback"
FILTER_VIEW = "relnotes_filter_view"
FIND_NOTE_SHORTCUT = "relnotes_find_note"
PRODUCT_INPUT = "product"
VERSION_INPUT = "version"
_MAX_VALUE_CHARACTERS = 2_000
_MAX_OPTIONS = 100
_MAX_OPTION_CHARACTERS = 75


class ControlQuestion(BaseModel):
    """The question that a control is about, as its value carries it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    q: str
    h: tuple[str, ...] = ()
    p: str | None = None
    v: str | None = None


class FeedbackVerdict(BaseModel):
    """What a feedback button says, and about which answer."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    up: bool
    status: str
    confidence: float
    q: str | None = None


@dataclass(frozen=True, slots=True)
class SentVerdict:
    """A click on a feedback button; thanks for it go to `response_url`."""

    feedback: Feedback
    response_url: str | None


class FilterPlace(BaseModel):
    """What the filter's modal remembers: the question, and where its answer goes."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    asked: ControlQuestion
    channel: str
    thread_ts: str | None
    response_url: str | None = None


@dataclass(frozen=True, slots=True)
class Click:
    """A click on one of our buttons."""

    asked: ControlQuestion
    channel: str
    user: str
    message_ts: str
    thread_ts: str | None
    """The thread the message stands in; None where only the clicker sees it."""
    response_url: str | None


def answer_controls(answer: Answer, request: SlackRequest) -> tuple[Json, ...]:
    """The blocks below an answer: more passages, filter, feedback."""
    blocks: list[Json] = []
    value = _value(request)
    if value is not None:
        more = _button(MORE_ACTION, "More passages", value)
        narrow = _button(FILTER_ACTION, "Product or version…", value)
        blocks.append({"type": "actions", "elements": [more, narrow] if uncited_passages(answer) else [narrow]})
    feedback = {
        "type": "feedback_buttons",
        "action_id": FEEDBACK_ACTION,
        "positive_button": _feedback("Good answer", answer, up=True),
        "negative_button": _feedback("Bad answer", answer, up=False),
    }
    blocks.append({"type": "context_actions", "elements": [feedback]})
    return tuple(blocks)


def uncited_passages(answer: Answer) -> tuple[RankedPassage, ...]:
    """The passages of an answer that none of its citations is from, best first: what "more" can show."""
    cited = {(one.document_id, one.start) for one in answer.citations}
    return tuple(
        passage
        for passage in answer.passages
        if not any(passage.document_id == document and passage.start <= at < passage.end for document, at in cited)
    )


def parse_click(body: Payload) -> Click | None:
    """What a `block_actions` payload of ours says; None where it isn't one."""
    try:
        asked = ControlQuestion.model_validate_json(body["actions"][0]["value"])
    except (KeyError, IndexError, ValidationError):
        return None
    container: Mapping[str, Any] = body.get("container") or {}
    message: Mapping[str, Any] = body.get("message") or {}
    channel = (body.get("channel") or {}).get("id") or container.get("channel_id")
    message_ts = container.get("message_ts") or message.get("ts")
    if not channel or not message_ts:
        return None
    thread_ts = message.get("thread_ts") or container.get("thread_ts") or message_ts
    return Click(
        asked=asked,
        channel=str(channel),
        user=str(body["user"]["id"]),
        message_ts=str(message_ts),
        thread_ts=None if container.get("is_ephemeral") else str(thread_ts),
        response_url=body.get("response_url"),
    )


def parse_verdict(body: Payload) -> SentVerdict | None:
    """What a click on a feedback button says; None where it isn't one of ours."""
    try:
        verdict = FeedbackVerdict.model_validate_json(body["actions"][0]["value"])
    except (KeyError, IndexError, ValidationError):
        return None
    container: Mapping[str, Any] = body.get("container") or {}
    message: Mapping[str, Any] = body.get("message") or {}
    feedback = Feedback(
        good=verdict.up,
        status=verdict.status,
        confidence=verdict.confidence,
        question=verdict.q,
        channel=str((body.get("channel") or {}).get("id") or container.get("channel_id", "")),
        message=str(container.get("message_ts") or message.get("ts", "")),
    )
    return SentVerdict(feedback, response_url=body.get("response_url"))


def more_request(click: Click) -> TakenIn:
    """The request for passages beyond an answer's; once a message, however often it is clicked."""
    return TakenIn((f"more:{click.channel}:{click.message_ts}",), _request(RequestKind.MORE, click))


def filter_view(click: Click, products: Sequence[str]) -> Json:
    """The modal that asks for a product, out of `products` if there are any, and a version."""
    place = FilterPlace(
        asked=click.asked, channel=click.channel, thread_ts=click.thread_ts, response_url=click.response_url
    )
    blocks: list[Json] = []
    listed = [product for product in products if len(product) <= _MAX_OPTION_CHARACTERS][:_MAX_OPTIONS]
    if listed:
        options = [{"text": _words(product), "value": product} for product in listed]
        element: Json = {"type": "static_select", "action_id": PRODUCT_INPUT, "options": options}
        if click.asked.p in listed:
            element["initial_option"] = {"text": _words(click.asked.p), "value": click.asked.p}
        blocks.append(_input(PRODUCT_INPUT, "Product", element))
    text: Json = {"type": "plain_text_input", "action_id": VERSION_INPUT, "max_length": 100}
    if click.asked.v:
        text["initial_value"] = click.asked.v
    blocks.append(_input(VERSION_INPUT, "Version", text))
    return {
        "type": "modal",
        "callback_id": FILTER_VIEW,
        "title": _words("Ask again"),
        "submit": _words("Ask"),
        "close": _words("Cancel"),
        "private_metadata": place.model_dump_json(exclude_none=True),
        "blocks": blocks,
    }


def parse_filter(body: Payload) -> TakenIn | None:
    """The request in a submitted filter; None where the modal isn't ours."""
    view: Mapping[str, Any] = body["view"]
    try:
        place = FilterPlace.model_validate_json(view.get("private_metadata", ""))
    except ValidationError:
        return None
    values: Mapping[str, Mapping[str, Mapping[str, Any]]] = view["state"]["values"]
    option = values.get(PRODUCT_INPUT, {}).get(PRODUCT_INPUT, {}).get("selected_option")
    version = values.get(VERSION_INPUT, {}).get(VERSION_INPUT, {}).get("value")
    request = SlackRequest(
        kind=RequestKind.FILTERED,
        channel=place.channel,
        user=str(body["user"]["id"]),
        text=place.asked.q,
        thread_ts=place.thread_ts,
        response_url=place.response_url,
        history=place.asked.h,
        product=option["value"] if option else None,
        version=str(version).strip() or None if version else None,
    )
    return TakenIn((f"view:{view['id']}",), request)


def _request(kind: RequestKind, click: Click) -> SlackRequest:
    return SlackRequest(
        kind=kind,
        channel=click.channel,
        user=click.user,
        text=click.asked.q,
        thread_ts=click.thread_ts,
        response_url=click.response_url,
        history=click.asked.h,
        product=click.asked.p,
        version=click.asked.v,
    )


def _value(request: SlackRequest) -> str | None:
    """The question as a value, with as much of its history as there is room for, the newest first."""
    for dropped in range(len(request.history) + 1):
        asked = ControlQuestion(q=request.text, h=request.history[dropped:], p=request.product, v=request.version)
        value = asked.model_dump_json(exclude_none=True)
        if len(value) <= _MAX_VALUE_CHARACTERS:
            return value
    return None


def _feedback(words: str, answer: Answer, *, up: bool) -> Json:
    verdict = FeedbackVerdict(up=up, status=answer.status.value, confidence=answer.confidence, q=answer.question)
    value = verdict.model_dump_json()
    if len(value) > _MAX_VALUE_CHARACTERS:
        value = verdict.model_copy(update={"q": None}).model_dump_json(exclude_none=True)
    return {"text": _words(words), "value": value}


def _button(action: str, words: str, value: str) -> Json:
    return {"type": "button", "action_id": action, "text": _words(words), "value": value}


def _input(block: str, label: str, element: Json) -> Json:
    return {"type": "input", "block_id": block, "optional": True, "label": _words(label), "element": element}


def _words(text: str) -> Json:
    return {"type": "plain_text", "text": text, "emoji": False}
