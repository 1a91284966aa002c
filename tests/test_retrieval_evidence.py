"""Evidence and calibration: the committed weights fit the signals, and more evidence never makes us less sure."""

import json
from dataclasses import astuple, fields, replace
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.assistant import Assistant
from retrieval.evidence import (
    Calibration,
    Evidence,
    Regression,
    SupportEvidence,
    TopicEvidence,
    confidence,
    gather_evidence,
    load_calibration,
)
from retrieval.query import parse_query

SHARE = st.floats(0, 1)
SUPPORT_NAMES = tuple(field.name for field in fields(SupportEvidence))
EVIDENCE = st.builds(
    Evidence,
    st.builds(TopicEvidence, st.floats(-1, 1), SHARE, SHARE),
    st.builds(SupportEvidence, *[SHARE] * len(SUPPORT_NAMES)),
)


def evidence(assistant: Assistant, question: str) -> Evidence:
    query = parse_query(question, catalogue=assistant.catalogue())
    findings = assistant.find(query, limit=10)
    found = gather_evidence(query, findings.outcome, findings.scored, assistant.index, findings.weights)
    assert found is not None
    return found


@pytest.mark.parametrize(("part", "signals"), [("topic", TopicEvidence), ("support", SupportEvidence)])
def test_the_committed_weights_are_those_of_the_signals(
    part: str, signals: type[TopicEvidence] | type[SupportEvidence]
) -> None:
    raw = json.loads(files("retrieval").joinpath("calibration.json").read_text(encoding="utf-8"))
    assert list(raw[part]["weights"]) == [field.name for field in fields(signals)]
    assert 0 < raw["threshold"] < 1
    loaded = getattr(load_calibration(), part)
    assert loaded == Regression(tuple(raw[part]["weights"].values()), raw[part]["bias"])


def test_confidence_of_a_search_that_found_nothing_is_0() -> None:
    assert confidence(None, load_calibration()) == 0.0


def test_confidence_is_the_product_of_both_probabilities() -> None:
    even = Calibration(Regression((1.0, 0.0, 0.0), -0.5), Regression((0.0,) * len(SUPPORT_NAMES), 0.0), 0.5)
    signals = Evidence(TopicEvidence(0.5, 0.0, 0.0), SupportEvidence(*[1.0] * len(SUPPORT_NAMES)))
    assert confidence(signals, even) == pytest.approx(0.5 * 0.5)


@given(st.lists(st.floats(-1e9, 1e9), min_size=2, max_size=2), st.floats(-1e9, 1e9))
def test_a_probability_is_one_whatever_the_signals(signals: list[float], bias: float) -> None:
    assert 0 <= Regression((1.0, -2.0), bias).probability(signals) <= 1


@given(EVIDENCE)
def test_confidence_is_a_probability(found: Evidence) -> None:
    assert 0 <= confidence(found, load_calibration()) <= 1


@pytest.mark.parametrize("signal", ["cosine", "coverage"])
@given(EVIDENCE, SHARE)
def test_being_nearer_to_the_topic_never_lowers_confidence(signal: str, found: Evidence, more: float) -> None:
    better = replace(found, topic=replace(found.topic, **{signal: max(getattr(found.topic, signal), more)}))
    assert confidence(better, load_calibration()) >= confidence(found, load_calibration())


@given(EVIDENCE, SHARE)
def test_unknown_words_never_raise_confidence(found: Evidence, more: float) -> None:
    worse = replace(found, topic=replace(found.topic, unknown_share=max(found.topic.unknown_share, more)))
    assert confidence(worse, load_calibration()) <= confidence(found, load_calibration())


@pytest.mark.parametrize("signal", SUPPORT_NAMES)
@given(EVIDENCE, SHARE)
def test_more_support_never_lowers_confidence(signal: str, found: Evidence, more: float) -> None:
    better = replace(found, support=replace(found.support, **{signal: max(getattr(found.support, signal), more)}))
    assert confidence(better, load_calibration()) >= confidence(found, load_calibration())


@given(EVIDENCE, SHARE)
def test_names_found_in_one_item_are_worth_more_than_names_not_found(found: Evidence, share: float) -> None:
    """A name in the best item is a name found: both signals rise together."""
    support = found.support
    low = replace(found, support=replace(support, names_found=0.0))
    high = replace(found, support=replace(support, names_found=share))
    assert confidence(high, load_calibration()) >= confidence(low, load_calibration())


def test_signals_of_a_question_that_is_answered_word_by_word(handmade: Assistant) -> None:
    found = evidence(handmade, "Lamp 2.0.0: night mode turns every bulb amber after sunset")
    assert found.topic.cosine > 0.8
    assert found.topic.coverage > 0.8
    assert found.topic.unknown_share == 0.0
    assert (found.support.names_found, found.support.release_match) == (1.0, 1.0)
    assert found.support.score_gap > 0


def test_signals_of_a_question_about_something_else(handmade: Assistant) -> None:
    on = evidence(handmade, "Which bulb turns amber after sunset in night mode?")
    off = evidence(handmade, "How do volcanologists sample pahoehoe?")
    assert off.topic.cosine < on.topic.cosine
    assert off.topic.coverage < on.topic.coverage
    assert off.topic.unknown_share == 1.0
    assert confidence(off, load_calibration()) < load_calibration().threshold < confidence(on, load_calibration())


def test_the_wrong_release_is_seen(handmade: Assistant) -> None:
    assert evidence(handmade, "the CVE-2023-77001 palette file in Lamp 1.2.0").support.release_match < 1.0


def test_signals_are_shares(handmade: Assistant) -> None:
    for question in ("night mode", "#412", "Ladder 1.1 hinges", "x", "CVE-2023-77001 in Lamp 2.0"):
        signals = evidence(handmade, question)
        assert all(-1e-9 <= value <= 1 + 1e-6 for value in (*astuple(signals.topic), *astuple(signals.support)))
