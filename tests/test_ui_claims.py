"""Claims at the entrances: the command line, lines of a batch, HTTP, and what a terminal shows."""

import json
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import pytest
from cli_calls import run
from fastapi.testclient import TestClient

from retrieval.assistant import Assistant
from retrieval.claims.checking import MAX_TEXT_CHARACTERS
from ui.cli.batch_lines import BatchLine, read_batch
from ui.contract.answer import ClaimCheckBody
from ui.http.api import create_app
from ui.server.question_desk import QuestionDesk

TRUE_CLAIM = "torch.export.save can save float8_e8m0fnu since PyTorch 2.12."


def test_cite_prints_exactly_the_contract_as_json(bundled_index: Path) -> None:
    body = json.loads(run("cite", TRUE_CLAIM, "--index", bundled_index, "--json").stdout)
    assert list(body) == ["text", "claims", "notes", "timings_ms"]
    (claim,) = body["claims"]
    assert list(claim) == ["claim", "start", "end", "verdict", "because", "citations"]
    assert (claim["claim"], claim["start"], claim["end"]) == (TRUE_CLAIM, 0, len(TRUE_CLAIM))
    assert (claim["verdict"], claim["citations"][0]["n"]) == ("supported", 1)
    assert set(body["timings_ms"]) == {"total"}


def test_cite_reads_standard_input_with_its_own_line_ends(bundled_index: Path) -> None:
    text = f"# PyTorch 2.12\r\n\r\n- {TRUE_CLAIM}\r\n"
    body = json.loads(run("cite", "-", "--index", bundled_index, "--json", text=text.encode()).stdout)
    assert body["text"] == text
    assert [text[checked["start"] : checked["end"]] for checked in body["claims"]] == [TRUE_CLAIM]


def test_cite_shows_people_the_verdict_by_word_and_sign(bundled_index: Path) -> None:
    shown = run("cite", f"{TRUE_CLAIM} Zorkmid 3.0 dropped quux.", "--index", bundled_index).stdout
    assert shown.startswith(f"✓ Supported  {TRUE_CLAIM}")
    assert "pytorch/2.12.md:" in shown
    assert "digest" in shown
    assert "– Not found  Zorkmid 3.0 dropped quux." in shown


@pytest.mark.parametrize(
    ("words", "text", "because"),
    [
        (("cite", " "), None, "empty"),
        (("cite", "-"), b"\xff", "not UTF-8"),
        (("cite", "x" * (MAX_TEXT_CHARACTERS + 1)), None, "20,000"),
        (("cite", "x", "--product", "nosuch"), None, "nosuch"),
    ],
    ids=["empty", "not UTF-8", "too long", "unknown product"],
)
def test_wrong_usage_of_cite_is_one_line(
    bundled_index: Path, words: tuple[str, ...], text: bytes | None, because: str
) -> None:
    result = run(*words, "--index", bundled_index, text=text)
    assert (result.exit_code, result.stdout, because in result.stderr) == (2, "", True)
    assert len(result.stderr.strip().splitlines()) == 1


def test_a_batch_answers_questions_and_claims_in_order(bundled_index: Path) -> None:
    lines = [
        {"id": "c", "claim": TRUE_CLAIM},
        {"id": 2, "question": "What is new in 2.12?"},
        {"id": "f", "claim": "x", "product": "nosuch"},
    ]
    result = run("batch", "-", "--index", bundled_index, text="\n".join(map(json.dumps, lines)))
    checked, answer, fault = map(json.loads, result.stdout.splitlines())
    assert list(checked) == ["id", "text", "claims", "notes", "timings_ms"]
    assert (checked["id"], checked["claims"][0]["verdict"]) == ("c", "supported")
    assert (answer["id"], "answer" in answer) == (2, True)
    assert (fault["id"], fault["claim"], "nosuch" in fault["error"]) == ("f", "x", True)
    assert result.exit_code == 1


def test_a_line_of_a_batch_keeps_its_claim_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "q.jsonl").write_text('{"id": 1, "claim": " x ", "n": 2}\n{"id": 2, "question": "y"}', encoding="utf-8")
    assert read_batch(tmp_path / "q.jsonl") == (BatchLine(id=1, claim=" x "), BatchLine(id=2, question="y"))


class _Lender:
    def __init__(self, assistant: Assistant) -> None:
        self._assistant = assistant

    def borrow(self) -> AbstractContextManager[Assistant]:
        """Lend the one assistant."""
        return nullcontext(self._assistant)


@pytest.fixture(scope="module")
def client(bundled: Assistant) -> Iterator[TestClient]:
    api = create_app(_Lender(bundled), QuestionDesk(max_questions=4, timeout_s=30))
    with TestClient(api, base_url="http://localhost:7860", raise_server_exceptions=False) as client:
        yield client


def test_http_gives_the_same_body_as_the_command_line(client: TestClient, bundled: Assistant) -> None:
    body = client.post("/v1/cite", json={"text": TRUE_CLAIM}).json()
    expected = ClaimCheckBody.model_validate(bundled.cite(TRUE_CLAIM)).model_dump(mode="json")
    assert {**body, "timings_ms": None} == {**expected, "timings_ms": None}
