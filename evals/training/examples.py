"""Training examples: questions with the figures of their items and evidence, which order and decision learn from."""

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
"""The weight of a suite's development half; all natural questions together weigh 1, and so do all typed ones. It has
few questions, about documents of other kinds."""
_LISTED = 10
_QUOTED = 3
"""How many of the best items a short answer quotes: it is right if one of them overlaps the gold."""


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """One question over one index.

    `items` (items, item features) has the scored items' features, and `has_gold` (items,) whether each overlaps the
    gold. `judged` (items, 2) has the log-odds of the order and of the judge for the items that the judge read, and
    `judged_has_gold` (items,) whether each overlaps the gold. `evidence` (signals,) is None if nothing was found.
    `right`: one of the three best items that may answer overlaps the gold.
    """

    question: Question
    items: Figures
    has_gold: NDArray[np.bool_]
    evidence: Figures | None
    right: bool
    judged: Figures = field(default_factory=lambda: np.zeros((0, 2)))
    judged_has_gold: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, dtype=np.bool_))
    suite: str = NATURAL
    """`TYPED` if worded as people type, `NATURAL` for others of the training set, else the name of its suite."""

    @property
    def project(self) -> str:
        """The project of the question, by name or by the folder of its gold; empty if it has neither."""
        gold = self.question.gold
        return self.question.project or (gold[0].path.partition("/")[0] if gold else "")


def panel_option(parser: ArgumentParser, *, learned: str) -> None:
    """Add the option `--panel`; `learned` describes in the help what is learned from a panel's documents."""
    about = f"learn {learned} a panel's documents; may be repeated"
    parser.add_argument("--panel", metavar="DOCUMENTS", type=Path, action="append", default=[], help=about)


@contextmanager
def open_labelled(panels: Sequence[Path]) -> Iterator[tuple[Assistant, ...]]:
    """Open the labelled documents for a `with` block: those of ../shared, the fetched ones, and the panels'.

    Raises:
        RelnotesError: documents of ../shared or fetched ones are absent, or documents can't be ingested.
    """
    fetched = fetched_suite()
    require_suites((TRAINING_CORPORA, fetched), purpose="Training (after `python -m evals.training.fetch`)")
    suites = (CORPORA, fetched, *(Suite(TYPED, documents, documents) for documents in panels))
    with BarProgress() as progress, ExitStack() as opened:
        yield tuple(opened.enter_context(open_suite(suite, progress=progress)) for suite in suites)


def homes_of(assistants: Sequence[Assistant]) -> dict[str, Home]:
    """Return the assistant that has each source file, and the document's id in its index: `{path: (assistant, id)}`."""
    return {
        document.source: (assistant, document.id) for assistant in assistants for document in assistant.index.documents
    }


def is_there(place: Place, homes: Mapping[str, Home]) -> bool:
    """Return whether a labelled range still has the words that were labelled; False if its document is absent."""
    if place.path not in homes:
        return False
    home, document = homes[place.path]
    return words_sha(home.index.document_text(document)[place.start : place.end]) == place.sha


def read_lines(name: str) -> list[dict[str, Any]]:
    """Return the JSON lines of a file of labels in this folder."""
    return [json.loads(line) for line in Path(__file__).with_name(name).read_text("utf-8").splitlines()]


def typed_suites(places: Sequence[Sequence[Path]]) -> tuple[tuple[Suite, Suite], ...]:
    """Return `(suite to open, suite to ask)`, both the same, for each (file of typed questions, documents)."""
    suites = [Suite(TYPED, questions, documents) for questions, documents in places]
    return tuple((suite, suite) for suite in suites)


def collect(
    places: Sequence[tuple[Suite, Suite]],
    judges: Callable[[Assistant], Sequence[Assistant]],
    *,
    only: frozenset[str] = frozenset(),
) -> list[Example]:
    """Ask the questions of each (suite to open, suite to ask); of the training set, only those about the projects
    `only` if it isn't empty. Takes minutes; longer the first time, because everything is ingested.

    `judges` returns the assistants to ask over an opened index: one for each fold of projects.

    Raises:
        RelnotesError: documents can't be ingested, or the model can't be loaded.
    """
    examples: list[Example] = []
    for opened_suite, asked_suite in places:
        suite = NATURAL if asked_suite.questions == QUESTIONS else asked_suite.name
        questions, pages = load_suite(asked_suite), Pages(opened_suite.texts)
        if only and suite == NATURAL:
            questions = tuple(question for question in questions if question.project in only)
        with BarProgress() as progress, open_suite(opened_suite, progress=progress) as assistant:
            progress.phase(f"Asking {asked_suite.name}", len(questions))
            for example in ask_all(questions, judges(assistant), pages, suite=suite):
                progress.advance(1)
                examples.append(example)
    return examples


def ask_all(
    questions: Sequence[Question], judges: Sequence[Assistant], pages: Pages, *, suite: str = NATURAL
) -> Iterator[Example]:
    """Ask each question, in order, the judge of its project's fold; questions that this index can't answer because
    documents are absent or unknown are left out. All judges have the same index."""
    index = judges[0].index
    typed = {entry.question.id for entry in load_training() if entry.style == TYPED}

    def overlaps_gold(hit: Hit, span: Span, gold: tuple[GoldPlaces, ...]) -> bool:
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
        with_gold = {id(scored) for scored in findings.scored if overlaps_gold(scored.hit, scored.item.span, gold)}
        judged = [scored for scored in findings.fitting if scored.judged is not None]
        yield Example(
            question=question,
            suite=TYPED if question.id in typed else suite,
            items=np.array([feature_row(scored.features) for scored in findings.scored if scored.features]).reshape(
                -1, len(ITEM_FEATURES)
            ),
            has_gold=np.array([id(scored) in with_gold for scored in findings.scored], dtype=np.bool_),
            evidence=None if evidence is None else np.array(astuple(evidence)),
            right=any(id(scored) in with_gold for scored in findings.fitting[:_QUOTED]),
            judged=np.array([scored.judged for scored in judged]).reshape(-1, 2),
            judged_has_gold=np.array([id(scored) in with_gold for scored in judged], dtype=np.bool_),
        )


def shares(examples: Sequence[Example]) -> Figures:
    """Return the weight of each example, with mean 1: all typed questions together weigh as much as all natural ones,
    and each of these groups twice as much as a suite's half."""
    counts = Counter(example.suite for example in examples)
    parts = {suite: 1.0 if suite in (NATURAL, TYPED) else _SUITE_SHARE for suite in counts}
    weights = np.array([parts[example.suite] / counts[example.suite] for example in examples])
    return np.asarray(weights / weights.mean())
