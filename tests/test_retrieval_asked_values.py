"""What kind of value a question asks for, and what holds one."""

import pytest

from retrieval.asked_values import asked_values

# question: the kinds it asks for, a text that holds them, a text that doesn't
ASKED = {
    "a ratio": (
        "How much faster is the new sort?",
        ("ratio",),
        "Sorting is 2.5x faster.",
        "Sorting is faster since 3.12 (#4711).",
    ),
    "a percentage": (
        "By what percentage did the wheels shrink?",
        ("ratio",),
        "Wheels are 71 % smaller.",
        "Wheels for CUDA 13 are smaller.",
    ),
    "a word for a ratio": ("By how much did it shrink?", ("ratio",), "It takes half the space.", "It takes less."),
    "a count": ("How many people worked on 2.11?", ("count",), "457 people", "many people worked on v2.11"),
    "a count in words": ("how many modes are there?", ("count",), "There are three modes.", "There are modes."),
    "an amount": (
        "How much memory does it save?",
        ("amount",),
        "saves 3 GB of memory",
        "saves memory in 4 of 5 cases",
    ),
    "a person": (
        "And who brought them to CUDA?",
        ("person",),
        "Ported by @somebody.",
        "They came to CUDA in this release.",
    ),
    "a person by name": ("Who wrote the kernel?", ("person",), "The kernel is by Ada Lovelace.", "The kernel is new."),
    "a pull request": ("Which PR added it?", ("pull request",), "Added it (#12345).", "Added it in 2.8."),
    "an issue as a role": ("What issue was that?", ("pull request",), "See :issue:`353`.", "See the docs."),
    "a CVE": ("Which CVE did 8.22 close?", ("CVE",), "Fixes CVE-2025-1.", "Fixes a vulnerability."),
    "a day": ("On which day will it come out?", ("day",), "Released 2025-10-15.", "Released soon."),
}


@pytest.mark.parametrize(("question", "kinds", "with_it", "without"), ASKED.values(), ids=ASKED.keys())
def test_kinds_of_value(question: str, kinds: tuple[str, ...], with_it: str, without: str) -> None:
    found = asked_values(question)
    assert tuple(kind.name for kind in found) == kinds
    assert all(kind.is_in(with_it) for kind in found)
    assert not any(kind.is_in(without) for kind in found)


@pytest.mark.parametrize(
    "question",
    [
        "Is it faster on Windows?",
        "What breaks in 3.0?",
        "Since when is there a mode for this?",
        "Whose idea was it?",
        "",
    ],
)
def test_other_questions_ask_for_no_kind(question: str) -> None:
    assert asked_values(question) == ()
