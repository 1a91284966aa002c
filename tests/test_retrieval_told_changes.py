"""What was deprecated, removed, broken or secured in a release: told from its notes, or that they tell of none."""

import re
from collections.abc import Iterator

import pytest
from ui_small_index import ingest

from corpus.embedding import Embedder
from retrieval.assistant import Assistant
from retrieval.model import Status

TEAL = """\
# Changelog

## 3.1.1 (6th May, 2026)

* Fix the `verify=False` case together with client certificates.

## 3.1.0 (2026-04-20)

### Added
- `Pool.map()` takes a `timeout`.

### Deprecated
- `Pool.join_all()` is deprecated. Use `Pool.close()`.

### Docs
- Fix the example of `Pool` in the page on upgrading a pool.

## 3.0.0 (2026-02-11)

### Removed
- Support for Python 3.9.
- The `teal.compat` module.

### Changed
- **Breaking:** `Pool.size` now counts idle workers too.

### Security
- Header values with line breaks are refused.

## 2.9.0 (2025-11-02)

### Added
- `Table.map()` keeps the comments of a row.

### Merged
A total of 28 pull requests were merged for this release.

- BUG: fix a deprecation warning of the build tool
- TST: add tests for the coercion flag
"""
NEWS = """\
---
title: Teal 3.0 drops old Pythons
date: 2026-02-13
---
# Teal 3.0 drops old Pythons

Our take: most teams need a day. Analysts expect Teal 4.0 next year.
"""
SOURCES = """\
[[document]]
path = "CHANGELOG.md"
product = "Teal"
authority = "official"

[[document]]
path = "news.md"
product = "Teal"
version = "3.0"
authority = "news"
"""
PLOVER = """\
# Plover changes

## 1.2.0 - 2026-03-01
- New: nests are kept in a tree.

## 1.1.0 - 2026-01-10
- `plover nest` has been removed.
"""


@pytest.fixture(scope="module")
def birds(default_embedder: Embedder, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Assistant]:
    folder = tmp_path_factory.mktemp("birds")
    documents = {
        "teal/CHANGELOG.md": TEAL,
        "teal/news.md": NEWS,
        "teal/sources.toml": SOURCES,
        "plover/CHANGES.md": PLOVER,
    }
    for name, text in documents.items():
        place = folder / "documents" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    assert not ingest(folder / "documents", index=folder / "index", embedder=default_embedder).failed
    with Assistant.open(folder / "index", embedder=default_embedder) as assistant:
        yield assistant


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What was deprecated in Teal 3.1.1?", "nothing in the notes of Teal 3.1.1 reads as deprecated."),
        ("What was deprecated in Teal 2.9.0?", "nothing in the notes of Teal 2.9.0 reads as deprecated."),
        ("What did Teal 2.9 remove?", "nothing in the notes of Teal 2.9.0 reads as removed."),
        (
            "What breaks when I upgrade Teal from 3.1.0 to 3.1.1?",
            "nothing in the notes of Teal 3.1.1 reads as removed, deprecated or breaking.",
        ),
        ("Which security fixes are in Teal 3.1?", "the notes of Teal 3.1.0 name no vulnerability and no security fix."),
    ],
)
def test_a_release_whose_notes_tell_of_none_is_said_to(birds: Assistant, question: str, said: str) -> None:
    answer = birds.ask(question)
    assert (answer.status, answer.answer) == (Status.NOT_FOUND, f"Not found: {said}")
    assert not answer.citations
    assert answer.passages, "what was looked at is listed all the same"


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What was deprecated in Teal 3.1.0?", ["`Pool.join_all()` is deprecated. Use `Pool.close()`."]),
        ("What was removed in Teal 3.0?", ["Removed: Support for Python 3.9.", "Removed: The `teal.compat` module."]),
        (
            "What breaks when I upgrade Teal from 2.9.0 to 3.1.0?",
            [
                "Removed: The `teal.compat` module.",
                "Breaking: `Pool.size` now counts idle workers too.",
                "Removed: Support for Python 3.9.",
                "`Pool.join_all()` is deprecated. Use `Pool.close()`.",
            ],
        ),
        ("Which security fixes are in Teal 3.0?", ["Header values with line breaks are refused."]),
    ],
)
def test_changes_are_told_as_an_upgrade_lists_them(birds: Assistant, question: str, told: list[str]) -> None:
    answer = birds.ask(question)
    assert answer.status is Status.ANSWERED
    listed = re.sub(r"^\*\*.+?\)(?:, the newest release)?: ", "", answer.answer)
    said = re.findall(r"(?m)^(?:- )?(?:\*\*[^*]+\*\*: )?(.+?) (?:\[\d+\])+$", listed)
    assert sorted(said) == sorted(told)


def test_news_tell_nothing_beside_the_notes_of_the_same_release(birds: Assistant) -> None:
    assert {one.authority.value for one in birds.ask("What was removed in Teal 3.0?").citations} == {"official"}


def test_without_a_release_the_newest_that_tell_something_are_told(birds: Assistant) -> None:
    answer = birds.ask("what was removed?", product="Teal")
    assert {one.version for one in answer.citations} == {"3.0.0"}


def test_another_product_of_the_conversation_is_asked_the_same(birds: Assistant) -> None:
    answer = birds.ask("and Plover?", history=("What was removed in Teal 3.0?",))
    assert [one.quote for one in answer.citations] == ["- `plover nest` has been removed."]


def test_what_more_than_changes_is_asked_is_answered_from_the_search(birds: Assistant) -> None:
    assert "28 pull requests" not in birds.ask("What is new in Teal 3.1.0 and what was deprecated?").answer
    assert birds.ask("What is new in Teal 3.1.0?").status is Status.ANSWERED


def test_an_upgrade_with_a_subject_is_told_without_what_only_the_project_works_with(birds: Assistant) -> None:
    answer = birds.ask("What changes about Pool when I upgrade Teal from 2.9.0 to 3.1.0?")
    assert "`Pool.size` now counts idle workers too." in answer.answer
    assert "Fix the example" not in answer.answer
