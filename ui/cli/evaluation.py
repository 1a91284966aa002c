"""`relnotes eval`: a question set asked over the index, in figures."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from corpus.errors import RelnotesError, UsageError
from ui.cli.options import IndexOption, JsonOption, LimitOption, ModelOption, RerankerOption, say

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
    from_feedback: Annotated[
        bool,
        typer.Option(
            "--from-feedback",
            help="Ask nothing: add what people asked and judged to QUESTIONS.jsonl (default: candidates.jsonl in the "
            "index), to be reviewed",
        ),
    ] = False,
    limit: LimitOption = 10,
    model: ModelOption = None,
    reranker: RerankerOption = None,
    index: IndexOption = None,
    as_json: JsonOption = False,
) -> None:
    """Run a question set over the index and print its metrics.

    Answers are checked against the ingested source files. Questions whose
    document isn't there, or has changed since they were written, are skipped
    and listed; lines with "reviewed": false are left out and counted.

    With --from-feedback, thumbs, readings that were taken back and questions
    without an answer become such lines, each question once. Lines that are
    there stay as they are. Check question, answerable and gold of each, and
    set "reviewed": true.

    Examples:
      relnotes eval
      relnotes eval questions.jsonl --min recall@5=0.85 --min quote_verbatim=1 --json
      relnotes eval --from-feedback from-users.jsonl
    """
    from evals import runner
    from evals.gate import check_minimums, parse_minimum
    from evals.question_set import load_question_file
    from evals.report import render_json, render_results
    from evals.suites import CORPUS
    from ingest.progress import BarProgress
    from ui.cli.candidates import collect_candidates
    from ui.opening import open_assistant
    from ui.rendering.words import counted
    from ui.settings import load_settings

    wanted = tuple(parse_minimum(text) for text in minimums or ())
    settings = load_settings(index=index, model=model, reranker=reranker)
    if from_feedback:
        if wanted:
            raise UsageError("--from-feedback asks nothing, so --min has nothing to measure. Leave one of them out.")
        collect_candidates(questions, settings, as_json=as_json)
        return
    path = questions or CORPUS.questions
    file = load_question_file(path)
    asked = file.questions
    if file.unreviewed:
        say(f"Left out {counted(file.unreviewed, 'line')} of {path} that nobody has reviewed.")
    with (
        open_assistant(settings) as assistant,
        BarProgress() as progress,
    ):
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
            texts=_IngestedTexts(assistant.index),
            name=path.stem,
            progress=lambda _done, _total: progress.advance(1),
        )
    report = runner.evaluate(run)
    typer.echo(render_json(report, unreviewed=file.unreviewed) if as_json else render_results([report]))
    if not report.overall.questions:
        raise RelnotesError(
            f"None of the {len(asked)} questions could be asked: this index doesn't have their documents as they were. "
            "Ingest the folder that the question set is about."
        )
    misses = check_minimums(report.overall.figure, wanted)
    for miss in misses:
        say(f"relnotes: {miss}")
    if misses:
        raise typer.Exit(1)


class _IngestedTexts:
    """The ingested files as they are on disk; the index's own text where a file is gone."""

    def __init__(self, index: "IndexReader") -> None:
        from evals.pages import FolderTexts

        self._index = index
        self._files = FolderTexts(*(Path(root) for root in sorted({document.root for document in index.documents})))

    def text(self, path: str) -> str | None:
        """The text of the document with this source path; None where the index has none."""
        for document in self._index.documents:
            if document.source == path:
                return self._files.text(path) or self._index.document_text(document.id)
        return None
