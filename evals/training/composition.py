"""What the training set is made of, as tables for its datasheet."""

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from evals.suites import FULL_SUITES, load_suite
from evals.tables import render_table
from evals.training.sources import load_sources
from evals.training.training_set import FOLDS, AnsweredKind, NearMiss, Style, TrainingQuestion, fold_of

DATASHEET = Path(__file__).with_name("DATASHEET.md")
_BEGIN = "<!-- begin of what `python -m evals.training.check --tables` writes -->"
_END = "<!-- end of what it writes -->"
_COUNTS = ("answerable", "near misses", "questions", "share")


def with_tables(datasheet: str, questions: Sequence[TrainingQuestion]) -> str:
    """The datasheet with its tables made anew."""
    before, _, rest = datasheet.partition(_BEGIN)
    after = rest.partition(_END)[2]
    return f"{before}{_BEGIN}\n\n{render_tables(questions)}\n\n{_END}{after}"


def render_tables(questions: Sequence[TrainingQuestion]) -> str:
    """The tables in Markdown; every question counts in each of them."""
    answerable = sum(question.asked.answerable for question in questions)
    test_projects = {one.project for suite in FULL_SUITES for one in load_suite(suite) if one.split == "test"}
    shared = sum(question.asked.project in test_projects for question in questions)
    projects = sorted({question.asked.project for question in questions})
    versions = {source.project: f"{source.package} {source.version}" for source in load_sources()}
    kinds = [kind.value for kind in (*AnsweredKind, *NearMiss)]
    read_again = sum(bool(question.reader) for question in questions)
    parts = (
        f"{len(questions):,} questions about {len(projects)} projects: {answerable:,} answerable, "
        f"{len(questions) - answerable:,} near misses. {read_again:,} were given to a second reader. "
        f"{shared:,} are about the {len(test_projects & set(projects))} projects that the test halves of "
        "evals/questions ask about too.",
        _counted("kind", kinds, questions, lambda one: one.asked.kind),
        _counted("style", [style.value for style in Style], questions, lambda one: one.style.value),
        _counted("writer", sorted({question.writer for question in questions}), questions, lambda one: one.writer),
        _counted("fold", [str(fold) for fold in range(FOLDS)], questions, lambda one: str(fold_of(one.asked.project))),
        _places(questions),
        render_table(
            ("project", "documents", "fold", "answerable", "near misses"),
            [
                (name, versions.get(name, "../shared/corpora"), str(fold_of(name)), *_halves(questions, name))
                for name in projects
            ],
        ),
    )
    return "\n\n".join(parts)


def _counted(
    title: str, names: Sequence[str], questions: Sequence[TrainingQuestion], name_of: Callable[[TrainingQuestion], str]
) -> str:
    answerable = Counter(name_of(question) for question in questions if question.asked.answerable)
    others = Counter(name_of(question) for question in questions if not question.asked.answerable)
    rows = []
    for name in names:
        total = answerable[name] + others[name]
        rows.append((name, str(answerable[name]), str(others[name]), str(total), f"{total / len(questions):.1%}"))
    return render_table((title, *_COUNTS), rows)


def _halves(questions: Sequence[TrainingQuestion], project: str) -> tuple[str, str]:
    answerable = [question.asked.answerable for question in questions if question.asked.project == project]
    return str(sum(answerable)), str(len(answerable) - sum(answerable))


def _places(questions: Sequence[TrainingQuestion]) -> str:
    rows = Counter(
        (len(question.asked.gold), question.asked.any_of) for question in questions if question.asked.answerable
    )
    return render_table(
        ("gold places", "any of them proves it", "all are needed"),
        [
            (str(number), str(rows[number, True]), str(rows[number, False]))
            for number in sorted({number for number, _ in rows})
        ],
    )
