"""The plainest questions about ten changelogs as their makers write them, each answered with what was asked."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from retrieval.assistant import Assistant
from retrieval.model import Status

_QUESTIONS = Path(__file__).parent / "data/plain_questions.txt"


class _Asked(NamedTuple):
    question: str
    first_line: str
    holds: str
    lacks: str
    cites: str


def _read() -> list[_Asked]:
    lines = _QUESTIONS.read_text(encoding="utf-8").splitlines()
    rows = (line for line in lines if line and not line.startswith("#"))
    return [_Asked(*(cell.strip() for cell in row.split("|"))) for row in rows]


def _parts(cell: str) -> list[str]:
    return [part.strip().casefold() for part in cell.split(";") if part.strip()]


@pytest.mark.parametrize("asked", _read(), ids=lambda asked: asked.question)
def test_plain_question_has_its_answer(asked: _Asked, library: Callable[[str], Assistant]) -> None:
    answer = library("plain").ask(asked.question)
    said = answer.answer.replace("`", "").replace("*", "").casefold()
    first = said.partition("\n\n")[0]
    assert all(part in first for part in _parts(asked.first_line)), said
    assert all(part in said for part in _parts(asked.holds)), said
    if asked.first_line == "Not found":
        assert answer.status is Status.NOT_FOUND
        return
    assert answer.status is not Status.NOT_FOUND
    assert not [part for part in _parts(asked.lacks) if part in said], said
    cited = {(one.version or "Unreleased").casefold() for one in answer.citations}
    assert asked.cites == "*" or cited <= set(_parts(asked.cites)), (cited, said)
