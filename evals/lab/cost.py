"""Measures how the cost of questions, claims, diffs, versions, dependency files and documents grows as they double.

Times are of the processor, so that other work on the machine counts little. Every entrance is given hostile families of
texts: pieces of `families.toml`, repeated, with `@` as a counter. `python -m evals.lab attacks` finds further ones.
"""

import math
import os
import signal
import time
import tomllib
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from itertools import count
from math import ceil
from pathlib import Path
from types import FrameType

import numpy as np

from corpus.acts import act_terms
from corpus.cache_folder import cache_folder
from corpus.dependencies.dependency_files import MAX_LINE_CHARACTERS, read_dependencies
from corpus.dependencies.model import Line
from corpus.errors import RelnotesError
from evals.lab.processes import run_ingest
from evals.lab.trials import CountTable, SummaryRow, TrialFindings
from evals.suites import BUNDLED
from ingest.encoding import read_structure
from ingest.passages.splitting import split_passages
from ingest.releases.identity import Hints
from ingest.sources.files import FetchedDocument
from retrieval.assistant import Assistant
from retrieval.claims.checking import MAX_TEXT_CHARACTERS
from retrieval.model import MAX_QUESTION_LENGTH

MAX_EXPONENT, NOTABLE_S, MAX_S = 1.3, 0.05, 5.0
_LEAST_S = 0.016
"""The least time that is measured reliably: some systems count processor time in steps of 4 ms."""
_PIECES: Mapping[str, Mapping[str, str]] = tomllib.loads((Path(__file__).parent / "families.toml").read_text("utf-8"))
_NOTE = (
    "Seconds are of the processor, at the largest size; an exponent is the slope of log time over log size at the "
    "largest size, its half, quarter and eighth, where the largest takes over 50 ms. Questions, claims and a "
    "conversation of ten questions are as long as the entrances let in, over the bundled digests with everything on; "
    "documents, dependency files and diffs may be longer than what is tried here (32 MiB, 1 MB), and cost as much more "
    "as they are longer. A document is parsed, split and its acts are read, without the embedding model. All on one "
    "processor."
)


