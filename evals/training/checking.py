"""What every line of the training set must hold, and the set as a whole."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from corpus.errors import SourceError
from evals.labelled_places import Place
from evals.pages import TextSource
from evals.training.repeats import find_repeats, load_asked
from evals.training.sources import load_sources
from evals.training.suites import TRAINING_CORPORA
from evals.training.training_set import QUESTIONS, PlacedQuestion, SetFault, question_id, read_lines

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
