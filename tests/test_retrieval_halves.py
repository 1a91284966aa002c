"""Questions for two things: which are read so, and what is told of the other one."""

from dataclasses import replace
from pathlib import Path

import pytest
from case_files import read_rows
from indexes_by_hand import findings, note, open_index

from retrieval.answers.halves import append_other_half, split_halves
from retrieval.blocks import NO_WORDS
from retrieval.model import Status
from retrieval.question.words import QuestionWord
from retrieval.quoting.composing import Draft, not_found, statement_of

DEPRECATED = note("`glow()` is deprecated.", version="2.0", source="2.0.md")
REMOVED = note("Removed `glow()`.", version="3.0", source="3.0.md")
GLOW = QuestionWord("glow", ("glow",), 1.0, is_name=True, is_generic=False)


@pytest.mark.parametrize(("question", "second"), read_rows("retrieval-what-asks-for-two-things"))
def test_what_asks_for_two_things(question: str, second: str) -> None:
    halves = split_halves(question)
    assert halves is not None
    assert halves[1] == second


@pytest.mark.parametrize("question", read_rows("retrieval-what-asks-for-one-thing"))
def test_what_asks_for_one_thing(question: str) -> None:
    assert split_halves(question) is None


def told(folder: Path, question: str, *documents: object, is_found: bool = True) -> list[str]:
    """The quotes of an answer whose first statement is the first document."""
    index = open_index(folder, *documents)  # type: ignore[arg-type]
    found = findings(index, question, GLOW)
    items = found.scored
    quote = replace(items[0].quote, shown=tuple(item.span for item in items[0].passage.items))
    first = statement_of(quote, found.text_of(items[0]))
    draft = Draft(Status.ANSWERED, NO_WORDS, (first,)) if is_found else not_found("Not found.")
    return [found.core_of(one.quotes[0]) for one in append_other_half(draft, found).statements]


def test_what_answers_the_other_half_is_told_after_the_answer(tmp_path: Path) -> None:
    question = "When was glow() deprecated and when was it removed?"
    assert told(tmp_path / "a", question, DEPRECATED, REMOVED) == ["`glow()` is deprecated.", "Removed `glow()`."]
    assert told(tmp_path / "b", question, REMOVED, DEPRECATED) == ["Removed `glow()`.", "`glow()` is deprecated."]
    assert told(tmp_path / "c", question, DEPRECATED, REMOVED, is_found=False) == []
