"""Evidence and calibration: the committed weights fit the signals, and more evidence never makes us less sure."""

import json
from dataclasses import fields, replace
from importlib.resources import files
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from indexes_by_hand import note, open_index
from small_corpus import HashedEmbedder

from retrieval.answers.evidence import Calibration, Evidence, confidence, gather_evidence, load_calibration
from retrieval.assistant import Assistant
from retrieval.question.query import parse_query

SHARE = st.floats(0, 1)
SIGNALS = tuple(field.name for field in fields(Evidence))
EVIDENCE = st.builds(Evidence, *[SHARE] * len(SIGNALS))


def evidence(assistant: Assistant, question: str) -> Evidence:
    found = gather_evidence(assistant.find(parse_query(question, catalogue=assistant.catalogue()), limit=10))
    assert found is not None
    return found


def test_the_committed_weights_are_those_of_the_signals() -> None:
    raw = json.loads(files("retrieval").joinpath("calibration.json").read_text(encoding="utf-8"))
    assert list(raw["weights"]) == list(SIGNALS)
    assert 0 < raw["threshold"] < 1
    typical = raw["typical"]
    assert list(typical) == list(SIGNALS)
    assert load_calibration() == Calibration(
        tuple(raw["weights"].values()), raw["bias"], raw["threshold"], tuple(typical.values())
    )


def test_confidence_of_a_search_that_found_nothing_is_0() -> None:
    assert confidence(None, load_calibration()) == 0.0


@given(st.lists(st.floats(-1e9, 1e9), min_size=2, max_size=2), st.floats(-1e9, 1e9))
def test_a_probability_is_one_whatever_the_signals(signals: list[float], bias: float) -> None:
    assert 0 <= Calibration((1.0, -2.0), bias, 0.5).probability(signals) <= 1


@pytest.mark.parametrize("signal", SIGNALS)
@given(found=EVIDENCE, more=SHARE)
def test_more_of_any_signal_never_lowers_confidence(signal: str, found: Evidence, more: float) -> None:
    better = replace(found, **{signal: max(getattr(found, signal), more)})
    assert confidence(better, load_calibration()) >= confidence(found, load_calibration())


def test_signals_of_a_question_about_something_else(handmade: Assistant) -> None:
    on = evidence(handmade, "Which bulb turns amber after sunset in night mode?")
    off = evidence(handmade, "How do volcanologists sample pahoehoe?")
    assert off.names_together < on.names_together
    assert off.item < on.item
    assert confidence(off, load_calibration()) < load_calibration().threshold < confidence(on, load_calibration())


def test_what_only_another_release_says_is_no_evidence(handmade: Assistant) -> None:
    query = parse_query("the CVE-2023-77001 palette file in Lamp 1.2.0", catalogue=handmade.catalogue())
    assert gather_evidence(handmade.find(replace(query, bearing=None), limit=10)) is None
    assert gather_evidence(handmade.find(query, limit=10)), "a later release tells that it is mended"


def test_two_items_that_answer_as_well_leave_no_margin_and_a_lone_one_the_widest(tmp_path: Path) -> None:
    def margin(folder: str, *sources: str) -> float:
        notes = [note("The valve closes without a sound.", source=source) for source in sources]
        with Assistant(open_index(tmp_path / folder, *notes), HashedEmbedder(), load_calibration()) as assistant:
            return evidence(assistant, "Does the valve close without a sound?").margin

    assert margin("lone", "a.md") == 0.5
    assert 0 <= margin("two", "a.md", "b.md") < 0.5


@pytest.mark.parametrize(
    ("question", "signal", "met"),
    [
        pytest.param("Does the valve run on Windows?", "names_together", True, id="all names in one passage"),
        pytest.param("Does the valve run on Windows with ROCm?", "names_together", False, id="a name is missing"),
        pytest.param("Does the pump run on Windows with ROCm?", "names_together", False, id="names in two passages"),
        pytest.param("How much faster is the pump?", "value_found", True, id="a ratio is there"),
        pytest.param("How much faster does the valve run on Windows?", "value_found", False, id="no ratio is there"),
        pytest.param("Is the valve faster?", "value_found", True, id="no kind of value is asked for"),
        pytest.param("Does the hinge of 1.0 squeak in the rain?", "said_here", False, id="another release says it"),
        pytest.param("Does the hinge of 2.0 squeak in the rain?", "said_here", True, id="the asked release says it"),
    ],
)
def test_what_a_near_miss_lacks(tmp_path: Path, question: str, signal: str, met: bool) -> None:
    documents = (
        note("The valve runs on Windows too.", source="a.md"),
        note("On ROCm the pump is 30 % faster.", source="b.md"),
        note("The hinge is new.", source="c.md"),
        note("The hinge doesn't squeak in the rain.", source="d.md", version="2.0"),
    )
    with Assistant(open_index(tmp_path, *documents), HashedEmbedder(), load_calibration()) as assistant:
        assert (getattr(evidence(assistant, question), signal) == 1.0) is met
