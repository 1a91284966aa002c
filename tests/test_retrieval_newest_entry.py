"""What is asked as it is now is answered by the newest entry that names it, beside the one that answers best; and what
"the latest release" means where several products are indexed.
"""

from collections.abc import Iterator

import pytest
from ui_small_index import ingest

from corpus.embedding import Embedder
from retrieval.assistant import Assistant
from retrieval.model import Status

SISKIN = """\
# Siskin news

## 25.4 (2025-04-29)
- INI files are no longer read: write TOML.
- Fixed a crash of UPSERT in long batches.

## 25.1 (2025-01-28)
- UPSERT ... RETURNING.

## 24.10 (2024-10-29)
- UPSERT is supported, without RETURNING.
- INI files are read beside TOML files.
"""
REDPOLL = """\
# Redpoll news

## 7.1 (2025-03-01)
- Deprecated: the flag `--slow`.

## 7.0 (2025-01-01)
- Redpoll needs Python 3.11 or newer.
"""


@pytest.fixture(scope="module")
def finches(default_embedder: Embedder, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Assistant]:
    folder = tmp_path_factory.mktemp("finches")
    for name, text in {"siskin/NEWS.md": SISKIN, "redpoll/NEWS.md": REDPOLL}.items():
        (folder / "documents" / name).parent.mkdir(parents=True)
        (folder / "documents" / name).write_text(text, encoding="utf-8")
    assert not ingest(folder / "documents", index=folder / "index", embedder=default_embedder).failed
    with Assistant.open(folder / "index", embedder=default_embedder) as assistant:
        yield assistant


@pytest.mark.parametrize(
    ("question", "versions"),
    [
        ("Does Siskin support UPSERT RETURNING?", ["25.1", "24.10"]),
        ("Does Siskin read INI files?", ["25.4", "24.10"]),
        ("Does Siskin 24.10 support UPSERT RETURNING?", ["24.10"]),
        ("Which release of Siskin supports UPSERT without RETURNING?", ["24.10"]),
    ],
    ids=["not yet", "no longer", "of one release", "not asked as it is now"],
)
def test_the_newest_entry_on_it_comes_first(finches: Assistant, question: str, versions: list[str]) -> None:
    assert [one.version for one in finches.ask(question).citations][: len(versions)] == versions


@pytest.mark.parametrize(
    "question",
    ["What was deprecated in the latest release?", "what was added in the latest one?", "What is new in the latest?"],
)
def test_the_latest_release_of_no_product_is_asked_back(finches: Assistant, question: str) -> None:
    answer = finches.ask(question)
    assert answer.status is Status.NOT_FOUND
    assert answer.answer == (
        "Not found: the latest release is another one for each product. The question names none: ask about one of them."
        " Covered: redpoll (7.0 and 7.1), siskin (24.10, 25.1 and 25.4)."
    )


def test_a_question_of_changes_alone_needs_a_product(finches: Assistant) -> None:
    assert finches.ask("What was removed?").answer.startswith(
        "Not found: the library has several products. The question"
    )


def test_with_a_subject_the_dropped_word_is_noted(finches: Assistant) -> None:
    answer = finches.ask("Which Python does the latest release need?")
    assert [one.version for one in answer.citations] == ["7.0"]
    assert answer.notes[-1].startswith("“latest” was left aside")


@pytest.mark.parametrize("history", [(), ("What is new in Redpoll 7.0?",)], ids=["named", "carried over"])
def test_the_latest_of_one_product_is_its_newest(finches: Assistant, history: tuple[str, ...]) -> None:
    question = "What was deprecated in the latest one?" if history else "What was deprecated in the latest Redpoll?"
    assert [one.version for one in finches.ask(question, history=history).citations] == ["7.1"]
