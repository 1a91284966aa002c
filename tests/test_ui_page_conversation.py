"""A conversation of the page: turns, links to questions, chips, clicks, near questions, feedback."""

import asyncio
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from page_answers import ANSWER, HOSTILE
from ui_small_index import unconnected_library

from corpus.embedding import Embedder
from retrieval.assistant import Assistant
from retrieval.model import Facet, Form, Interpretation, Status
from ui.server.live_assistant import LiveAssistant
from ui.server.question_desk import QuestionDesk
from ui.settings import load_server_settings
from ui.web.ask.asking import answer_asking, feedback_of, find_fault, listed_product, near_questions
from ui.web.ask.conversation import (
    MAX_HISTORY,
    MAX_TURNS,
    Answered,
    Asking,
    ChipAction,
    Conversation,
    Failure,
    Turn,
    find_turn,
    history_for,
    next_number,
    parse_address,
    with_turn,
)
from ui.web.ask.turn_html import Chip, read_chips
from ui.web.controls import parse_act
from ui.web.services import PageServices


def turn(number: int, question: str, *history: str) -> Turn:
    return Turn(number, Asking(question, history), Answered(ANSWER))


def test_a_follow_up_is_asked_with_the_questions_before_it() -> None:
    turns: Conversation = ()
    for question in ("a", "b", "c"):
        turns = with_turn(turns, turn(next_number(turns), question, *history_for(turns)))
    assert history_for(turns) == ("a", "b", "c")
    assert [asked.number for asked in turns] == [1, 2, 3]


def test_a_question_that_failed_is_no_history() -> None:
    failed = Turn(2, Asking("b", ("a",)), Failure("busy", can_retry=True))
    assert history_for((turn(1, "a"), failed)) == ("a",)


def test_history_is_bounded() -> None:
    assert len(history_for((turn(1, "last", *map(str, range(40))),))) == MAX_HISTORY


def test_asking_again_takes_the_place_of_the_turn() -> None:
    turns = (turn(1, "a"), turn(2, "b"))
    again = replace(turns[0], asking=Asking("a", without=frozenset({Facet.VERSION})))
    assert with_turn(turns, again) == (again, turns[1])


def test_the_oldest_turn_goes_and_numbers_go_on() -> None:
    turns: Conversation = ()
    for _ in range(MAX_TURNS + 2):
        turns = with_turn(turns, turn(next_number(turns), "a"))
    assert (len(turns), turns[-1].number, find_turn(turns, 1)) == (MAX_TURNS, MAX_TURNS + 2, None)


@given(
    st.builds(
        Asking,
        question=st.text(min_size=1, max_size=40).map(str.strip).filter(bool),
        history=st.lists(st.text(max_size=20).map(str.strip).filter(bool), max_size=3).map(tuple),
        product=st.none() | st.text(min_size=1, max_size=20).map(str.strip).filter(bool),
        version=st.none() | st.sampled_from(["2.0", "v1 & 2=3"]),
        without=st.frozensets(st.sampled_from(Facet)),
    )
)
def test_a_link_holds_all_that_a_question_is_asked_with(asking: Asking) -> None:
    from starlette.datastructures import QueryParams

    pairs = QueryParams(asking.address.removeprefix("/?")).multi_items()
    assert parse_address(pairs) == asking


@pytest.mark.parametrize(
    "pairs",
    [[], [("q", " ")], [("product", "x")], [("q", "x" * 4_001)], [("q", "x"), ("version", "1" * 201)]],
    ids=["nothing", "blank", "no question", "too long", "long filter"],
)
def test_a_link_without_a_question_asks_nothing(pairs: list[tuple[str, str]]) -> None:
    assert parse_address(pairs) is None


def test_a_link_with_unknown_facets_is_still_read() -> None:
    assert parse_address([("q", "x"), ("without", "colour"), ("other", "y")]) == Asking("x")


READ = Interpretation(("widget",), "2.0", ("spin",), "since_when")


def test_chips_tell_what_was_read_and_take_it_back() -> None:
    assert tuple(read_chips(Asking("q"), READ)) == (
        Chip("Product", "widget", Facet.PRODUCT, ChipAction.DROP),
        Chip("Version", "2.0", Facet.VERSION, ChipAction.DROP),
        Chip("Names", "spin"),
        Chip("Asks for", "since when", Facet.INTENT, ChipAction.DROP),
    )


def test_a_range_is_shown_as_it_was_read() -> None:
    (chip, _) = read_chips(Asking("q"), Interpretation((), "8.3 < version ≤ 8.4", (), "fact"))
    assert chip.text == "8.3 < version ≤ 8.4"


