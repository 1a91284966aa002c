"""relnotes beside its peers: `python -m evals.lab.peers [--peer NAME]... [--suite NAME]... [--full]`.

A run of all peers over the gate's suites writes `evals/lab/peers/RESULTS.md`, with `--full` over all documents
`evals/lab/peers/RESULTS-full.md`; a run of some peers or suites prints the same tables only.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from corpus.errors import UsageError
from evals.command import run_command
from evals.lab.peers.registry import PEER_NAMES, PEERS, PeerEntry, library, load_peer
from evals.lab.peers.tables import render_comparisons, render_comparisons_json
from evals.lab.peers.trial import NamedQuestions, compare
from evals.suites import CORPORA, FULL_SUITES, GATE_SUITES, Suite, load_suite

SUITES = (*GATE_SUITES, CORPORA)
SUITE_NAMES = tuple(suite.name for suite in SUITES)
_PREFACE = """# relnotes beside its peers

Written by `python -m evals.lab.peers`: the same documents, the same questions, the same grading, in one run on one
machine.

- Every system embeds with all-MiniLM-L6-v2 on our OpenVINO runtime, which is faster than what the peers would bring
  along, and without a cache of vectors. The peers get the text that our index holds: reading files and extracting
  HTML is in our ingest time and not in theirs. There is no language model anywhere.
- A peer has no answer of its own without a language model: its answer and its citations are its first passage, or its
  first three. It always answers; the third row of each lets it refuse where its best passage's cosine is below a
  cut-off, the highest that refuses at most 6 % of the development half's answerable questions. The test half is the
  one to read there.
- A peer carries no conversation and knows no channel's product: earlier questions and the product stand before the
  question that it is asked. relnotes gets them as its users give them.
- A passage retrieves the gold when it covers 70 % of it. Long passages do that more easily: mind the lengths. Ours
  have at most 1,600 characters.
- Sections that name a file are its questions (`--questions SUITE=FILE`), at the cut-off chosen on the suite's own.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what is asked for; write the report where that is everything.

    Raises:
        RelnotesError: a library or a folder of documents is absent, or a question file is malformed.
    """
    options = _parser().parse_args(arguments)
    complete = FULL_SUITES if options.full else GATE_SUITES
    suites = [suite for suite in SUITES if suite.name in options.suite] if options.suite else complete
    entries = [entry for entry in PEERS if entry.name in (options.peer or PEER_NAMES)]
    absent = [suite.name for suite in suites if not suite.is_available]
    if absent:
        raise UsageError(
            f"The documents of {', '.join(absent)} aren't beside this checkout (../shared). Choose with --suite."
        )
    files = {suite.name: _files(suite, options.questions) for suite in suites}
    peers = [(entry.name, load_peer(entry)) for entry in entries]
    comparisons = [found for suite in suites for found in compare(suite, files[suite.name], peers)]
    tables = render_comparisons(comparisons)
    if not options.suite and not options.peer:
        target = Path(__file__).with_name("RESULTS-full.md" if options.full else "RESULTS.md")
        target.write_text(f"{_PREFACE}{_load()}\n{_shapes(entries)}\n\n{tables}", encoding="utf-8")
    sys.stdout.write(render_comparisons_json(comparisons) + "\n" if options.json else tables)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m evals.lab.peers", description="Run relnotes and its peers.")
    parser.add_argument("--peer", action="append", choices=PEER_NAMES, help="only this peer; may be repeated")
    suites = parser.add_mutually_exclusive_group()
    suites.add_argument("--suite", action="append", choices=SUITE_NAMES, help="only this suite; may be repeated")
    suites.add_argument("--full", action="store_true", help="over all of ../shared/corpora; about an hour")
    parser.add_argument(
        "--questions",
        action="append",
        default=[],
        metavar="SUITE=FILE",
        help="ask a further file's questions about the documents of a suite; may be repeated",
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of Markdown")
    return parser


def _files(suite: Suite, further: Sequence[str]) -> tuple[NamedQuestions, ...]:
    """The suite's own questions and those of the files named for it."""
    files = [NamedQuestions(suite.name, load_suite(suite))]
    for argument in further:
        name, _, path = argument.partition("=")
        if not path or name not in SUITE_NAMES:
            raise UsageError(f"--questions must be SUITE=FILE with one of {', '.join(SUITE_NAMES)}, got {argument!r}.")
        if name == suite.name:
            title = f"{name}, {Path(path).parent.name}/{Path(path).name}"
            files.append(NamedQuestions(title, load_suite(replace(suite, questions=Path(path)))))
    return tuple(files)


def _load() -> str:
    """How busy the machine was: on a busy one only large differences in time mean anything."""
    if not hasattr(os, "getloadavg"):
        return ""
    return f"- Times are of {os.cpu_count()} cores at a load of {os.getloadavg()[-1]:.1f} (15 minutes' mean).\n"


def _shapes(entries: Sequence[PeerEntry]) -> str:
    return "\n".join(["The peers:", "", *(f"- {entry.name} ({library(entry)}): {entry.shape}." for entry in entries)])


if __name__ == "__main__":
    run_command(main)
