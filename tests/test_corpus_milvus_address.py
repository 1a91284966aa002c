"""Addresses of a store: what is taken, what is refused, and that no secret is told."""

import pytest
from case_files import read_rows

from corpus.errors import UsageError
from corpus.stores.choice import StoreChoice


@pytest.mark.parametrize(("text", "written", "uri"), read_rows("corpus-an-address-is-read"))
def test_an_address_is_read(text: str, written: str | None, uri: str) -> None:
    address = StoreChoice.parse(text)
    assert (str(address), address.uri) == (written or text, uri)
    assert StoreChoice.parse(str(address)) == address


@pytest.mark.parametrize(
    "text",
    ["", "milvus://", "milvus://no such host", "milvus://-flag:1", "milvus://localhost:port", "milvus://localhost:99999",
     "milvus://localhost/a/b", "milvus://localhost?token=1", "milvus+lite://notes.db", "milvus+lite:///data/notes",
     "milvus+lite:///data/.db%00", "https://localhost"],
)  # fmt: skip
def test_what_is_no_address_is_refused_with_the_forms_of_one(text: str) -> None:
    with pytest.raises(UsageError) as refused:
        StoreChoice.parse(text)
    assert f"{text!r} is no address of a store. It is milvus://HOST:PORT" in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_password_in_an_address_is_refused_and_not_repeated() -> None:
    with pytest.raises(UsageError) as refused:
        StoreChoice.parse("milvus://root:hidden@localhost:19530")
    assert "hidden" not in str(refused.value)
    assert "RELNOTES_MILVUS_TOKEN" in str(refused.value)