@pytest.mark.parametrize("form", Form)
def test_every_form_is_told_in_words(form: Form) -> None:
    (chip,) = read_chips(Asking("q"), Interpretation((), None, (), form.intent))
    assert re.fullmatch(r"[a-z ]+", chip.text)


def test_filters_can_be_taken_off() -> None:
    chips = tuple(read_chips(Asking("q", product="w", version="2"), READ))
    assert [(chip.label, chip.action) for chip in chips[:2]] == [
        ("Product filter", ChipAction.UNFILTER),
        ("Version filter", ChipAction.UNFILTER),
    ]


def test_what_was_taken_back_can_be_read_again() -> None:
    chips = read_chips(Asking("q", without=frozenset(Facet)), Interpretation((), None, (), "fact"))
    assert [(chip.facet, chip.action) for chip in chips] == [(facet, ChipAction.RESTORE) for facet in Facet]


def test_a_product_without_notes_says_so() -> None:
    (chip, _) = read_chips(Asking("q"), Interpretation((), None, (), "fact", unknown_products=("rails",)))
    assert (chip.text, chip.action) == ("rails (not indexed)", ChipAction.DROP)


@pytest.mark.parametrize(
    "data",
    [
        None,
        {},
        {"act": "delete"},
        {"act": "drop", "turn": "one"},
        {"act": "drop", "facet": "colour"},
        {"act": "ask", "question": "x" * 4_001},
        {"act": "feedback", "verdict": "perfect"},
        {"act": "feedback", "reason": "x" * 1_001},
    ],
    ids=str,
)
def test_a_click_that_is_none_of_ours_is_none(data: object) -> None:
    assert parse_act(data) is None


def test_faults_are_found_before_anything_is_asked() -> None:
    assert find_fault(Asking("")) == "Type a question first."
    assert find_fault(Asking("x" * 2_000, version="1" * 200)) is None
    assert "4,000 characters" in (find_fault(Asking("x" * 4_001)) or "")


@pytest.mark.parametrize(
    "question", ["How do I bake sourdough bread?", "Does linalg.eigh support complex numbers on Windows 95?"]
)
def test_near_questions_are_answered(bundled: Assistant, question: str) -> None:
    near = near_questions(bundled, bundled.understand(question))
    assert 1 <= len(near) <= 3
    assert len(set(near)) == len(near)
    assert {bundled.ask(suggested).status for suggested in near} == {Status.ANSWERED}


def test_near_questions_are_near(bundled: Assistant) -> None:
    question = "Does linalg.eigh support complex numbers on Windows 95?"
    assert "linalg.eigh" in near_questions(bundled, bundled.understand(question))[0]


def test_feedback_keeps_what_the_person_is_told_it_keeps() -> None:
    asking = Asking("Is spin deprecated?", ("What is new?",), product="widget", without=frozenset({Facet.INTENT}))
    kept = feedback_of(asking, ANSWER, good=True, reason="  ")
    assert (kept.question, kept.history, kept.product, kept.without, kept.reason) == (
        "Is spin deprecated?",
        ("What is new?",),
        "widget",
        ("intent",),
        None,
    )
    assert [(cited.path, cited.quote) for cited in kept.cited] == [("widget/2.0.md", "`spin` is deprecated.")]


def test_questions_are_answered_at_the_desk_and_refusals_told(
    small_index: Path, default_embedder: Embedder, live: LiveAssistant
) -> None:
    settings = load_server_settings(index=small_index)
    desk = QuestionDesk(max_questions=1, timeout_s=30)

    library = unconnected_library(settings.index, default_embedder)
    services = PageServices(live, desk, settings, library)

    async def ask() -> tuple[Answered | Failure, ...]:
        questions = (Asking("Is widget.spin deprecated?"), Asking("What is new?"), Asking(HOSTILE))
        return tuple(await asyncio.gather(*(answer_asking(asking, services) for asking in questions)))

    found, *refused = asyncio.run(ask())
    assert [listed_product(name, services) for name in ("WIDGET", "rails", None)] == ["widget", "", ""]
    unknown = asyncio.run(answer_asking(Asking("x", product="rails"), services))
    assert isinstance(found, Answered)
    assert found.answer.status is Status.ANSWERED
    assert set(found.surroundings) == {citation.n for citation in found.answer.citations}
    assert all(isinstance(refusal, Failure) and refusal.can_retry for refusal in refused)
    assert isinstance(unknown, Failure)
    assert not unknown.can_retry
