"""A soak: all entrances of one server or several over one index, for long, the index changed again and again.

Every answer is checked as in the load test, and each server's memory, open files, threads and temporary files are
looked at all the while: none may grow. Between, another process ingests a document that is there, isn't there, or is
another one, each time a new state of the index; in the end each server must have picked up the newest.
"""

import asyncio
import contextlib
import json
import tempfile
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from corpus.index.tables import TableReader
from evals.lab.load.judging import (
    KIND_HEADER,
    STEP_HEADER,
    Fate,
    Step,
    Texts,
    failures,
    judge_all,
    kind_rows,
    known_texts,
    slack_rows,
    step_row,
)
from evals.lab.load.load import default_documents, describe_index, loaded_servers, open_session, topics_of
from evals.lab.load.traffic import Entrances, Shot, Topics, Traffic, fire_watched
from evals.lab.processes import folder_mib, memory_parts
from evals.lab.serving import Server, run_ingest
from evals.lab.trials import CountTable, SummaryRow, TrialFindings

CHANGED_SOURCE = "sprocket/changelog.md"
VERSIONS = (
    "# Sprocket changelog\n\n## 4.2.0 (2026-01-15)\n\n- `sprocket.align` now takes the angle in radians.\n",
    "# Sprocket changelog\n\n## 4.3.0 (2026-02-15)\n\n- `sprocket.align` takes degrees again, as before 4.2.\n",
)
"""The texts that it has, one after the other."""
KEPT_SOURCE = "sprocket/readme.md"
KEPT_TEXT = "# Sprocket 4.1 (2025-12-15)\n\n- `sprocket.turn` is new.\n"
"""One beside it that stays: a folder without a document isn't ingested."""


def change_document(folder: Path, index: Path, turn: int) -> None:
    """Write the document's text of this turn into `folder`, or remove it in every third, and ingest the folder.

    Raises:
        subprocess.CalledProcessError: the ingest failed.
    """
    document = folder / CHANGED_SOURCE
    document.parent.mkdir(parents=True, exist_ok=True)
    (folder / KEPT_SOURCE).write_text(KEPT_TEXT, "utf-8")
    if turn % 3 < len(VERSIONS):
        document.write_text(VERSIONS[turn % 3], "utf-8")
    else:
        document.unlink(missing_ok=True)
    run_ingest(folder, index)


_SAMPLES = 60
_SLACK_S = 120.0
_PICKED_UP_S = 15.0
GROWTH_LIMITS = {
    "resident MiB": 60, "own MiB": 60, "open files": 10, "sockets": 120, "threads": 10, "temporary files": 20,
}  # fmt: skip
"""How much each figure may grow in an hour, by its line of least squares: at ten requests a second, a leak of two
kilobytes in each is more than this, and what the allocator and the caches still fill up after some minutes is less."""
_LEAST_MINUTES = 10.0
"""A line through less tells nothing of an hour."""
_SHOWN_SAMPLES = 15
Samples = Sequence[tuple[float, Mapping[str, float]]]
"""Seconds since the beginning, and the figures then."""


@dataclass(frozen=True, slots=True)
class Soaked:
    """What was seen of one server."""

    step: Step
    samples: Samples
    behind: int
    """States of the index that it is behind the newest, in the end."""


def add_options(parser: ArgumentParser) -> None:
    """What this trial can be told."""
    parser.add_argument("--servers", type=int, default=1, help="processes over one index (default 1)")
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--rate", type=float, default=3.0, help="requests a second to each server (default 3)")
    parser.add_argument("--pause", type=float, default=60.0, help="seconds between two ingests (default 60)")
    parser.add_argument("--seed", type=int, default=21)
    parser.add_argument("--documents", type=Path, default=default_documents())


