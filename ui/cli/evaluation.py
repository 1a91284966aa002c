"""`relnotes eval`: a question set asked over the index, in figures."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from corpus.errors import RelnotesError
from ui.cli.options import IndexOption, JsonOption, LimitOption, ModelOption, echo, is_quiet, show_result
from ui.cli.recorded import RecordOption, ReplayOption, open_recorded, report_replayed

if TYPE_CHECKING:
    from corpus.index.reader import IndexReader


def evaluate(
    questions: Annotated[
        Path | None, typer.Argument(metavar="[QUESTIONS.jsonl]", help="A question set; without it, the bundled one")
    ] = None,
    minimums: Annotated[
        list[str] | None,
        typer.Option("--min", metavar="METRIC=VALUE", help="Exit with status 1 below this value; repeat it for more"),
    ] = None,
    replay: ReplayOption = None,
    record: RecordOption = None,
    limit: LimitOption = 10,
    model: ModelOption = None,
    index: IndexOption = None,
    as_json: JsonOption = False,
) -> None:
    """Run a question set over the index and print its metrics.

    Answers are checked against the ingested source files. Questions whose
    document isn't there, or has changed since they were written, are skipped
    and listed; lines with "reviewed": false are left out and counted.

    With --replay, a language model reads what is found as `relnotes ask` has
    it, without a network: its completions come from a file of lines with
    "request", the digest of a request, and "completion". With --record, the
    requests that have none are written down, completed by the language model
    that is set; where none is, give each to a model by itself, and add what it
    completes to the recordings.

    Examples:
      relnotes eval
      relnotes eval questions.jsonl --min recall@5=0.85 --min quote_verbatim=1 --json
      relnotes eval questions.jsonl --replay recordings.jsonl --record requests.jsonl
    """
    from evals import runner
    from evals.metrics import check_minimums, parse_minimum
    from evals.question_set import load_question_file
    from evals.report import render_json, render_results
    from evals.suites import BUNDLED
    from ingest.progress import BarProgress
    from ui.opening import open_assistant
    from ui.rendering.words import counted
    from ui.settings import load_asking_settings

    wanted = tuple(parse_minimum(text) for text in minimums or ())
    settings = load_asking_settings(index=index, model=model)
    path = questions or BUNDLED.questions
    asked, unreviewed = load_question_file(path)
    language_model = open_recorded(settings, replay=replay, record=record, reads=(path,))
    if unreviewed:
        echo(f"Left out {counted(unreviewed, 'line')} of {path} that nobody has reviewed.")
    with open_assistant(settings, model=language_model) as assistant, BarProgress(is_shown=not is_quiet()) as progress:
        progress.phase("Asking", len(asked))
        run = runner.run_questions(
            asked,
            lambda question: assistant.ask(
                question.question,
                history=question.history,
                product=question.product,
                version=question.version,
                limit=limit,
            ),
            texts=_ingested_texts(assistant.index),
            name=path.stem,
            progress=progress.advance,
        )
    report = runner.evaluate(run)
    if as_json:
        typer.echo(render_json(report, unreviewed=unreviewed))
    elif sys.stdout.isatty():
        from rich.markdown import Markdown

        show_result(Markdown(render_results([report])))
    else:
        typer.echo(render_results([report]))
    if not report.overall.questions:
        raise RelnotesError(
            f"None of the {len(asked)} questions could be asked: this index doesn't have their documents "
            "as they were. Ingest the folder that the question set is about."
        )
    report_replayed(language_model)
    misses = check_minimums(report.overall.figures, wanted)
    for miss in misses:
        echo(f"relnotes: {miss}", is_error=True)
    if misses:
        echo(f"Failed: {len(misses)} of {counted(len(wanted), 'minimum')} missed.")
        raise typer.Exit(1)
    if wanted:
        echo(f"Passed: {counted(len(wanted), 'minimum')} reached.")


def _ingested_texts(index: "IndexReader") -> Callable[[str], str | None]:
    """Return the ingested files by source path, as they are on disk; the index's own text where a file is gone."""
    from evals.pages import FolderTexts

    files = FolderTexts(*(Path(root) for root in sorted({document.root for document in index.documents})))
    ids = {document.source: document.id for document in reversed(index.documents)}
    return lambda path: (files(path) or index.document_text(ids[path])) if path in ids else None
