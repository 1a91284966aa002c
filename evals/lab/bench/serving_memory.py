"""Memory of a `relnotes serve` that has answered 200 varied questions: its own pages and those of files apart."""

from argparse import ArgumentParser, Namespace

from corpus.index.tables import TableReader
from evals.lab.bench.grown_corpora import grown_corpora, sizes_option
from evals.lab.processes import memory_parts
from evals.lab.questions import varied_questions
from evals.lab.serving import asked_server
from evals.lab.trials import CountTable, SummaryRow, TrialFindings

_QUESTIONS = 200
_TIMEOUT_S = 600.0
_MAX_SHARE, _LARGE = 0.5, 1_000_000
_HEADER = ("passages", "resident, MiB", "own, MiB", "of files, MiB", "PSS, MiB", "float32 vectors, MiB")


def add_options(parser: ArgumentParser) -> None:
    """What this trial can be told."""
    sizes_option(parser, [40_000, _LARGE])


def run(options: Namespace) -> TrialFindings:
    """Serve an index of each size, ask one question after the other, and look.

    Raises:
        httpx.HTTPError: a question wasn't answered.
    """
    summary: list[SummaryRow] = []
    rows = []
    for size in options.sizes:
        grown = grown_corpora(size)
        with asked_server(grown.index, timeout_s=_TIMEOUT_S) as (server, ask):
            for question in varied_questions(_QUESTIONS):
                ask(question)
            memory = memory_parts(server.process)
        with TableReader.open(grown.index) as tables:
            flat_mib = 4 * tables.manifest.items * tables.manifest.dimensions / 2**20
        parts = (memory.resident, memory.anonymous, memory.of_files, memory.proportional, flat_mib)
        rows.append((f"{size:,}", *(f"{part:,.0f}" for part in parts)))
        if size >= _LARGE:
            share = memory.resident / flat_mib
            measured = f"{share:.2f}: {memory.resident:,.0f} of {flat_mib:,.0f} MiB"
            measure = f"resident memory of a server of {size:,} passages, of its vectors alone as float32"
            summary.append((measure, f"≤ {_MAX_SHARE}", measured, share <= _MAX_SHARE))
    return TrialFindings(
        title="Memory of a server",
        summary=tuple(summary),
        tables=(CountTable(_HEADER, tuple(rows)),),
        notes=(
            f"A `relnotes serve` after {_QUESTIONS} varied questions. *Own* pages can't be dropped; those *of files* "
            "(the index, the model, libraries) the system may drop and read again. PSS counts pages that processes "
            "share in part. The last column is what the vectors alone would take as float32, as most stores hold them.",
        ),
    )