@dataclass(frozen=True, slots=True)
class Way:
    """An entrance for texts, with its families by name; each makes a text of a given size."""

    read: Callable[[str], object]
    largest: int
    """The largest size tried: the entrance's limit, or less if that takes too long."""
    families: Mapping[str, Callable[[int], str]]
    modules: tuple[str, ...] = ()
    """Prefixes of the names of modules whose patterns read such a text."""

    def seconds(self, text: str) -> float:
        """Return the processor seconds of reading a text, also if it is refused."""

        def read() -> None:
            with suppress(RelnotesError):
                self.read(text)

        return processor_s(read, limit_s=MAX_S)


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost of a family through an entrance: seconds at the largest size, and the exponent of their growth."""

    family: str
    seconds: float
    exponent: float


def add_options(parser: ArgumentParser) -> None:
    """Add no options: this trial has none."""


def run(_: Namespace) -> TrialFindings:
    """Measure all families through all entrances."""
    with open_ways() as ways:
        costs = {name: [grown(way, *family) for family in way.families.items()] for name, way in ways.items()}
    summary, table = summarise_costs(ways, costs)
    return TrialFindings(title="Cost of a text as it doubles", summary=summary, tables=(table,), notes=(_NOTE,))


@contextmanager
def open_ways() -> Iterator[dict[str, Way]]:
    """Open the entrances over the bundled digests, by name, all on one processor and warmed up, for a `with` block."""
    if hasattr(os, "sched_setaffinity"):  # Threads of a model spin while they wait, which would count as its time.
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    index = cache_folder() / "bench" / "cost"
    run_ingest(BUNDLED.documents, index)
    with Assistant.open(index) as assistant:
        ways = _ways(assistant)
        for way in ways.values():
            # The first text loads modules and models, which isn't the cost of a text.
            way.seconds(next(iter(way.families.values()))(1_024))
        yield ways


def grown(way: Way, family: str, make: Callable[[int], str]) -> Cost:
    """Measure texts of a family at four sizes; stop after one that takes over `MAX_S`."""
    costs: list[tuple[int, float]] = []
    for size in (way.largest >> down for down in (3, 2, 1, 0)):
        costs.append((size, way.seconds(make(size))))
        if costs[-1][1] > MAX_S:
            break
    if exponent(costs) > MAX_EXPONENT and costs[-1][1] > NOTABLE_S:  # Repeated, as other work may have slowed it.
        costs = [(size, min(cost, way.seconds(make(size)))) for size, cost in costs]
    return Cost(family, costs[-1][1], exponent(costs))


def summarise_costs(
    ways: Mapping[str, Way], costs: Mapping[str, Sequence[Cost]]
) -> tuple[tuple[SummaryRow, ...], CountTable]:
    """Return the requirements on costs, and a table of the costliest and the steepest family of each entrance."""
    rows, too_steep, too_slow = [], 0, 0
    for name, family_costs in costs.items():
        notable = [cost for cost in family_costs if cost.seconds > NOTABLE_S]
        steepest = max(notable, key=lambda cost: cost.exponent, default=None)
        dearest = max(family_costs, key=lambda cost: cost.seconds)
        seconds = f"{dearest.seconds:.2f}" if dearest.seconds < MAX_S else f"over {MAX_S:.0f}"
        growth = f"{steepest.exponent:.2f} ({steepest.family})" if steepest else "–"
        rows.append((name, f"{ways[name].largest:,}", str(len(family_costs)), growth, f"{seconds} ({dearest.family})"))
        too_steep += sum(cost.exponent > MAX_EXPONENT for cost in notable)
        too_slow += sum(cost.seconds > MAX_S for cost in family_costs)
    notable_ms = f"exponents over {MAX_EXPONENT} at more than {NOTABLE_S * 1000:.0f} ms"
    summary = (
        ("ways in with families of hostile texts", "all that read words, diffs, files", str(len(costs)), True),
        (notable_ms, "0", str(too_steep), not too_steep),
        (f"texts over {MAX_S:.0f} s", "0", str(too_slow), not too_slow),
    )
    return summary, CountTable(("way in", "characters", "families", "steepest exponent", "dearest, s"), tuple(rows))


def _ways(assistant: Assistant) -> dict[str, Way]:
    words = {name: partial(repeated, piece) for name, piece in _PIECES["words"].items()}
    markup = {name: partial(repeated, piece) for name, piece in _PIECES["markup"].items()}
    hunks = {name: partial(_diff, piece) for name, piece in _PIECES["diffs"].items()}
    few = {name: words[name] for name in ("versions", "since", "CVEs", "one claim")}
    words_of_all = ("corpus.acts", "corpus.lexicon", "corpus.plain_words", "corpus.symbols", "corpus.versions")
    asking = (*words_of_all, "retrieval.")
    reading = (*words_of_all, "ingest.formats", "ingest.passages", "ingest.releases")

    def converse(text: str) -> None:
        assistant.ask("And in pip?", history=[text[at::10] or "x" for at in range(10)])

    ways = {
        "question": Way(assistant.ask, MAX_QUESTION_LENGTH, words, asking),
        "history of ten questions": Way(converse, 10 * MAX_QUESTION_LENGTH, few),
        "version": Way(lambda text: assistant.upgrade("numpy", text, "latest"), 131_072, words),
        "filter by version": Way(lambda text: assistant.understand("New?", version=text), 131_072, words),
        "claims": Way(assistant.cite, MAX_TEXT_CHARACTERS, words, asking),
        "diff": Way(assistant.review, 131_072, hunks),
    }
    for suffix in ("md", "rst", "adoc", "html", "txt"):
        ways[f"document: notes.{suffix}"] = Way(partial(_read_document, f"notes.{suffix}"), 16_384, markup, reading)
    for path, line in _PIECES["files"].items():
        read = partial(_read_file, path)
        ways[f"dependencies: {path}"] = Way(read, 65_536, _lines(line), ("corpus.dependencies",))
    return ways


def repeated(piece: str, size: int) -> str:
    """Repeat a piece to `size` characters, `@` in it replaced by the next number each time."""
    if "@" not in piece:
        return (piece * (size // len(piece) + 1))[:size]
    pieces, length = list[str](), 0
    for number in count():
        if length >= size:
            break
        pieces.append(piece.replace("@", str(number)))
        length += len(pieces[-1])
    return "".join(pieces)[:size]


def _diff(piece: str, size: int) -> str:
    """Return a unified diff of repeated pieces: in its lines, or in its file's name if the piece ends with a slash."""
    if piece.startswith("---"):
        return repeated(piece, size).rpartition("--- ")[0]
    name = repeated(piece, size) if piece.endswith("/") else "requirements.txt" if "==" in piece else "a.py"
    body = "" if piece.endswith("/") else repeated(piece, size).rpartition("\n")[0]
    if not body.startswith("@@"):
        removed, added = (sum(line.startswith(sign) for line in body.splitlines()) for sign in "-+")
        body = f"@@ -1,{removed} +1,{added} @@\n{body}"
    return f"--- a/{name}\n+++ b/{name}\n{body}\n"


