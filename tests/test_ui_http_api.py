"""The HTTP API over a real small index: answers, limits, problem documents, guards, and a changing index."""

import base64
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest
from case_files import read_rows
from fastapi.testclient import TestClient
from http_apps import api_client
from ui_small_index import WIDGET, ingest, write_documents

from corpus.embedding import Embedder
from corpus.errors import UsageError
from retrieval.claims.checking import MAX_TEXT_CHARACTERS
from ui.contract.answer import ClaimCheckBody
from ui.http.guards import MAX_BODY_BYTES, MAX_DIFF_BODY_BYTES
from ui.server.binding import LOOPBACK_NAMES, check_binding, host_names, is_loopback
from ui.server.live_assistant import LiveAssistant

QUESTION = "Is widget.spin deprecated?"


@pytest.fixture(scope="module")
def client(live: LiveAssistant) -> Iterator[TestClient]:
    with api_client(live) as client:
        yield client


def test_answer_quotes_the_document_at_its_offsets(client: TestClient) -> None:
    answer = client.post("/v1/ask", json={"question": QUESTION, "product": "widget"}).json()
    assert answer["status"] == "answered"
    assert "widget.spin" in answer["citations"][0]["quote"]
    for citation in answer["citations"]:
        assert citation["source"] == "widget/changes.md"
        assert citation["quote"] == WIDGET[citation["start"] : citation["end"]]
        assert f"[{citation['n']}]" in answer["answer"]


def test_search_answers_nothing_and_takes_a_whole_number_with_a_point(client: TestClient) -> None:
    found = client.post("/v1/search", json={"query": "dry run flag", "k": 1.0}).json()
    assert list(found) == ["query", "passages", "interpretation", "timings_ms"]
    (passage,) = found["passages"]
    assert "--dry-run" in passage["text"]


def test_a_claim_is_checked_as_the_assistant_does(client: TestClient, live: LiveAssistant) -> None:
    claim = "Widget 2.0.0 deprecated widget.spin."
    body = client.post("/v1/cite", json={"text": claim}).json()
    with live.borrow() as assistant:
        expected = ClaimCheckBody.model_validate(assistant.cite(claim)).model_dump(mode="json")
    assert {**body, "timings_ms": None} == {**expected, "timings_ms": None}


def test_documents_are_listed_and_shown_with_their_text_not_where_they_lie(
    client: TestClient, small_index: Path
) -> None:
    listed = client.get("/v1/documents")
    documents = listed.json()["documents"]
    assert [document["source"] for document in documents] == ["gadget/changes.md", "widget/changes.md"]
    response = client.get(f"/v1/documents/{documents[1]['id']}")
    shown = response.json()
    assert shown["text"] == WIDGET
    assert {key: shown[key] for key in documents[1]} == documents[1]
    assert str(small_index.parent) not in listed.text + response.text


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        *read_rows("ui-errors-are-problem-documents"),
        pytest.param("POST", "/v1/ask", b"{", 422, id="not JSON"),
        pytest.param("POST", "/v1/ask", b'{"question": "\xff"}', 400, id="not UTF-8"),
        pytest.param("POST", "/v1/ask", b"[]", 422, id="not an object"),
        pytest.param("POST", "/v1/ask", {"question": "x" * 4_001}, 422, id="question too long"),
        pytest.param("POST", "/v1/review", b" " * (MAX_DIFF_BODY_BYTES + 1), 413, id="diff too large"),
        pytest.param("POST", "/v1/cite", {"text": "x" * (MAX_TEXT_CHARACTERS + 1)}, 422, id="claim too long"),
        pytest.param("POST", "/v1/ask", b'{"question": "\\ud800", "k": 0}', 422, id="half a character"),
        pytest.param("POST", "/v1/ask", b" " * (MAX_BODY_BYTES + 1), 413, id="body too large"),
    ],
)
def test_errors_are_problem_documents(
    client: TestClient, method: str, path: str, body: dict[str, object] | bytes | None, status: int
) -> None:
    content, fields = (body, None) if isinstance(body, bytes) else (None, body)
    headers = {"Content-Type": "application/json"} if content else {}
    response = client.request(method, path, content=content, json=fields, headers=headers)
    assert response.status_code == status
    assert response.headers["content-type"] == "application/problem+json"
    problem = response.json()
    assert (problem["type"], problem["status"]) == ("about:blank", status)
    assert problem["title"]
    assert problem["detail"]


def test_validation_problem_points_at_each_fault(client: TestClient) -> None:
    problem = client.post("/v1/ask", json={"question": "", "k": 99}).json()
    assert [fault["pointer"] for fault in problem["errors"]] == ["/body/k", "/body/question"]


UNREADABLE: dict[str, tuple[bytes, str | None, int, str]] = {
    "broken": (
        b'{"question": ',
        "application/json",
        422,
        "The body is not valid JSON: Expecting value at character 13.",
    ),
    "form": (b"question=x", "application/x-www-form-urlencoded", 415, "came as 'application/x-www-form-urlencoded'"),
    "text": (b'{"question": "x"}', "text/plain", 415, "came as 'text/plain'"),
    "no type": (b'{"question": "x"}', None, 415, "came without a type"),
}


