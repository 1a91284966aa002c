"""The figures of the last run, question by question, kept beside the reports: what the next run is compared with."""

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path

from corpus.errors import UsageError
from evals.comparison import Difference, QuestionScores, compare_scores
from evals.grading import Score

LOGGED = (
    "recall@5", "mrr@10", "answer_key", "citation_precision", "citation_recall", "quote_verbatim", "false_answer_rate",
    "over_abstention_rate", "end_to_end",
)  # fmt: skip
SEED = 20
RESAMPLES = 2000
_DIGITS = 4
_GIT_SECONDS = 20


def write_scores(path: Path, scores: Sequence[QuestionScores]) -> None:
    """Write the logged figures of a run; the folder is made where it is missing."""
    lines = (
        json.dumps(
            {
                "suite": score.suite,
                "id": score.question_id,
                "split": score.split,
                "scores": {name: _rounded(value) for name in LOGGED if (value := score.score(name)) is not None},
            }
        )
        for score in scores
    )
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")


def read_scores(path: Path) -> tuple[QuestionScores, ...]:
    """The run as last committed, or as the file is where git doesn't know it; nothing where there is neither.

    Raises:
        UsageError: a line isn't what `write_scores` wrote.
    """
    text = _committed(path)
    return load_scores(path) if text is None else _parse_all(text, path)


def load_scores(path: Path) -> tuple[QuestionScores, ...]:
    """The run as the file is; nothing where there is none.

    Raises:
        UsageError: a line isn't what `write_scores` wrote.
    """
    return _parse_all(path.read_text(encoding="utf-8"), path) if path.is_file() else ()


def _parse_all(text: str, path: Path) -> tuple[QuestionScores, ...]:
    try:
        return tuple(_parse(line) for line in text.splitlines() if line.strip())
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UsageError(
            f"Cannot read the last run {str(path)!r}: {error!r}. Delete the file to begin anew; the next run writes it."
        ) from None


def compare_logged(before: Sequence[QuestionScores], after: Sequence[QuestionScores]) -> tuple[Difference, ...]:
    """The differences of all logged figures over the questions that both runs have."""
    found = (compare_scores(before, after, metric, seed=SEED, resamples=RESAMPLES) for metric in LOGGED)
    return tuple(difference for difference in found if difference is not None)


def _rounded(value: float) -> float | int:
    short = round(value, _DIGITS)
    return int(short) if short == int(short) else short


def _parse(line: str) -> QuestionScores:
    content = json.loads(line)
    scores = tuple(Score(str(name), float(value)) for name, value in content["scores"].items())
    return QuestionScores(str(content["suite"]), str(content["id"]), str(content["split"]), scores)


def _committed(path: Path) -> str | None:
    command = ("git", "show", f"HEAD:./{path.name}")
    try:
        shown = subprocess.run(  # noqa: S603 -- a fixed command
            command, cwd=path.parent, capture_output=True, timeout=_GIT_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return shown.stdout.decode() if shown.returncode == 0 else None
