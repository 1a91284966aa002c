"""A question of the page: its link, its chips, what was seen of its answer."""

import asyncio
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from page_answers import ANSWER, HOSTILE, saying

from corpus.versions import Version, VersionConstraint
from retrieval.blocks import Blocks
from retrieval.model import Answer, Facet, Interpretation, Status
from retrieval.question.query import parse_query
from ui.server.live_assistant import LiveAssistant
from ui.server.question_desk import QuestionDesk
from ui.web.ask.conversation import Answered, Asking, Failure, digest_answer, parse_address, parse_seen
from ui.web.ask.endpoints import answer_asking, range_asked
from ui.web.ask.turn_html import read_chips
from ui.web.services import PageServices


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


READ = Interpretation(("widget",), "2.0", ("spin",), "since_when", versions_words="2.0")
PLAIN = Interpretation((), None, (), "fact")
Q, BY_PRODUCT = Asking("q"), "/?q=q&product=widget"
CHIPS: dict[str, tuple[Asking, Interpretation, list[tuple[str, str, str]]]] = {
    "what was read, and how to take it back": (
        Q,
        READ,
        [
            ("Product", "widget", "/?q=q&without=product"),
            ("Version", "2.0", "/?q=q&without=version"),
            ("Names", "spin", ""),
            ("Looking for", "since when", "/?q=q&without=intent"),
        ],
    ),
    "each leads to its question as a click changes it": (
        Asking("q", ("before",), product="widget"),
        READ,
        [
            ("Only product", "widget", "/?q=q&after=before"),
            ("Version", "2.0", f"{BY_PRODUCT}&without=version&after=before"),
            ("Names", "spin", ""),
            ("Looking for", "since when", f"{BY_PRODUCT}&without=intent&after=before"),
        ],
    ),
    "anything": (Asking("q", without=frozenset({Facet.INTENT})), PLAIN, [("Looking for", "anything", "/?q=q")]),
    "unknown": (Q, replace(PLAIN, unknown_products=("x",)), [("Product", "x (no notes)", "/?q=q&without=product")]),
}


def told(asking: Asking, read: Interpretation) -> list[tuple[str, str, str]]:
    return [(chip.label, chip.text, chip.link) for chip in read_chips(asking, read)]


@pytest.mark.parametrize(("asking", "read", "chips"), CHIPS.values(), ids=CHIPS)
def test_chips_tell(asking: Asking, read: Interpretation, chips: list[tuple[str, str, str]]) -> None:
    assert told(asking, read) == chips


def test_a_range_of_one_product_leads_to_upgrade() -> None:
    one, two = map(Version.parse, "12")
    asked = replace(parse_query("what is new"), products=("widget",))
    for constraint in (VersionConstraint.exactly(two, one), VersionConstraint.between(one, two)):
        assert range_asked(replace(asked, constraint=constraint)) == ("widget", "1", "2")
        assert range_asked(replace(asked, constraint=constraint, products=())) is None
    assert range_asked(replace(asked, constraint=VersionConstraint.since(one))) is range_asked(asked) is None


DAY = date(2026, 11, 3)
BEFORE = digest_answer(ANSWER, today=DAY)
CITED, TOLD = ANSWER.citations[0], ANSWER.blocks.statements[0]
OTHER = replace(CITED, n=2, quote="`turn` replaces it.")
CHANGES = {
    "nothing": (ANSWER, False),
    "markers stand elsewhere": (replace(ANSWER, blocks=Blocks(statements=(replace(TOLD, citations=()),))), False),
    "other words": (replace(ANSWER, blocks=saying("It is.", 1)), True),
    "a quote more": (replace(ANSWER, citations=(*ANSWER.citations, OTHER)), True),
    "the same quote of another document": (replace(ANSWER, citations=(replace(CITED, document_id=9),)), False),
}


@pytest.mark.parametrize(("answer", "is_another"), CHANGES.values(), ids=CHANGES)
def test_an_answer_seen_before_is_known_again(answer: Answer, is_another: bool) -> None:
    assert (digest_answer(answer, today=DAY) != BEFORE) == is_another


@pytest.mark.parametrize(
    "text", ["", "20261103", "20261399.000000000000", "20261103.00000000000g", "20261103.00000000", "x" * 10_000]
)
def test_what_nobody_can_have_seen_is_nothing(text: str) -> None:
    assert parse_seen(text) is None


@given(st.dates(), st.lists(st.text(max_size=40), max_size=8))
def test_every_answer_fits_into_a_link(day: date, quotes: list[str]) -> None:
    citations = tuple(replace(OTHER, n=n, quote=quote) for n, quote in enumerate(quotes, start=1))
    seen = digest_answer(replace(ANSWER, citations=citations), today=day)
    if day.year >= 1000:
        assert parse_seen(str(seen)) == seen


@pytest.mark.anyio
async def test_questions_are_answered_at_the_desk_and_refusals_told(small_index: Path, live: LiveAssistant) -> None:
    desk = QuestionDesk(max_questions=1, timeout_s=300)
    services = PageServices(live, desk)

    async def ask(*asked: Asking) -> tuple[Answered | Failure, ...]:
        answers = (answer_asking(one, services, before=None, is_new=True, read=False) for one in asked)
        return tuple(await asyncio.gather(*answers))

    found, *refused = await ask(Asking("Is widget.spin deprecated?"), Asking("What is new?"), Asking(HOSTILE))
    # The place is free once its thread has looked for who waits, which is after the answer is there.
    while desk.load[0]:
        await asyncio.sleep(0.001)
    (unknown,) = await ask(Asking("x", product="rails"))
    assert isinstance(found, Answered)
    assert found.answer.status is Status.ANSWERED
    assert set(found.surroundings) == {citation.n for citation in found.answer.citations}
    assert all(isinstance(refusal, Failure) and refusal.can_retry for refusal in refused)
    assert isinstance(unknown, Failure)
    assert not unknown.can_retry
