"""The Ask tab with a language model: the answer without it at once, the one that it read in its place."""

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import pytest
from chat_server import ChatServer, Handler, Respond, Seen, completion, live_with_model, reply, says, send, serving
from fastapi.testclient import TestClient
from page_app import ask_client
from page_browser import running_page, visit
from page_html import PageHtml
from test_ui_page_ask_browser import answered, ask

from corpus.embedding import Embedder
from retrieval.model import Status
from ui.server.question_desk import QuestionDesk

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ASKED = {"q": "Is widget.spin deprecated?"}
TURN = "`widget.turn` rotates a widget by an angle given in degrees."
READS = says(reply(TURN))


@pytest.fixture
def desk() -> QuestionDesk:
    return QuestionDesk(max_questions=1, timeout_s=30)


OpenPage: TypeAlias = Callable[[Respond], AbstractContextManager[tuple[TestClient, ChatServer]]]


@pytest.fixture
def open_page(small_index: Path, default_embedder: Embedder, desk: QuestionDesk) -> OpenPage:
    """Opens the endpoints over a model that responds so."""

    @contextmanager
    def opened(respond: Respond) -> Iterator[tuple[TestClient, ChatServer]]:
        with live_with_model(small_index, default_embedder, respond) as (live, chat), ask_client(live, desk) as client:
            yield client, chat

    return opened


def turn_of(client: TestClient, **form: str) -> PageHtml:
    return PageHtml(client.post("/page/ask", data={**ASKED, **form}).text)


def test_the_answer_without_it_comes_first(open_page: OpenPage, desk: QuestionDesk) -> None:
    def respond(handler: Handler, seen: Seen, server: ChatServer) -> None:
        # Nobody's first answer waits for a model that reads another.
        assert turn_of(client, q="Is widget.turn new?").values("data-heard") == ["not_yet"]
        READS(handler, seen, server)

    with open_page(respond) as (client, chat):
        first = turn_of(client)
        assert first.values("data-heard") == ["not_yet"]
        assert "The language model is choosing quotes" in first.text
        assert TURN.replace("`", "") not in first.texts("p")[0]
        assert not chat.seen
        assert not any(map(desk.count, Status))
        read = turn_of(client, read="yes")
    assert read.values("data-heard") == ["yes"]
    assert "rotates a widget by an angle" in read.text
    assert "The language model 'tiny' chose the quotes (900 tokens in, 80 out)." in read.text
    # It is one question.
    assert desk.count(Status.ANSWERED) == 1


def test_an_endpoint_that_fails_leaves_the_answer_there_was(open_page: OpenPage) -> None:
    def refuse(handler: Handler, _seen: Seen, _server: ChatServer) -> None:
        send(handler, b"no", status=403)

    with open_page(refuse) as (client, _):
        first, read = turn_of(client), turn_of(client, read="yes")
    (told,) = (text for text in read.texts("p") if "deprecated" in text)
    assert told in first.texts("p")
    assert "The language model refused with status 403" in read.text


@pytest.mark.parametrize("question", ["hello", "Which versions of widget are there?", "What changed in widget 99.9?"])
def test_what_no_model_reads_waits_for_none(open_page: OpenPage, desk: QuestionDesk, question: str) -> None:
    with open_page(READS) as (client, chat):
        turn = turn_of(client, q=question)
        assert turn.values("data-heard") == ["no"]
        assert "Reading …" not in turn.text
    assert not chat.seen
    assert sum(map(desk.count, Status)) == 1


@pytest.mark.browser
@pytest.mark.slow
def test_the_answer_that_was_read_takes_the_place_of_the_first(browser: "Browser", own_index: Path) -> None:
    def respond(handler: Handler, seen: Seen, server: ChatServer) -> None:
        server.stop.wait(1)
        send(handler, completion(reply(TURN)(seen.asked)))

    with serving(respond) as chat:
        model = {"RELNOTES_LLM_BASE_URL": chat.url, "RELNOTES_LLM_MODEL": "tiny"}
        with running_page(own_index, **model) as address, visit(browser, address) as page:
            first = ask(page, ASKED["q"])
            first.get_by_text("The language model is choosing quotes").wait_for()
            assert "rotates" not in first.locator(".rn-answer").inner_text()
            page.locator("#rn-turn-1[data-heard=yes]").wait_for()
            assert "rotates a widget by an angle" in answered(page, 1).locator(".rn-answer").inner_text()
            # It stays so when the page is loaded again, and the model isn't asked again.
            page.reload()
            page.locator("#rn-turn-1[data-heard=yes]").wait_for()
            assert "rotates a widget by an angle" in answered(page, 1).locator(".rn-answer").inner_text()
            assert page.locator(".rn-since").count() == 0
            ask(page, "And widget.turn?", turn=2)
            page.locator("#rn-turn-2[data-heard=yes]").wait_for()
        assert len(chat.seen) == 2


