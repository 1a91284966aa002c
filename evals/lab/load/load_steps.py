"""What a step of a load test comes to: rates, times, fates, memory."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from evals.lab.load.judging import Fate, Texts, judge
from evals.lab.load.open_loop import Outcome, Probe
from evals.lab.load.slack_stand_in import SlackThreads, thread_of
from evals.lab.load.traffic import Shot, TrafficKind
from evals.lab.trials import SummaryRow


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
        return sum(probe.status != 200 for probe in self.probes)

    @property
    def slowest_probe_ms(self) -> float:
        """The slowest probe."""
        return max((probe.seconds * 1000 for probe in self.probes), default=0.0)


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
