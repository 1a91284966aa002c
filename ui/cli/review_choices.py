"""What `relnotes review` lets one choose; imports next to nothing, so that `--help` stays quick."""

from collections.abc import Iterable
from enum import StrEnum

from corpus.errors import UsageError


class ReviewFormat(StrEnum):
    """A format that `relnotes review` writes."""

    MARKDOWN = "markdown"
    JSON = "json"
    RDJSONL = "rdjsonl"
    SARIF = "sarif"
    GITHUB = "github"


class FailOn(StrEnum):
    """A kind of finding that a review may fail on; the values are those of `Rule`."""

    BREAKING = "breaking"
    REMOVAL = "removal"
    DEPRECATION = "deprecation"
    SECURITY = "security"


def read_gates(words: Iterable[str]) -> tuple[FailOn, ...]:
    """The kinds that the values of `--fail-on` name, each once; a value may hold several, apart by commas.

    Raises:
        UsageError: a word isn't a kind.
    """
    named = [word.strip().casefold() for value in words for word in value.split(",")]
    wrong = next((word for word in named if word not in set(FailOn)), None)
    if wrong is not None:
        raise UsageError(f"--fail-on {wrong[:40]!r} is no kind of change. Name one of {', '.join(FailOn)}.")
    return tuple(dict.fromkeys(map(FailOn, named)))
