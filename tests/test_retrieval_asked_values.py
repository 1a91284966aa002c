"""What kind of value a question asks for, and what holds one."""

import pytest
from case_files import read_rows

from corpus.embedding import Embedder
from retrieval.model import Wanted
from retrieval.products.known import KnownProducts
from retrieval.question.forms import read_form
from retrieval.question.tokens import tokenize_question
from retrieval.question.words import ASKED_VALUES

# question: the kinds it asks for, a text that holds them, a text that doesn't


def asked(question: str, embedder: Embedder) -> Wanted | None:
    tokens = tokenize_question(question, KnownProducts.of([])).tokens
    return read_form(tokens, embedder.embed([question])[0], digest=embedder.digest).wanted


@pytest.mark.parametrize(("question", "kind", "with_it", "without"), read_rows("retrieval-kinds-of-value"))
def test_kinds_of_value(question: str, kind: str, with_it: str, without: str, default_embedder: Embedder) -> None:
    found = asked(question, default_embedder)
    assert found is Wanted(kind)
    assert ASKED_VALUES[found].search(with_it)
    assert not ASKED_VALUES[found].search(without)


@pytest.mark.parametrize("question", read_rows("retrieval-other-questions-ask-for-no-kind"))
def test_other_questions_ask_for_no_kind(question: str, default_embedder: Embedder) -> None:
    assert asked(question, default_embedder) not in ASKED_VALUES
