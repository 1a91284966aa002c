"""What a question, a claim, a diff, a version, a dependency file and a document of each format cost as they double.

In the time of the processor, so that other work of the machine counts little. Every way in is given hostile families,
and every regular expression is pumped (`patterns.py`); what pumping finds is given to the ways in too, for a pattern
that is slow on a long text does no harm where no long text reaches it.
"""

import os
import random
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from corpus.cache_folder import cache_folder
from corpus.errors import RelnotesError
from evals.lab.cost.patterns import Pumped, Slow, all_patterns, find_slow, methods_by_name, strings_of
from evals.lab.cost.timing import exponent, processor_s
from evals.lab.cost.ways import Way, ways
from evals.lab.serving import run_ingest
from evals.lab.trials import CountTable, TrialFindings
from evals.suites import BUNDLED
from retrieval.assistant import Assistant

_MAX_EXPONENT, _NOTABLE_S, _MAX_S = 1.3, 0.05, 5.0
_STRINGS = 30
"""A pattern with more strings is pumped with so many of them, drawn by chance."""


@dataclass(frozen=True, slots=True)
class _Cost:
    """Of a family by a way in: seconds at the largest size, and the power by which they grow."""

    family: str
    seconds: float
    exponent: float


def add_options(parser: ArgumentParser) -> None:
    """What this trial can be told."""
    parser.add_argument("--seed", type=int, default=1)


def run(options: Namespace) -> TrialFindings:
    """Pump the patterns, then try every way in."""
    if hasattr(os, "sched_setaffinity"):  # Threads of a model that wait for each other spin, and that would count.
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    chosen = random.Random(options.seed)  # noqa: S311 draws strings, no secrets
    patterns, methods, strings = all_patterns(), methods_by_name(), 0
    slow: list[Slow] = []
    for name, pattern in patterns.items():
        made = strings_of(pattern)
        made = made if len(made) <= _STRINGS else tuple(chosen.sample(made, _STRINGS))
        strings += len(made)
        bare = name.partition(" (")[0]
        asked = methods.get(bare) or methods.get(bare.partition(": ")[0], frozenset())
        if found := find_slow(name, pattern, asked, made):
            slow.append(found)
    index = cache_folder() / "bench" / "cost"
    run_ingest(BUNDLED.documents, index)
    with Assistant.open(index) as assistant:
        costs = {name: (way, tuple(_costs(way, slow))) for name, way in ways(assistant).items()}
    return _findings(costs, slow, len(patterns), strings)


def _costs(way: Way, slow: Sequence[Slow]) -> Iterator[_Cost]:
    # What is loaded by the first text of a kind is no cost of a text.
    _seconds(way, next(iter(way.families.values()))(1_024))
    for family, make in way.families.items():
        yield _grown(way, family, make)
    strings = {one.string.prefix + one.string.unit: one for one in slow if one.name.startswith(way.modules)}
    for one in strings.values():
        # Tried at two sizes first, and at all where it grows too fast.
        make = partial(_between, one.string)
        half, whole = (_seconds(way, make(size)) for size in (way.largest // 2, way.largest))
        if whole > max(_NOTABLE_S, 2**_MAX_EXPONENT * half):
            yield _grown(way, f"pumped: {one.name}", make)


def _between(string: Pumped, size: int) -> str:
    """Words around it, for blanks at the ends of a text are stripped."""
    return f"numpy {string.text(size - 20)[: size - 20]} was removed"


def _grown(way: Way, family: str, make: Callable[[int], str]) -> _Cost:
    costs: list[tuple[int, float]] = []
    for size in (way.largest >> down for down in (3, 2, 1, 0)):
        text = make(size)
        costs.append((len(text), _seconds(way, text)))
        if costs[-1][1] > _MAX_S:
            break  # Twice as much isn't tried then.
    if exponent(costs) > _MAX_EXPONENT and costs[-1][1] > _NOTABLE_S:  # Other work of the machine may be why.
        costs = [(size, min(cost, _seconds(way, make(size)))) for size, cost in costs]
    return _Cost(family, costs[-1][1], exponent(costs))


def _seconds(way: Way, text: str) -> float:
    def read() -> None:
        with suppress(RelnotesError):  # A refusal costs too.
            way.read(text)

    return processor_s(read, limit_s=_MAX_S)


def _told(seconds: float) -> str:
    return f"{seconds:.2f}" if seconds < _MAX_S else f"over {_MAX_S:.0f}"


def _findings(
    found: Mapping[str, tuple[Way, Sequence[_Cost]]], slow: Sequence[Slow], patterns: int, strings: int
) -> TrialFindings:
    rows, steep, dear = [], [], []
    for name, (way, costs) in found.items():
        notable = [cost for cost in costs if cost.seconds > _NOTABLE_S]
        steepest = max(notable, key=lambda cost: cost.exponent, default=None)
        dearest = max(costs, key=lambda cost: cost.seconds)
        told = f"{steepest.exponent:.2f} ({steepest.family})" if steepest else "–"
        rows.append((name, f"{way.largest:,}", str(len(costs)), told, f"{_told(dearest.seconds)} ({dearest.family})"))
        steep += [cost for cost in notable if cost.exponent > _MAX_EXPONENT]
        dear += [cost for cost in costs if cost.seconds > _MAX_S]
    alone = [
        (
            f"`{one.name}`",
            f"{one.exponent:.2f}",
            f"{one.seconds:.2f} of {one.size:,}",
            f"`{one.string.prefix!r} + {one.string.unit!r}`",
        )
        for one in slow
    ]
    families = sum(len(costs) for _, costs in found.values())
    return TrialFindings(
        title="Cost of a text as it doubles",
        summary=(
            ("ways in with families of hostile texts", "all that read words, diffs, files", f"{len(found)}", True),
            ("families, each at four sizes", "≥ 500", f"{families:,}", families >= 500),
            ("regular expressions pumped", "all", f"{patterns:,} by {strings:,} strings", True),
            (
                f"exponents over {_MAX_EXPONENT} at more than {_NOTABLE_S * 1000:.0f} ms",
                "0",
                f"{len(steep)}",
                not steep,
            ),
            (f"texts over {_MAX_S:.0f} s", "0", f"{len(dear)}", not dear),
        ),
        tables=(
            CountTable(("way in", "characters", "families", "steepest exponent", "dearest, s"), tuple(rows)),
            CountTable(
                ("pattern", "exponent", "s of characters", "string"), tuple(alone), "Patterns that are slow alone."
            ),
        ),
        notes=(
            "Seconds are of the processor, at the largest size; an exponent is the slope of log time over log size at "
            "the largest size, its half, quarter and eighth, where the largest takes over 50 ms. Questions, claims and "
            "a conversation of ten questions are as long as the entrances let in, over the bundled digests with "
            "everything on; documents, dependency files and diffs may be longer than what is tried here "
            "(32 MiB, 1 MB), and cost as much more as they are longer. A document is parsed, split and its acts are "
            "read, without the embedding model. All on one processor.",
            f"Pumping repeats each part of a pattern, up to 64 KiB; {len(slow)} of {patterns} patterns are slow alone. "
            "Their strings were given to the ways in whose texts they read, at the largest size and its half, and are "
            "among the families there where that grew too fast: elsewhere a bound on what reaches a pattern holds.",
        ),
    )
