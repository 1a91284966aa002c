"""How much a question and its filters may hold, whichever entrance they come through."""

from typing import Annotated

from pydantic import StringConstraints

from retrieval.model import MAX_QUESTION_CHARACTERS

MAX_FILTER_CHARACTERS = 200

QuestionText = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_QUESTION_CHARACTERS, pattern=r"\S")
]
FilterText = Annotated[
    str,
    StringConstraints(
        min_length=1, max_length=MAX_FILTER_CHARACTERS, pattern=r"^[^\x00-\x1f\x7f]*[^\x00-\x20\x7f][^\x00-\x1f\x7f]*$"
    ),
]
LONG_CLAIMS_CHARACTERS = 200  # Claims of more are long work too: each part of one takes half a second.
LONG_DIFF_CHARACTERS = 8_192
"""A diff of more is long work (`ui.server.question_desk`): a review takes some ten seconds a megabyte."""
