"""A follow-up's own words: they say what is asked, the words taken over what it is about."""

from dataclasses import replace
from pathlib import Path

import pytest
from indexes_by_hand import every_passage, note, open_index, query, scored

from corpus.lexicon import split_tokens
from retrieval.model import Form
from retrieval.products.known import KnownProducts
from retrieval.question.own_words import narrow_to_told, weigh_own_words
from retrieval.question.words import Focus
from retrieval.quoting.quotes import Quote

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
        focus = Focus.of(asked, index.lexical, known=KnownProducts.of(()), passages=1)
        weighed = weigh_own_words(asked, items, focus, told=lambda _: (), text_of=index.text_of)
        assert tuple(one.item.span.slice(text) for one in weighed) == expected


def test_an_answer_without_any_own_word_is_less_likely_and_with_all_more(tmp_path: Path) -> None:
    with open_index(tmp_path, note(SERVER)) as index:
        (passage,) = every_passage(index)
        item = replace(scored(passage, 0, 0.5), tokens=frozenset(split_tokens(SERVER)))
        chances = []
        for question in ("and on the server?", "and on the amiga?"):
            asked = replace(query(f"{BEFORE} {question}"), text=question)
            focus = Focus.of(asked, index.lexical, known=KnownProducts.of(()), passages=1)
            chances += [
                one.score for one in weigh_own_words(asked, [item], focus, told=lambda _: (), text_of=index.text_of)
            ]
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
    with open_index(tmp_path, note(f"{BOUNDARY} {SERVER}", BOUNDARY, SERVER)) as index:
        (passage,) = every_passage(index)
        first, item = (scored(passage, number, 0.5) for number in range(2))
        asked = replace(query(search_text), text=question, before=query(BEFORE))
        focus = Focus.of(asked, index.lexical, known=KnownProducts.of(()), passages=1)
        quote = Quote(passage, first.item.span, first.item.span, retracted=False)
        before, after = (
            weigh_own_words(asked, [item], focus, told=lambda _, quotes=quotes: quotes, text_of=index.text_of)[0]
            for quotes in ((), (quote,))
        )
        assert (after.score > before.score) is is_likelier


WHAT, WHY, HOW = (
    "Sessions are no longer kept in memory.",
    "Memory grew without end because sessions were never dropped.",
    "Set keep_sessions to keep the sessions replaced.",
)


@pytest.mark.parametrize(
    ("question", "form", "expected"),
    [
        pytest.param("why?", Form.FACT, (WHY, HOW, WHAT), id="a reason comes first, what was told last"),
        pytest.param("since when?", Form.SINCE_WHEN, (WHAT, WHY, HOW), id="the same words tell since when"),
        pytest.param("what instead?", Form.MIGRATE, (HOW, WHY, WHAT), id="its own word"),
        pytest.param("and the memory?", Form.FACT, (WHAT, WHY, HOW), id="what was told holds what is asked"),
    ],
)
def test_the_answer_before_is_not_given_again_where_another_item_answers_as_well(
    question: str, form: Form, expected: tuple[str, ...], tmp_path: Path
) -> None:
    with open_index(tmp_path, note(" ".join((WHAT, WHY, HOW)), WHAT, WHY, HOW)) as index:
        (passage,) = every_passage(index)
        text = index.text_of(passage)
        items = [
            replace(one, tokens=frozenset(split_tokens(one.item.span.slice(text))))
            for one in (scored(passage, number, score) for number, score in enumerate((0.5, 0.4, 0.3)))
        ]
        told = Quote(passage, items[0].item.span, items[0].item.span, retracted=False)
        before = "are sessions kept"
        asked = replace(query(f"{before} {question}"), text=question, before=query(before), form=form)
        focus = Focus.of(asked, index.lexical, known=KnownProducts.of(()), passages=1)
        weighed = weigh_own_words(asked, items, focus, told=lambda _: (told,), text_of=index.text_of)
        assert tuple(one.item.span.slice(text) for one in weighed) == expected


@pytest.mark.parametrize(
    ("question", "search_text", "expected"),
    [
        pytest.param("why?", "nightly cluster 5.2 sessions kept why?", "5.2 sessions kept why?", id="of no use"),
        pytest.param("the nightly ones?", "sessions the nightly ones?", "sessions the nightly ones?", id="its own"),
        pytest.param("and the cluster?", "is the cluster kept", "is the cluster kept", id="asked again"),
    ],
)
def test_what_the_answer_before_holds_nothing_of_is_taken_over_no_more(
    question: str, search_text: str, expected: str, tmp_path: Path
) -> None:
    with open_index(tmp_path, note(WHAT)) as index:
        (passage,) = every_passage(index)
        quote = Quote(passage, passage.items[0].span, passage.items[0].span, retracted=False)
        asked = replace(query(search_text), text=question, before=query("are sessions kept"))
        narrowed = narrow_to_told(asked, told=lambda _: (quote,), text_of=index.text_of)
        assert narrowed.search_text == expected
        assert narrow_to_told(asked, told=lambda _: (), text_of=index.text_of) == asked
