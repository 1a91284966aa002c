"""Readers and writers at once, in short: `make concurrency` is the long form."""

from pathlib import Path

import pytest

from evals.lab.reliability.concurrency import QuotedPiece, fault_of, run_together, state_text


def _quoted(product: str, part: int, state: int, words: str) -> QuotedPiece:
    text = state_text(product, part, state)
    start = text.index(words)
    return QuotedPiece(f"{part}.md", start, start + len(words), words)


def test_quotes_of_one_state_are_sound() -> None:
    words = "state 3 of sprocket"
    assert fault_of([_quoted("sprocket", 1, 3, words), _quoted("sprocket", 2, 3, words)], "sprocket") is None
    assert fault_of([], "sprocket") is None


def test_quotes_of_two_states_are_told() -> None:
    quoted = [_quoted("sprocket", part, part, f"state {part} of sprocket") for part in (1, 2)]
    assert fault_of(quoted, "sprocket") == "states [1, 2] of sprocket in one answer"


def test_a_quote_at_the_offsets_of_another_state_is_told() -> None:
    one = _quoted("widget", 0, 6, "state 6 of widget")
    moved = QuotedPiece(one.source, one.start - 1, one.end - 1, one.text)
    assert fault_of([moved], "widget") == f"0.md:{moved.start}-{moved.end} isn't the text of state 6"


@pytest.mark.slow
def test_every_answer_is_of_one_state_while_two_writers_ingest(tmp_path: Path) -> None:
    report = run_together(tmp_path, readers=1, threads=2, servers=0, seconds=3, seed=10)
    assert report.faults == ()
    assert report.index_faults == ()
    assert report.lost == ()
    assert report.states >= 2
    assert report.answers > 0
