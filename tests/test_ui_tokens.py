"""Tokens: where they come from, and what is refused without one."""

import re
import secrets
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from http_apps import api_client

from corpus.errors import IndexNotFound, UsageError
from retrieval.assistant import Assistant
from ui.http.guards import OPEN_PATHS
from ui.http.tokens import load_tokens
from ui.server.live_assistant import Readiness
from ui.settings import load_server_settings

ALICE, BOB = "Zq81-alice-vUx4", "Kp72-bob-mWt9-c"


class NoIndex:
    """A server's index that isn't there: what is refused before an endpoint needs none."""

    def borrow(self) -> "Assistant":
        """Refuse."""
        raise IndexNotFound("There is no index.")

    def readiness(self) -> Readiness:
        """Refuse."""
        raise IndexNotFound("There is no index.")


def client(**tokens: str) -> TestClient:
    return api_client(NoIndex(), tokens=tokens)


def tokens_of(text: bytes, folder: Path, **settings: str) -> dict[str, str]:
    (folder / "tokens").write_bytes(text)
    return dict(load_tokens(load_server_settings(tokens_file=folder / "tokens", **settings)))


def test_tokens_are_a_line_each_beside_the_one_of_the_environment(tmp_path: Path) -> None:
    text = f"# who may ask\n\nalice {ALICE}\n bob\t{BOB}\r\n".encode()
    assert tokens_of(text, tmp_path, token="s3cret") == {"alice": ALICE, "bob": BOB, "RELNOTES_TOKEN": "s3cret"}
    assert load_tokens(load_server_settings()) == {}


FAULTS: dict[str, tuple[bytes, str]] = {
    "none": (b"# none yet\n", "holds none"),
    "a token alone": (ALICE.encode(), "Line 1"),
    "more than two words": (f"bob {BOB}\nalice {ALICE} read".encode(), "Line 2"),
    "the form of before": (f'["ci"]\nsha256 = "{ALICE}"\n'.encode(), "Line 1"),
    "a name twice": (f"ci {BOB}\nci {ALICE}".encode(), "Line 2"),
    "no text": (b"\xff\xfe", "isn't UTF-8"),
}


@pytest.mark.parametrize(("text", "because"), FAULTS.values(), ids=FAULTS.keys())
def test_a_faulty_file_is_refused_without_its_tokens(tmp_path: Path, text: bytes, because: str) -> None:
    with pytest.raises(UsageError, match=because) as refused:
        tokens_of(text, tmp_path)
    assert ALICE not in str(refused.value)


def test_a_token_is_compared_with_each_in_constant_time(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, compare = [], secrets.compare_digest
    monkeypatch.setattr(secrets, "compare_digest", lambda one, other: asked.append(len(other)) or compare(one, other))
    served = client(alice=ALICE, bob=BOB)
    statuses = [
        served.get("/v1/documents", headers={"Authorization": f"Bearer {token}"}).status_code
        for token in (ALICE, BOB, "nobody", ALICE[:-1])
    ]
    assert (statuses, asked) == ([503, 503, 401, 401], [32] * 8)


def test_the_description_asks_for_what_the_guard_asks_for() -> None:
    guarded = client(ci=ALICE)
    described = guarded.get("/openapi.json").json()
    assert described["components"]["securitySchemes"]["bearer"]["scheme"] == "bearer"
    for path, operations in described["paths"].items():
        for method, operation in operations.items():
            refused = guarded.request(method, path.format(document_id=1)).status_code == 401
            assert operation.get("security") == ([{"bearer": []}] if refused else None)
            assert refused == (path not in OPEN_PATHS)
    assert client().get("/openapi.json").json()["paths"]["/v1/ask"]["post"]["security"] == [{"bearer": []}, {}]
    assert client().get("/metrics").status_code == 200


def test_a_missing_file_and_a_weak_token_where_others_reach_are_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"none'.*RELNOTES_TOKENS_FILE"):
        load_tokens(load_server_settings(tokens_file=tmp_path / "none"))
    assert tokens_of(b"ci short", tmp_path) == {"ci": "short"}
    with pytest.raises(UsageError, match=re.escape("ci has fewer than 20 characters")):
        tokens_of(b"ci short", tmp_path, host="0.0.0.0")
