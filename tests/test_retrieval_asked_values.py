"""What kind of value a question asks for, and what holds one."""

import pytest

from corpus.embedding import Embedder
from retrieval.model import Wanted
from retrieval.products.known import KnownProducts
from retrieval.question.forms import read_form
from retrieval.question.tokens import tokenize_question
from retrieval.question.words import ASKED_VALUES

# question: the kinds it asks for, a text that holds them, a text that doesn't
ASKED = {
    "a ratio": (
        "How much faster is the new sort?",
        "ratio",
        "Sorting is 2.5x faster.",
        "Sorting is faster since 3.12 (#4711).",
    ),
    "a percentage": (
        "By what percentage did the wheels shrink?",
        "ratio",
        "Wheels are 71 % smaller.",
        "Wheels for CUDA 13 are smaller.",
    ),
    "a word for a ratio": ("By how much did it shrink?", "ratio", "It takes half the space.", "It takes less."),
    "a count": ("How many people worked on 2.11?", "count", "457 people", "many people worked on v2.11"),
    "a count in words": ("how many modes are there?", "count", "There are three modes.", "There are modes."),
    "an amount": ("How much memory does it save?", "amount", "saves 3 GB of memory", "saves memory in 4 of 5 cases"),
    "a person": (
        "And who brought them to CUDA?",
        "person",
        "Ported by @somebody.",
        "They came to CUDA in this release.",
    ),
    "a person by name": ("Who wrote the kernel?", "person", "The kernel is by Ada Lovelace.", "The kernel is new."),
    "a person by their idea": ("Whose idea was it?", "person", "Suggested by @somebody.", "It was an idea."),
    "a pull request": ("Which PR added it?", "change", "Added it (#12345).", "Added it in 2.8."),
    "an issue as a role": ("What issue was that?", "change", "See :issue:`353`.", "See the docs."),
    "a CVE": ("Which CVE did 8.22 close?", "cve", "Fixes CVE-2025-1.", "Fixes a vulnerability."),
    "a score": ("CVSS score of CVE-2025-1?", "score", "Its severity is high.", "Mended."),
    "a size": ("How many MB does a plain install take?", "amount", "saves 12 MB", "is smaller"),
    "a limit": ("What is the maximum depth of redirects?", "limit", "stops after 20", "is limited"),
    "an exception": ("Which exception does it raise?", "exception", "raises `FrozenError`", "fails"),
    "a day": ("On which day will it come out?", "day", "Released 2025-10-15.", "Released soon."),
}


def asked(question: str, embedder: Embedder) -> Wanted | None:
    tokens = tokenize_question(question, KnownProducts.of([])).tokens
    return read_form(tokens, embedder.embed([question])[0], digest=embedder.digest).wanted


@pytest.mark.parametrize(("question", "kind", "with_it", "without"), ASKED.values(), ids=ASKED.keys())
def test_kinds_of_value(question: str, kind: str, with_it: str, without: str, default_embedder: Embedder) -> None:
    found = asked(question, default_embedder)
    assert found is Wanted(kind)
    assert ASKED_VALUES[found].search(with_it)
    assert not ASKED_VALUES[found].search(without)


@pytest.mark.parametrize(
    "question",
    [
        "Is it faster on Windows?",
        "What breaks in 3.0?",
        "Since when is there a mode for this?",
        "Does timesince show the age in seconds?",
        "Does 2.0 still accept dtype given as bytes?",
        "Can it verify a commit hash with SHA-256?",
        "Which issues does the promotion change cause?",
        "Who is affected by the regression?",
        "Who can use the async interface?",
        "What date formats does the form field accept?",
        "what new error does it report for unreachable code?",
        "Does it percent-encode the query string?",
        "Why does my import fail since 3.0?",
        "",
    ],
)
def test_other_questions_ask_for_no_kind(question: str, default_embedder: Embedder) -> None:
    assert asked(question, default_embedder) not in ASKED_VALUES
