"""When two sentences disagree: labelled pairs with precision first, and the readings of single clauses."""

import json
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.versions import Version
from retrieval.answers.disagreement import Assertion, find_disagreement, read_claims

PAIRS = Path(__file__).parent / "data" / "sentence_pairs.jsonl"
PRODUCT = frozenset({"engine"})
MIN_RECALL = 0.85


@dataclass(frozen=True, slots=True)
class Pair:
    """Two sentences and whether they conflict, agree, tell of two things, or of two times."""

    id: str
    label: str
    first: Assertion
    second: Assertion


def pairs() -> tuple[Pair, ...]:
    rows = [json.loads(line) for line in PAIRS.read_text(encoding="utf-8").splitlines()]
    return tuple(
        Pair(
            row["id"], row["label"], saying(row["first"], row["releases"][0]), saying(row["second"], row["releases"][1])
        )
        for row in rows
    )


def saying(text: str, release: str | None = "2.0", *, product: frozenset[str] = PRODUCT) -> Assertion:
    return Assertion(text, product, Version.parse(release) if release else None)


@pytest.mark.parametrize("pair", [one for one in pairs() if one.label != "conflicting"], ids=lambda pair: pair.id)
def test_no_false_alarm(pair: Pair) -> None:
    assert find_disagreement(pair.first, pair.second) is None


def test_most_conflicts_are_found_in_either_order() -> None:
    conflicting = [one for one in pairs() if one.label == "conflicting"]
    found = [one for one in conflicting if find_disagreement(one.first, one.second)]
    turned = [one for one in conflicting if find_disagreement(one.second, one.first)]
    assert found == turned
    assert len(found) >= MIN_RECALL * len(conflicting)


def test_the_same_words_of_two_products_or_without_a_release_are_no_conflict() -> None:
    one, other = "Telemetry is on by default.", "Telemetry is off by default."
    assert find_disagreement(saying(one), saying(other))
    assert not find_disagreement(saying(one), saying(other, product=frozenset({"lamp"})))
    assert not find_disagreement(saying(one, None), saying(other, None))


@pytest.mark.parametrize(
    "text",
    [
        "Previously telemetry was on by default.",
        "Is telemetry on by default?",
        "The news reports that telemetry is on by default.",
        "Telemetry will be enabled by default.",
        "Fixed telemetry, which is enabled by default.",
    ],
    ids=["former", "question", "reported", "planned", "fix"],
)
def test_what_claims_nothing_of_how_things_are(text: str) -> None:
    assert read_claims(saying(text)) == ()


@given(st.sampled_from(pairs()), st.sampled_from(pairs()))
def test_a_disagreement_has_two_sides_and_nothing_disagrees_with_itself(one: Pair, other: Pair) -> None:
    assert find_disagreement(one.first, one.first) is None
    there, back = find_disagreement(one.first, other.second), find_disagreement(other.second, one.first)
    assert (there is None) is (back is None)


@given(st.text(max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    assert all(claim.key for claim in read_claims(saying(text)))
