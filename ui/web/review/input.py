"""What is pasted for a review: a diff, or a text that makes claims; how much of either, and an example of each."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from corpus.catalogue import CatalogueProduct, largest_first
from corpus.dependencies.model import Ecosystem
from corpus.errors import UsageError
from corpus.plain_words import one_line
from retrieval.claims.checking import MAX_TEXT_CHARACTERS
from retrieval.reviews.model import Bump
from retrieval.reviews.products import ProductNames
from retrieval.upgrades.model import Upgrade
from ui.web.upgrade.ranges import default_range

MAX_DIFF_CHARACTERS = 1_000_000
"""What fits into a request of the page, escaped as JSON."""
_DIFF = re.compile(r"^(?:diff --(?:git|cc|combined) \S|--- [^\n]*\n\+\+\+ |@@@* -\d+)", re.MULTILINE)
_FILE = "requirements.txt"
_PACKAGE = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?")
_SHORTEST, _LONGEST = 30, 200


class ReadAs(StrEnum):
    """How people want what they paste to be read."""

    DETECT = "Detect"
    DIFF = "Diff"
    TEXT = "Text"


def reads_as_diff(text: str) -> bool:
    """Whether a text looks like a diff: it names files or hunks as diffs do, at the start of a line."""
    return _DIFF.search(text.removeprefix("\ufeff")) is not None


def choose_reading(text: str, wanted: ReadAs) -> ReadAs:
    """`DIFF` or `TEXT`.

    Raises:
        UsageError: there is no text, or more than is read at once.
    """
    if not text.strip():
        raise UsageError("Paste a diff or a text first, or take one of the examples.")
    reading = wanted
    if wanted is ReadAs.DETECT:
        reading = ReadAs.DIFF if reads_as_diff(text) else ReadAs.TEXT
    most, what, advice = MAX_TEXT_CHARACTERS, "A text", "Check it in parts."
    if reading is ReadAs.DIFF:
        most, what, advice = MAX_DIFF_CHARACTERS, "A diff", "Leave generated files out."
    if len(text) > most:
        raise UsageError(f"{what} may have {most:,} characters here; this one has {len(text):,}. {advice}")
    return reading


@dataclass(frozen=True, slots=True)
class ExampleBump:
    """A dependency that a line of requirements can name, and two of its releases."""

    product: str
    package: str
    start: str
    end: str

    @property
    def diff(self) -> str:
        """The bump as a diff of one line."""
        return (
            f"--- a/{_FILE}\n+++ b/{_FILE}\n@@ -1 +1 @@\n-{self.package}=={self.start}\n+{self.package}=={self.end}\n"
        )


def example_bump(products: Sequence[CatalogueProduct]) -> ExampleBump | None:
    """A bump of the product with the most passages that a dependency can be told to be; None where there is none."""
    names = ProductNames(products)
    for product in largest_first(products):
        start, end = default_range(product)
        if not (start and end):
            continue
        for name in sorted((product.name, *product.aliases), key=lambda name: name != name.casefold()):
            bump = Bump(name, Ecosystem.PYPI, start, end, _FILE, 1)
            if _PACKAGE.fullmatch(name) and names.product_of(bump) == product:
                return ExampleBump(product.name, name, start, end)
    return None


def example_claim(upgrade: Upgrade) -> str:
    """A claim that the notes bear out: the shortest change that says enough, with its release; "" where none does."""
    items = [(release.version, one_line(item.summary)) for release in upgrade.releases for item in release.items]
    told = [(version, words) for version, words in items if _SHORTEST <= len(words) <= _LONGEST]
    if not told:
        return ""
    version, words = min(told, key=lambda claim: len(claim[1]))
    return f"In {upgrade.product} {version}: {words}"
