"""What the benchmarks must show, each with what was measured of it last."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean

from evals.lab.bench.growth import OwnGrowth, PeerGrowth
from evals.lab.bench.ingest_tables import IngestSection, medians
from evals.lab.bench.sections import Sections

_COLD_SHARE, _COLD_SECONDS, _COLD_SIZE = 0.2, 1.2, 40_000
_INGEST_TIMES = 2.0
_WARM_SHARE = 1.0
_WARM_SIZES = (40_000, 1_000_000)
_GROWTH_FROM, _GROWTH_EXPONENT = 10_000, 0.8
_RECALL = 0.98
_MEMORY_SHARE = 0.5
_LARGE, _LARGE_ITEMS = 1_000_000, 4_000_000
"""What growth, memory and recall are promised for; with less, a figure is told and nothing is said to hold."""


@dataclass(frozen=True, slots=True)
class Promise:
    """One promise; `measured` is in words, and `holds` None where nothing was measured, or not
    at the size that is promised."""

    measure: str
    against: str
    must: str
    measured: str = "not measured"
    holds: bool | None = None


def judge(sections: Sections) -> tuple[Promise, ...]:
    """Every promise, in a fixed order."""
    return (
        _judge_cold(sections),
        _judge_ingest(sections),
        *(_judge_warm(sections, size) for size in _WARM_SIZES),
        _judge_growth(sections),
        _judge_recall(sections),
        _judge_memory(sections),
    )


def _judge_cold(sections: Sections) -> Promise:
    must = f"≤ {_COLD_SHARE} of its time, ≤ {_COLD_SECONDS} s"
    asked, against = "`relnotes ask` from cold, the whole process", "a script of sentence-transformers and FAISS"
    if not sections.cold:
        return Promise(asked, against, must)
    record = sections.cold[-1].record
    ours, script = min(record.ours_seconds), min(record.script_seconds)
    told = f"{ours / script:.2f}, {ours:.2f} s beside {script:.2f} s, over {record.passages:,} passages"
    holds = ours <= _COLD_SHARE * script and ours <= _COLD_SECONDS
    return Promise(asked, against, must, told, holds if record.passages >= _COLD_SIZE else None)


def _judge_ingest(sections: Sections) -> Promise:
    measure, against = "passages a second of an ingest", "the fastest peer, same passages"
    must = f"≥ {_INGEST_TIMES:g} times"
    if sections.ingest is None:
        return Promise(measure, against, must)
    times, name = ingest_ratio(sections.ingest.record)
    return Promise(measure, against, must, f"{times:.2f} times {name}'s", times >= _INGEST_TIMES)


def ingest_ratio(section: IngestSection) -> tuple[float, str]:
    """How many times the passages a second of the fastest peer relnotes takes in, and that peer."""
    ours, *peers = medians(section, "same")
    fastest = max(peers, key=lambda peer: peer.passages / peer.seconds)
    return ours.passages / ours.seconds / (fastest.passages / fastest.seconds), fastest.system


def warm_ratio(peers: Sequence[PeerGrowth]) -> float | None:
    """relnotes' p50 as a part of the peers' median, which of an even number is the mean of the two in the middle.

    A peer that couldn't be asked is slower than all that could; where only one of the two in the middle could, it is
    the median, and where none could, 0 is given. None without a peer.
    """
    if not peers:
        return None
    # In units of relnotes' own p50, for each peer has runs of relnotes beside it.
    times = sorted(1 / peer.ratio if peer.ratio else math.inf for peer in peers)
    middle = [time for time in times[(len(times) - 1) // 2 : len(times) // 2 + 1] if time < math.inf]
    return 1 / mean(middle) if middle else 0.0


def _judge_warm(sections: Sections, size: int) -> Promise:
    measure = f"p50 of a warm question over {size:,} passages, everything on"
    against, must = "the median peer's plain search by vector", f"≤ {_WARM_SHARE:g} of its time"
    asked = [one for one in sections.peers if one.record.passages == size]
    peers = [one.record for one in asked]
    ratio = warm_ratio(peers)
    if ratio is None:
        return Promise(measure, against, must)
    absent = [peer.system for peer in peers if peer.asked is None]
    by_peer = ", ".join(f"{peer.system} {peer.ratio:.2f}{_at_recall(peer)}" for peer in peers if peer.ratio)
    told = f"{ratio:.2f}" + (f" ({by_peer})" if by_peer else "")
    if absent:
        told += f"; {' and '.join(absent)} couldn't hold so many"
    if len({one.under.machine for one in asked}) > 1:
        told += "; measured on more than one machine, each peer beside the relnotes of its day"
    return Promise(measure, against, must, told, ratio <= _WARM_SHARE)


def _at_recall(peer: PeerGrowth) -> str:
    return "" if peer.recall is None else f" at a recall of {peer.recall:.2f}"


def growth_exponent(first: OwnGrowth, last: OwnGrowth) -> float:
    """The power of the number of passages by which p50 grew from one size to a larger: 1 is linear."""
    return math.log(last.asked.p50_ms / first.asked.p50_ms) / math.log(last.passages / first.passages)


def _judge_growth(sections: Sections) -> Promise:
    must = f"a power of the passages ≤ {_GROWTH_EXPONENT}"
    found = [one.record for one in sections.own if one.record.passages >= _GROWTH_FROM]
    if len(found) < 2:
        return Promise("growth of a warm question's p50", "linear", must)
    first, last = found[0], found[-1]
    exponent = growth_exponent(first, last)
    told = (
        f"{exponent:.2f}: {last.asked.p50_ms / first.asked.p50_ms:.1f} times from {first.passages:,} to "
        f"{last.passages:,} passages"
    )
    holds = exponent <= _GROWTH_EXPONENT if last.passages >= _LARGE else None
    return Promise("growth of a warm question's p50", "linear", must, told, holds)


def _judge_recall(sections: Sections) -> Promise:
    measure, must = "recall@10 of the search of items", f"≥ {_RECALL}, under a filter of 1 % too"
    if not sections.recall:
        return Promise(measure, "exact float32", must)
    record = sections.recall[-1].record
    told = (
        f"{record.unfiltered:.4f}, and {record.filtered:.4f} with {100 * record.share:.1f} % of {record.items:,} items"
    )
    holds = min(record.unfiltered, record.filtered) >= _RECALL if record.items >= _LARGE_ITEMS else None
    return Promise(measure, "exact float32", must, told, holds)


def _judge_memory(sections: Sections) -> Promise:
    measure, against = "resident memory of a server", "its vectors alone as float32"
    if not sections.serving:
        return Promise(measure, against, f"≤ {_MEMORY_SHARE}")
    record = sections.serving[-1].record
    share = record.memory.resident / record.flat_mib
    told = f"{share:.2f}: {record.memory.resident:,.0f} of {record.flat_mib:,.0f} MiB, {record.passages:,} passages"
    holds = share <= _MEMORY_SHARE if record.passages >= _LARGE else None
    return Promise(measure, against, f"≤ {_MEMORY_SHARE}", told, holds)
