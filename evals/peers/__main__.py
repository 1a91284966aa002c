"""relnotes beside its peers: `python -m evals.peers [--peer NAME]... [--suite NAME]... [--questions SUITE=FILE]...`.

A run of all peers over all suites writes `evals/peers/RESULTS.md`; any other run prints the same tables only.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from corpus.errors import RelnotesError, UsageError
from evals.peers.registry import PEER_NAMES, PEERS, PeerEntry, library, load_peer
from evals.peers.tables import render_comparisons, render_comparisons_json
from evals.peers.trial import QuestionFile, compare
from evals.question_set import load_questions
from evals.suites import FULL_SUITES, Suite, load_suite

RESULTS = Path(__file__).with_name("RESULTS.md")
_PREFACE = """# relnotes beside its peers

Written by `python -m evals.peers`: the same documents, the same questions, the same grading, in one run on one machine.

- Every system embeds with all-MiniLM-L6-v2 on our OpenVINO runtime, which is faster than what the peers would bring
  along, and without a cache of vectors. The peers get the text that our index holds: reading files and extracting
  HTML is in our ingest time and not in theirs. There is no language model anywhere.
- A peer has no answer of its own without a language model: its answer and its citations are its first passage, or its
  first three. It always answers; the third row of each lets it refuse where its best passage's cosine is below a
  cut-off, chosen as ours is: it refuses at most 8 % of the development half's answerable questions. The test half is
  the one to read there.
- A peer carries no conversation and knows no channel's product: earlier questions and the product stand before the
  question that it is asked. relnotes gets them as its users give them.
- A passage retrieves the gold when it covers 70 % of it. Long passages do that more easily: mind the lengths. Ours
  have at most 1,600 characters.
"""


def main(arguments: Sequence[str]) -> int:
    """Run what is asked for; write the report where that is everything.

    Raises:
        RelnotesError: a library or a folder of documents is absent, or a question file is malformed.
    """
    options = _parser().parse_args(arguments)
    suites = [suite for suite in FULL_SUITES if suite.name in (options.suite or _names(FULL_SUITES))]
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
    if len(suites) == len(FULL_SUITES) and len(entries) == len(PEERS):
        RESULTS.write_text(f"{_PREFACE}\n{_shapes(entries)}\n\n{tables}", encoding="utf-8")
    sys.stdout.write(render_comparisons_json(comparisons) + "\n" if options.json else tables)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m evals.peers", description="Run relnotes and its peers.")
    parser.add_argument("--peer", action="append", choices=PEER_NAMES, help="only this peer; may be repeated")
    parser.add_argument(
        "--suite", action="append", choices=_names(FULL_SUITES), help="only this suite; may be repeated"
    )
    parser.add_argument(
        "--questions",
        action="append",
        default=[],
        metavar="SUITE=FILE",
        help="ask a further file's questions about the documents of a suite; may be repeated",
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of Markdown")
    return parser


def _names(suites: Sequence[Suite]) -> tuple[str, ...]:
    return tuple(suite.name for suite in suites)


def _files(suite: Suite, further: Sequence[str]) -> tuple[QuestionFile, ...]:
    """The suite's own questions and those of the files named for it."""
    files = [QuestionFile(suite.name, load_suite(suite))]
    for argument in further:
        name, _, path = argument.partition("=")
        if not path or name not in _names(FULL_SUITES):
            raise UsageError(f"--questions must be SUITE=FILE with one of {_names(FULL_SUITES)}, got {argument!r}.")
        if name == suite.name:
            files.append(
                QuestionFile(f"{name}, {Path(path).parent.name}/{Path(path).name}", load_questions(Path(path)))
            )
    return tuple(files)


def _shapes(entries: Sequence[PeerEntry]) -> str:
    return "\n".join(["The peers:", "", *(f"- {entry.name} ({library(entry)}): {entry.shape}." for entry in entries)])


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except RelnotesError as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(1)
