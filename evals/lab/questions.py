"""What benchmarks ask, how they ask it in passes, and the files of texts that their processes hand on; imports nothing
of weight."""

import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from evals.suites import CORPORA, load_suite


def bench_questions() -> tuple[str, ...]:
    """Questions without a conversation before them and without a channel's product, so that all systems get the same.

    Raises:
        UsageError: as `load_questions`.
    """
    return tuple(one.question for one in load_suite(CORPORA) if not (one.history or one.product or one.version))


def read_texts(path: Path) -> Iterator[str]:
    """The texts of a file, in order."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def write_texts(path: Path, texts: Iterable[str]) -> None:
    """Write what `read_texts` reads."""
    with path.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(text) + "\n" for text in texts)


PASSES = 3
SECONDS = 120.0
"""No question is begun after so long, so that a slow system isn't waited for."""
_LEAST_QUESTIONS = 5


def ask_in_passes(
    ask: Callable[[str], object], questions: Sequence[str], *, passes: int = PASSES, seconds: float = SECONDS
) -> tuple[float, ...]:
    """Each question's fastest milliseconds over several passes: the machine's other work only adds.

    Once `seconds` have gone no further pass begins, and the first ends early, after five questions at least; then
    there are fewer figures than questions.
    """
    until = time.perf_counter() + seconds
    fastest: list[float] = []
    for question in questions:
        if len(fastest) >= _LEAST_QUESTIONS and time.perf_counter() > until:
            break
        fastest.append(_timed(ask, question))
    for _ in range(passes - 1):
        if time.perf_counter() > until:
            break
        again = (_timed(ask, question) for question in questions[: len(fastest)])
        fastest = [min(pair) for pair in zip(fastest, again, strict=True)]
    return tuple(fastest)


def _timed(ask: Callable[[str], object], question: str) -> float:
    started = time.perf_counter()
    ask(question)
    return 1000 * (time.perf_counter() - started)
