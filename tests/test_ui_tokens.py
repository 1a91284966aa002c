"""Tokens: what is kept of them, what they open, and until when."""

import hashlib
import os
import re
import secrets
import tomllib
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from cli_calls import run
from fastapi.testclient import TestClient
from http_apps import api_client

from corpus.errors import IndexNotFound, UsageError
from retrieval.assistant import Assistant
from ui.http.guards import OPEN_PATHS, needed_scope
from ui.http.tokens import Grant, TokenScope, TokensFile, find_grant, grant_everything, load_grants, mint_token
from ui.server.live_assistant import Openings, Readiness

TODAY = date(2026, 1, 31)
DIGEST = "a" * 64


class NoIndex:
    """A server's index that isn't there: what is refused before an endpoint needs none."""

    def borrow(self) -> "Assistant":
        """Refuse."""
        raise IndexNotFound("There is no index.")

    openings = Openings()

    def readiness(self) -> Readiness:
        """Refuse."""
        raise IndexNotFound("There is no index.")


def grant(secret: str, *scopes: TokenScope, name: str = "ci", expires: date | None = None) -> Grant:
    return Grant(name, hashlib.sha256(secret.encode()).digest(), frozenset(scopes), expires)


def client(*grants: Grant) -> TestClient:
    return api_client(NoIndex(), grants=(lambda: grants) if grants else None)


def test_a_minted_token_is_found_by_the_lines_it_comes_with(tmp_path: Path) -> None:
    secret, lines = mint_token("ci", scopes=(TokenScope.READ, TokenScope.ADMIN), today=TODAY, days=90)
    (tmp_path / "tokens.toml").write_text(lines, encoding="utf-8")
    (loaded,) = load_grants(tmp_path / "tokens.toml")
    assert loaded == grant(secret, TokenScope.READ, TokenScope.ADMIN, expires=date(2026, 5, 1))
    assert find_grant((loaded,), secret.encode()) == loaded
    assert find_grant((loaded,), secret[:-1].encode()) is None
    assert secret not in lines
    assert len(secret) > 40


def test_a_token_is_compared_with_each_in_constant_time(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, compare = [], secrets.compare_digest
    monkeypatch.setattr(secrets, "compare_digest", lambda one, other: asked.append((one, other)) or compare(one, other))
    alice, bob, eve = (grant(name, TokenScope.READ, name=name) for name in ("alice", "bob", "eve"))
    assert find_grant((alice, bob), b"alice") == alice
    assert find_grant((alice, bob), b"eve") is None
    assert asked == [(one.digest, known.digest) for one in (alice, eve) for known in (alice, bob)]


FAULTS: dict[str, tuple[str, str]] = {
    "not TOML": ("ci", "isn't TOML"),
    "arrays without end": ("ci = " + "[" * 30_000, "isn't TOML"),
    "a number without end": ("ci = " + "1" * 5_000, "isn't TOML"),
    "no token": ("# none yet", "holds no token"),
    "a token for a digest": (f'[ci]\nsha256 = "{"rn_" * 10}"\nscopes = ["read"]', "ci.sha256: String should match"),
    "no scope": (f'[ci]\nsha256 = "{DIGEST}"\nscopes = []', "ci.scopes: Frozenset should have at least 1"),
    "unknown scope": (f'[ci]\nsha256 = "{DIGEST}"\nscopes = ["root"]', "Input should be 'read', 'write' or 'admin'"),
    "unknown key": (f'[ci]\nsha256 = "{DIGEST}"\nscopes = ["read"]\nexpire = 2026-01-01', "ci.expire: Extra inputs"),
}


@pytest.mark.parametrize(("text", "because"), FAULTS.values(), ids=FAULTS.keys())
def test_a_faulty_tokens_file_is_refused_without_its_values(tmp_path: Path, text: str, because: str) -> None:
    (tmp_path / "tokens.toml").write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=re.escape(because)) as refused:
        TokensFile(tmp_path / "tokens.toml")
    assert "rn_rn_" not in str(refused.value)


def test_a_missing_tokens_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"none\.toml.*RELNOTES_TOKENS_FILE"):
        TokensFile(tmp_path / "none.toml")


def entries(*grants: Grant) -> str:
    return "".join(
        f'["{one.name}"]\nsha256 = "{one.digest.hex()}"\nscopes = {sorted(map(str, one.scopes))}\n' for one in grants
    )


def test_a_token_is_taken_back_and_another_given_while_the_server_runs(tmp_path: Path) -> None:
    path = tmp_path / "tokens.toml"
    alice, bob = grant("alice", TokenScope.READ, name="alice"), grant("bob", TokenScope.READ, name="bob")
    path.write_text(entries(alice))
    served = api_client(NoIndex(), grants=TokensFile(path).grants)

    def taken() -> list[str]:
        asked = {
            name: served.get("/v1/documents", headers={"Authorization": f"Bearer {name}"}) for name in ("alice", "bob")
        }
        return [name for name, response in asked.items() if response.status_code != 401]

    assert taken() == ["alice"]
    path.write_text(entries(alice, bob))
    assert taken() == ["alice", "bob"]
    path.write_text(entries(bob))
    assert taken() == ["bob"]
    # As long as before, in the same file, at another time.
    path.write_text(entries(grant("eve", TokenScope.READ, name="eve")))
    os.utime(path, (0, 0))
    assert taken() == []
    path.write_text(entries(bob))
    assert taken() == ["bob"]
    # The last one is deleted: nobody may ask, rather than everybody.
    path.write_text("")
    assert taken() == []
    assert served.get("/v1/documents").status_code == 401


