"""What a reply is: served whole and right, refused as promised, or failed; for each kind of request by its contract."""

import json
import re
from collections.abc import Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any

from corpus.index.tables import TableReader
from evals.lab.load.entrances import Reply
from evals.lab.load.traffic import TrafficKind

ACKNOWLEDGED_WITHIN_S = 3.0
"""What Slack waits for an acknowledgement."""
_ANSWER_FIELDS = frozenset(
    ("question", "status", "confidence", "answer", "citations", "passages", "conflicts", "interpretation", "notes")
)
_VERDICTS = frozenset(("supported", "contradicted", "partly", "unsure", "not_found"))
_CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)", re.DOTALL)
_MARKER = re.compile(r"\[(\d+)\]")
_PAGE_ANSWER = re.compile(r"rn-answer rn-(?:answered|partial|not_found)")
_PAGE_BUSY = "Ask again in a few seconds"


class Fate(StrEnum):
    """What became of a request."""

    SERVED = "served"
    REFUSED = "refused"
    """503 with `Retry-After`; on the page, in words."""
    FAILED = "failed"


Texts = Mapping[str, frozenset[str]]
"""The texts that a document may have, by its source: more than one where it is changed meanwhile."""


def known_texts(index: Path) -> dict[str, frozenset[str]]:
    """The texts of all documents of an index."""
    with TableReader.open(index) as tables:
        found: dict[str, frozenset[str]] = {}
        for document in tables.documents:
            found[document.source] = found.get(document.source, frozenset()) | {tables.document_text(document.id)}
        return found


def judge(kind: TrafficKind, reply: Reply, *, seconds: float, texts: Texts) -> tuple[Fate, str]:
    """The fate of a request of this kind whose reply came `seconds` after it was due, and where it failed, why."""
    if reply.status == 503 and reply.retry_after:
        return Fate.REFUSED, ""
    if reply.status != 200:
        return Fate.FAILED, str(reply.status) if reply.status else reply.body
    if kind is TrafficKind.PAGE and _PAGE_BUSY in reply.body:
        return Fate.REFUSED, ""
    fault = next(_faults(kind, reply.body, seconds, texts), "")
    return (Fate.FAILED if fault else Fate.SERVED), fault


def _faults(kind: TrafficKind, body: str, seconds: float, texts: Texts) -> Iterator[str]:
    match kind:
        case TrafficKind.PAGE:
            if _PAGE_ANSWER.search(body) is None:
                yield "the page shows no answer"
        case TrafficKind.DOCUMENT_PAGE:
            if not re.search(r"<mark\b", body):
                yield "the document's page marks no quote"
        case TrafficKind.SLACK:
            if seconds > ACKNOWLEDGED_WITHIN_S:
                yield f"acknowledged after more than {ACKNOWLEDGED_WITHIN_S:g} s"
        case _:
            yield from _json_faults(kind, body, texts)


def _json_faults(kind: TrafficKind, body: str, texts: Texts) -> Iterator[str]:
    try:
        answer = json.loads(body)
        if kind is TrafficKind.MCP:
            answer = answer["result"]["structuredContent"]
    except (ValueError, LookupError, TypeError):
        yield "no JSON of an answer"
        return
    match kind:
        case TrafficKind.ASK | TrafficKind.MCP:
            yield from _answer_faults(answer)
        case TrafficKind.SEARCH:
            if not isinstance(answer.get("passages"), list):
                yield "no passages"
        case TrafficKind.CITE:
            if not all(claim["verdict"] in _VERDICTS for claim in answer["claims"]):
                yield "a claim without a verdict"
        case TrafficKind.REVIEW:
            if not {"bumps", "symbols", "unknown"} <= answer.keys():
                yield "not a whole review"
        case TrafficKind.DOCUMENT:
            if answer["text"] not in texts.get(answer["source"], ()):
                yield "another text than the document's"
    for place in _places(answer):
        quoted = place.get("quote", place.get("text"))
        if not any(text[place["start"] : place["end"]] == quoted for text in texts.get(place["source"], ())):
            yield f"a quote that isn't verbatim in {place['source']}"


def _answer_faults(answer: Mapping[str, Any]) -> Iterator[str]:
    if not answer.keys() >= _ANSWER_FIELDS:
        yield "an answer without all of its fields"
        return
    numbers = [citation["n"] for citation in answer["citations"]]
    shown = list(dict.fromkeys(int(n) for n in _MARKER.findall(_CODE_SPAN.sub("", answer["answer"]))))
    if shown != numbers:
        yield f"markers {shown} for citations {numbers}"
    if answer["status"] == "not_found" and (numbers or not answer["answer"].startswith("Not found")):
        yield "not found, and cites or doesn't say so"
    if not 0 <= answer["confidence"] <= 1:
        yield "a confidence outside of 0 to 1"


def _places(answer: object) -> Iterator[Mapping[str, Any]]:
    """Everything in a body that names a range of a document and says what stands there."""
    if isinstance(answer, dict):
        if {"source", "start", "end"} <= answer.keys() and ("quote" in answer or "text" in answer):
            yield answer
        for part in answer.values():
            yield from _places(part)
    elif isinstance(answer, list):
        for part in answer:
            yield from _places(part)
