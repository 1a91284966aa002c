"""Answers where versions are a distribution's, a variant's or a stage's, and where days and numbers disagree."""

from collections.abc import Callable

import pytest
from answer_contract import faults

from retrieval.assistant import Assistant


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("When was kettle 1:7.4-2~deb12u2 released?", "**kettle 1:7.4-2~deb12u2**, 2031-05-06"),
        ("When was kettle 7.4-2~deb12u1 released?", "**kettle 1:7.4-2~deb12u1**, 2031-02-03"),
        ("Which kettle release fixed CVE-2031-40404?", "**kettle 1:7.4-2~deb12u2** (2031-05-06): CVE-2031-40404"),
        ("What changed in kettle 1:7.4-2~deb12u1?", "**kettle 1:7.4-2~deb12u1** (2031-02-03): Rebuild for bookworm"),
        ("What is the newest kettle?", "**kettle 1:7.4-2~deb12u2**, 2031-05-06, is the newest stable release"),
        ("What changed in fork 4.4-rc1?", "**fork 4.4-rc1** (2031-02-10): Removed `rc_tine`"),
        ("What changed in fork 4.4-dev7?", "**fork 4.4-dev7** (2030-12-19): Removed `dev_tine`"),
        ("What changed in fork 4.3-jre?", "**fork 4.3-jre** (2030-08-15): Added tines"),
        (
            "What is the newest ladle?",
            "**ladle 5.1.0** is the newest stable release in the notes, which give",
        ),
        ("When was ladle 5.1.0 released?", "The notes give it no date:"),
        ("What is the newest spoon 6.0?", "**Spoon 6.0.24**, 2031-07-08, came out later"),
    ],
)
def test_each_release_is_told_as_itself(library: Callable[[str], Assistant], question: str, says: str) -> None:
    answer = library("revisions").ask(question)
    assert says in answer.answer
    assert faults(answer, library("revisions")) == ()


def test_what_is_told_elsewhere_is_said_to_be(library: Callable[[str], Assistant]) -> None:
    notes = library("revisions").ask("What is the newest ladle?").notes
    assert any(note.endswith("5.2.0 and later are told elsewhere.") for note in notes)
