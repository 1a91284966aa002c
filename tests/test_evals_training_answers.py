"""What the judge of questions learns from: items beside a question, with what a reader said of them."""

import random
from collections.abc import Iterator

import pytest
import torch
from ui_small_index import open_notes

from corpus.embedding import Embedder
from evals.labelled_places import Place, words_sha
from evals.training.answers import LabelledItem, LabelledQuestion, choose_items, read_question
from evals.training.cross_encoder import Network, TokenPair, average
from retrieval.assistant import Assistant

NOTES = "# Lamp changelog\n\n## 2.0\n\n- Added a mauve shade to the lamp.\n- Removed the amber shade of the lamp.\n"
PAIR = TokenPair([101, 102], [0, 0], [0, 1])


@pytest.fixture(scope="module")
def lamp(default_embedder: Embedder, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Assistant]:
    with open_notes(tmp_path_factory.mktemp("lamp"), default_embedder, lamp=NOTES) as assistant:
        yield assistant


def place_of(lamp: Assistant, words: str) -> Place:
    (document,) = lamp.index.documents
    start = lamp.index.document_text(document.id).index(words)
    return Place(document.source, start, start + len(words), words_sha(words))


def test_an_item_is_worth_what_its_reader_said(lamp: Assistant) -> None:
    query = lamp.understand("is there a mauve shade?")
    labels = {place_of(lamp, "Added a mauve"): 1.0, place_of(lamp, "Removed the amber"): 0.0}
    (question,) = read_question(query, lamp, "lamp", labels, answerable=True)
    assert {item.answers for item in question.items if item.is_read} == {0.0, 1.0}


def test_a_question_none_of_whose_items_answers_teaches_nothing_but_as_a_near_miss(lamp: Assistant) -> None:
    query = lamp.understand("is there a mauve shade?")
    labels = {place_of(lamp, "Removed the amber"): 0.0}
    assert list(read_question(query, lamp, "lamp", labels, answerable=True)) == []
    (near_miss,) = read_question(query, lamp, "lamp", labels, answerable=False)
    assert {item.answers for item in near_miss.items} == {0.0}
    assert all(item.is_read for item in near_miss.items), "that none answers was said of all"


def test_what_answers_is_seen_beside_what_was_read_and_what_the_search_has_first() -> None:
    answer, partly = LabelledItem(PAIR, 1.0, is_read=True), LabelledItem(PAIR, 0.4, is_read=True)
    read, unread = LabelledItem(PAIR, 0.0, is_read=True), LabelledItem(PAIR, 0.0, is_read=False)
    random.seed(0)
    chosen = choose_items(LabelledQuestion("lamp", (*[unread] * 5, answer, partly, *[read] * 3), answerable=True))
    assert sorted(item.answers for item in chosen[:2]) == [0.4, 1.0]
    assert [item.is_read for item in chosen[2:]] == [True, True, True, False]


def test_the_mean_of_two_models_lies_between_them() -> None:
    one, other = Network(1), Network(1)
    with torch.no_grad():
        one.item.fill_(1.0)
        other.item.fill_(3.0)
    assert torch.equal(average([one, other]).item, torch.full_like(other.item, 2.0))
