"""Learn which changes a list puts first: `python -m evals.training.lists --panel DOCUMENTS [--panel DOCUMENTS]...`.

Each question of `lists.jsonl` asks what is new, breaks or differs; its key facts are the most important changes.
Rewrites `list_ranker.json`, and prints the share of key facts in the first seven changes, on projects not learned from.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from corpus.errors import SourceError, UsageError
from evals.command import run_command
from evals.grading import find_gold, holds_all
from evals.matching import plain_answer
from evals.pages import Pages
from evals.question_set import Question
from evals.suite_index import open_suite
from evals.suites import Suite, load_suite
from evals.training.examples import Figures, panel_option
from evals.training.judgement_fit import fit_order
from evals.training.training_set import FOLDS, held_out
from ingest.progress import BarProgress
from retrieval.answers import list_ranker
from retrieval.answers.list_ranker import FORMS, ListRanker
from retrieval.answers.news import list_news
from retrieval.assistant import Assistant
from retrieval.model import Form

_QUESTIONS = Path(__file__).with_name("lists.jsonl")
_PENALTY, _DIGITS = 0.1, 4
_FIRST, _SHOWN, _FOUND = 7, 220, 10
_APART = (
    "headline", "breaking", "subject", "marked", "place", "first", "age", "length", "listed as nothing",
    "listed as security", "told under Security",
)  # fmt: skip
"""The figures that have a further weight for each form, added to their weight for all."""


@dataclass(frozen=True, slots=True, eq=False)
class ListExample:
    """The changes of one list; `has_fact` (facts, changes) is whether a change's shown words contain a key fact."""

    project: str
    form: Form
    figures: tuple[Mapping[str, float], ...]
    has_fact: NDArray[np.bool_]


def main() -> int:
    """Build the lists, fit the ranker, write it and measure it.

    Raises:
        RelnotesError: no documents are given, or they can't be ingested.
    """
    parser = argparse.ArgumentParser(description="Learn which changes a list tells first; two minutes.")
    panel_option(parser, learned="from the questions about")
    examples: list[ListExample] = []
    for folder in parser.parse_args().panel:
        suite = Suite("lists", _QUESTIONS, folder)
        with BarProgress() as progress, open_suite(suite, progress=progress) as assistant:
            examples += read_lists(assistant, load_suite(suite), Pages(suite.texts))
    if not examples:
        raise UsageError(
            "No documents: name the folders of panels, whose projects the questions are about, by --panel."
        )
    shown_facts = held_out(examples, _count_facts).sum()
    facts = sum(len(example.has_fact) for example in examples)
    raw = {form.value: dict(figures) for form, figures in fit_lists(examples).weights.items()}
    path = Path(list_ranker.__file__).with_name("list_ranker.json")
    path.write_text(json.dumps(raw, indent=2) + "\n", encoding="utf-8")
    sys.stdout.write(
        f"{len(examples)} lists, {facts} facts; the first {_FIRST} hold {shown_facts / facts:.3f} ({FOLDS} folds)\n"
    )
    return 0


def read_lists(assistant: Assistant, questions: Sequence[Question], pages: Pages) -> Iterator[ListExample]:
    """Yield the list of each question that is answered by a list and whose documents are present."""
    for question in questions:
        try:
            find_gold(question, pages)
            query = assistant.understand(question.question, history=question.history, product=question.product)
        except (SourceError, UsageError):
            continue
        is_list = query.form.traits.is_news or query.form is Form.COMPARE
        listed = list_news(assistant.find(query, limit=_FOUND)) if is_list else None
        if listed is None or not listed.items:
            continue
        shown = [plain_answer(item.entry.lead[:_SHOWN]) for item in listed.items]
        has_fact = [[holds_all((wordings,), words) for words in shown] for wordings in question.answer_key]
        figures = tuple(item.figures for item in listed.items)
        yield ListExample(question.project, query.form, figures, np.array(has_fact, bool).reshape(-1, len(shown)))


def fit_lists(examples: Sequence[ListExample]) -> ListRanker:
    """Fit the weights that make the changes with a key fact likeliest among those of their list, each list weighing the
    same (ListNet's top-one probabilities; Cao et al. 2007)."""
    names = sorted({name for example in examples for figures in example.figures for name in figures})
    apart = [names.index(name) for name in _APART]
    tables, wanted_rows, weights = list[Figures](), list[NDArray[np.bool_]](), list[float]()
    for example in examples:
        table = np.array([[figures.get(name, 0.0) for name in names] for figures in example.figures])
        form_columns = [table[:, apart] * (ListRanker.form_of(example.form) is form) for form in FORMS]
        if not len(with_fact := example.has_fact[example.has_fact.any(axis=1)]):
            continue
        tables += [np.hstack([table, *form_columns])] * len(with_fact)
        wanted_rows += list(with_fact)
        weights += [1 / len(with_fact)] * len(with_fact)
    order = fit_order(tables, wanted_rows, np.array(weights), penalty=_PENALTY)
    by_form = order[len(names) :].reshape(len(FORMS), -1)
    weights_by_form = {}
    for form, form_weights in zip(FORMS, by_form, strict=True):
        weights_of = order[: len(names)].copy()
        weights_of[apart] += form_weights
        weights_by_form[form] = dict(zip(names, np.round(weights_of, _DIGITS).tolist(), strict=True))
    return ListRanker(weights_by_form)


def _count_facts(learned: Sequence[ListExample], tested: Sequence[ListExample]) -> NDArray[np.int64]:
    """Return how many key facts each tested list's first changes contain, in the order fitted on the other lists."""
    ranker = fit_lists(learned)
    orders = [np.argsort([-ranker.score(row, e.form) for row in e.figures], kind="stable") for e in tested]
    return np.array([e.has_fact[:, order[:_FIRST]].any(axis=1).sum() for e, order in zip(tested, orders, strict=True)])


if __name__ == "__main__":
    run_command(main)
