"""Training questions that the question sets ask too: learnt, they would make the figures of those sets too good."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from corpus.errors import UsageError
from evals.suites import PRACTICE_SUITES
from evals.training.training_set import PlacedQuestion, SetFault

SET_FOLDER = Path(__file__).parents[1] / "questions"
MAX_JACCARD = 0.8
"""From here on, the share of words that two questions have in common makes them the same."""
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question or claim of a set that figures come from, and where it stands."""

    place: str
    text: str
    """With what was asked before it."""


def load_asked(*folders: Path) -> tuple[Asked, ...]:
    """Every question and claim of some folders' sets; of our own and, where present, of those for practice without.

    Raises:
        UsageError: a file can't be read.
    """
    asked: list[Asked] = []
    chosen = folders or (SET_FOLDER, *{suite.questions.parent for suite in PRACTICE_SUITES})
    for path in (path for folder in chosen for path in sorted(folder.glob("*.jsonl"))):
        try:
            for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), start=1):
                entry = json.loads(line) if line.strip() else {}
                if text := entry.get("question") or entry.get("claim"):
                    asked.append(
                        Asked(f"{path.parent.name}/{path.name}:{number}", " ".join([*entry.get("history", ()), text]))
                    )
        except (OSError, ValueError) as error:
            raise UsageError(f"Cannot read the question file {str(path)!r}: {error}.") from error
    return tuple(asked)


def find_repeats(lines: Sequence[PlacedQuestion], asked: Sequence[Asked]) -> Iterator[SetFault]:
    """Training questions in the words of a set's, or nearly, and those in the words of an earlier training question.

    Near means a Jaccard similarity of the sets of words of `MAX_JACCARD` or more; case, spaces and punctuation don't
    count. Two training questions may be near each other: writers who ask alike are part of the set.
    """
    first_with: dict[str, str] = {}
    sets = [(one, _folded(one.text), _words(one.text)) for one in asked]
    for line in lines:
        text = " ".join([*line.question.asked.history, line.question.asked.question])
        folded, words = _folded(text), _words(text)
        earlier = first_with.setdefault(folded, line.place)
        if earlier != line.place:
            yield SetFault(line.place, f"asks in the same words as {earlier}")
        for one, other_folded, other_words in sets:
            if folded == other_folded:
                yield SetFault(line.place, f"asks in the same words as {one.place}")
            elif (similarity := _jaccard(words, other_words)) >= MAX_JACCARD:
                yield SetFault(line.place, f"asks nearly as {one.place} does (Jaccard {similarity:.2f})")


def _folded(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.casefold()))


def _jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    shared = len(one & other)
    return shared / (len(one) + len(other) - shared) if shared else 0.0
