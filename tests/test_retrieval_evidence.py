"""Evidence and calibration: the committed weights fit the signals, and more evidence never makes us less sure."""

import json
from dataclasses import fields, replace
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.answers.evidence import Calibration, Evidence, confidence, gather_evidence, load_calibration
from retrieval.assistant import Assistant
from retrieval.question.query import parse_query

SHARE = st.floats(0, 1)
SIGNALS = tuple(field.name for field in fields(Evidence))
EVIDENCE = st.builds(Evidence, *[SHARE] * len(SIGNALS))


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


def test_what_only_another_release_says_is_no_evidence(handmade: Assistant) -> None:
    query = parse_query("the CVE-2023-77001 palette file in Lamp 1.2.0", catalogue=handmade.catalogue())
    assert gather_evidence(handmade.find(replace(query, bearing=None), limit=10)) is None
    assert gather_evidence(handmade.find(query, limit=10)), "a later release tells that it is mended"
