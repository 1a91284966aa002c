"""What the start page offers: what is new across the library, and questions that are proven to have an answer."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from ui_small_index import ingest, open_notes

from corpus.embedding import Embedder
from retrieval.assistant import Assistant
from retrieval.model import Status
from ui.server.live_assistant import LiveAssistant
from ui.web.ask.questions import OFFERS, newest_releases, proven_questions

TODAY = date(2026, 1, 1)

LAMP = """\
# Lamp release notes

## 3.0.0 (2025-06-01)

### Security

- CVE-2025-1234: a crafted lamp file no longer runs commands when it is opened.

### Deprecated

- `lamp.glow` is deprecated. Use `lamp.shine` instead.

## 2.1.0 (2025-02-01)

### Added

- Add `lamp.shine`, which sets how bright a lamp is.

### Removed

- The `lamp.flicker` function was removed, so programs that call it fail.

## 2.0.0 (2024-02-01)

### Added

- Lamps can be dimmed by the new `lamp.dim` function.
"""


@pytest.fixture(scope="module")
def lamps(default_embedder: Embedder, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Assistant]:
    """Answers from made-up notes that tell of everything that is offered."""
    with open_notes(tmp_path_factory.mktemp("lamps"), default_embedder, Lamp=LAMP) as assistant:
        yield assistant


def test_the_newest_release_of_each_product_comes_with_a_quote_of_it(live: LiveAssistant) -> None:
    with live.borrow() as assistant:
        found = newest_releases(assistant, today=TODAY)
        assert [(release.product, release.version, release.date) for release in found] == [
            ("widget", "2.0.0", date(2024, 5, 1)),
            ("Gadget", "3.1", date(2024, 2, 10)),
        ]
        for release in found:
            text = assistant.index.document_text(release.citation.document_id)
            assert text[release.citation.start : release.citation.end] == release.citation.quote
            assert (release.citation.product, release.citation.version) == (release.product, release.version)


def test_a_release_to_come_is_not_new(live: LiveAssistant) -> None:
    with live.borrow() as assistant:
        found = newest_releases(assistant, today=date(2024, 1, 1))
    assert [(release.product, release.version) for release in found] == [("widget", "1.5.0")]


def test_no_more_releases_than_six(default_embedder: Embedder, tmp_path: Path) -> None:
    trees = ("ash", "beech", "cedar", "elm", "larch", "maple", "willow")
    notes = {
        tree: f"# {tree.title()} 1.0\n\nReleased on 2024-02-0{day}.\n\n- `{tree}.grow` was added.\n"
        for day, tree in enumerate(trees, start=1)
    }
    with open_notes(tmp_path, default_embedder, **notes) as assistant:
        found = [release.product.casefold() for release in newest_releases(assistant, today=TODAY)]
    assert found == ["willow", "maple", "larch", "elm", "cedar", "beech"]


def test_the_first_thing_to_know_of_a_release_is_its_security(lamps: Assistant) -> None:
    (lamp,) = newest_releases(lamps, today=TODAY)
    assert "CVE-2025-1234" in lamp.citation.quote


def test_questions_differ_in_form(lamps: Assistant) -> None:
    assert set(proven_questions(lamps)) == {
        "What is new in Lamp 3.0.0?",
        "What breaks when I upgrade Lamp from 2.0.0 to 2.1.0?",
        "What breaks when I upgrade Lamp from 2.1.0 to 3.0.0?",
        "What should I use instead of `lamp.glow` in Lamp?",
        "Is `lamp.glow` deprecated in Lamp?",
    }


def test_questions_differ_in_product(live: LiveAssistant) -> None:
    with live.borrow() as assistant:
        asked = " ".join(proven_questions(assistant))
    assert "widget" in asked
    assert "Gadget" in asked


def test_questions_are_about_the_wanted_product_alone(live: LiveAssistant) -> None:
    with live.borrow() as assistant:
        asked = proven_questions(assistant, product="gadget", most=2)
    assert asked
    assert all("Gadget" in question for question in asked)


def test_each_question_has_an_answer(bundled: Assistant) -> None:
    asked = proven_questions(bundled)
    assert 2 <= len(asked) == len(set(asked)) <= 6
    assert {bundled.ask(question).status for question in asked} == {Status.ANSWERED}


def test_an_index_without_releases_offers_nothing(default_embedder: Embedder, tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "readme.md").write_text("# Things\n\nNothing of note.\n", encoding="utf-8")
    ingest(tmp_path / "notes", index=tmp_path / "index", embedder=default_embedder)
    with Assistant.open(tmp_path / "index", embedder=default_embedder) as assistant:
        assert (OFFERS.of(assistant).newest, OFFERS.of(assistant).questions) == ((), ())
