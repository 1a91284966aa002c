"""What the Ask tab's script asks of the server, posted by hand: a conversation that the server doesn't keep."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from page_app import ask_client, slow_client
from page_html import PageHtml

from corpus.embedding import Embedder
from corpus.errors import IndexCorrupt, IndexNotFound, ModelError, RelnotesError
from retrieval.assistant import Assistant
from retrieval.model import Status
from ui.server.live_assistant import LiveAssistant
from ui.server.question_desk import QuestionDesk
from ui.web.services import PageServices, page_message

ASKED = {"q": "Is widget.spin deprecated?"}


@pytest.fixture
def desk() -> QuestionDesk:
    return QuestionDesk(max_questions=4, timeout_s=30)


@pytest.fixture
def client(live: LiveAssistant, desk: QuestionDesk) -> Iterator[TestClient]:
    """The endpoints over `live`."""
    with ask_client(live, desk) as client:
        yield client


def seen_in(turn: str) -> str:
    (seen,) = PageHtml(turn).values("data-seen")
    return seen


@pytest.mark.parametrize("question", ["", " ", "x" * 4_001], ids=["none", "blank", "too long"])
def test_what_is_no_question_is_refused_in_words(client: TestClient, question: str) -> None:
    turn = client.post("/page/ask", data={"q": question})
    assert "Ask it in fewer words" in PageHtml(turn.text).text


def test_a_conversation_read_again_asks_nothing_new(client: TestClient, desk: QuestionDesk) -> None:
    client.post("/page/ask", data=ASKED)
    client.post("/page/ask", data={**ASKED, "again": "yes"})
    assert desk.count(Status.ANSWERED) == 1


def test_an_answer_says_whether_it_is_the_one_that_was_seen(client: TestClient) -> None:
    digest = seen_in(client.post("/page/ask", data=ASKED).text).partition(".")[2]
    for known, said in ((digest, "The same answer as on 2 May 2024."), ("0" * 12, "Changed since 2 May 2024.")):
        told = PageHtml(client.post("/page/ask", data={**ASKED, "seen": f"20240502.{known}"}).text)
        assert said in told.text


def test_the_start_names_what_there_is(client: TestClient) -> None:
    first = PageHtml(client.get("/").text.partition("<body")[2].partition(">")[2].partition("</body>")[0])
    assert "What changed?" in first.texts("h1")
    assert "widget 2.0.0" in first.text
    assert "widget" in first.values("value")
    assert "What is new in widget 2.0.0?" in first.texts("button")


def test_bytes_that_are_no_text_are_no_defect(client: TestClient) -> None:
    assert client.post("/page/ask", content=b"q=%ff\xff%00&seen=\xff&after=%ED%A0%80").status_code == 200


PLACE = "/srv/secret/index"


@pytest.mark.parametrize("kind", [IndexNotFound, IndexCorrupt, ModelError])
def test_no_place_on_the_server_is_named(kind: type[RelnotesError], caplog: pytest.LogCaptureFixture) -> None:
    assert PLACE not in page_message(kind(f"Cannot open {PLACE!r}."))
    assert PLACE in caplog.text


def test_what_nobody_foresaw_is_told_and_logged(live: LiveAssistant, caplog: pytest.LogCaptureFixture) -> None:
    def fail(_: Assistant) -> str:
        raise ZeroDivisionError(PLACE)

    services = PageServices(live, QuestionDesk(max_questions=1, timeout_s=30))
    with pytest.raises(RelnotesError) as failed:
        asyncio.run(services.run(fail))
    assert PLACE not in str(failed.value)
    assert "ZeroDivisionError" in caplog.text


@pytest.mark.parametrize(
    "address", ["/", "/p/Widget", "/p/Widget/2.0", "/upgrade?product=Widget&from=1&to=2", "/library"]
)
def test_every_page_ends_when_a_question_would(address: str, small_index: Path, default_embedder: Embedder) -> None:
    response = slow_client(small_index, default_embedder, timeout_s=0.2).get(address)
    assert (response.status_code, "longer than 0.2 s" in response.text) == (504, True)