def run(options: Namespace) -> TrialFindings:
    """Serve an index of the documents, and soak the servers."""
    with tempfile.TemporaryDirectory() as name:
        folder, temporary = Path(name), Path(name) / "temporary"
        index = folder / "index"
        temporary.mkdir()
        run_ingest(options.documents, index)
        texts = {**known_texts(index), CHANGED_SOURCE: frozenset(VERSIONS), KEPT_SOURCE: frozenset((KEPT_TEXT,))}
        topics = topics_of(index, options.documents)
        private = {"TMPDIR": str(temporary), "GRADIO_TEMP_DIR": str(temporary / "page")}
        with loaded_servers(index, options.servers, **private) as (servers, threads):
            soaked, ingests = asyncio.run(_soak(servers, topics, texts, folder, options))
            of_slack = slack_rows((one for each in soaked for one in each.step.judged), threads, seconds=_SLACK_S)
        held = f"{describe_index(index)} It took {folder_mib(index):,.0f} MiB at the end."
    first = soaked[0]
    return TrialFindings(
        title="Soak of a server" if options.servers == 1 else f"Soak of {options.servers} servers",
        summary=(*summarise(soaked, ingests=ingests), *of_slack),
        tables=(
            CountTable(STEP_HEADER, tuple(step_row(each.step) for each in soaked), "By server, named by its port."),
            _over_time(first.samples),
            CountTable(KIND_HEADER, tuple(kind_rows(first.step)), "By kind of request."),
        ),
        notes=(
            f"{held} {options.rate:g} requests a second to each server come at times of their own, while the index is "
            f"changed every {options.pause:g} s by an ingest in a process of its own. Growth is the slope of the line "
            "of least squares through the last two thirds of the samples, in an hour; the tables over time and by kind "
            "are of the first server.",
        ),
    )


async def _soak(
    servers: Sequence[Server], topics: Topics, texts: Texts, folder: Path, options: Namespace
) -> tuple[tuple[Soaked, ...], int]:
    """What was seen of each server, and how many states were committed meanwhile."""
    traffic, index = Traffic(options.seed), folder / "index"
    seconds = options.minutes * 60
    ingesting = asyncio.create_task(_ingest_on(index, folder / "changing", pause_s=options.pause))
    try:
        loading = (
            _load(server, topics, texts, traffic.step(rate=options.rate, seconds=seconds), folder, seconds)
            for server in servers
        )
        seen = await asyncio.gather(*loading)
    finally:
        ingesting.cancel()
        ingests = await ingesting
    with TableReader.open(index) as tables:
        newest = tables.manifest.generation
    reached = await asyncio.gather(*(_generation(server, newest) for server in servers))
    return tuple(Soaked(*loaded, newest - at) for loaded, at in zip(seen, reached, strict=True)), ingests


async def _load(
    server: Server, topics: Topics, texts: Texts, shots: Sequence[Shot], folder: Path, seconds: float
) -> tuple[Step, Samples]:
    samples: list[tuple[float, Mapping[str, float]]] = []
    watching = asyncio.create_task(_watch(server, folder / "temporary", samples, every=seconds / _SAMPLES))
    try:
        async with open_session(server.address) as session:
            outcomes, probes = await fire_watched(shots, Entrances(session, topics))
    finally:
        watching.cancel()
    name, rate = server.address.rpartition(":")[2], len(shots) / seconds
    return Step(name, rate, seconds, judge_all(outcomes, texts), probes, samples[-1][1]["own MiB"]), samples


async def _watch(
    server: Server, temporary: Path, samples: list[tuple[float, Mapping[str, float]]], *, every: float
) -> None:
    """Add the figures to `samples`, again and again."""
    began = time.monotonic()
    while True:
        samples.append((time.monotonic() - began, read_figures(server.process, temporary=temporary)))
        await asyncio.sleep(every)


async def _ingest_on(index: Path, folder: Path, *, pause_s: float) -> int:
    """How often the document was changed, once it is cancelled; the last ingest is let end."""
    done = 0
    turning = None
    try:
        while True:
            await asyncio.sleep(pause_s)
            turning = asyncio.create_task(asyncio.to_thread(change_document, folder, index, done))
            done += 1
            await asyncio.shield(turning)
    except asyncio.CancelledError:
        if turning:
            await turning
        return done


