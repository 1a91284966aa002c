"""`relnotes eval --from-feedback`: what people asked and judged, as lines of a question file to be reviewed."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from corpus.errors import IndexUnavailable, UsageError
from ui.cli.options import say
from ui.rendering.printed_json import printed_json

if TYPE_CHECKING:
    from evals.labelled_places import Place
    from ui.feedback.candidates import Candidate
    from ui.settings import IndexSettings

_FILE = "candidates.jsonl"
"""In the index, beside the logs, where no other file is named."""
_MAX_PLACES = 3


def collect_candidates(path: Path | None, settings: "IndexSettings", *, as_json: bool) -> None:
    """Add to the question file what the logs of the index hold and it doesn't, and print what was added.

    Raises:
        UsageError: the file has lines that can't be told apart.
        RelnotesError: a log can't be read, or the file can't be written.
    """
    from ui.feedback.candidates import append_lines, gather_candidates, load_ids, render_candidate
    from ui.feedback.log import FEEDBACK_FILE, FeedbackLog, read_all_feedback

    path = path or settings.index / _FILE
    known = load_ids(path)
    missed = FeedbackLog(settings.index / FEEDBACK_FILE).unanswered()
    gathered = gather_candidates(read_all_feedback(settings), missed)
    new = [candidate for candidate in gathered if candidate.id not in known]
    if new:
        places = dict(_find_places(new, settings))
        append_lines(path, [render_candidate(candidate, places.get(candidate.id, ())) for candidate in new])
    added = Counter(candidate.origin.value for candidate in new)
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


def _find_places(
    candidates: "Sequence[Candidate]", settings: "IndexSettings"
) -> "Iterator[tuple[str, tuple[Place, ...]]]":
    """The passages that a search shows first today, by the candidate's id; none where gold is known, the question can't
    be asked now, or there is no index to look in."""
    from evals.labelled_places import Place, words_sha
    from retrieval.model import Facet
    from ui.opening import open_assistant

    wanting = [candidate for candidate in candidates if candidate.lacks_gold]
    if not wanting:
        return
    try:
        with open_assistant(settings) as assistant:
            for candidate in wanting:
                said = candidate.said
                try:
                    answer = assistant.ask(
                        candidate.question,
                        history=said.history,
                        product=said.product,
                        version=said.version,
                        without=[facet for facet in Facet if facet.value in said.without],
                        limit=_MAX_PLACES,
                    )
                except UsageError:
                    continue
                yield (
                    candidate.id,
                    tuple(
                        Place(passage.source, passage.start, passage.end, words_sha(passage.text))
                        for passage in answer.passages
                    ),
                )
    except IndexUnavailable as error:
        say(f"No passages to choose from: {error}")
