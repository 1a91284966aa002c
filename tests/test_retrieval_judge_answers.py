"""What a question is answered with is read again by the judge, beside the learned order."""

from collections.abc import Iterator

import pytest
from ui_small_index import open_notes

from corpus.embedding import Embedder
from retrieval.assistant import Assistant
from retrieval.judge.answers import MOST_JUDGED, AnswerWeights

_COLOURS = ("amber", "beige", "cyan", "fawn", "green", "ivory", "khaki", "lilac", "mauve", "ochre", "peach", "rose")
NOTES = "# Lamp changelog\n\n## 2.0\n\n" + "".join(f"- Added a {colour} shade to the lamp.\n" for colour in _COLOURS)


@pytest.fixture(scope="module")
def lamp(default_embedder: Embedder, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Assistant]:
    with open_notes(tmp_path_factory.mktemp("lamp"), default_embedder, lamp=NOTES) as assistant:
        yield assistant


def test_the_first_items_are_judged_and_the_others_count_as_the_least(lamp: Assistant) -> None:
    judging = lamp.judging(answer_weights=AnswerWeights(0.0, 1.0, 0.0))
    fitting = judging.find(judging.understand("which shade was added to lamp 2.0?"), limit=10).fitting
    judged = [one for one in fitting if one.judged is not None]
    assert 1 < len(judged) <= MOST_JUDGED < len(fitting)
    assert [one.score for one in judged] == sorted((one.score for one in judged), reverse=True)
    assert {one.score for one in fitting if one.judged is None} == {judged[-1].score}


@pytest.mark.parametrize("question", ["what's new in lamp 2.0?", "latest lamp?", "should I upgrade to lamp 2.0?"])
def test_what_releases_as_a_whole_answer_is_not_judged(lamp: Assistant, question: str) -> None:
    assert all(one.judged is None for one in lamp.find(lamp.understand(question), limit=10).scored)
