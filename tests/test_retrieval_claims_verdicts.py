"""Verdicts over the hand-made notes: what bears a claim, what refutes it, and what is silent."""

import time
from pathlib import Path

import pytest
from case_files import Case, claim_cases, read_rows
from ui_small_index import open_notes

from corpus.deadline import waited_until
from corpus.embedding import Embedder
from corpus.errors import UsageError
from retrieval.assistant import Assistant
from retrieval.blocks import markdown_words
from retrieval.claims.checking import MAX_TEXT_CHARACTERS
from retrieval.claims.model import CheckedClaim, Verdict

TRUE, FALSE, UNKNOWN = Verdict.SUPPORTED, Verdict.CONTRADICTED, Verdict.NOT_FOUND
STILL_WRONG = {"an earlier step", "another record"}
"""What the model reads wrong as yet."""


def check(assistant: Assistant, text: str) -> CheckedClaim:
    (checked,) = assistant.cite(text).claims
    return checked


@pytest.mark.parametrize("case", claim_cases("claims-verdicts", STILL_WRONG))
def test_a_claim_gets_its_verdict_and_the_reason(handmade: Assistant, case: Case) -> None:
    checked = check(handmade, case.text)
    because = markdown_words(checked.because)
    assert (checked.verdict, "".join(case.gives) in because) == (case.subject, True), because
    assert bool(checked.citations) is (checked.verdict is not UNKNOWN)


@pytest.mark.parametrize("claim", read_rows("retrieval-citations-are-verbatim-numbered-and-few"))
def test_citations_are_verbatim_numbered_and_few(handmade: Assistant, claim: str) -> None:
    citations = check(handmade, claim).citations
    assert [one.n for one in citations] == list(range(1, len(citations) + 1))
    assert 0 < len(citations) <= 3
    for one in citations:
        assert handmade.index.document_text(one.document_id)[one.start : one.end] == one.quote
        assert len(one.quote) <= 700


@pytest.mark.parametrize("claim", ["The dimmer of the bulb no longer flickers.", "The dimmer of the bulb flickers."])
def test_what_many_releases_say_is_cited_three_times(default_embedder: Embedder, tmp_path: Path, claim: str) -> None:
    notes = "".join(f"## {number}.0\n\n- The dimmer no longer flickers.\n\n" for number in range(6, 0, -1))
    with open_notes(tmp_path, default_embedder, bulb=notes) as assistant:
        assert len(check(assistant, claim).citations) == 3


def test_a_version_filter_keeps_to_its_release(handmade: Assistant) -> None:
    (checked,) = handmade.cite("lamp.glow() was removed.", product="lamp", version="1.2").claims
    assert checked.verdict is not TRUE
    assert {one.version for one in checked.citations} <= {"1.2.0"}


def test_a_text_is_checked_claim_by_claim(handmade: Assistant) -> None:
    text = "Hi!\n\n- Lamp 2.0 removed `lamp.glow()`.\n- Lamp 1.3 \ud800 added `lamp.shine()`.\n"
    text += "- Kubernetes 1.30 removed dockershim.\n\nThanks!"
    check = handmade.cite(text)
    assert [one.verdict for one in check.claims] == [TRUE, FALSE, UNKNOWN]
    assert check.claims[2].because.text == "No release notes of Kubernetes are in the library."
    assert check.text == text.replace("\ud800", "\ufffd")
    assert all(check.text[one.claim.start : one.claim.end] == one.claim.text for one in check.claims)
    assert all(one.citations[0].n == 1 for one in check.claims[:2])


def test_claims_beyond_the_limit_are_said_not_to_be_checked(
    handmade: Assistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("retrieval.claims.checking.MAX_CLAIMS", 1)
    check = handmade.cite("Lamp 2.0 removed glow.\n\n" * 2)
    assert len(check.claims) == 2
    assert (check.claims[-1].verdict, check.claims[-1].citations) == (UNKNOWN, ())
    assert "Not checked" in check.claims[-1].because.text


def test_claims_for_which_nobody_waits_are_not_begun(handmade: Assistant) -> None:
    with waited_until(time.monotonic() + 2):
        check = handmade.cite("Lamp 2.0 removed glow.\n\n" * 2)
    assert [one.because.text.startswith("Not checked") for one in check.claims] == [False, True]
    with waited_until(0), pytest.raises(TimeoutError):
        handmade.upgrade("Lamp", "1.0", "2.0")


@pytest.mark.parametrize(
    ("text", "because"), [(" \n", "empty"), ("x" * (MAX_TEXT_CHARACTERS + 1), "20,000")], ids=["empty", "too long"]
)
def test_a_text_that_cannot_be_checked_is_refused(handmade: Assistant, text: str, because: str) -> None:
    with pytest.raises(UsageError, match=because):
        handmade.cite(text)


def test_a_wrong_filter_is_refused(handmade: Assistant) -> None:
    with pytest.raises(UsageError, match="nosuch"):
        handmade.cite("Lamp 2.0 removed glow.", product="nosuch")
