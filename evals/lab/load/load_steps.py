"""What a step of a load test comes to: rates, times, fates, memory."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from evals.lab.load.judging import Fate, RequestVerdict, Texts, judge
from evals.lab.load.loaded_server import SlackThreads
from evals.lab.load.open_loop import Outcome, Probe
from evals.lab.load.slack_stand_in import thread_of
from evals.lab.load.traffic import TrafficKind
from evals.lab.trials import SummaryRow


@dataclass(frozen=True, slots=True)
class Judged:
    """An outcome and what it is."""

    outcome: Outcome
    verdict: RequestVerdict


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

    def count(self, fate: Fate, kind: TrafficKind | None = None) -> int:
        """How many requests had this fate."""
        return sum(
            judged_request.verdict.fate is fate and kind in (None, judged_request.outcome.shot.kind)
            for judged_request in self.judged
        )

    def served_ms(self, kind: TrafficKind | None = None) -> tuple[float, ...]:
        """Milliseconds of the requests that were served."""
        return tuple(
            judged_request.outcome.seconds * 1000
            for judged_request in self.judged
            if judged_request.verdict.fate is Fate.SERVED and kind in (None, judged_request.outcome.shot.kind)
        )

    @property
    def served_a_second(self) -> float:
        """Requests served in a second of the step, until the last one's answer was there."""
        ended = max(
            (judged_request.outcome.shot.due_s + judged_request.outcome.seconds for judged_request in self.judged),
            default=0.0,
        )
        return self.count(Fate.SERVED) / max(self.seconds, ended)

    @property
    def late_ms(self) -> float:
        """How late the generator itself was at most."""
        return max((judged_request.outcome.late_s * 1000 for judged_request in self.judged), default=0.0)

    @property
    def bad_probes(self) -> int:
        """Probes that weren't answered with 200."""
        return sum(probe.status != 200 for probe in self.probes)

    @property
    def slowest_probe_ms(self) -> float:
        """The slowest probe."""
        return max((probe.seconds * 1000 for probe in self.probes), default=0.0)


def judge_all(outcomes: Iterable[Outcome], texts: Texts) -> tuple[Judged, ...]:
    """Judge each outcome by its kind."""
    return tuple(
        Judged(outcome, judge(outcome.shot.kind, outcome.reply, seconds=outcome.seconds, texts=texts))
        for outcome in outcomes
    )


def slack_rows(judged: Iterable[Judged], threads: SlackThreads, *, seconds: float) -> tuple[SummaryRow, ...]:
    """Whether each mention that was acknowledged is answered within `seconds`, and once."""
    acknowledged = {
        thread_of(judged_request.outcome.shot.number)
        for judged_request in judged
        if judged_request.outcome.shot.kind is TrafficKind.SLACK and judged_request.verdict.fate is Fate.SERVED
    }
    unanswered = threads.wait_for(acknowledged, seconds=seconds)
    doubled = sum(threads.posted[thread] > 1 for thread in acknowledged)
    return (
        ("Slack mentions acknowledged and never answered", "0", str(len(unanswered)), not unanswered),
        ("Slack mentions answered twice", "0", str(doubled), doubled == 0),
    )


def failures(judged: Iterable[Judged]) -> Counter[tuple[TrafficKind, str]]:
    """Why requests failed, by their kind."""
    return Counter(
        (judged_request.outcome.shot.kind, judged_request.verdict.why[:120])
        for judged_request in judged
        if judged_request.verdict.fate is Fate.FAILED
    )


def step_row(step: Step) -> tuple[str, ...]:
    """A step as a row; `STEP_HEADER` names its columns."""
    times = step.served_ms()
    return (
        step.name,
        f"{len(step.judged) / step.seconds:.1f}",
        f"{step.served_a_second:.1f}",
        *(percentile(times, share) for share in (50, 95, 99)),
        str(step.count(Fate.REFUSED)),
        str(step.count(Fate.FAILED)),
        f"{step.slowest_probe_ms:,.0f}",
        f"{step.own_mib:,.0f}",
        f"{step.late_ms:,.0f}",
    )


STEP_HEADER = (
    "load",
    "offered /s",
    "served /s",
    "p50 ms",
    "p95 ms",
    "p99 ms",
    "refused",
    "failed",
    "slowest probe ms",
    "own MiB",
    "sent late, at most ms",
)


def kind_rows(step: Step) -> Iterable[tuple[str, ...]]:
    """What became of each kind of request in a step; `KIND_HEADER` names the columns."""
    for kind in TrafficKind:
        served, refused, failed = (step.count(fate, kind) for fate in Fate)
        times = step.served_ms(kind)
        total = str(served + refused + failed)
        yield kind, total, str(served), percentile(times, 50), percentile(times, 95), str(refused), str(failed)


KIND_HEADER = ("kind", "sent", "served", "p50 ms", "p95 ms", "refused", "failed")


def percentile(times_ms: Sequence[float], share: float) -> str:
    """The time that `share` per cent stay within; a dash where there is none."""
    return f"{np.percentile(times_ms, share):,.0f}" if times_ms else "–"