async def _generation(server: Server, newest: int) -> int:
    """The state that a server is ready with, once that is `newest` or time is up."""
    async with open_session(server.address) as session:
        for _ in range(int(_PICKED_UP_S / 0.25)):
            async with session.get("/readyz") as response:
                readiness = json.loads(await response.text())
            if readiness.get("generation") == newest:
                break
            await asyncio.sleep(0.25)
    return int(readiness.get("generation", -1))


def summarise(soaked: Sequence[Soaked], *, ingests: int) -> list[SummaryRow]:
    """What must hold, by how much it does, and whether; of growth the most of any server."""
    steps = [each.step for each in soaked]
    judged = [one for step in steps for one in step.judged]
    failed, refused = (sum(len(step.of(fate)) for step in steps) for fate in (Fate.FAILED, Fate.REFUSED))
    why = "; ".join(f"{kind}: {cause}" for (kind, cause), _ in failures(judged).most_common(3))
    behind = sum(each.behind != 0 for each in soaked)
    bad_probes = sum(step.bad_probes for step in steps)
    rows: list[SummaryRow] = [
        (f"of {len(judged):,} requests, failed or wrong", "0", f"{failed} {why}".rstrip(), failed == 0),
        ("refused", "0", str(refused), refused == 0),
        ("states of the index that were swapped in", "≥ 1", str(ingests), ingests >= 1),
        ("servers that didn't pick up the newest", "0", str(behind), behind == 0),
        ("probes not answered with 200", "0", str(bad_probes), bad_probes == 0),
    ]
    if steps[0].seconds >= 60 * _LEAST_MINUTES:
        for name, limit in GROWTH_LIMITS.items():
            grown = max(
                slope_an_hour([at for at, _ in each.samples], [figures[name] for _, figures in each.samples])
                for each in soaked
            )
            rows.append((f"growth an hour: {name}", f"≤ {limit}", f"{grown:+.1f}", grown <= limit))
    return rows


def _over_time(samples: Samples) -> CountTable:
    rows = [
        (f"{at / 60:.1f}", *(f"{figure:,.0f}" for figure in figures.values()))
        for at, figures in samples[:: max(1, len(samples) // _SHOWN_SAMPLES)]
    ]
    return CountTable(("minute", *samples[0][1]), tuple(rows), "Over time.")


def read_figures(process: int, *, temporary: Path) -> Mapping[str, float]:
    """The figures of a process now, by name; all 0 where the system doesn't tell.

    File pages are what was touched of libraries, the model and the mapped index, which the system may drop and read
    again. There are as many sockets as clients just now, and those that they keep open for a while. `temporary` is the
    folder of its temporary files.
    """
    memory = memory_parts(process)
    descriptors = _listed(Path("/proc") / str(process) / "fd")
    sockets = 0
    for descriptor in descriptors:
        # It may be closed just now.
        with contextlib.suppress(OSError):
            sockets += str(descriptor.readlink()).startswith("socket:")
    return {
        "resident MiB": memory.resident,
        "own MiB": memory.anonymous,
        "file pages MiB": memory.of_files,
        "open files": len(descriptors) - sockets,
        "sockets": sockets,
        "threads": len(_listed(Path("/proc") / str(process) / "task")),
        "temporary files": sum(path.is_file() for path in temporary.rglob("*")),
    }


def slope_an_hour(seconds: Sequence[float], values: Sequence[float]) -> float:
    """How much a figure grows in an hour: the straight line of least squares through the last two thirds of the time.

    The first third is left out: what is loaded at first and kept is no growth. Fewer than three samples give 0.
    """
    kept = [(at, value) for at, value in zip(seconds, values, strict=True) if at >= seconds[-1] / 3]
    if len(kept) < 3:
        return 0.0
    at, of = np.array(kept).T
    return float(np.polyfit(at / 3600, of, 1)[0])


def _listed(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except OSError:
        return []
