"""What a reply is: served whole and right, refused as promised, or failed; for each kind of request by its contract.
And what a step of a load test comes to: rates, times, fates, memory."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

import numpy as np

from corpus.index.tables import TableReader
from evals.lab.load.slack_stand_in import SlackThreads, thread_of
from evals.lab.load.traffic import Outcome, Probe, Reply, Shot, TrafficKind
from evals.lab.trials import SummaryRow

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


@dataclass(frozen=True, slots=True)
class Judged:
    """A request, what became of it, and for one that failed, why; times as in `Outcome`."""

    shot: Shot
    seconds: float
    late_s: float
    fate: Fate
    why: str


@dataclass(frozen=True, slots=True)
class Step:
    """One rate of arrivals, kept up for a while."""

    name: str
    rate: float
    """Requests a second that were meant."""
    seconds: float
    judged: tuple[Judged, ...]
    probes: tuple[Probe, ...]
    own_mib: float
    """What the server holds of its own at the end; pages of files aren't counted."""

    def of(self, fate: Fate, kind: TrafficKind | None = None) -> list[Judged]:
        """The requests that had this fate."""
        return [one for one in self.judged if one.fate is fate and kind in (None, one.shot.kind)]

    def served_ms(self, kind: TrafficKind | None = None) -> list[float]:
        """Milliseconds of the requests that were served."""
        return [one.seconds * 1000 for one in self.of(Fate.SERVED, kind)]

    @property
    def served_a_second(self) -> float:
        """Requests served in a second of the step, until the last one's answer was there."""
        ended = max((one.shot.due_s + one.seconds for one in self.judged), default=0.0)
        return len(self.of(Fate.SERVED)) / max(self.seconds, ended)

    @property
    def bad_probes(self) -> int:
        """Probes that weren't answered with 200."""
        return sum(status != 200 for status, _ in self.probes)

    @property
    def slowest_probe_ms(self) -> float:
        """The slowest probe."""
        return max((seconds * 1000 for _, seconds in self.probes), default=0.0)


def judge_all(outcomes: Iterable[Outcome], texts: Texts) -> tuple[Judged, ...]:
    """Judge each outcome by its kind."""
    return tuple(
        Judged(one.shot, one.seconds, one.late_s, *judge(one.shot.kind, one.reply, seconds=one.seconds, texts=texts))
        for one in outcomes
    )


def slack_rows(judged: Iterable[Judged], threads: SlackThreads, *, seconds: float) -> tuple[SummaryRow, ...]:
    """Whether each mention that was acknowledged is answered within `seconds`, and once."""
    acknowledged = {
        thread_of(one.shot.number) for one in judged if one.shot.kind is TrafficKind.SLACK and one.fate is Fate.SERVED
    }
    unanswered = threads.wait_for(acknowledged, seconds=seconds)
    doubled = sum(threads.posted[thread] > 1 for thread in acknowledged)
    return (
        ("Slack mentions acknowledged and never answered", "0", str(len(unanswered)), not unanswered),
        ("Slack mentions answered twice", "0", str(doubled), doubled == 0),
    )


def failures(judged: Iterable[Judged]) -> Counter[tuple[TrafficKind, str]]:
    """Why requests failed, by their kind."""
    return Counter((one.shot.kind, one.why[:120]) for one in judged if one.fate is Fate.FAILED)


STEP_HEADER = (
    "load", "offered /s", "served /s", "p50 ms", "p95 ms", "p99 ms", "refused", "failed", "slowest probe ms", "own MiB",
    "sent late, at most ms",
)  # fmt: skip
KIND_HEADER = ("kind", "sent", "served", "p50 ms", "p95 ms", "refused", "failed")


def step_row(step: Step) -> tuple[str, ...]:
    """A step as a row; `STEP_HEADER` names its columns."""
    late_ms = max((one.late_s * 1000 for one in step.judged), default=0.0)
    return (
        step.name,
        f"{len(step.judged) / step.seconds:.1f}",
        f"{step.served_a_second:.1f}",
        *(_percentile(step.served_ms(), share) for share in (50, 95, 99)),
        *(str(len(step.of(fate))) for fate in (Fate.REFUSED, Fate.FAILED)),
        *(f"{figure:,.0f}" for figure in (step.slowest_probe_ms, step.own_mib, late_ms)),
    )


def kind_rows(step: Step) -> Iterator[tuple[str, ...]]:
    """What became of each kind of request in a step; `KIND_HEADER` names the columns."""
    for kind in TrafficKind:
        served, refused, failed = (len(step.of(fate, kind)) for fate in Fate)
        times = (_percentile(step.served_ms(kind), share) for share in (50, 95))
        yield (kind, str(served + refused + failed), str(served), *times, str(refused), str(failed))


def _percentile(times_ms: Sequence[float], share: float) -> str:
    """The time that `share` per cent stay within; a dash where there is none."""
    return f"{np.percentile(times_ms, share):,.0f}" if times_ms else "–"
