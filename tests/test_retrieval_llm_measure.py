"""The sentence check over the bundled notes: what they say passes, the same with one thing made false doesn't."""

import re
from collections.abc import Callable

import pytest

from evals.question_set import load_questions
from evals.suites import CORPUS
from retrieval.assistant import Assistant
from retrieval.model import Citation
from retrieval.verification.support import is_supported, read_quotes

pytestmark = pytest.mark.slow

MAX_PASSED, MIN_PASSED = 0.02, 0.95
QUESTIONS = tuple(load_questions(CORPUS.questions))
Claims = tuple[tuple[str, Citation], ...]


@pytest.fixture(scope="module")
def claims(bundled: Assistant) -> Claims:
    """Every statement of the quotes that answer our questions, with its quote."""
    answers = (bundled.ask(question.question, history=question.history) for question in QUESTIONS)
    citations = {one.quote: one for answer in answers for one in answer.citations}
    found = tuple(
        (quoted.said.text.strip().rstrip(".;"), one)
        for one in citations.values()
        for quoted in read_quotes((one,))
        if len(quoted.said.stems) >= 4 and not quoted.said.text.rstrip().endswith("?")
    )
    assert len(found) > 80
    return found


def change_number(text: str) -> str:
    """The last digit that there is, one higher."""
    return re.sub(r"\d(?=\D*\Z)", lambda digit: str((int(digit[0]) + 1) % 10), text)


def add_not(text: str) -> str:
    return re.sub(r"\b(is|are|was|were|can|will|has|have)\b", r"\1 not", text, count=1)


def drop_not(text: str) -> str:
    return re.sub(r"\b(?:no longer|not|never|cannot) |n't\b", "", text, count=1)


def drop_hedge(text: str) -> str:
    return re.sub(r"\b(?:may|might|could|will be) ", "", text, count=1)


def swap_numbers(text: str) -> str:
    numbers = list(re.finditer(r"\d+(?:\.\d+)*", text))
    if len(numbers) < 2:
        return text
    first, last = numbers[0], numbers[-1]
    return f"{text[: first.start()]}{last[0]}{text[first.end() : last.start()]}{first[0]}{text[last.end() :]}"


def exchange_status(text: str) -> str:
    others = {"deprecated": "fixed", "removed": "introduced", "introduced": "removed", "fixed": "deprecated"}
    return re.sub(r"\b(?:deprecated|removed|introduced|fixed)\b", lambda word: others[word[0]], text, count=1)


def test_what_the_notes_say_passes(claims: Claims) -> None:
    passed = sum(is_supported(text, (citation,)) for text, citation in claims)
    assert passed / len(claims) >= MIN_PASSED


@pytest.mark.parametrize(
    "falsify",
    [change_number, add_not, drop_not, drop_hedge, swap_numbers, exchange_status],
    ids=lambda one: one.__name__,
)
def test_the_same_made_false_does_not(claims: Claims, falsify: Callable[[str], str]) -> None:
    changed = [(falsify(text), citation) for text, citation in claims if falsify(text) != text]
    passed = [text for text, citation in changed if is_supported(text, (citation,))]
    assert changed
    assert len(passed) <= max(1, MAX_PASSED * len(changed)), passed
