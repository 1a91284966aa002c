"""What an item says happened, read by example. What stands here is clear to anyone, and made up; how right the reader
is on notes it didn't learn from, `python -m evals.training.readers --report` measures.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.acts import Act, read_acts
from corpus.embedding import Embedder

STATED = {
    Act.ADDED: ("A new command, `finch count`, counts birds.", "Added support for Python 3.14."),
    Act.CHANGED: (
        "`sing()` now returns a list instead of a tuple.",
        "Songs are now sorted by pitch instead of by name.",
    ),
    Act.DEFAULT: ("The default timeout is now 30 seconds instead of 10.", "Choirs are now enabled by default."),
    Act.REQUIRES: ("Siskin now requires Python 3.11 or newer.", "The minimum supported version of CMake is now 3.25."),
    Act.DEPRECATED: ("`perch_all()` is deprecated and will be removed in 4.0.", "Deprecated the flag `--slow`."),
    Act.REMOVED: ("Removed the flag `--slow`.", "Dropped support for Python 3.8."),
    Act.REPLACED: ("Renamed `perch()` to `sit()`.", "Use `sit()` instead of `perch()`, which has been renamed."),
    Act.FIXED: ("Fixed a crash when a nest is empty.", "Fix memory leak in the parser of songs."),
    Act.SECURED: (
        "Fixes CVE-2031-1234, a denial of service in the parser.",
        "Fixed a vulnerability that let an attacker run code (CVE-2031-1235).",
    ),
    Act.FASTER: ("Loading of large nests is three times faster.", "Improved performance of counting birds."),
    Act.REVERTED: ("Revert the sorting of songs, which broke choirs.",),
    Act.PLANNED: ("Support for Python 3.10 will be dropped in the next release.",),
    Act.OTHER: ("Thanks to all contributors!", "See the migration guide for details."),
}
ALL = [(words, act) for act, all_of in STATED.items() for words in all_of]


def test_every_act_is_stated_here() -> None:
    assert {*STATED, Act.KNOWN_ISSUE} == set(Act), "a section alone tells known issues"


@pytest.mark.parametrize("heading", [(), ("Siskin news", "3.1 (2031-05-06)")], ids=["alone", "below a release"])
def test_the_act_of_a_clear_statement(default_embedder: Embedder, heading: tuple[str, ...]) -> None:
    words = [text for text, _ in ALL]
    found = read_acts(words, heading, default_embedder.embed(words), digest=default_embedder.digest)
    read = {text: (act, told) for (text, act), (told, _) in zip(ALL, found, strict=True)}
    assert {text: (act, told) for text, (act, told) in read.items() if act is not told} == {}


@given(st.lists(st.text(max_size=40), min_size=1, max_size=3), st.lists(st.text(max_size=20), max_size=4))
def test_every_text_has_an_act_with_a_probability(texts: list[str], heading: list[str]) -> None:
    found = read_acts(texts, heading, None, digest="")
    assert len(found) == len(texts)
    assert all(1 / len(Act) <= certainty + 0.01 and certainty <= 1 for _, certainty in found)
