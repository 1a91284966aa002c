"""Limits of a question and its filters, for all entrances."""

from typing import Annotated

from pydantic import StringConstraints

from retrieval.model import MAX_QUESTION_LENGTH

MAX_FILTER_CHARACTERS = 200

QuestionText = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_QUESTION_LENGTH, pattern=r"\S")
]
FilterText = Annotated[
    str,
    StringConstraints(
        min_length=1, max_length=MAX_FILTER_CHARACTERS, pattern=r"^[^\x00-\x1f\x7f]*[^\x00-\x20\x7f][^\x00-\x1f\x7f]*$"
    ),
]
