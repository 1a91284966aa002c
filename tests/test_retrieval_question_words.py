"""The words of a question: which are names, which tell what it is about, and how well a text meets them."""

import pytest
from case_files import read_rows
from indexes_by_hand import query

from corpus.catalogue import CatalogueProduct
from corpus.lexicon import split_tokens
from corpus.stores.lexical_index import LexicalIndex
from corpus.versions import Version, VersionConstraint
from retrieval.question.words import Focus

NOTES = (
    "XCCL is the distributed backend for Intel GPUs",
    "Graph capture is_capturing on CUDA",
    "The pump was dropped on Windows",
)
LEXICAL = LexicalIndex.from_tokens([split_tokens(note) for note in NOTES])
PUMP = CatalogueProduct("pump", ("Pumpe",), (), 1, 3)


def words_of(text: str, *, products: tuple[CatalogueProduct, ...] = (), version: str | None = None) -> Focus:
    constraint = VersionConstraint.exactly(Version.parse(version)) if version else None
    asked = query(text, products=tuple(one.name for one in products), constraint=constraint)
    return Focus.of(asked, LEXICAL, catalogue=products, passages=len(NOTES))


@pytest.mark.parametrize(("question", "names"), read_rows("retrieval-names", list))
def test_names(question: str, names: list[str]) -> None:
    assert [word.text for word in words_of(question).names] == names


def test_products_and_versions_are_no_words() -> None:
    words = words_of("Pumpe 2.1: does the pump v2 hum in 2.1?", products=(PUMP,), version="2.1")
    assert [word.text for word in words.words] == ["hum"]


def test_a_version_of_something_else_is_a_name() -> None:
    words = words_of("Which pump 2.1 dropped Linux 3.7?", products=(PUMP,), version="2.1")
    assert [word.text for word in words.names] == ["Linux", "3.7"]


@pytest.mark.parametrize(
    ("asked", "text", "met"), [("capturing", "it captures", 1), ("is_capturing", "is it capturing", 0.9)]
)
def test_how_well_a_word_is_met(asked: str, text: str, met: float) -> None:
    (word,) = words_of(asked).words
    assert word.met_by(frozenset(split_tokens(text))) == met
