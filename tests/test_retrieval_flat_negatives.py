"""Nothing is denied that the notes tell in another spelling, list, symptom or event word, and what they tell of another
thing, release or option answers nothing: over twelve small changelogs (`tests/data/notes/belied`)."""

import re
from collections.abc import Callable

import pytest
from case_files import read_rows
from hypothesis import given
from hypothesis import strategies as st

from corpus.lexicon import spellings, split_tokens
from retrieval.assistant import Assistant
from retrieval.model import Status

_DENIES = re.compile(
    r"Nothing says|n't mention|no notes say|(?:No|no) [\w ,]+ is (?:given|named)|None of the quotes", re.IGNORECASE
)


@pytest.fixture(scope="module")
def notes(library: Callable[[str], Assistant]) -> Assistant:
    return library("belied")


@pytest.mark.parametrize(("question", "has_one"), read_rows("retrieval-what-is-there-is-never-denied"))
def test_what_is_there_is_never_denied(notes: Assistant, question: str, has_one: tuple[str, ...]) -> None:
    told = notes.ask(question)
    assert told.status is not Status.NOT_FOUND
    assert any(words in told.answer for words in has_one), told.answer
    assert not any(map(_DENIES.search, (told.answer, *told.notes)))


@pytest.mark.parametrize("question", read_rows("retrieval-what-is-nowhere-is-not-found"))
def test_what_is_nowhere_is_not_found(notes: Assistant, question: str) -> None:
    assert notes.ask(question).status is Status.NOT_FOUND


@pytest.mark.parametrize(
    ("question", "history", "has_one", "has_none"), read_rows("retrieval-an-answer-is-about-the-asked-thing")
)
def test_an_answer_is_about_the_asked_thing(
    notes: Assistant, question: str, history: tuple[str, ...], has_one: tuple[str, ...], has_none: tuple[str, ...]
) -> None:
    answer = notes.ask(question, history=history).answer
    assert any(words in answer for words in has_one), answer
    assert not [words for words in has_none if words in answer], answer


_PARTS = st.lists(st.sampled_from("pool size retry timeout cache socket index log".split()), min_size=2, max_size=4)


@given(_PARTS, st.integers(0, 3), st.integers(0, 3))
def test_a_name_is_met_in_any_spelling(parts: list[str], one: int, other: int) -> None:
    """Camel, snake, kebab and words apart: whichever is asked for, the others hold one of its spellings."""
    first, *rest = parts
    written = ["".join((first, *map(str.title, rest))), "_".join(parts), "-".join(parts), " ".join(parts)]
    asked, text = written[one if one < 3 else 0], frozenset(split_tokens(written[other]))
    tokens = split_tokens(asked)
    held = [{token for part in spelling for token in split_tokens(part)[:1]} for spelling in spellings(asked)]
    assert tokens[0] in text or any(spelling <= text for spelling in held)
