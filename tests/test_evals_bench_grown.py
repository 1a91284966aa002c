"""Grown indexes: copies are documents in good order, answers over them quote what is stored, and sizes are exact."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_corpus import HashedEmbedder, encoded, parsed

from corpus.embedding import Embedder
from corpus.index.commit import EncodedDocument
from corpus.index.reader import IndexReader
from evals.lab.bench.altered_copies import DocumentCopier, alter, made_up_name, shifted_version
from evals.lab.bench.grown_corpora import Grown, encode_sources, grow, grown_documents, read_sources
from evals.suites import BUNDLED, load_suite
from retrieval.assistant import Assistant
from retrieval.model import Status

NOTES = "Deprecated in 4.2: the ``legacy`` parameter of Session.configure().\n\nRemoving cached templates is faster.\n"
ORIGINALS = tuple(
    encoded(parsed(NOTES, source=f"{product}/{version}.md", product=product, version=version))
    for product, version in (("django", "4.2"), ("django", "5.0.1"), ("curl", "8.1"))
)


class NoProgress:
    def phase(self, name: str, total: int) -> None:
        pass

    def advance(self, count: int) -> None:
        pass


def copied(number: int, position: int = 0) -> EncodedDocument:
    return DocumentCopier(ORIGINALS).copy(position, number)


def grown(folder: Path, originals: tuple[EncodedDocument, ...], embedder: Embedder, passages: int) -> Grown:
    return grow(originals, folder, embedder, passages=passages, stamp="s", progress=NoProgress())


@given(st.text(st.sampled_from("aeioubcdfgnrstAEST .:`_-/0123456789\n"), max_size=200), st.integers(1, 200))
def test_an_altered_text_has_its_length(text: str, number: int) -> None:
    assert len(alter(text, number)) == len(text)


def test_copies_differ_in_words_but_not_in_versions_and_code() -> None:
    original = f"{NOTES}improvements regression dictionary connection performance"
    copies = [alter(original, number) for number in range(1, 5)]
    assert len({original, *copies}) == 5
    assert all("4.2" in copy and "``legacy``" in copy and "configure()" in copy for copy in copies)


def test_no_two_products_of_a_million_passages_share_a_name() -> None:
    assert len({made_up_name(number) for number in range(10_000)}) == 10_000


@pytest.mark.parametrize(("label", "shifted"), [("4.2", "7.2"), ("v2.45.1", "v5.45.1"), ("Unreleased", "Unreleased")])
def test_a_shifted_version_keeps_all_but_its_first_number(label: str, shifted: str) -> None:
    assert shifted_version(label, 3) == shifted


def test_a_copy_is_another_product_with_other_releases_in_the_same_places() -> None:
    first, second = copied(2, 0), copied(2, 1)
    document, original = first.parsed.document, ORIGINALS[0].parsed
    assert document.product == second.parsed.document.product != "django"
    assert str(document.version) == "7.2"
    assert [release.label for release in first.parsed.releases] == ["7.2"]
    assert [passage.span for passage in first.parsed.passages] == [passage.span for passage in original.passages]
    assert len(document.text) == len(original.document.text)


def test_tokens_of_a_copy_name_its_own_product_and_version() -> None:
    original = replace(ORIGINALS[0], tokens=(("django", "4.2", "v4.2", "the"), ("session",)))
    (tokens, _) = DocumentCopier([original]).copy(0, 1).tokens
    assert "django" not in tokens
    assert tokens[1:] == ("6.2", "v6.2", "the")


def test_rare_tokens_give_each_copy_a_vocabulary_of_its_own() -> None:
    original = replace(ORIGINALS[0], tokens=(tuple(f"name{number}" for number in range(200)), ()))
    copier = DocumentCopier([original])
    first, second = (set(copier.copy(0, number).tokens[0]) - set(original.tokens[0]) for number in (1, 2))
    assert 30 < len(first) < 70
    assert not first & second


def test_vectors_of_a_copy_are_near_the_original_and_the_same_each_time() -> None:
    once, again, other = (np.concatenate(copied(number).vectors) for number in (1, 1, 2))
    original = np.concatenate(ORIGINALS[0].vectors)
    assert np.array_equal(once, again)
    assert not np.array_equal(once, other)
    assert np.linalg.norm(once, axis=1) == pytest.approx(np.ones(len(once)), abs=1e-5)
    assert ((once * original).sum(axis=1) > 0.85).all()


@pytest.mark.parametrize("passages", [1, 5, 9, 40])
def test_there_are_exactly_as_many_passages_as_asked_for(passages: int) -> None:
    documents = list(grown_documents(ORIGINALS, passages))
    assert sum(len(document.parsed.passages) for document in documents) == passages
    assert len({(document.parsed.document.root, document.parsed.document.source) for document in documents}) == len(
        documents
    )


def test_what_lies_beside_the_index_has_a_text_and_a_vector_for_each_passage(tmp_path: Path) -> None:
    made = grown(tmp_path / "grown", ORIGINALS, HashedEmbedder(), 40)
    texts = [json.loads(line) for line in made.texts.read_text("utf-8").splitlines()]
    with IndexReader.open(made.index) as reader:
        stored = reader.load_passages(range(40))
        assert texts == [" ".join(one.span.slice(reader.text_of(one)).split()) for one in stored if one.items]
    vectors = np.fromfile(made.vectors, np.float32).reshape(len(texts), -1)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(len(texts)), abs=1e-5)


@pytest.mark.slow
def test_answers_over_a_grown_index_quote_what_is_stored(default_embedder: Embedder, tmp_path: Path) -> None:
    originals = encode_sources(read_sources(BUNDLED.documents), default_embedder, progress=NoProgress())
    made = grown(tmp_path / "grown", originals, default_embedder, 2_000)
    questions = [one.question for one in load_suite(BUNDLED) if one.answerable and not one.history][::12]
    with Assistant.open(made.index, embedder=default_embedder) as assistant:
        assert assistant.index.manifest.passages == 2_000
        assert len(assistant.catalogue()) > 20
        answers = [assistant.ask(question) for question in questions]
        for citation in (one for answer in answers for one in answer.citations):
            stored = assistant.index.document_text(citation.document_id)
            assert stored[citation.start : citation.end] == citation.quote
    assert sum(answer.status is not Status.NOT_FOUND for answer in answers) >= 5
