"""docs/benchmarks.md and its plots: everything that was measured, to Markdown and SVG."""

from collections.abc import Iterable, Mapping, Sequence

from evals.lab.bench.growth import OwnGrowth, PeerGrowth
from evals.lab.bench.growth_plot import GrowthCurve, GrowthPanel, render_growth
from evals.lab.bench.ingest_tables import render_ingest
from evals.lab.bench.query import render_stages
from evals.lab.bench.sections import Section, Sections
from evals.lab.bench.verdicts import judge
from evals.tables import render_table

_HEAD = """# Benchmarks

Written by `python -m evals.lab.bench` (`make bench`); every section tells its command, its time, its machine and the
load of that before (processes that ran or waited to run: where it is above the number of cores, seconds are too many,
and only ratios of runs in turn count). All systems use all-MiniLM-L6-v2 from the same file, each in processes of its
own.
"""
_GROWTH_NOTE = """
- The index of each size holds the documents of `../shared/corpora`, parsed as ever, and altered copies of them as
  further products with other versions and in part other words, their vectors those of the original with noise (a cosine
  of about 0.95). Time, memory and what filters select are real; whether an answer is right isn't measured here.
- relnotes answers with everything on: it parses the question, searches by meaning and by words, ranks, decides, quotes
  and checks the quotes. A peer finds ten passages by vector; it is given the same texts and one vector each, where
  relnotes holds one for each sentence or entry. Each embeds the question by its own runtime, in float32.
- Of the 118 questions 97 name their product. relnotes filters by it; a peer isn't told of it and searches everything.
- LlamaIndex: `VectorStoreIndex` over its simple store, persisted. Haystack: the in-memory store, saved. txtai: its
  default FAISS index, with content. Chroma: a default collection of a persistent client.
- p50 and p95 are over the questions, of which each counts with its fastest of three passes; a system that is slow is
  asked fewer. *open* is from a loaded library to the first answer. Memory is what the process holds after its
  questions, *own* without pages of files. *grown* and *filled* are from given vectors to the index on the disk; of
  relnotes with making the copies.
- Figures and points side by side may be of different machines, as the lines above tell; those of a ratio are of one.
- A peer's *ratio* is relnotes' p50, the mean of the runs right before and after that peer, as a part of the peer's.
  One that needs more than an hour, or more than most of the memory, is ended; it counts as slower than all that
  don't.
- A peer's *recall* is how much of the ten nearest by exact product is among the ten that it lists; that of relnotes'
  search of items has a section of its own.
"""
_COLD_NOTE = """
Whole processes, from start to exit, with files in the system's cache. The script (`evals/lab/bench/one_shot.py`) loads
sentence-transformers and a flat FAISS index of one vector a passage, a quarter of what relnotes searches, and prints
ten texts. Both are asked the same question, another one each round, in turn; the fastest of each counts. Beside a
running `relnotes serve` of the same index, `relnotes ask` lets that answer.
"""
_SERVING_NOTE = """
A `relnotes serve` after 200 varied questions. *Own* pages can't be dropped; those *of files* (the index, the model,
libraries) the system may drop and read again. PSS counts pages that processes share in part. The last column is what
the vectors alone would take as float32, as most stores hold them.
"""
_RECALL_NOTE = """
The ten nearest items by the index's own search, of 200 questions, beside an exact float32 product with every stored
vector; over all items, and where a filter leaves the items of a few products.
"""


def render_page(sections: Sections) -> str:
    """The whole page; sections that weren't measured are left out."""
    parts = [_HEAD, _libraries(sections), _verdict_table(sections)]
    if sections.own:
        parts += ["## Warm questions, memory and disk as passages grow\n", _growth(sections), _bottleneck(sections)]
    if sections.cold:
        parts += ["## One question from cold\n", _told(sections.cold), _COLD_NOTE, _cold_table(sections.cold)]
    if sections.ingest:
        told = _told([sections.ingest])
        parts += ["## Ingest beside other libraries\n", told, "", render_ingest(sections.ingest.record)]
    if sections.serving:
        parts += ["## Memory of a server\n", _told(sections.serving), _SERVING_NOTE, _serving_table(sections.serving)]
    if sections.recall:
        parts += ["## What the search of items finds\n", _told(sections.recall), _RECALL_NOTE]
        parts.append(_recall_table(sections.recall))
    return "\n".join(parts).rstrip() + "\n"


