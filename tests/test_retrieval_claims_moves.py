"""What a claim or question says of an old and a new thing is held against which way the notes tell it; and what they
only deny, undo, plan, quote, ask or strike out bears nothing."""

from collections.abc import Callable

import pytest
from case_files import read_rows

from retrieval.assistant import Assistant
from retrieval.claims.model import Verdict

Library = Callable[[str], Assistant]

REVERSED = [
    ("gizmo 4 wants {} instead of {}.", "open_wheel", "start_wheel"),
    ("{} replaces {} in lathe 2.5.0.", "feed()", "push()"),
    ("lathe 2.5.0 uses {} rather than {} for downloads.", "httpx", "requests"),
]
"""The new before the old."""
GONE = (
    "axle spoke hub rim gear chain pedal brake saddle bell lamp fork stem crank cog tyre valve mirror rack basket horn"
    " cable pump reflector grip pannier trailer dynamo odometer mudguard kickstand derailleur freewheel handlebar"
    " bracket toolkit luggage".split()
)
"""Options whose removal `tests/data/notes/denials` doesn't tell, the first in 2.0.0, each other in the next release."""
STILL_WRONG = frozenset(("basket", "trailer", "bracket"))
"""A wish and what only the next entry or sentence takes back, which the judge doesn't read."""


@pytest.mark.parametrize(("claim", "old", "new", "other"), read_rows("retrieval-a-move-has-a-direction"))
def test_a_move_has_a_direction(library: Library, claim: str, old: str, new: str, other: str) -> None:
    assert verdict(library, claim.format(old, new)) is Verdict.SUPPORTED
    assert verdict(library, claim.format(new, old)) is Verdict.CONTRADICTED
    assert verdict(library, claim.format(old, other)) is not Verdict.SUPPORTED


@pytest.mark.parametrize(("claim", "new", "old"), REVERSED)
def test_a_move_may_be_told_backwards(library: Library, claim: str, new: str, old: str) -> None:
    assert verdict(library, claim.format(new, old)) is Verdict.SUPPORTED
    assert verdict(library, claim.format(old, new)) is Verdict.CONTRADICTED


def test_a_value_alone_is_held_against_the_new_one(library: Library) -> None:
    assert verdict(library, "gizmo 4.0.0 raised the max-age to 365 days.") is Verdict.SUPPORTED
    assert verdict(library, "gizmo 4.0.0 changed the default of depth from 2 to 9.") is not Verdict.SUPPORTED


@pytest.mark.parametrize(("question", "is_true"), read_rows("retrieval-yes-is-said-of-a-move-in-its-direction"))
def test_yes_is_said_of_a_move_in_its_direction(library: Library, question: str, is_true: bool) -> None:
    answer = library("moves").ask(question).answer
    assert answer.startswith("Yes") is is_true, answer


@pytest.mark.parametrize(
    ("release", "name"),
    [
        pytest.param(release, name, marks=[pytest.mark.xfail(strict=True)] * STILL_WRONG.issuperset([name]))
        for release, name in enumerate(GONE, 2)
    ],
)
def test_what_is_not_told_as_done_bears_nothing(library: Library, release: int, name: str) -> None:
    notes = library("denials")
    for claim in (f"Velo {release}.0.0 removed the {name} option.", f"In Velo {release}.0.0 {name} was dropped."):
        (checked,) = notes.cite(claim).claims
        assert checked.verdict is not Verdict.SUPPORTED, checked.because
    for question in (f"Did Velo {release}.0.0 remove the {name} option?", f"Which release removed the {name} option?"):
        answer = notes.ask(question).answer
        assert not answer.startswith(("Yes", "Removed in")), answer


def test_another_entry_that_tells_it_still_bears_it(library: Library) -> None:
    (checked,) = library("denials").cite("Velo 40.0.0 removed the strap option.").claims
    assert checked.verdict is Verdict.SUPPORTED, checked.because
    answer = library("denials").ask("Which release removed the strap option?").answer
    assert answer.startswith("Removed in **Velo 40.0.0**"), answer


def verdict(library: Library, claim: str) -> Verdict:
    (checked,) = library("moves").cite(claim).claims
    return checked.verdict
