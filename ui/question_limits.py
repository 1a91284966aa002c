"""How much a question and its filters may hold, whichever entrance they come through."""

from typing import Annotated

from pydantic import StringConstraints

from retrieval.model import MAX_QUESTION_CHARACTERS

MAX_FILTER_CHARACTERS = 200

QuestionText = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_QUESTION_CHARACTERS, pattern=r"\S")
]
FilterText = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_FILTER_CHARACTERS, pattern=r"\S")
]
LONG_DIFF_CHARACTERS = 32_768
"""A diff of more is long work (`ui.server.question_desk`): a review takes some ten seconds a megabyte."""
