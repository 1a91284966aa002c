"""Questions read by example: their form, the act they ask about, whether they lean on the one before, and the words
around them. What is asked here is clear to anyone; how right the readers are on odd wordings, `evals` measures.
"""

from collections.abc import Iterator
from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ui_small_index import open_notes

from corpus.embedding import Embedder
from retrieval.assistant import Assistant
from retrieval.products.known import KnownProducts
from retrieval.question.cleaning import split_clauses, without_framing

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
    assert framed == alone


NAMING = ("Woodlark sings", "3.1 is out", "`perch_all` fails", "it is kinglet", "perch_all(deep=True) is slow")
IDLE = ("hi all", "thanks", "so", "my boss asks", "we wonder", "sorry for that", "no idea really")


@given(st.lists(st.sampled_from(NAMING + IDLE), min_size=1, max_size=8), st.sampled_from([", ", ". ", "\n", " - "]))
def test_a_clause_that_names_something_is_never_left_out(birds: Assistant, clauses: list[str], joint: str) -> None:
    known = KnownProducts.of(birds.catalogue())
    kept = without_framing(joint.join(clauses), known)
    assert [clause for clause in clauses if clause in NAMING] == [
        clause for start, end in split_clauses(kept) if (clause := kept[start:end].rstrip(",.")) in NAMING
    ]


@given(st.text(alphabet="ab .,;:!?-\n", max_size=60))
def test_clauses_are_ranges_in_order_that_leave_no_word_out(text: str) -> None:
    spans = split_clauses(text)
    assert all(start < end for start, end in spans)
    assert all(first[1] <= second[0] for first, second in pairwise(spans))
    assert sum(map(str.isalnum, text)) == sum(c.isalnum() for start, end in spans for c in text[start:end])
