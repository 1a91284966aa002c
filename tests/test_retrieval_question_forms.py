"""Questions read by example: greetings and thanks around one don't change what it is read as."""

from collections.abc import Iterator
from itertools import product

import pytest
from ui_small_index import open_notes

from corpus.embedding import Embedder
from retrieval.assistant import Assistant

NOTES = """\
# {name} news

## 3.1 (2031-05-06)
- Songs are sorted by pitch.

## 3.0 (2030-01-02)
- Nests may hold other nests.
"""


@pytest.fixture(scope="module")
def birds(default_embedder: Embedder, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Assistant]:
    notes = {name.lower(): NOTES.format(name=name) for name in ("Woodlark", "Kinglet")}
    with open_notes(tmp_path_factory.mktemp("birds"), default_embedder, **notes) as assistant:
        yield assistant


AROUND = {
    "greeting": "Hi there! ",
    "reason": "My boss wants to know, ",
    "thanks before": "Thanks in advance, ",
    "apology": "Sorry if this was asked before. ",
}
BEHIND = {"nothing": "", "thanks": " Thanks a lot!", "cheers": " Cheers, Ada"}
CORE = (
    "What's new in Woodlark 3.1?",
    "Which Python does Woodlark 3.1 need?",
    "Does Kinglet support `perch_all`?",
    "What breaks when I upgrade from Woodlark 3.0 to 3.1?",
)


@pytest.mark.parametrize(
    ("before", "question", "after"),
    [
        pytest.param(AROUND[before], question, BEHIND[after], id=f"{before}-{place}-{after}")
        for before, (place, question), after in product(AROUND, enumerate(CORE), BEHIND)
    ],
)
def test_words_around_a_question_change_nothing(birds: Assistant, before: str, question: str, after: str) -> None:
    alone, framed = birds.understand(question), birds.understand(f"{before}{question}{after}")
    assert (framed.form, framed.products) == (alone.form, alone.products)