@pytest.mark.parametrize(("body", "media_type", "status", "detail"), UNREADABLE.values(), ids=UNREADABLE.keys())
def test_an_unreadable_body_is_told_what_is_wrong_with_it(
    client: TestClient, body: bytes, media_type: str | None, status: int, detail: str
) -> None:
    response = client.post("/v1/ask", content=body, headers={"Content-Type": media_type} if media_type else {})
    assert response.status_code == status
    assert detail in response.json()["detail"]


@pytest.mark.parametrize(("host", "status"), read_rows("ui-loopback-answers-to-its-own-names-only"))
def test_loopback_answers_to_its_own_names_only(live: LiveAssistant, host: str, status: int) -> None:
    with api_client(live, hosts=LOOPBACK_NAMES) as client:
        assert client.get("/healthz", headers={"Host": host}).status_code == status


def _basic(password: str) -> str:
    return "Basic " + base64.b64encode(f"anyone:{password}".encode()).decode()


@pytest.mark.parametrize(("path", "authorization", "status"), read_rows("ui-token"))
def test_token(live: LiveAssistant, path: str, authorization: str | None, status: int) -> None:
    headers = {"Authorization": authorization.encode("latin-1")} if authorization else {}
    with api_client(live, token="s3cret") as client:
        response = client.get(path, headers=headers)
    assert response.status_code == status
    if status == 401:
        assert response.headers["www-authenticate"].startswith("Bearer" if path.startswith("/v1") else "Basic")
        assert response.headers["content-type"] == "application/problem+json"


# "à" ends in a byte that is white space once it is read as Latin-1.
@pytest.mark.parametrize("token", ["s\u00e9cret", "secret\u00e0", "\u79d8\u5bc6"])
def test_a_token_beyond_ascii_is_compared_as_it_is_sent(live: LiveAssistant, token: str) -> None:
    with api_client(live, token=token) as client:
        for authorization in (f"Bearer {token}", f"Bearer {token} "):
            headers = {"Authorization": authorization.encode()}
            assert client.get("/v1/documents", headers=headers).status_code == 200
        assert client.get("/", headers={"Authorization": _basic(token)}).status_code == 404
        assert client.get("/", headers={"Authorization": "Basic \u00e9".encode()}).status_code == 401


def test_without_an_index_it_lives_but_is_not_ready(tmp_path: Path, default_embedder: Embedder) -> None:
    assistants = LiveAssistant(tmp_path / "index", open_embedder=lambda: default_embedder)
    with api_client(assistants) as client:
        assert client.get("/healthz").status_code == 200
        for response in (client.get("/readyz"), client.post("/v1/ask", json={"question": "x"})):
            assert response.status_code == 503
            assert "relnotes ingest" in response.json()["detail"]
            assert response.headers["retry-after"]
        ingest(write_documents(tmp_path / "documents"), index=tmp_path / "index", embedder=default_embedder)
        assert client.get("/readyz").json()["documents"] == 2
    assistants.close()


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "BREW"])
def test_a_wrong_method_is_told_the_right_one(client: TestClient, method: str) -> None:
    refused = client.request(method, "/v1/ask")
    assert (refused.status_code, refused.headers["allow"]) == (405, "POST")


@pytest.mark.parametrize(("headers", "status"), read_rows("ui-no-other-site-makes-a-browser-ask"))
def test_no_other_site_makes_a_browser_ask(client: TestClient, headers: dict[str, str], status: int) -> None:
    response = client.post("/v1/search", json={"query": "dry run", "k": 1}, headers=headers)
    assert response.status_code == status
    # A link from anywhere is followed.
    assert client.get("/healthz", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 200


@pytest.mark.parametrize(("host", "loopback"), read_rows("ui-other-machines-need-a-token"))
def test_other_machines_need_a_token(host: str, loopback: bool) -> None:
    assert is_loopback(host) == loopback
    check_binding(host, token="x" * 20)
    with nullcontext() if loopback else pytest.raises(UsageError, match="RELNOTES_TOKEN"):
        check_binding(host, token=None)


@pytest.mark.parametrize("token", [" " * 20, "x" * 19, f" {'x' * 19} "], ids=["blank", "short", "short, in blanks"])
def test_a_short_token_is_refused_where_other_machines_reach(token: str) -> None:
    with pytest.raises(UsageError, match=r"fewer than 20 characters.*openssl rand"):
        check_binding("0.0.0.0", token=token)
    check_binding("127.0.0.1", token=token)


@pytest.mark.parametrize(
    ("host", "name"), [("127.0.0.2", "127.0.0.2"), ("::1", "[::1]"), ("[::1]", "[::1]"), ("localhost", "localhost")]
)
def test_the_address_that_is_announced_is_answered_to(host: str, name: str) -> None:
    assert name in host_names(host)
    assert set(LOOPBACK_NAMES) <= set(host_names(host))
    assert host_names("0.0.0.0") == ()


@pytest.mark.parametrize("fields", [30, 90, 50_000])
def test_a_request_of_many_wrong_fields_is_told_in_few_words(client: TestClient, fields: int) -> None:
    path = "/v1/review" if fields > 100 else "/v1/ask"
    answered = client.post(path, json={f"k{number}": number for number in range(fields)})
    assert answered.status_code == 422
    assert len(answered.content) < 4_000
    said = answered.json()["detail"]
    assert "must have at most 100 fields, got 50000" in said if fields > 100 else f"and {fields - 19} more" in said
