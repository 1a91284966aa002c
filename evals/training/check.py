"""Check the training set: `python -m evals.training.check [--documents FOLDER]`.

Lists all faults, and ends with status 1 if there are any. Gold is compared with the documents on this machine:
../shared/corpora, and those that `python -m evals.training.fetch` downloaded. Uses no network.
"""

import argparse
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from corpus.errors import SourceError, UsageError
from evals.command import run_command
from evals.labelled_places import Place
from evals.pages import FolderTexts, TextSource
from evals.suites import PRACTICE_SUITES
from evals.training.fetch import TRAINING_CORPORA, fetched_folder, load_sources
from evals.training.training_set import TrainingQuestion, load_training

SET_FOLDER = Path(__file__).parents[1] / "questions"
MAX_JACCARD = 0.8
"""Two questions with at least this Jaccard similarity of words are near repeats."""
_WORD = re.compile(r"\w+")


def load_asked() -> Mapping[str, str]:
    """Return the words of each question (after its history) and claim of our sets and the practice sets present, by
    place: `{"questions/dev.jsonl:3": "..."}`.

    Raises:
        UsageError: a file can't be read.
    """
    texts: dict[str, str] = {}
    folders = (SET_FOLDER, *{suite.questions.parent for suite in PRACTICE_SUITES})
    for path in (path for folder in folders for path in sorted(folder.glob("*.jsonl"))):
        try:
            for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), start=1):
                entry = json.loads(line) if line.strip() else {}
                if text := entry.get("question") or entry.get("claim"):
                    texts[f"{path.parent.name}/{path.name}:{number}"] = " ".join([*entry.get("history", ()), text])
        except (OSError, ValueError) as error:
            raise UsageError(f"Cannot read the question file {str(path)!r}: {error}.") from error
    return texts


def find_repeats(questions: Sequence[TrainingQuestion], texts: Mapping[str, str]) -> Iterator[str]:
    """Yield a fault for each training question that repeats, or nearly repeats, an entry of `texts` (by place), or
    repeats an earlier training question.

    Near means a Jaccard similarity of `MAX_JACCARD` or more of the sets of words; case, spaces and punctuation don't
    count. Training questions may be near each other, because similar questions by different writers belong to the set.
    """
    first_with: dict[str, str] = {}
    entries = [(place, _folded(text), _words(text)) for place, text in texts.items()]
    for question in questions:
        place, text = _place(question), " ".join([*question.question.history, question.question.question])
        folded, words = _folded(text), _words(text)
        if folded in first_with:
            yield f"{place}: asks in the same words as {first_with[folded]}"
        first_with.setdefault(folded, place)
        for other, other_folded, other_words in (e for e in entries if len(e[2]) >= MAX_JACCARD * len(words)):
            if folded == other_folded:
                yield f"{place}: asks in the same words as {other}"
            elif (similarity := len(words & other_words) / max(1, len(words | other_words))) >= MAX_JACCARD:
                yield f"{place}: asks nearly as {other} does (Jaccard {similarity:.2f})"


def _folded(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.casefold()))


def check_documents(questions: Sequence[TrainingQuestion]) -> Iterator[str]:
    """Yield a fault for each question whose documents neither ../shared nor sources.toml has."""
    fetched = {source.project: {f"{source.project}/{file.name}" for file in source.files} for source in load_sources()}
    for question in questions:
        entry = question.question
        if entry.project in TRAINING_CORPORA.projects:
            continue
        if entry.project not in fetched:
            yield f"{_place(question)}: is about {entry.project!r}, whose documents sources.toml doesn't name"
            continue
        for gold in entry.gold:
            if gold.path not in fetched[entry.project]:
                yield f"{_place(question)}: gold in {gold.path!r}, which sources.toml doesn't name"


def check_gold(questions: Sequence[TrainingQuestion], texts: TextSource) -> tuple[int, int, tuple[str, ...]]:
    """Compare every gold range with its document and return (ranges compared, ranges whose document isn't on this
    machine, faults)."""
    checked = absent = 0
    faults: list[str] = []
    read = cache(texts)
    for question in questions:
        for gold in question.question.gold:
            if (text := read(gold.path)) is None:
                absent += 1
                continue
            checked += 1
            try:
                Place(gold.path, gold.start or 0, gold.end or 0, gold.sha or "").words_of(text)
            except SourceError as error:
                faults.append(f"{_place(question)}: {error}")
    return checked, absent, tuple(faults)


def _place(question: TrainingQuestion) -> str:
    return f"{question.question.project}.jsonl, {question.question.id}"


def main() -> int:
    """Check the set and print its faults; return 1 if there are any.

    Raises:
        UsageError: the set, its sources or a question set for comparison can't be read.
    """
    parser = argparse.ArgumentParser(description="Check the training set.")
    parser.add_argument(
        "--documents", metavar="FOLDER", type=Path, help="where documents were fetched to; default: in the cache folder"
    )
    arguments = parser.parse_args()
    questions = load_training()
    texts = FolderTexts(TRAINING_CORPORA.documents, arguments.documents or fetched_folder())
    checked, absent, gold_faults = check_gold(questions, texts)
    faults = (*check_documents(questions), *find_repeats(questions, load_asked()), *gold_faults)
    sys.stdout.writelines(f"{fault}\n" for fault in faults)
    sys.stdout.write(f"{len(questions)} questions, {len(faults)} faults; {checked} gold ranges compared\n")
    if absent:
        sys.stdout.write(
            f"{absent} gold ranges not compared: their documents aren't here (python -m evals.training.fetch, and "
            "../shared beside the checkout)\n"
        )
    return 1 if faults else 0


if __name__ == "__main__":
    run_command(main)
