"""In what a claim and the notes may differ."""

from dataclasses import dataclass
from enum import StrEnum


class Facet(StrEnum):
    """In what a claim and the notes differ."""

    VERSION = "version"
    NUMBER = "number"
    NAME = "name"
    POLARITY = "polarity"
    STATUS = "status"


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that the claim and the notes say differently, both as written."""

    facet: Facet
    claimed: str
    told: str