@pytest.mark.parametrize(
    "fault", ["[ci", '[ci]\nsha256 = "short"\nscopes = ["read"]', None], ids=["TOML", "form", "gone"]
)
def test_a_tokens_file_that_went_wrong_keeps_the_tokens_and_is_logged_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, fault: str | None
) -> None:
    path = tmp_path / "tokens.toml"
    alice, bob = grant("alice", TokenScope.READ, name="alice"), grant("bob", TokenScope.READ, name="bob")
    path.write_text(entries(alice))
    tokens = TokensFile(path)
    path.unlink() if fault is None else path.write_text(fault)
    assert [tokens.grants() for _ in range(3)] == [(alice,)] * 3
    (line,) = caplog.messages
    assert str(path) in line
    assert line.endswith("The tokens that it held before are still taken.")
    path.write_text(entries(bob))
    assert tokens.grants() == (bob,)


def test_the_command_prints_the_secret_and_lines_that_fit(tmp_path: Path) -> None:
    days = [datetime.now(tz=UTC).date()]
    ran = run("token", "ci", "--scope", "read", "--scope", "write", "--days", "30")
    days.append(datetime.now(tz=UTC).date())
    secret, _, lines = ran.stdout.partition("\n")
    assert ran.exit_code == 0
    entry = tomllib.loads(lines)["ci"]
    assert entry["sha256"] == hashlib.sha256(secret.encode()).hexdigest()
    assert entry["scopes"] == ["read", "write"]
    assert entry["expires"] - timedelta(days=30) in days


@pytest.mark.parametrize(
    ("words", "because"),
    [(("a b",), "Cannot name a token"), (("ci", "--scope", "root"), "Unknown scope 'root'")],
    ids=["name", "scope"],
)
def test_a_token_that_cannot_be_made_is_wrong_usage(words: tuple[str, ...], because: str) -> None:
    ran = run("token", *words)
    assert (ran.exit_code, ran.stdout) == (2, "")
    assert because in ran.stderr


YESTERDAY = datetime.now(tz=UTC).date() - timedelta(days=1)
IN_DAYS = YESTERDAY + timedelta(days=3)
READER = grant("reader", TokenScope.READ, name="reader")
GRANTS = (
    READER,
    grant("writer", TokenScope.WRITE, name="writer"),
    grant("past", TokenScope.READ, name="past", expires=YESTERDAY),
    grant("lasting", TokenScope.READ, name="lasting", expires=IN_DAYS),
    grant("ending", TokenScope.READ, name="ending", expires=YESTERDAY + timedelta(days=1)),
    grant_everything("everything"),
)
ASKED: dict[str, tuple[str, int, str | None]] = {
    "read": ("reader", 503, None),
    "not yet expired": ("lasting", 503, None),
    "on its last day": ("ending", 503, None),
    "everything": ("everything", 503, None),
    "write only": ("writer", 403, 'Bearer realm="relnotes", error="insufficient_scope", scope="read"'),
    "expired": ("past", 401, 'Bearer realm="relnotes", error="invalid_token"'),
    "unknown": ("nobody", 401, 'Bearer realm="relnotes", error="invalid_token"'),
    "digest for a token": (READER.digest.hex(), 401, 'Bearer realm="relnotes", error="invalid_token"'),
    "none": ("", 401, 'Bearer realm="relnotes"'),
}


@pytest.mark.parametrize(("token", "status", "challenge"), ASKED.values(), ids=ASKED.keys())
def test_a_token_opens_what_its_scopes_say(token: str, status: int, challenge: str | None) -> None:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    response = client(*GRANTS).get("/v1/documents", headers=headers)
    assert (response.status_code, response.headers.get("www-authenticate")) == (status, challenge)
    assert response.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize(
    ("path", "scope"),
    [
        ("/v1/ask", TokenScope.READ),
        ("/gradio_api/queue/join", TokenScope.READ),
        ("/library/uploads", TokenScope.WRITE),
        ("/library/documents/7/remove", TokenScope.ADMIN),
        ("/healthz", None),
    ],
)
def test_each_path_asks_for_its_scope(path: str, scope: TokenScope | None) -> None:
    assert needed_scope(path) is scope


def test_an_expired_token_is_told_so() -> None:
    detail = client(*GRANTS).get("/metrics", headers={"Authorization": "Bearer past"}).json()["detail"]
    assert f"expired {YESTERDAY}" in detail


def test_the_description_asks_for_what_the_guard_asks_for() -> None:
    """Every operation: the scope that is described is the one without which it is refused, or it is open."""
    guarded = client(*GRANTS)
    described = guarded.get("/openapi.json").json()
    assert described["components"]["securitySchemes"]["bearer"]["scheme"] == "bearer"
    for path, operations in described["paths"].items():
        for method, operation in operations.items():
            asked = guarded.request(method, path.format(document_id=1)).status_code
            scopes = [scope for way in operation.get("security", []) for scope in way["bearer"]]
            assert scopes == ([scope.value] if (scope := needed_scope(path)) else [])
            assert (asked == 401) == bool(scopes)
            assert {"401", "403"} <= set(operation["responses"]) or not scopes
    assert {path for path in described["paths"] if needed_scope(path) is None} == OPEN_PATHS - {
        "/openapi.json",
        "/slack/events",
    }


def test_without_tokens_the_description_says_that_none_is_needed() -> None:
    described = client().get("/openapi.json").json()
    assert described["paths"]["/v1/ask"]["post"]["security"] == [{"bearer": ["read"]}, {}]
    assert client().get("/metrics").status_code == 200
