"""`relnotes eval --from-feedback`: what people asked and judged, as lines of a question file to be reviewed."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from corpus.errors import IndexUnavailable, UsageError
from ui.cli.options import say
from ui.rendering.printed_json import printed_json

if TYPE_CHECKING:
    from evals.labelled_places import Place
    from retrieval.assistant import Assistant
    from ui.feedback.candidates import Candidate
    from ui.settings import IndexSettings

CANDIDATES_FILE = "candidates.jsonl"
"""In the index, beside the logs, where no other file is named."""
_MAX_PLACES = 3


def collect_candidates(path: Path | None, settings: "IndexSettings", *, as_json: bool) -> None:
    """Add to the question file what the logs of the index hold and it doesn't, and print what was added.

    Raises:
        UsageError: the file has lines that can't be told apart.
        RelnotesError: a log can't be read, or the file can't be written.
    """
    from ui.feedback.candidate_file import append_lines, load_ids
    from ui.feedback.candidates import gather_candidates, render_candidate
    from ui.feedback.places import read_all_feedback
    from ui.feedback.unanswered import load_unanswered, unanswered_file

    path = path or settings.index / CANDIDATES_FILE
    known = load_ids(path)
    gathered = gather_candidates(read_all_feedback(settings.index), load_unanswered(unanswered_file(settings.index)))
    new = [one for one in gathered if one.id not in known]
    if new:
        with _opened_where_needed(new, settings) as assistant:
            append_lines(path, [render_candidate(one, _find_places(one, assistant)) for one in new])
    added = Counter(one.origin.value for one in new)
    if as_json:
        told = {"file": str(path), "added": dict(added), "already_there": len(gathered) - len(new)}
        typer.echo(printed_json(told))
    elif new:
        origins = ", ".join(f"{count} {origin}" for origin, count in added.items())
        typer.echo(f'Added to {path}: {origins}. They count once you have checked them and set "reviewed": true.')
    elif gathered:
        typer.echo(f"Nothing new: the logs' questions, {len(gathered)}, are all in {path}.")
    else:
        typer.echo(
            "No questions are kept. People send them with feedback; RELNOTES_LOG_QUESTIONS=1 keeps unanswered ones."
        )


@contextmanager
def _opened_where_needed(candidates: "Sequence[Candidate]", settings: "IndexSettings") -> "Iterator[Assistant | None]":
    """The assistant where passages are to be looked for and there is an index to look in."""
    from contextlib import ExitStack

    from ui.opening import open_assistant

    with ExitStack() as stack:
        assistant = None
        if any(one.lacks_gold for one in candidates):
            try:
                assistant = stack.enter_context(open_assistant(settings))
            except IndexUnavailable as error:
                say(f"No passages to choose from: {error}")
        yield assistant


def _find_places(candidate: "Candidate", assistant: "Assistant | None") -> "tuple[Place, ...]":
    """The passages that a search shows first today; none where gold is known, or the question can't be asked now."""
    from evals.labelled_places import Place, words_sha
    from retrieval.model import Facet

    if assistant is None or not candidate.lacks_gold:
        return ()
    try:
        answer = assistant.ask(
            candidate.question,
            history=candidate.history,
            product=candidate.product,
            version=candidate.version,
            without=[facet for facet in Facet if facet.value in candidate.without],
            limit=_MAX_PLACES,
        )
    except UsageError:
        return ()
    return tuple(Place(one.source, one.start, one.end, words_sha(one.text)) for one in answer.passages)
