"""Addresses of a store: what is taken, what is refused, and that no secret is told."""

import pytest
from case_files import read_rows

from corpus.errors import UsageError
from corpus.stores.choice import StoreChoice


@pytest.mark.parametrize(
    ("text", "written", "uri"),
    [
        ("milvus://localhost", "milvus://localhost:19530", "http://localhost:19530"),
        ("milvus://Search.Example.org:8080", "milvus://search.example.org:8080", "http://search.example.org:8080"),
        ("milvus+tls://cloud.example.org:443/", "milvus+tls://cloud.example.org:443", "https://cloud.example.org:443"),
        ("milvus://10.0.0.7:19530", None, "http://10.0.0.7:19530"),
        ("milvus://[::1]:19530", None, "http://[::1]:19530"),
        ("milvus+lite:///data/notes.db", None, "/data/notes.db"),
        ("milvus+lite:///my%20data/notes.db", None, "/my data/notes.db"),
    ],
)
def test_an_address_is_read(text: str, written: str | None, uri: str) -> None:
    address = StoreChoice.parse(text)
    assert (str(address), address.uri) == (written or text, uri)
    assert StoreChoice.parse(str(address)) == address


@pytest.mark.parametrize(("text", "reason"), read_rows("corpus-what-is-no-address-is-refused-with-its-reason"))
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
