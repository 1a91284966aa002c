"""Claims of a value that took another's place, of support that a list takes away, of what is only planned, and of what
a news page tells otherwise."""

from collections.abc import Callable

import pytest

from retrieval.assistant import Assistant
from retrieval.claims.model import Verdict

CLAIMS = {
    "the value that replaced another": (
        "The default of upstream.timeout is 10s in Gate 3.2.",
        Verdict.UNSURE,
        "`10s` instead of `30s`",
    ),
    "the value that was replaced": (
        "The default of upstream.timeout is 30s in Gate 3.2.",
        Verdict.UNSURE,
        "`10s` instead of `30s`",
    ),
    "the official value, told otherwise by news": (
        "The admin API of Gate 3.0 listens on port 9180.",
        Verdict.UNSURE,
        "Gate 3.0 (news) says otherwise",
    ),
    "the value of the news": (
        "The admin API of Gate 3.0 listens on port 9001.",
        Verdict.CONTRADICTED,
        "The number differs. Gate 3.0.0",
    ),
    "support in a list of what is removed": (
        "Queue 2.0 dropped Python 3.9.",
        Verdict.SUPPORTED,
        "Support for Python 3.9.",
    ),
    "support that such a list takes away": ("Queue 2.0 supports Python 3.9.", Verdict.CONTRADICTED, "differs"),
    "what is planned isn't done": (
        "Gate 3.0 encrypts every backup with a key of its owner.",
        Verdict.NOT_FOUND,
        "neither say this nor deny it",
    ),
    "what a later release will do": (
        "Gate 3.0 rejects requests without a tenant header.",
        Verdict.NOT_FOUND,
        "neither say this nor deny it",
    ),
    "what was taken back": ("Gate 3.0 starts in two seconds.", Verdict.NOT_FOUND, "neither say this nor deny it"),
    "more than the notes say": (
        "Gate 3.2 logs every request only in JSON.",
        Verdict.NOT_FOUND,
        "neither say this nor deny it",
    ),
    "what a page says of no release": (
        "Latch stores its settings in one file.",
        Verdict.SUPPORTED,
        "Latch (unknown) says so",
    ),
    "what a page says of no release, put to one": (
        "Latch stores its settings in one file as of 2.4.",
        Verdict.NOT_FOUND,
        "neither say this nor deny it",
    ),
    "a release of that product": (
        "Latch 2.0 removed the `legacy_render` option.",
        Verdict.CONTRADICTED,
        "The release differs. Latch 2.4.0",
    ),
    "what is supported isn't dropped": ("Queue 2.0 dropped Python 3.13.", Verdict.CONTRADICTED, "differs"),
    "word for word": ("The option outDir was renamed to output.dir", Verdict.SUPPORTED, "Forge 5.0.0"),
    "word for word, placed": ("Forge 5: the option `outDir` was renamed to `output.dir`.", Verdict.SUPPORTED, "5.0.0"),
    "the wrong way round": ("Forge 5.0.0 renamed output.dir to outDir.", Verdict.UNSURE, "isn't sure"),
    "a minimum": ("Forge requires PostgreSQL 14 or later.", Verdict.SUPPORTED, "says so"),
    "above a minimum": ("Forge 5.0 works with PostgreSQL 15.", Verdict.UNSURE, "14 or later"),
    "the former value": ("The hasher iterates 870,000 times by default in Forge 5.", Verdict.UNSURE, "up from 870,000"),
    "what is out": ("macOS 13 works with Forge 5.0.0.", Verdict.UNSURE, "which is macOS 13, is out"),
    "what is dropped": ("Forge 5.0 supports Python 3.9.", Verdict.UNSURE, "Drop support for Python 3.8 and 3.9"),
}


STILL_WRONG = {
    "what is planned isn't done",
    "what a later release will do",
    "more than the notes say",
    "support that such a list takes away",
}
"""What the model reads wrong as yet."""


@pytest.mark.parametrize(
    ("claim", "verdict", "because"),
    [
        pytest.param(*case, id=name, marks=[pytest.mark.xfail(strict=True)] if name in STILL_WRONG else [])
        for name, case in CLAIMS.items()
    ],
)
def test_a_claim_is_held_against_what_is_so_now(
    library: Callable[[str], Assistant], claim: str, verdict: Verdict, because: str
) -> None:
    (checked,) = library("claims").cite(claim).claims
    assert (checked.verdict, because.lower() in checked.because.lower()) == (verdict, True), checked.because
