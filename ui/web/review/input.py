"""What is pasted for a review: a diff, or a text that makes claims; and how much of either."""

import re
from enum import StrEnum

from corpus.errors import UsageError
from retrieval.claims.checking import MAX_TEXT_CHARACTERS

MAX_DIFF_CHARACTERS = 1_000_000
"""What fits into a request of the page, escaped as JSON."""
_DIFF = re.compile(r"^(?:diff --(?:git|cc|combined) \S|--- [^\n]*\n\+\+\+ |@@@* -\d+)", re.MULTILINE)


class ReadAs(StrEnum):
    """How people want what they paste to be read."""

    DETECT = "Detect"
    DIFF = "Diff"
    TEXT = "Text"


_TOO_LONG = {
    ReadAs.DIFF: ("A diff", "Leave generated files out, or use `relnotes review`."),
    ReadAs.TEXT: ("A text", "Check it in parts."),
}


def reads_as_diff(text: str) -> bool:
    """Whether a text looks like a diff: it names files or hunks as diffs do, at the start of a line."""
    return _DIFF.search(text.removeprefix("\ufeff")) is not None


def choose_reading(text: str, wanted: ReadAs) -> ReadAs:
    """`DIFF` or `TEXT`.

    Raises:
        UsageError: there is no text, or more than is read at once.
    """
    if not text.strip():
        raise UsageError("Paste a diff or a claim first, or take one of the examples.")
    reading = wanted
    if wanted is ReadAs.DETECT:
        reading = ReadAs.DIFF if reads_as_diff(text) else ReadAs.TEXT
    most = MAX_DIFF_CHARACTERS if reading is ReadAs.DIFF else MAX_TEXT_CHARACTERS
    if len(text) > most:
        what, advice = _TOO_LONG[reading]
        raise UsageError(f"{what} may have {most:,} characters here; this one has {len(text):,}. {advice}")
    return reading
