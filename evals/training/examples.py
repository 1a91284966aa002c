"""What is learned from: questions of the training set with what the order and the decision see of them."""

import json
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import astuple, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpus.errors import SourceError, UsageError
from corpus.model import Span
from evals.grading import GoldPlaces, find_gold, gold_shares
from evals.labelled_places import Place, words_sha
from evals.pages import Pages
from evals.question_set import Question
from evals.suite_index import open_suite
from evals.suites import CORPORA, Suite, load_suite, require_suites
from evals.training.fetch import TRAINING_CORPORA, fetched_suite
from evals.training.training_set import QUESTIONS, fold_of, load_training
from ingest.progress import BarProgress
from retrieval.answers.evidence import gather_evidence
from retrieval.assistant import Assistant
from retrieval.search.hits import Hit
from retrieval.search.item_ranker import FEATURES as ITEM_FEATURES
from retrieval.search.item_ranker import feature_row

Figures = NDArray[np.float64]
Home = tuple[Assistant, int]
NATURAL, TYPED = "natural", "typed"
_SUITE_SHARE = 0.5
"""What a development half weighs beside all natural questions, or all that are put as people type: few questions, about
documents of other kinds."""
_LISTED = 10
_QUOTED = 3
"""A short answer quotes the best items: it is right where one of so many holds the gold."""


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """One question over one index.

    `items` (items, item features) are those of the hits that were read, and `holds` (items,) tells which overlap the
    gold. `judged` (items, 2) are the log-odds of the order and of the judge, where that was asked, and `judged_holds`
    (items,) tells the same of them. `evidence` (signals,) is None where nothing was found. `right`: one of the three
    best of the items that may answer overlaps the gold.
    """

    question: Question
    items: Figures
    holds: NDArray[np.bool_]
    evidence: Figures | None
    right: bool
    judged: Figures = field(default_factory=lambda: np.zeros((0, 2)))
    judged_holds: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, dtype=np.bool_))
    suite: str = NATURAL
    """`TYPED` where it is put as people type, `NATURAL` for others of the training set, else the suite of whose
    development half it is."""

    @property
    def project(self) -> str:
        """The project that it is about, by name or by the folder of its gold; empty where neither tells."""
        gold = self.question.gold
        return self.question.project or (gold[0].path.partition("/")[0] if gold else "")


def panel_option(parser: ArgumentParser, *, learned: str) -> None:
    """Let a trainer be told of panels' documents; `learned` is what it learns from them."""
    about = f"learn {learned} a panel's documents; may be repeated"
    parser.add_argument("--panel", metavar="DOCUMENTS", type=Path, action="append", default=[], help=about)


@contextmanager
def open_labelled(panels: Sequence[Path]) -> Iterator[tuple[Assistant, ...]]:
    """Return the documents that labels are of: those of ../shared, those that were fetched, and panels'.

    Raises:
        RelnotesError: documents of the first two are absent, or can't be ingested.
    """
    fetched = fetched_suite()
    require_suites((TRAINING_CORPORA, fetched), purpose="Training (after `python -m evals.training.fetch`)")
    suites = (CORPORA, fetched, *(Suite(TYPED, documents, documents) for documents in panels))
    with BarProgress() as progress, ExitStack() as opened:
        yield tuple(opened.enter_context(open_suite(suite, progress=progress)) for suite in suites)


def homes_of(assistants: Sequence[Assistant]) -> dict[str, Home]:
    """Return where each source file is opened: the assistant, and the document's id in its index."""
    return {
        document.source: (assistant, document.id) for assistant in assistants for document in assistant.index.documents
    }


def is_there(place: Place, homes: Mapping[str, Home]) -> bool:
    """Return whether the words of a labelled range stand where they stood."""
    if place.path not in homes:
        return False
    home, document = homes[place.path]
    return words_sha(home.index.document_text(document)[place.start : place.end]) == place.sha


