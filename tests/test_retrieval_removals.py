"""When something was removed: not when it was deprecated, and not when it will be."""

from collections.abc import Iterator

import pytest
from ui_small_index import ingest

from corpus.embedding import Embedder
from retrieval.assistant import Assistant
from retrieval.model import Status

CHANGELOG = """\
# Changelog

## 3.2.0 - 2026-09-14

### Deprecated
- `limits.burst` is deprecated. Use `limits.window` instead; it will be removed in 4.0.
- The `Nest.prefetch` argument is deprecated; use `prefetch_count`.

## 3.1.0 - 2026-06-02

### Changed
- Snapshots have been reverted: restoring a long chain could lose pages.

## 3.0.0 - 2026-02-17

### Removed
- The INI configuration format. Convert with `dunlin migrate old.ini`.
- `--legacy-nests` is gone; the tree is the only one.

### Changed
- `dunlin.ravel2` has been deprecated since Dunlin 2.9 and is now removed in favor of `ravel`.

## 2.9.0 - 2025-10-08

### Deprecated
- The INI configuration format is deprecated and will be removed in 3.0.
- `--legacy-nests` is deprecated.
- `dl.ravel2` has been deprecated. Use `dl.ravel` instead.

### Added
- Snapshots: `dunlin snapshot`.

### Typed nests

Arguments of nests are checked against their annotations before an egg is laid:

```python
@nest(checked=True)
def lay(count: int) -> None: ...
```
"""
NEWS = """\
---
title: Dunlin 3.0 drops INI
date: 2026-02-20
---
# Dunlin 3.0 drops INI

The INI configuration format is removed from Dunlin 3.0, as many had feared.
"""
SOURCES = """\
[[document]]
path = "CHANGELOG.md"
product = "Dunlin"
authority = "official"

[[document]]
path = "news.md"
product = "Dunlin"
version = "3.0"
authority = "news"
"""


@pytest.fixture(scope="module")
def dunlin(default_embedder: Embedder, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Assistant]:
    folder = tmp_path_factory.mktemp("dunlin")
    (folder / "documents").mkdir()
    for name, text in {"CHANGELOG.md": CHANGELOG, "news.md": NEWS, "sources.toml": SOURCES}.items():
        (folder / "documents" / name).write_text(text, encoding="utf-8")
    assert not ingest(folder / "documents", index=folder / "index", embedder=default_embedder).failed
    with Assistant.open(folder / "index", embedder=default_embedder) as assistant:
        yield assistant


@pytest.mark.parametrize(
    ("question", "version"),
    [
        ("When was --legacy-nests removed?", "3.0.0"),
        ("When was the INI configuration format removed?", "3.0.0"),
        ("dl.ravel2 is gone: since which release?", "3.0.0"),
    ],
)
def test_a_removal_is_told_by_the_release_that_removed(dunlin: Assistant, question: str, version: str) -> None:
    answer = dunlin.ask(question)
    assert answer.status is Status.ANSWERED
    assert answer.citations[0].version == version
    assert {one.authority.value for one in answer.citations} == {"official"}


def test_a_deprecation_is_no_removal(dunlin: Assistant) -> None:
    answer = dunlin.ask("When was Nest.prefetch removed?")
    assert answer.status is Status.NOT_FOUND
    assert answer.answer == (
        "Not found: no notes tell of a removal of `Nest.prefetch`, only of its deprecation in Dunlin 3.2.0."
    )


def test_a_plan_is_told_as_a_plan(dunlin: Assistant) -> None:
    answer = dunlin.ask("When was limits.burst removed?")
    assert answer.status is Status.PARTIAL
    assert answer.answer.startswith("No removal was found, only the plan for it.\n")
    assert "it will be removed in 4.0. [1]" in answer.answer


def test_code_is_shown_by_the_quote_and_not_said_on_one_line(dunlin: Assistant) -> None:
    answer = dunlin.ask("Are the arguments of nests checked against annotations?")
    assert "def lay" not in answer.answer
    assert "def lay(count: int) -> None: ..." in answer.citations[0].quote
