"""What `relnotes review` lets one choose; imports nothing, so that `--help` stays quick."""

from enum import StrEnum


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
