"""Check every line of the training set: `python -m evals.training.check [--documents FOLDER] [--tables]`.

Ends with 1 where something is wrong and lists all of it by file and line. Gold is compared with the documents that are
on this machine: ../shared/corpora, and those that `python -m evals.training.fetch` brought. Goes to no network.
"""

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from corpus.errors import SourceError, UsageError
from evals.command import run_command
from evals.labelled_places import Place
from evals.pages import FolderTexts, TextSource
from evals.suites import PRACTICE_SUITES
from evals.training.composition import DATASHEET, with_tables
from evals.training.sources import TRAINING_CORPORA, fetched_folder, load_sources
from evals.training.training_set import QUESTIONS, PlacedQuestion, SetFault, question_id, read_lines

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
    sets = [(asked_question, _folded(asked_question.text), _words(asked_question.text)) for asked_question in asked]
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


MIN_QUESTIONS = 2000
MIN_UNANSWERABLE_SHARE = 0.3
MIN_PROJECTS = 14
MAX_WRITER_SHARE = 1 / 4


@dataclass(frozen=True, slots=True)
class GoldCheck:
    """Gold ranges that stand in their documents, and those whose documents aren't on this machine."""

    checked: int
    absent: int
    faults: tuple[SetFault, ...]


def check_questions() -> tuple[tuple[PlacedQuestion, ...], tuple[SetFault, ...]]:
    """Every line of the set that can be read, and all that is wrong with it as far as no document is needed.

    Raises:
        UsageError: sources.toml, or a question set that it is compared with, can't be read.
    """
    lines, faults = read_lines(QUESTIONS)
    of_lines = (*check_lines(lines), *check_documents(lines), *find_repeats(lines, load_asked()))
    return lines, (*faults, *of_lines, *check_shares(lines))


def check_lines(lines: Sequence[PlacedQuestion]) -> Iterator[SetFault]:
    """Ids, projects and order: a file holds one project's questions, by id."""
    first_with: dict[str, str] = {}
    before: tuple[str, str] = ("", "")
    for line in lines:
        asked = line.question.asked
        file = line.place.partition(":")[0]
        if asked.id != (expected := question_id(asked.question, asked.history)):
            yield SetFault(line.place, f"id {asked.id!r} isn't the hash of its question, which is {expected!r}")
        if (earlier := first_with.setdefault(asked.id, line.place)) != line.place:
            yield SetFault(line.place, f"id {asked.id!r} is already at {earlier}")
        if file != f"{asked.project}.jsonl":
            yield SetFault(line.place, f"is about {asked.project!r}: it belongs in {asked.project}.jsonl")
        if before[0] == file and asked.id < before[1]:
            yield SetFault(line.place, f"id {asked.id!r} comes after {before[1]!r}: a file is sorted by id")
        before = (file, asked.id)
        for gold in asked.gold:
            if not gold.path.startswith(f"{asked.project}/"):
                yield SetFault(line.place, f"gold in {gold.path!r}, which isn't a document of {asked.project!r}")


def check_documents(lines: Sequence[PlacedQuestion]) -> Iterator[SetFault]:
    """Whether the documents can be had: those of ../shared, and the files of sources.toml."""
    fetched = {source.project: {f"{source.project}/{file.name}" for file in source.files} for source in load_sources()}
    for line in lines:
        asked = line.question.asked
        if asked.project not in fetched:
            if asked.project not in TRAINING_CORPORA.projects:
                yield SetFault(line.place, f"is about {asked.project!r}, whose documents sources.toml doesn't name")
            continue
        for gold in asked.gold:
            if gold.path not in fetched[asked.project]:
                yield SetFault(line.place, f"gold in {gold.path!r}, which sources.toml doesn't name")


def check_shares(lines: Sequence[PlacedQuestion]) -> Iterator[SetFault]:
    """The size of the set, and its shares of projects, writers and questions that nothing answers."""
    total = len(lines)
    unanswerable = sum(not line.question.asked.answerable for line in lines)
    projects = {line.question.asked.project for line in lines}
    if total < MIN_QUESTIONS:
        yield SetFault("", f"the set has {total} questions, at least {MIN_QUESTIONS} are wanted")
    if unanswerable < MIN_UNANSWERABLE_SHARE * total:
        yield SetFault(
            "", f"{unanswerable} of {total} questions are unanswerable, at least {MIN_UNANSWERABLE_SHARE:.0%} is wanted"
        )
    if len(projects) < MIN_PROJECTS:
        yield SetFault("", f"the set is about {len(projects)} projects, at least {MIN_PROJECTS} are wanted")
    for writer, written in sorted(Counter(line.question.writer for line in lines).items()):
        if written > MAX_WRITER_SHARE * total:
            yield SetFault("", f"{writer} wrote {written} of {total} questions, at most a quarter is wanted")


def check_gold(lines: Sequence[PlacedQuestion], texts: TextSource) -> GoldCheck:
    """Compare every gold range with its document, where that is on this machine."""
    checked = absent = 0
    faults: list[SetFault] = []
    known: dict[str, str | None] = {}
    for line in lines:
        for gold in line.question.asked.gold:
            if gold.path not in known:
                known[gold.path] = texts.text(gold.path)
            text = known[gold.path]
            if text is None:
                absent += 1
                continue
            checked += 1
            try:
                Place(gold.path, gold.start or 0, gold.end or 0, gold.sha or "").words_of(text)
            except SourceError as error:
                faults.append(SetFault(line.place, str(error)))
    return GoldCheck(checked, absent, tuple(faults))


def main() -> int:
    """Check the set; 1 where it has faults.

    Raises:
        UsageError: the sources, or a question set that it is compared with, can't be read.
    """
    parser = argparse.ArgumentParser(description="Check every line of the training set.")
    parser.add_argument(
        "--documents", metavar="FOLDER", type=Path, help="where documents were fetched to; default: in the cache folder"
    )
    parser.add_argument("--tables", action="store_true", help="write the tables of evals/training/DATASHEET.md anew")
    arguments = parser.parse_args()
    lines, faults = check_questions()
    gold = check_gold(lines, FolderTexts(TRAINING_CORPORA.documents, arguments.documents or fetched_folder()))
    faults = (*faults, *gold.faults)
    sys.stdout.writelines(f"{fault}\n" for fault in faults)
    sys.stdout.write(
        f"{len(lines)} questions, {len(faults)} faults; {gold.checked} gold ranges compared with documents\n"
    )
    if gold.absent:
        sys.stdout.write(
            f"{gold.absent} gold ranges not compared: their documents aren't here (python -m evals.training.fetch, "
            "and ../shared beside the checkout)\n"
        )
    if arguments.tables:
        datasheet = DATASHEET.read_text(encoding="utf-8")
        DATASHEET.write_text(with_tables(datasheet, [line.question for line in lines]), encoding="utf-8")
    return 1 if faults else 0


if __name__ == "__main__":
    run_command(main)
