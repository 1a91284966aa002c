"""A follow-up's own words: they say what is asked, the words taken over what it is about."""

from dataclasses import replace
from pathlib import Path

import pytest
from indexes_by_hand import every_passage, note, open_index, query, scored

from corpus.lexicon import split_tokens
from retrieval.focus import Focus
from retrieval.model import Query
from retrieval.own_words import weigh_own_words

BOUNDARY, SERVER, PARSER = (
    "Boundaries catch errors while a page is shown.",
    "Boundaries catch errors on the server too.",
    "The parser was rewritten.",
)
BEFORE = "since when is there a boundary that catches errors"


@pytest.mark.parametrize(
    ("search_text", "question", "expected"),
    [
        pytest.param(f"{BEFORE} and on the server?", "and on the server?", (SERVER, BOUNDARY, PARSER), id="own word"),
        pytest.param(f"{BEFORE} and the parser?", "and the parser?", (BOUNDARY, PARSER, SERVER), id="far likelier"),
        pytest.param(f"{BEFORE} why?", "why?", (BOUNDARY, SERVER, PARSER), id="none of its own"),
        pytest.param("and on the server?", "and on the server?", (BOUNDARY, SERVER, PARSER), id="takes nothing over"),
    ],
)
def test_what_holds_a_follow_ups_own_words_is_likelier_to_answer(
    search_text: str, question: str, expected: tuple[str, ...], tmp_path: Path
) -> None:
    with open_index(tmp_path, note(" ".join((BOUNDARY, SERVER, PARSER)), BOUNDARY, SERVER, PARSER)) as index:
        (passage,) = every_passage(index)
        text = index.text_of(passage)
        asked = replace(query(search_text), text=question)
        items = [
            replace(one, tokens=frozenset(split_tokens(one.item.span.slice(text))))
            for one in (scored(passage, number, score) for number, score in enumerate((0.5, 0.2, 0.02)))
        ]
        focus = Focus.of(asked, index.lexical, products=(), passages=1)
        weighed = weigh_own_words(asked, items, focus, told=lambda _: frozenset())
        assert tuple(one.item.span.slice(text) for one in weighed) == expected


def test_an_answer_without_any_own_word_is_less_likely_and_with_all_more(tmp_path: Path) -> None:
    with open_index(tmp_path, note(SERVER)) as index:
        (passage,) = every_passage(index)
        item = replace(scored(passage, 0, 0.5), tokens=frozenset(split_tokens(SERVER)))
        chances = []
        for question in ("and on the server?", "and on the amiga?"):
            asked = replace(query(f"{BEFORE} {question}"), text=question)
            focus = Focus.of(asked, index.lexical, products=(), passages=1)
            chances += [one.score for one in weigh_own_words(asked, [item], focus, told=lambda _: frozenset())]
        assert chances[1] < 0.5 < chances[0]


@pytest.mark.parametrize(
    ("search_text", "question", "is_likelier"),
    [
        pytest.param(f"{BEFORE} why?", "why?", True, id="names nothing"),
        pytest.param(f"{BEFORE} and on the server?", "and on the server?", False, id="names something"),
        pytest.param("since when is there a boundary on the server", "and on the server?", False, id="asked again"),
        pytest.param("why?", "why?", False, id="takes nothing over"),
    ],
)
def test_what_names_nothing_is_likelier_answered_where_the_answer_before_was(
    search_text: str, question: str, is_likelier: bool, tmp_path: Path
) -> None:
    with open_index(tmp_path, note(BOUNDARY)) as index:
        (passage,) = every_passage(index)
        item = scored(passage, 0, 0.5)
        asked = replace(query(search_text), text=question, before=query(BEFORE))
        focus = Focus.of(asked, index.lexical, products=(), passages=1)
        searched: list[Query] = []

        def told(earlier: Query) -> frozenset[int]:
            searched.append(earlier)
            return frozenset({passage.position})

        (before,) = weigh_own_words(asked, [item], focus, told=lambda _: frozenset())
        (after,) = weigh_own_words(asked, [item], focus, told=told)
        assert (after.score > before.score) is is_likelier
        assert bool(searched) is is_likelier  # what isn't needed isn't searched for