def render_plots(sections: Sections) -> Mapping[str, str]:
    """SVG by file name; none where nothing grew."""
    own = [one.record for one in sections.own]
    peers = [one.record for one in sections.peers if one.record.asked]
    if not own:
        return {}
    names = tuple(dict.fromkeys(peer.system for peer in peers))

    def curves(ours: Sequence[float], theirs: Sequence[float | None]) -> tuple[GrowthCurve, ...]:
        sizes = [one.passages for one in own]
        found = [GrowthCurve("relnotes", tuple(zip(sizes, ours, strict=True)))]
        for name in names:
            values = zip(peers, theirs, strict=True)
            points = tuple((float(peer.passages), v) for peer, v in values if peer.system == name and v)
            found.append(GrowthCurve(name, points))
        return tuple(found)

    p50 = curves([one.asked.p50_ms for one in own], [peer.asked.p50_ms for peer in peers])
    linear = _linear_from(next((one for one in own if one.passages >= 10_000), own[0]), own[-1])
    return {
        "benchmarks-warm.svg": render_growth(
            [
                GrowthPanel("a warm question, p50, ms", (*p50, linear)),
                GrowthPanel(
                    "p95, ms", curves([one.asked.p95_ms for one in own], [peer.asked.p95_ms for peer in peers])
                ),
            ]
        ),
        "benchmarks-space.svg": render_growth(
            [
                GrowthPanel(
                    "memory when warm, MiB",
                    curves([one.asked.memory.resident for one in own], [peer.asked.memory.resident for peer in peers]),
                ),
                GrowthPanel("disk, MiB", curves([one.disk_mib for one in own], [peer.disk_mib for peer in peers])),
            ]
        ),
        "benchmarks-opening.svg": render_growth(
            [
                GrowthPanel(
                    "opened and first answer, s",
                    curves([one.asked.open_seconds for one in own], [peer.asked.open_seconds for peer in peers]),
                ),
                GrowthPanel(
                    "written from given vectors, s",
                    curves([one.grow_seconds for one in own], [peer.fill_seconds for peer in peers]),
                ),
            ]
        ),
    }


def _linear_from(first: OwnGrowth, last: OwnGrowth) -> GrowthCurve:
    points = ((size, first.asked.p50_ms * size / first.passages) for size in (first.passages, last.passages))
    return GrowthCurve("linear", tuple(points), is_dashed=True)


def _libraries(sections: Sections) -> str:
    every = [*([sections.ingest] if sections.ingest else []), *sections.cold, *sections.own, *sections.peers,
             *sections.serving, *sections.recall]  # fmt: skip
    return f"{', '.join(sorted({name for one in every for name in one.under.libraries}))}.\n"


def _told(sections: Iterable[Section]) -> str:
    """How sections were measured: one line for each command on one machine."""
    found: dict[tuple[str, str], list[Section]] = {}
    for one in sections:
        found.setdefault((one.under.command, one.under.machine), []).append(one)
    lines = []
    for (command, machine), those in found.items():
        days = dict.fromkeys(one.under.began[:10] for one in those)
        loads = [one.under.load for one in those]
        load = f"{min(loads):.1f}" if len(loads) == 1 else f"{min(loads):.1f} to {max(loads):.1f}"
        lines.append(f"`{command}`, {' and '.join(days)}, on {machine}, load {load}.")
    return "  \n".join(lines)


def _verdict_table(sections: Sections) -> str:
    words = {True: "yes", False: "**no**", None: "—"}
    rows = [(one.measure, one.against, one.must, one.measured, words[one.holds]) for one in judge(sections)]
    return render_table(("measure", "against", "must be", "measured", "holds"), rows) + "\n"


def _growth(sections: Sections) -> str:
    own = [one.record for one in sections.own]
    lines = [
        _told([*sections.own, *sections.peers]),
        _GROWTH_NOTE,
        *(f"![{alt}]({name})\n" for name, alt in _PLOTS.items()),
        "### relnotes\n",
        render_table(
            ("passages", "items", "p50, ms", "p95, ms", "open, s", "memory, MiB", "own, MiB", "disk, MiB", "grown, s"),
            [
                (
                    f"{one.passages:,}", f"{one.items:,}", f"{one.asked.p50_ms:.1f}", f"{one.asked.p95_ms:.1f}",
                    f"{one.asked.open_seconds:.1f}", f"{one.asked.memory.resident:,.0f}",
                    f"{one.asked.memory.anonymous:,.0f}", f"{one.disk_mib:,.0f}", f"{one.grow_seconds:,.0f}",
                )
                for one in own
            ],
        ),
    ]  # fmt: skip
    sizes = dict.fromkeys(one.record.passages for one in sections.peers)
    for size in sizes:
        peers = [one.record for one in sections.peers if one.record.passages == size]
        lines += [f"\n### Peers over {size:,} passages\n", _peer_table(peers)]
        lines += [f"- {peer.system} isn't among them: {peer.failure}." for peer in peers if peer.failure]
    return "\n".join(lines) + "\n"


