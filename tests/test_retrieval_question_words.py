"""The words of a question: which are names, which tell what it is about, and how well a text meets them."""

import pytest
from indexes_by_hand import query

from corpus.catalogue import CatalogueProduct
from corpus.lexicon import split_tokens
from corpus.stores.lexical_index import LexicalIndex
from corpus.versions import Version, VersionConstraint
from retrieval.products.known import KnownProducts
from retrieval.question.words import Focus, share_met

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
    return Focus.of(asked, LEXICAL, known=KnownProducts.of(products), passages=len(NOTES))


@pytest.mark.parametrize(
    ("question", "names"),
    [
        pytest.param("Does XCCL run on Windows?", ["XCCL", "Windows"], id="capitals within a sentence"),
        pytest.param("Windows or not?", ["Windows"], id="a platform even at the start"),
        pytest.param("anything for mac users", ["mac"], id="a platform by its everyday name"),
        pytest.param("Quicker loading? Better builds?", [], id="a sentence may start with any word"),
        pytest.param("is fused=True there for torch.cond", ["True", "torch.cond"], id="code"),
        pytest.param("does it work with webpack loaders", ["webpack"], id="what isn't everyday English"),
        pytest.param("was it deprecated or removed", [], id="words of release notes are no names"),
        pytest.param("how fast on an h100", ["h100"], id="digits"),
        pytest.param("does it speak HTTP/3 or plan C", ["HTTP", "3"], id="a digit, but no single letter"),
    ],
)
def test_names(question: str, names: list[str]) -> None:
    assert [word.text for word in words_of(question).names] == names


def test_products_and_versions_are_no_words() -> None:
    words = words_of("Pumpe 2.1: does the pump v2 hum in 2.1?", products=(PUMP,), version="2.1")
    assert [word.text for word in words.words] == ["hum"]


def test_a_version_of_something_else_is_a_name() -> None:
    words = words_of("Which pump 2.1 dropped Linux 3.7?", products=(PUMP,), version="2.1")
    assert [word.text for word in words.names] == ["Linux", "3.7"]


@pytest.mark.parametrize(
    ("asked", "text", "met"),
    [
        pytest.param("capturing", "it captures", 1.0, id="in another form"),
        pytest.param("is_capturing", "whether it is capturing", 0.9, id="a compound by its parts"),
        pytest.param("XCCL", "NCCL", 0.0, id="another name"),
    ],
)
def test_how_well_a_word_is_met(asked: str, text: str, met: float) -> None:
    (word,) = words_of(asked).words
    assert word.met_by(frozenset(split_tokens(text))) == met


def test_the_share_met_counts_by_weight() -> None:
    rare, common = words_of("XCCL on pumps").words[0], words_of("graph").words[0]
    assert share_met((rare, common), {rare.tokens[0]}) == pytest.approx(rare.weight / (rare.weight + common.weight))
    assert share_met((), frozenset()) == 1.0
