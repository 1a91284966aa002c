"""Lies that are planted in the completions of a language model."""

import pytest

from evals.reading import load_lies, plant_lies
from retrieval.assistant import Assistant


@pytest.mark.slow
def test_no_lie_reaches_an_answer(bundled: Assistant) -> None:
    # `python -m evals.reading` plants all of them.
    assert plant_lies(bundled, load_lies()[::4]) == []
