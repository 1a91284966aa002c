"""What was asked to have happened must have happened in the quote, to that thing, and in no section of known issues or
plans: over seven small changelogs (`tests/data/notes/happened`), each in a form of its own."""

from collections.abc import Callable

import pytest
from case_files import read_rows

from corpus.model import Change
from retrieval.assistant import Assistant
from retrieval.claims.model import Verdict
from retrieval.upgrades.upgrade_list import list_upgrade

Library = Callable[[str], Assistant]

# The question, of which words the answer has one, if any, and which it has none of.
BORNE_OUT = (
    "Kiln 6.0.0 removed the glaze option.",
    "Ferret 12 removed the option Burrow=.",
    "Tansy 2.4 removed the tincture module.",
)
MAY_BE = (
    "In Kiln 5.0.0 support for Windows 8 is announced to be dropped in 7.0.",
    "In Sluice 3.1 exports of more than 2 GB are cut off.",
    "Sluice 3.1 fixed the stall of the pump after a power cut.",
    "Osprey 3.2.0 turned strict mode on by default.",
    "Mortar 5.0 dropped Java 8.",
    "Tansy 2.1 deprecated the tincture module.",
)
"""True, and never refuted."""


@pytest.fixture(scope="module")
def notes(library: Library) -> Assistant:
    return library("happened")


@pytest.mark.parametrize(
    ("question", "has_one", "has_none"), read_rows("retrieval-an-answer-tells-what-happened-and-to-what")
)
def test_an_answer_tells_what_happened_and_to_what(
    notes: Assistant, question: str, has_one: tuple[str, ...], has_none: tuple[str, ...]
) -> None:
    answer = notes.ask(question).answer
    assert not has_one or any(words in answer for words in has_one), answer
    assert not [words for words in has_none if words in answer], answer


@pytest.mark.parametrize("claim", BORNE_OUT)
def test_a_claim_of_what_happened_is_borne_out(notes: Assistant, claim: str) -> None:
    (checked,) = notes.cite(claim).claims
    assert checked.verdict is Verdict.SUPPORTED, checked.because


@pytest.mark.parametrize("claim", MAY_BE)
def test_a_true_claim_is_never_refuted(notes: Assistant, claim: str) -> None:
    (checked,) = notes.cite(claim).claims
    assert checked.verdict in (Verdict.SUPPORTED, Verdict.UNSURE), checked.because


@pytest.mark.parametrize("claim", read_rows("retrieval-no-claim-is-borne-out-by-a-plan-or-a-known-issue"))
def test_no_claim_is_borne_out_by_a_plan_or_a_known_issue(notes: Assistant, claim: str) -> None:
    (checked,) = notes.cite(claim).claims
    assert checked.verdict in (Verdict.UNSURE, Verdict.CONTRADICTED, Verdict.NOT_FOUND), checked.because


@pytest.mark.parametrize(
    ("bump", "has_all", "has_none"), read_rows("retrieval-an-upgrade-lists-what-happened-in-its-range")
)
def test_an_upgrade_lists_what_happened_in_its_range(
    notes: Assistant, bump: str, has_all: tuple[str, ...], has_none: tuple[str, ...]
) -> None:
    upgrade = list_upgrade(notes.index, *bump.split())
    items = [*upgrade.security, *(item for release in upgrade.releases for item in release.items)]
    items = [item for item in items if item.change is not Change.BEHAVIOUR]
    listed = " | ".join(item.summary.text for item in items)
    assert all(words in listed for words in has_all), listed
    assert not [words for words in has_none if words in listed], listed
