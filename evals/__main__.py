"""A question set asked over an index, in figures: `python -m evals [QUESTIONS.jsonl] [--min METRIC=VALUE]...`.

Answers are checked against the ingested source files. Questions whose document is missing, or has changed since they
were written, are skipped and listed; lines with "reviewed": false are left out and counted. Status 1 below a minimum.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from corpus.errors import RelnotesError, UsageError
from corpus.index.reader import IndexReader
from evals import runner
from evals.command import run_command
from evals.metrics import check_minimums, parse_minimum
from evals.pages import FolderTexts
from evals.question_set import load_question_file
from evals.report import render_json, render_results
from evals.suites import BUNDLED
from ingest.progress import BarProgress
from ui.opening import open_assistant, open_chat_model
from ui.settings import load_asking_settings


def main(arguments: Sequence[str] | None = None) -> int:
    """Ask the questions and print the figures; return 1 if a minimum is missed. A wrong call exits with 2.

    Raises:
        RelnotesError: there is no index, or none of the questions could be asked.
    """
    parser = argparse.ArgumentParser(prog="python -m evals", description=__doc__.split(":")[0])
    parser.add_argument("questions", nargs="?", type=Path, default=BUNDLED.questions, metavar="QUESTIONS.jsonl")
    parser.add_argument("--min", action="append", default=[], metavar="METRIC=VALUE", help="repeat it for more")
    parser.add_argument("--index", type=Path, help="default: that of every command")
    parser.add_argument("-k", "--limit", type=int, default=10, help="passages an answer lists")
    parser.add_argument("--json", action="store_true", help="one JSON document")
    options = parser.parse_args(arguments)
    try:
        minimums = tuple(map(parse_minimum, options.min))
        questions, unreviewed = load_question_file(options.questions)
    except UsageError as error:
        parser.error(str(error))
    settings = load_asking_settings(index=options.index, model=None)
    with (
        open_assistant(settings, model=open_chat_model(settings)) as assistant,
        BarProgress(is_shown=sys.stderr.isatty()) as progress,
    ):
        progress.phase("Asking", len(questions))
        run = runner.run_questions(
            questions,
            lambda question: assistant.ask(
                question.question,
                history=question.history,
                product=question.product,
                version=question.version,
                limit=options.limit,
            ),
            texts=_ingested_texts(assistant.index),
            name=options.questions.stem,
            progress=progress.advance,
        )
    report = runner.evaluate(run)
    print(render_json(report, unreviewed=unreviewed) if options.json else render_results([report]))
    if not report.overall.questions:
        raise RelnotesError(
            f"None of the {len(questions)} questions could be asked: this index doesn't have their documents "
            "as they were. Ingest the folder that the question set is about."
        )
    misses = check_minimums(report.overall.figures, minimums)
    print(*misses, sep="\n", end="\n" * bool(misses), file=sys.stderr)
    return int(bool(misses))


def _ingested_texts(index: IndexReader) -> Callable[[str], str | None]:
    """Return a function that reads an ingested file by source path; a missing file's text comes from the index."""
    files = FolderTexts(*(Path(root) for root in sorted({document.root for document in index.documents})))
    ids = {document.source: document.id for document in reversed(index.documents)}
    return lambda path: (files(path) or index.document_text(ids[path])) if path in ids else None


if __name__ == "__main__":
    run_command(main)
