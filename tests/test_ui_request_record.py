"""What is recorded of a request, and what never is: ids, log lines, metrics, spans, defects."""

import asyncio
import io
import json
import logging
import re
from collections.abc import Iterator

import pytest
from fastapi import FastAPI
from fastapi.responses import StreamingResponse
from fastapi.testclient import TestClient
from http_apps import api_client
from starlette.types import Scope

from ui.http.problems import install_problem_handlers
from ui.http.request_record import RequestRecord
from ui.log import JsonLines
from ui.server.live_assistant import LiveAssistant
from ui.server.metrics import ServerMetrics
from ui.server.question_desk import QuestionDesk

SECRET = "What did my unreleased product break?"


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """The server's log."""
    stream, root = io.StringIO(), logging.getLogger()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLines(with_words=False))
    level, ours = root.level, logging.getLogger("relnotes")
    root.addHandler(handler)
    ours.setLevel(logging.INFO)
    yield stream
    root.removeHandler(handler)
    root.setLevel(level)
    ours.setLevel(logging.NOTSET)


def lines(log: io.StringIO) -> list[dict[str, object]]:
    return [json.loads(line) for line in log.getvalue().splitlines()]


def recorded() -> TestClient:
    """A server of endpoints that go wrong in every way."""
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None)
    install_problem_handlers(app)
    metrics = ServerMetrics(QuestionDesk(max_questions=1, timeout_s=1), lambda: None)

    def route_of(scope: Scope) -> str:
        return "/broken" if scope["path"].startswith("/broken") else "other"

    app.add_middleware(RequestRecord, route_of=route_of, metrics=metrics)
    app.state.metrics = metrics

    @app.get("/broken/early")
    def early() -> None:
        raise ValueError(SECRET)

    @app.get("/broken/long")
    async def long() -> None:
        app.state.is_reached = True
        await asyncio.sleep(60)

    @app.get("/broken/late")
    def late() -> StreamingResponse:
        def body() -> Iterator[bytes]:
            yield b"half"
            raise ValueError(SECRET)

        return StreamingResponse(body())

    return TestClient(app, raise_server_exceptions=False)


def test_a_request_has_one_id_in_response_problem_and_log(log: io.StringIO) -> None:
    response = recorded().get("/nothing", headers={"X-Request-ID": "a-client-s"})
    given = response.headers["x-request-id"]
    assert re.fullmatch("[0-9a-f]{32}", given)
    assert response.json()["instance"] == f"urn:relnotes:request:{given}"
    assert [line["request_id"] for line in lines(log)] == [given]


def test_a_defect_is_answered_without_internals_and_logged_without_its_words(log: io.StringIO) -> None:
    response = recorded().get("/broken/early")
    assert (response.status_code, response.headers["content-type"]) == (500, "application/problem+json")
    assert "ValueError" not in response.text
    assert SECRET not in response.text + log.getvalue()
    defect, request = lines(log)
    assert (defect["message"], defect["error"], defect["level"]) == ("defect", "ValueError", "error")
    assert any("test_ui_request_record.py" in place for place in defect["at"])  # type: ignore[attr-defined]
    assert defect["request_id"] == request["request_id"] == response.headers["x-request-id"]
    assert (request["status"], request["route"], request["method"]) == (500, "/broken", "GET")


def test_a_response_that_broke_off_is_not_passed_off_as_whole(log: io.StringIO) -> None:
    with pytest.raises(ValueError, match="unreleased"):
        TestClient(recorded().app).get("/broken/late")
    assert [line["message"] for line in lines(log)] == ["defect", "request"]


def test_requests_are_counted_by_route_and_known_method() -> None:
    client = recorded()
    client.get("/broken/early")
    for method in ("GET", "BREW", "MAKEUP"):
        client.request(method, "/wherever")
    shown = client.app.state.metrics.render().decode()  # type: ignore[attr-defined]
    for line in (
        'relnotes_http_requests_total{method="GET",route="/broken",status="500"} 1.0',
        'relnotes_http_requests_total{method="GET",route="other",status="404"} 1.0',
        'relnotes_http_requests_total{method="other",route="other",status="404"} 2.0',
        'relnotes_http_request_duration_seconds_count{method="GET",route="/broken"} 1.0',
        "relnotes_index_loaded 0.0",
    ):
        assert line in shown.splitlines()
    names = {line.split()[2] for line in shown.splitlines() if line.startswith("# TYPE")}
    assert all(name.startswith("relnotes_") for name in names)


def _ask(live: LiveAssistant, *, log_questions: bool) -> TestClient:
    desk = QuestionDesk(max_questions=2, timeout_s=30, log_questions=log_questions)
    client = api_client(live, desk)
    for question in ("Is widget.spin deprecated?", "Who won the chess world cup in 1972?"):
        client.post("/v1/ask", json={"question": question})
    client.get("/v1/upgrade", params={"product": "widget", "from": "1.5.0", "to": "2.0.0"})
    return client


@pytest.mark.parametrize("log_questions", [False, True], ids=["by default", "when asked to"])
def test_questions_are_logged_only_when_asked_to(live: LiveAssistant, log: io.StringIO, log_questions: bool) -> None:
    _ask(live, log_questions=log_questions)
    said = lines(log)
    assert [line["route"] for line in said if line["message"] == "request"] == ["/v1/ask", "/v1/ask", "/v1/upgrade"]
    asked = [(line["question"], line["answered"]) for line in said if line["message"] == "question"]
    assert asked == (
        [("Is widget.spin deprecated?", "answered"), ("Who won the chess world cup in 1972?", "not_found")]
        if log_questions
        else []
    )
    assert log_questions or "widget" not in log.getvalue()
