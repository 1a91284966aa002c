"""The section of ingest: records of `evals.lab.bench.ingest_peers` to Markdown."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import median


@dataclass(frozen=True, slots=True)
class IngestRecord:
    """One ingest by one system; of relnotes' `comparison` is empty, for it is the same in each."""

    system: str
    comparison: str
    seconds: float
    """Of the ingest itself, from the first file to the last byte on the disk."""
    wall_seconds: float
    """Of the whole process: with importing and loading the model."""
    cpu_seconds: float
    peak_mib: float
    disk_mib: float
    passages: int
    characters: int
    tokens: int


@dataclass(frozen=True, slots=True)
class IngestSection:
    """All ingests of one run over `documents` (in words); `again_seconds` is the same ingest with nothing changed."""

    documents: str
    rounds: int
    again_seconds: float
    records: tuple[IngestRecord, ...]


_TITLES = {
    "same": (
        "Same passages",
        "Each peer gets the very text that relnotes embeds, passage by passage. relnotes also reads and parses the "
        "files, makes BM25, and embeds each passage by its items.",
    ),
    "own": ("Own passages", "Each peer gets the text of the same files and cuts it by its own splitter."),
}

_NOTES = """
- *ingest, s* is from the first file to the index on the disk, without importing libraries and loading the model, which
  cost the peers more; *process, s* is with them. *CPU, s* is of the whole process.
- *passages/s*, *characters/s* and *tokens/s* are of the ingest's seconds. Characters and tokens are those that the
  model reads: of each text the first 256 tokens. Shorter passages give more of them a second, and not more tokens.
- *peak* is resident memory of the process and its children; *disk* is what the index holds.
- The peers embed in float32, relnotes in bfloat16 where the processor has it, else in 8-bit integers where it has
  instructions for them. That is a part of each ratio: in float32 throughout relnotes embeds long passages 1.3 times and
  sentences 1.8 times as fast as torch ([decision 1](decisions/0001-embedding-runtime.md)).
- relnotes starts with an empty cache of vectors, but the model exported, which happens once on a machine; what the
  peers would download isn't measured either.
- The peers: LlamaIndex's `VectorStoreIndex`, persisted (`HuggingFaceEmbedding`; `SentenceSplitter` of 256 tokens);
  Haystack's in-memory store, saved (`SentenceTransformersDocumentEmbedder`; `DocumentSplitter` of 200 words); txtai's
  `Embeddings(hybrid=True, content=True)`, saved, and Chroma's default collection of a persistent client
  (`SentenceTransformerEmbeddingFunction`), both over pieces of 512 characters. Batches are their defaults.
"""


def render_ingest(section: IngestSection) -> str:
    """Notes, a table for each comparison, and how relnotes stands to the best peer of each."""
    of_rounds = f"medians of {section.rounds} rounds in turn" if section.rounds > 1 else "one round, in turn"
    parts = [
        f"{section.documents}, all-MiniLM-L6-v2 from the same file, {of_rounds}. The same ingest again, with nothing "
        f"changed, takes {section.again_seconds:.1f} s, the whole process.\n{_NOTES}"
    ]
    for comparison in dict.fromkeys(record.comparison for record in section.records if record.comparison):
        rows = medians(section, comparison)
        title, note = _TITLES[comparison]
        parts.append(f"### {title}\n\n{note}\n\n{_table(rows)}\n{_verdict(rows)}")
    return "\n".join(parts)


def medians(section: IngestSection, comparison: str) -> tuple[IngestRecord, ...]:
    """relnotes and each peer in one comparison, of the medians over the rounds; relnotes first."""
    return _medians(record for record in section.records if record.comparison in ("", comparison))


def _medians(records: Iterable[IngestRecord]) -> tuple[IngestRecord, ...]:
    """A record for each system, of the medians over its rounds."""
    rounds: dict[str, list[IngestRecord]] = defaultdict(list)
    for record in records:
        rounds[record.system].append(record)
    return tuple(_median(found) for found in rounds.values())


def _median(records: Sequence[IngestRecord]) -> IngestRecord:
    def middle(value: Callable[[IngestRecord], float]) -> float:
        return float(median(map(value, records)))

    return replace(
        records[0],
        seconds=middle(lambda one: one.seconds),
        wall_seconds=middle(lambda one: one.wall_seconds),
        cpu_seconds=middle(lambda one: one.cpu_seconds),
        peak_mib=middle(lambda one: one.peak_mib),
        disk_mib=middle(lambda one: one.disk_mib),
    )


def _table(rows: Sequence[IngestRecord]) -> str:
    lines = [
        "| system | passages | ingest, s | process, s | CPU, s | passages/s | characters/s | tokens/s | peak, MiB "
        "| disk, MiB |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
        *(
            f"| {row.system} | {row.passages} | {row.seconds:.1f} | {row.wall_seconds:.1f} | {row.cpu_seconds:.1f} "
            f"| {row.passages / row.seconds:.1f} | {row.characters / row.seconds:.0f} "
            f"| {row.tokens / row.seconds:.0f} | {row.peak_mib:.0f} | {row.disk_mib:.1f} |"
            for row in rows
        ),
    ]
    return "\n".join(lines) + "\n"


def _verdict(rows: Sequence[IngestRecord]) -> str:
    """How relnotes stands to whichever peer is best in each measure."""
    ours, *peers = rows
    measures: tuple[tuple[str, Callable[[IngestRecord], float]], ...] = (
        ("passages a second", lambda row: row.passages / row.seconds),
        ("characters a second", lambda row: row.characters / row.seconds),
        ("tokens a second", lambda row: row.tokens / row.seconds),
        ("passages a second of the whole process", lambda row: row.passages / row.wall_seconds),
        ("tokens a second of processor time", lambda row: row.tokens / row.cpu_seconds),
    )
    lines = ["relnotes against the best peer of each measure:", ""]
    for name, value in measures:
        best = max(peers, key=value)
        lines.append(f"- {name}: {value(ours) / value(best):.2f} times {best.system}'s")
    least = min(peers, key=lambda row: row.peak_mib)
    smallest = min(peers, key=lambda row: row.disk_mib)
    lines.append(f"- peak memory: {ours.peak_mib / least.peak_mib:.2f} of {least.system}'s")
    lines.append(f"- disk: {ours.disk_mib / smallest.disk_mib:.2f} of {smallest.system}'s")
    return "\n".join(lines) + "\n"
