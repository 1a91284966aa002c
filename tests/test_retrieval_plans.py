"""A plan proves nothing that is, and yes and no are about the asked thing: over five changelogs that tell what is to
come in many words (`tests/data/notes/plans`), a word of ours stands only before what bears it out."""

from collections.abc import Callable

import pytest
from case_files import read_rows

from corpus.model import Change
from retrieval.assistant import Assistant
from retrieval.upgrades.upgrade_list import list_upgrade

_OURS = ("Yes", "No", "Since", "Removed in", "Deprecated in", "Fixed in", "Replaced in")


@pytest.fixture(scope="module")
def notes(library: Callable[[str], Assistant]) -> Assistant:
    return library("plans")


def _word(answer: Assistant, question: str) -> str:
    """Our word before the first quote; empty where the quote opens."""
    first = answer.ask(question).answer.replace("*", "")
    return next((word for word in _OURS if first.startswith((f"{word} ", f"{word}:"))), "")


@pytest.mark.parametrize(("question", "words"), read_rows("retrieval-our-word-stands-only-before-what-bears-it-out"))
def test_our_word_stands_only_before_what_bears_it_out(notes: Assistant, question: str, words: tuple[str, ...]) -> None:
    """Of what is only planned, of a neighbouring thing or an entry that allows, and of what is so."""
    assert _word(notes, question) in words, notes.ask(question).answer


def test_a_plan_is_told_as_one(notes: Assistant) -> None:
    assert notes.ask("is turbo mode removed in lathe 2.4?").answer.startswith("Planned, says **Lathe 2.4**")


@pytest.mark.parametrize(("bump", "listed", "absent"), read_rows("retrieval-an-upgrade-lists-no-plan-as-done"))
def test_an_upgrade_lists_no_plan_as_done(
    notes: Assistant, bump: str, listed: tuple[str, ...], absent: tuple[str, ...]
) -> None:
    upgrade = list_upgrade(notes.index, *bump.split())
    items = [*upgrade.security, *(item for release in upgrade.releases for item in release.items)]
    items = [item for item in items if item.change is not Change.BEHAVIOUR]
    told = " | ".join(item.summary.text for item in items).replace("`", "")
    assert not [words for words in listed if words not in told], told
    assert not [words for words in absent if words in told], told
