"""Follow-ups as people type them: which product and which releases they are about after the questions before."""

from collections.abc import Callable

import pytest
from asked_catalogue import understand, versions_of
from case_files import read_rows

from retrieval.assistant import Assistant
from retrieval.model import Form, Query, Status
from retrieval.question.query import MAX_HISTORY


@pytest.mark.parametrize(("history", "question", "products", "expected"), read_rows("retrieval-conversations"))
def test_conversations(
    history: tuple[str, ...], question: str, products: tuple[str, ...], expected: str | None
) -> None:
    query = understand(question, history)
    assert (query.products, versions_of(query)) == (products, expected)


@pytest.mark.parametrize(
    ("history", "question", "form"),
    [
        pytest.param("what's new in torch 2.9", "and in the next release?", Form.WHATS_NEW, id="only another release"),
        pytest.param("does torch 2.9 run on ROCm 7?", "and in the previous one?", Form.YES_NO, id="the one before"),
        pytest.param("what breaks in torch 2.9?", "and in 2.10?", Form.BREAKS, id="only another version"),
        pytest.param("since when does torch run on arm?", "and on windows?", Form.SINCE_WHEN, id="only another place"),
        pytest.param("does torch 2.9 run on arm?", "and in the latest?", Form.YES_NO, id="the latest"),
        pytest.param("security fixes in torch", "which release fixes them all?", Form.SECURITY, id="the last"),
        pytest.param("what's new in torch 2.9", "since when?", Form.SINCE_WHEN, id="a form of its own"),
        pytest.param("what's new in torch 2.9", "what replaces it?", Form.MIGRATE, id="what to do instead"),
    ],
)
def test_a_follow_up_that_names_only_a_release_asks_for_what_was_asked_for(
    history: str, question: str, form: Form
) -> None:
    assert understand(question, [history]).form is form


@pytest.mark.parametrize(
    ("question", "is_the_same"), read_rows("retrieval-more-of-a-list-is-asked-by-the-question-that-it")
)
def test_more_of_a_list_is_asked_by_the_question_that_it_answered(question: str, is_the_same: bool) -> None:
    first = "what's new in django 5.2"
    query = understand(question, [first])
    assert (query.search_text == first) is is_the_same
    assert query.before is not None
    assert query.before.search_text == first


@pytest.fixture(scope="module")
def birds(library: Callable[[str], Assistant]) -> Assistant:
    return library("herons")


@pytest.mark.parametrize(
    "before",
    [
        pytest.param(("is the heron leak of Redis fixed?", "CVE-2024-1111 - which heron has the fix"), id="heron"),
        pytest.param(("whats new in stork 5.0.0", "CVE-2025-2222 stork, which version has the fix?"), id="stork"),
    ],
)
@pytest.mark.parametrize("question", read_rows("retrieval-whole-questions-after-others"))
def test_a_whole_question_is_answered_after_others_as_it_is_alone(
    birds: Assistant, before: tuple[str, ...], question: str
) -> None:
    alone, after = birds.ask(question), birds.ask(question, history=before)
    assert alone.status is Status.ANSWERED
    assert (after.answer, after.citations) == (alone.answer, alone.citations)


def test_of_an_endless_conversation_the_latest_questions_are_read() -> None:
    before: Query | None = understand("more", ["what's new in django 5.2", *["more"] * 500])
    read = -1
    while before is not None:
        before, read = before.before, read + 1
    assert read == MAX_HISTORY


_HALF, _CHILL = ('Does kettle 5 still support boil.toward("half")?',), ("Was kettle.chill removed in kettle 5?",)


@pytest.mark.parametrize(
    ("asked", "question", "answer"),
    [
        (_HALF, "since when?", "Removed in **kettle 5.0.0**"),
        (_HALF, "what instead?", "`kettle.level() / 2`"),
        (_CHILL, "since when?", "**kettle 5.0.0**"),
        (_CHILL, "what instead?", "`kettle.cool`"),
        (_CHILL, "and since when was it deprecated?", "Deprecated in **kettle 4.6.0**"),
        (("Is lid-on still in kettle 5?", "since when?"), "what do I use instead?", "in favor of `lid-shut`"),
        (("Does kettle 2.0 have kettle.cool()?",), "since when?", "Since **kettle 3.0.0**"),
        (("Does kettle 6 still have kettle.chill()?",), "what instead?", "`kettle.cool"),
    ],
)
def test_since_when_and_what_instead_are_asked_of_what_the_answer_told(
    library: Callable[[str], Assistant], asked: tuple[str, ...], question: str, answer: str
) -> None:
    assert answer in library("kettles").ask(question, history=asked).answer


def test_what_instead_is_not_surely_answered_without_the_thing(library: Callable[[str], Assistant]) -> None:
    answer = library("kettles").ask("what do I use instead?", history=["Does kettle 5 have a whistle?", "since when?"])
    assert answer.confidence < 0.4  # Of those that say that they aren't certain.


def test_a_follow_up_keeps_the_names_of_the_question_before_as_they_were_written() -> None:
    assert understand("since when?", ['Does torch 2.9 still take compile("max")?']).symbols == ("max",)


@pytest.mark.parametrize(
    ("before", "question", "told"),
    [
        (("what breaks in loom 3", "thanks"), "and for csv?", "semicolon"),
        (("is dye() gone from loom", "thanks"), "since when", "3.0.0"),
        (("does loom have themes", "hi"), "since when", "2.1.0"),
        (("which node does loom need",), "since when", "3.0.0"),
        (("which node does loom need", "since when"), "and loom 2.4?", "Node.js 16"),
        (("since when does loom have themes",), "and the newest release?", "3.1.0"),
        (("is dye() gone from loom",), "why", "mixes colours twice"),
        (("what breaks in loom 3",), "csv", "semicolon"),
        (("since when does loom have themes",), "webpack", "3.1.0"),
    ],
)
def test_a_follow_up_is_told_something_and_nothing_twice(
    library: Callable[[str], Assistant], before: tuple[str, ...], question: str, told: str
) -> None:
    loom = library("loom")
    answer = loom.ask(question, history=before).answer
    assert told in answer
    assert answer not in [loom.ask(one, history=before[:n]).answer for n, one in enumerate(before)]
