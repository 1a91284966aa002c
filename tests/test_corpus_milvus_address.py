"""Addresses of a store: what is taken, what is refused, and that no secret is told."""

import pytest

from corpus.errors import UsageError
from corpus.stores.choice import StoreChoice


@pytest.mark.parametrize(
    ("text", "written", "uri", "database"),
    [
        ("milvus://localhost", "milvus://localhost:19530", "http://localhost:19530", ""),
        ("milvus://Search.Example.org:8080", "milvus://search.example.org:8080", "http://search.example.org:8080", ""),
        ("milvus+tls://cloud.example.org:443/notes", None, "https://cloud.example.org:443", "notes"),
        ("milvus://10.0.0.7:19530", None, "http://10.0.0.7:19530", ""),
        ("milvus://[::1]:19530", None, "http://[::1]:19530", ""),
        ("milvus+lite:///data/notes.db", None, "/data/notes.db", ""),
        ("milvus+lite:///my%20data/notes.db", None, "/my data/notes.db", ""),
    ],
)
def test_an_address_is_read(text: str, written: str | None, uri: str, database: str) -> None:
    address = StoreChoice.parse(text)
    assert (str(address), address.uri, address.database) == (written or text, uri, database)
    assert StoreChoice.parse(str(address)) == address


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "its scheme is ''"),
        ("milvus://", "'' can't be the name of a host"),
        ("milvus://no such host", "'no such host' can't be the name of a host"),
        ("milvus://-flag:1", "'-flag' can't be the name of a host"),
        ("milvus://localhost:port", "Port could not be cast"),
        ("milvus://localhost:99999", "Port out of range"),
        ("milvus://localhost/a/b", "'a/b' can't name a database"),
        ("milvus://localhost?token=1", "nothing may follow its path"),
        ("milvus+lite://notes.db", "must be absolute and end in .db"),
        ("milvus+lite:///data/notes", "must be absolute and end in .db"),
    ],
)
def test_what_is_no_address_is_refused_with_its_reason(text: str, reason: str) -> None:
    with pytest.raises(UsageError) as refused:
        StoreChoice.parse(text)
    assert reason in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_password_in_an_address_is_refused_and_not_repeated() -> None:
    with pytest.raises(UsageError) as refused:
        StoreChoice.parse("milvus://root:hidden@localhost:19530")
    assert "hidden" not in str(refused.value)
    assert "RELNOTES_MILVUS_TOKEN" in str(refused.value)
