"""The token: what is refused without it."""

import secrets

import pytest
from fastapi.testclient import TestClient
from http_apps import api_client

from corpus.errors import IndexNotFound
from retrieval.assistant import Assistant
from ui.http.guards import OPEN_PATHS
from ui.server.live_assistant import Readiness

TOKEN = "Zq81-alice-vUx4"


class NoIndex:
    """A server's index that isn't there: what is refused before an endpoint needs none."""

    def borrow(self) -> "Assistant":
        """Refuse."""
        raise IndexNotFound("There is no index.")

    def readiness(self) -> Readiness:
        """Refuse."""
        raise IndexNotFound("There is no index.")


def client(token: str | None = None) -> TestClient:
    return api_client(NoIndex(), token=token)


def test_a_token_is_compared_in_constant_time(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, compare = [], secrets.compare_digest
    monkeypatch.setattr(secrets, "compare_digest", lambda one, other: asked.append(len(other)) or compare(one, other))
    served = client(TOKEN)
    statuses = [
        served.get("/v1/documents", headers={"Authorization": f"Bearer {token}"}).status_code
        for token in (TOKEN, "nobody", TOKEN[:-1])
    ]
    assert (statuses, asked) == ([503, 401, 401], [32] * 3)


def test_the_description_asks_for_what_the_guard_asks_for() -> None:
    guarded = client(TOKEN)
    described = guarded.get("/openapi.json").json()
    assert described["components"]["securitySchemes"]["bearer"]["scheme"] == "bearer"
    for path, operations in described["paths"].items():
        for method, operation in operations.items():
            refused = guarded.request(method, path.format(document_id=1)).status_code == 401
            assert operation.get("security") == ([{"bearer": []}] if refused else None)
            assert refused == (path not in OPEN_PATHS)
    assert client().get("/openapi.json").json()["paths"]["/v1/ask"]["post"]["security"] == [{"bearer": []}, {}]
    assert client().get("/metrics").status_code == 200