def read_lines(name: str) -> list[dict[str, Any]]:
    """Return the lines of a file of labels beside this one."""
    return [json.loads(line) for line in Path(__file__).with_name(name).read_text("utf-8").splitlines()]


def typed_suites(places: Sequence[Sequence[Path]]) -> tuple[tuple[Suite, Suite], ...]:
    """Return what is opened and asked of each question file, put as people type, with its folder of documents."""
    suites = [Suite(TYPED, questions, documents) for questions, documents in places]
    return tuple((suite, suite) for suite in suites)


def collect(
    places: Sequence[tuple[Suite, Suite]],
    judges: Callable[[Assistant], Sequence[Assistant]],
    *,
    only: frozenset[str] = frozenset(),
) -> list[Example]:
    """Ask the questions of every place, of the training set those about `only` these projects where any are given.
    Takes minutes, the first time more, for everything is ingested.

    `judges` gives who is asked over an opened index: one for each fold of projects.

    Raises:
        RelnotesError: documents can't be ingested, or the model can't be loaded.
    """
    found: list[Example] = []
    for opened, asked in places:
        suite = NATURAL if asked.questions == QUESTIONS else asked.name
        questions, pages = load_suite(asked), Pages(opened.texts)
        if only and suite == NATURAL:
            questions = tuple(question for question in questions if question.project in only)
        with BarProgress() as progress, open_suite(opened, progress=progress) as assistant:
            progress.phase(f"Asking {asked.name}", len(questions))
            for example in ask_all(questions, judges(assistant), pages, suite=suite):
                progress.advance(1)
                found.append(example)
    return found


def ask_all(
    questions: Sequence[Question], judges: Sequence[Assistant], pages: Pages, *, suite: str = NATURAL
) -> Iterator[Example]:
    """Ask every question whose documents are there, in order; what can't be asked of this index is left out.

    Each is put to the judge of its project's fold; all judges are of one index.
    """
    index = judges[0].index
    typed = {one.asked.id for one in load_training() if one.style == TYPED}

    def holds(hit: Hit, span: Span, gold: tuple[GoldPlaces, ...]) -> bool:
        text = span.slice(index.text_of(hit.passage))
        return any(gold_shares(hit.passage.document.source, text, span, gold, pages=pages))

    for question in questions:
        judge = judges[fold_of(question.project)]
        try:
            gold = find_gold(question, pages)
            query = judge.understand(
                question.question, history=question.history, product=question.product, version=question.version
            )
        except (SourceError, UsageError):
            continue
        findings = judge.find(query, limit=_LISTED)
        evidence = gather_evidence(findings)
        held = {id(one) for one in findings.scored if holds(one.hit, one.item.span, gold)}
        judged = [one for one in findings.fitting if one.judged is not None]
        yield Example(
            question=question,
            suite=TYPED if question.id in typed else suite,
            items=np.array([feature_row(one.features) for one in findings.scored if one.features]).reshape(
                -1, len(ITEM_FEATURES)
            ),
            holds=np.array([id(one) in held for one in findings.scored], dtype=np.bool_),
            evidence=None if evidence is None else np.array(astuple(evidence)),
            right=any(id(one) in held for one in findings.fitting[:_QUOTED]),
            judged=np.array([one.judged for one in judged]).reshape(-1, 2),
            judged_holds=np.array([id(one) in held for one in judged], dtype=np.bool_),
        )


def shares(examples: Sequence[Example]) -> Figures:
    """Return the weight of each example, of mean 1: those that are put as people type weigh as much together as all
    others of the training set, and either twice as much as a suite's half."""
    counts = Counter(example.suite for example in examples)
    parts = {suite: 1.0 if suite in (NATURAL, TYPED) else _SUITE_SHARE for suite in counts}
    weights = np.array([parts[example.suite] / counts[example.suite] for example in examples])
    return np.asarray(weights / weights.mean())