@pytest.mark.browser
@pytest.mark.slow
def test_what_a_person_has_open_and_focused_stays_so(browser: "Browser", own_index: Path) -> None:
    from playwright.sync_api import expect

    let_go = threading.Event()

    def respond(handler: Handler, seen: Seen, _server: ChatServer) -> None:
        let_go.wait(60)
        send(handler, completion(reply(TURN)(seen.asked)))

    with serving(respond) as chat:
        model = {"RELNOTES_LLM_BASE_URL": chat.url, "RELNOTES_LLM_MODEL": "tiny"}
        with running_page(own_index, **model) as address, visit(browser, address) as page:
            for number, held in enumerate(("#rn-question", ".rn-asked", "[data-copy-link]", ".rn-marker", "body"), 1):
                let_go.clear()
                turn = ask(page, f"{ASKED['q']} {number}", turn=number)
                mark = turn.locator(".rn-reading[aria-busy=true]")
                mark.wait_for()
                said = page.locator("[role=status][aria-live=polite]")
                expect(said).to_contain_text("Reading … The language model is choosing quotes")
                page.evaluate("document.activeElement.blur()")
                focused = page.locator(held) if held[0] == "#" else turn.locator(held).first
                if held != "body":
                    focused.focus()
                if held == ".rn-marker":
                    turn.locator("summary").first.click()
                    focused.focus()
                let_go.set()
                page.locator(f"#rn-turn-{number}[data-heard=yes]").wait_for()
                expect(said).to_contain_text("rotates a widget")
                assert turn.locator(".rn-reading").count() == 0
                expect(page.locator("body") if held == "body" else focused).to_be_focused()


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.parametrize("is_asked", [True, False], ids=["the model refuses", "the server refuses"])
def test_where_it_cannot_be_read_the_first_answer_stands_and_says_why(
    browser: "Browser", own_index: Path, is_asked: bool
) -> None:
    def refuse(handler: Handler, _seen: Seen, _server: ChatServer) -> None:
        send(handler, b"no", status=403)

    with serving(refuse) as chat:
        model = {"RELNOTES_LLM_BASE_URL": chat.url, "RELNOTES_LLM_MODEL": "tiny"}
        with running_page(own_index, **model) as address, visit(browser, address) as page:
            if not is_asked:
                busy = '{"detail": "Too many questions wait. Ask again in a few seconds."}'
                page.route(
                    "**/page/ask",
                    lambda route: (
                        route.fulfill(status=503, body=busy)
                        if "read=yes" in (route.request.post_data or "")
                        else route.continue_()
                    ),
                )
            first = ask(page, ASKED["q"]).locator(".rn-answer").inner_text()
            told = page.locator("#rn-turn-1").get_by_text(
                "refused with status 403" if is_asked else "Too many questions wait"
            )
            told.first.wait_for()
            turn = answered(page, 1)
            assert turn.locator(".rn-answer").inner_text() == first
            assert turn.locator("[aria-busy]").count() == 0
            assert "the answer without" in told.first.inner_text()


@pytest.mark.browser
@pytest.mark.slow
def test_what_a_person_does_meanwhile_is_not_lost(browser: "Browser", own_index: Path) -> None:
    let_go = threading.Event()

    def respond(handler: Handler, seen: Seen, server: ChatServer) -> None:
        if len(server.seen) != 2:
            let_go.wait(60)
        send(handler, completion(reply(TURN)(seen.asked)))

    with serving(respond) as chat:
        model = {"RELNOTES_LLM_BASE_URL": chat.url, "RELNOTES_LLM_MODEL": "tiny"}
        with running_page(own_index, **model) as address, visit(browser, address) as page:
            # The reading of a question that was asked anew in its place comes to nothing.
            first = ask(page, "Is widget.spin deprecated in 2.0?")
            first.get_by_text("The language model is choosing quotes").wait_for()
            first.get_by_role("button", name="Ask again without version 2.0").click()
            anew = page.locator("#rn-turn-1[data-heard=yes][data-link*='without=version']")
            anew.wait_for()
            with page.expect_response("**/page/ask"):
                let_go.set()
            anew.locator(".rn-follow-ups button").first.wait_for()
            assert anew.count() == 1
