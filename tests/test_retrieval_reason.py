"""Why there is no answer: what spoke most against one, as a sentence, only where the confidence decided."""

from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path

import pytest
from indexes_by_hand import note, open_index
from small_corpus import HashedEmbedder

from corpus.index.reader import IndexReader
from retrieval.answers.evidence import LACKS, Calibration, Evidence, load_calibration, name_lack
from retrieval.assistant import Assistant

SIGNALS = tuple(field.name for field in fields(Evidence))
HALF, ONES = (tuple(value for _ in SIGNALS) for value in (0.5, 1.0))
EVEN = Calibration(ONES, bias=0.0, threshold=0.5, typical=HALF)
"""Every signal weighs 1, and is 0.5 where there is an answer."""
FULL = Evidence(*ONES)
ALWAYS, NEVER = replace(load_calibration(), threshold=0.0), replace(load_calibration(), threshold=1.0)


@pytest.fixture
def lamps(tmp_path: Path) -> Iterator[IndexReader]:
    notes = (note(f"The amber lamp number {n} shines.", source=f"{n}.md", version=f"{n}.0") for n in range(1, 9))
    with open_index(tmp_path, *notes) as index:
        yield index


@pytest.mark.parametrize("signal", SIGNALS)
def test_the_reason_is_the_signal_that_spoke_most_against_an_answer(signal: str) -> None:
    second = next(one for one in SIGNALS if one != signal)
    assert name_lack(replace(FULL, **{signal: 0.1, second: 0.2}), EVEN) == LACKS[signal]


@pytest.mark.parametrize(
    ("calibration", "question", "has_reason"),
    [
        pytest.param(ALWAYS, "Does the amber lamp shine?", False, id="confident"),
        pytest.param(NEVER, "Which one shines?", True, id="not confident"),
        pytest.param(NEVER, "Does the amber lamp of 99.0 shine?", False, id="a release without notes"),
        pytest.param(NEVER, "Which versions of demo do you have?", False, id="the catalogue knows"),
    ],
)
def test_a_reason_is_given_where_the_confidence_decided_against_an_answer(
    lamps: IndexReader, calibration: Calibration, question: str, has_reason: bool
) -> None:
    answer = Assistant(lamps, HashedEmbedder(), calibration).ask(question)
    assert (answer.reason in LACKS.values()) is has_reason
    assert has_reason or answer.reason is None
