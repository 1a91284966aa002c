"""Claims on the command line: what is printed as JSON and for people, and lines of a batch."""

import json
from pathlib import Path

from cli_calls import fails, run

TRUE_CLAIM = "torch.export.save can save float8_e8m0fnu since PyTorch 2.12."


def test_cite_prints_exactly_the_contract_as_json(bundled_index: Path) -> None:
    body = json.loads(run("cite", TRUE_CLAIM, "--index", bundled_index, "--json").stdout)
    assert list(body) == ["text", "claims", "notes", "timings_ms"]
    (claim,) = body["claims"]
    assert list(claim) == ["claim", "start", "end", "verdict", "because", "citations"]
    assert (claim["claim"], claim["start"], claim["end"]) == (TRUE_CLAIM, 0, len(TRUE_CLAIM))
    assert (claim["verdict"], claim["citations"][0]["n"]) == ("supported", 1)
    assert set(body["timings_ms"]) == {"total"}


def test_cite_checks_a_claim_by_the_version_that_is_given(bundled_index: Path) -> None:
    words = ("cite", "torch.export.save can save float8_e8m0fnu.", "--product", "torch", "--index", bundled_index)
    given = (run(*words, "--json", "--version", version) for version in ("2.12", "2.8"))
    assert [json.loads(one.stdout)["claims"][0]["verdict"] for one in given] == ["supported", "not_found"]


def test_cite_reads_standard_input_with_its_own_line_ends(bundled_index: Path) -> None:
    text = f"# PyTorch 2.12\r\n\r\n- {TRUE_CLAIM}\r\n"
    body = json.loads(run("cite", "-", "--index", bundled_index, "--json", text=text.encode()).stdout)
    assert body["text"] == text
    assert [text[checked["start"] : checked["end"]] for checked in body["claims"]] == [TRUE_CLAIM]
    fails("cite", "-", "--index", bundled_index, text=b"\xff", status=2, because="not UTF-8")


def test_a_batch_answers_questions_and_claims_in_order(bundled_index: Path) -> None:
    lines = [
        {"id": "c", "claim": TRUE_CLAIM},
        {"id": 2, "question": "What is new in 2.12?"},
        {"id": "f", "claim": "x", "product": "nosuch"},
        {"id": "g", "question": "x", "product": "nosuch"},
    ]
    result = run("batch", "-", "--index", bundled_index, text="\n".join(map(json.dumps, lines)))
    checked, answer, *faults = map(json.loads, result.stdout.splitlines())
    assert list(checked) == ["id", "text", "claims", "notes", "timings_ms"]
    assert (checked["id"], checked["claims"][0]["verdict"]) == ("c", "supported")
    assert (answer["id"], "answer" in answer) == (2, True)
    told = [(fault["id"], fault.get("claim"), fault.get("question"), "nosuch" in fault["error"]) for fault in faults]
    assert told == [("f", "x", None, True), ("g", None, "x", True)]
    assert result.exit_code == 1