def _lines(line: str) -> dict[str, Callable[[int], str]]:
    """Return families of files: of lines like `line`, of lines with a long value, and of longest lines of marks."""
    start, _, end = line.replace("1.@", "\0", 1).replace("@", "1").partition("\0")

    def long(start: str, piece: str, end: str, size: int) -> str:
        long_line = start + repeated(piece, min(size, MAX_LINE_CHARACTERS - 100)) + end
        return "\n".join([long_line] * ceil(size / MAX_LINE_CHARACTERS))

    long_marks = {name: partial(long, "", piece, "") for name, piece in _PIECES["lines"].items()}
    return {"bumps": partial(repeated, line + "\n"), "long values": partial(long, start, "1.", end), **long_marks}


def _read_file(path: str, text: str) -> None:
    lines = [Line(number, line) for number, line in enumerate(text.splitlines(), start=1)]
    read_dependencies(path, lines)


def _read_document(name: str, text: str) -> None:
    """Parse and split a document as an ingest does, without the embedding model."""
    source = FetchedDocument(name, name, "/notes", text.encode(), Hints()).below("/notes", Hints())
    parsed, identity, releases = read_structure(source, text.encode())
    for passage in split_passages(parsed, releases, title=identity.title):
        for item in passage.items:
            act_terms(item.span.slice(parsed.text), passage.heading)


class _OverError(BaseException):
    """Ends a call at its time limit; no `Exception`, so that no handler of the product catches it."""


def processor_s(call: Callable[[], object], *, limit_s: float) -> float:
    """Return the processor seconds of a call; infinite if it is ended at the limit. `re` checks for signals, too."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise _OverError

    previous = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, limit_s)
    began = time.process_time()
    try:
        call()
        return max(time.process_time() - began, 1e-6)
    except _OverError:
        return math.inf
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, previous)


def exponent(costs: Sequence[tuple[int, float]]) -> float:
    """Return the slope of log time over log size at the four largest sizes that can be measured: 1 is linear, 0 too
    quick to measure; infinite if a call was ended at the limit and fewer than two sizes are left."""
    finite = [cost for cost in costs if _LEAST_S <= cost[1] < math.inf][-4:]
    if len(finite) < 2:
        return math.inf if costs[-1][1] == math.inf else 0.0
    sizes, times = np.log(np.array(finite)).T
    return float(np.polyfit(sizes, times, 1)[0])