_PLOTS = {
    "benchmarks-warm.svg": "Milliseconds of a warm question over the number of passages, relnotes beside its peers",
    "benchmarks-space.svg": "Memory and disk over the number of passages, relnotes beside its peers",
    "benchmarks-opening.svg": "Seconds to open and to write an index over the number of passages",
}


def _peer_table(peers: Sequence[PeerGrowth]) -> str:
    rows = [
        (
            peer.system, f"{peer.asked.p50_ms:.1f}", f"{peer.asked.p95_ms:.1f}", f"{peer.ratio:.2f}",
            str(peer.asked.questions), f"{peer.asked.open_seconds:.1f}", f"{peer.asked.memory.resident:,.0f}",
            f"{peer.asked.memory.anonymous:,.0f}", f"{peer.disk_mib:,.0f}", f"{peer.fill_seconds:,.0f}",
            "" if peer.recall is None else f"{peer.recall:.3f}",
        )
        for peer in peers
        if peer.asked
    ]  # fmt: skip
    header = (
        "system", "p50, ms", "p95, ms", "ratio", "questions", "open, s", "memory, MiB", "own, MiB", "disk, MiB",
        "filled, s", "recall",
    )  # fmt: skip
    return render_table(header, rows) + "\n"


def _bottleneck(sections: Sections) -> str:
    """Where the time of a warm answer goes at the largest size, and which stage grows."""
    last: OwnGrowth = sections.own[-1].record
    whole = sum(last.stages_ms.values())
    name, longest = max(last.stages_ms.items(), key=lambda stage: stage[1])
    told = (
        f"Over {last.passages:,} passages the next bottleneck is **{name}**: {longest:.1f} of {whole:.1f} ms in the "
        f"mean, {100 * longest / whole:.0f} %."
    )
    first: OwnGrowth = sections.own[0].record
    if first.passages < last.passages:
        grown = {stage: ms - first.stages_ms.get(stage, 0.0) for stage, ms in last.stages_ms.items()}
        most, more = max(grown.items(), key=lambda stage: stage[1])
        told += f" From {first.passages:,} passages on **{most}** grew most, by {more:.1f} ms."
    return f"### The next bottleneck\n\n{told}\n\n{render_stages(last.stages_ms)}\n"


def _cold_table(sections: Sequence[Section]) -> str:
    rows = []
    for record in (one.record for one in sections):
        ours, script = min(record.ours_seconds), min(record.script_seconds)
        rows.append(
            (
                f"{record.passages:,}", f"{ours:.2f}", f"{script:.2f}", f"{ours / script:.2f}",
                f"{min(record.beside_seconds):.2f}", f"{record.ours_cpu_seconds:.2f}",
                f"{record.script_cpu_seconds:.2f}", f"{record.ours_peak_mib:,.0f}", f"{record.script_peak_mib:,.0f}",
            )
        )  # fmt: skip
    header = (
        "passages", "relnotes, s", "script, s", "ratio", "relnotes beside its server, s", "relnotes CPU, s",
        "script CPU, s", "relnotes, MiB", "script, MiB",
    )  # fmt: skip
    return render_table(header, rows) + "\n"


def _serving_table(sections: Sequence[Section]) -> str:
    rows = [
        (
            f"{one.passages:,}", f"{one.memory.resident:,.0f}", f"{one.memory.anonymous:,.0f}",
            f"{one.memory.of_files:,.0f}", f"{one.memory.proportional:,.0f}", f"{one.flat_mib:,.0f}",
        )
        for one in (section.record for section in sections)
    ]  # fmt: skip
    header = ("passages", "resident, MiB", "own, MiB", "of files, MiB", "PSS, MiB", "float32 vectors, MiB")
    return render_table(header, rows) + "\n"


def _recall_table(sections: Sequence[Section]) -> str:
    rows = [
        (f"{one.items:,}", f"{one.unfiltered:.4f}", f"{one.filtered:.4f}", f"{100 * one.share:.2f} %")
        for one in (section.record for section in sections)
    ]
    return render_table(("items", "recall@10", "under a filter", "which leaves"), rows) + "\n"
