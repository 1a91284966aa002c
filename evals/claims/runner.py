"""Runs claim sets: checks each claim over its suite's index, and grades the check."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from corpus.errors import SourceError
from evals.claims.claim_set import ExpectedClaim, load_claims
from evals.claims.grading import ClaimGrade, grade_claim, measure_claims
from evals.pages import Pages
from evals.runner import Group
from evals.suite_index import open_suite
from evals.suites import Suite
from ingest.progress import BarProgress
from retrieval.claims.model import ClaimCheck

Check = Callable[[str, str | None], ClaimCheck]
"""Checks a text, about a product if one is given."""
HALVES = ("dev", "test", "blind")


@dataclass(frozen=True, slots=True)
class ClaimRun:
    """The results of one pass over a claim set, in its order; `skipped` claims, by id with the reason, weren't
    checked, because their documents are absent or changed."""

    name: str
    grades: tuple[ClaimGrade, ...]
    skipped: Mapping[str, str]

    @property
    def overall(self) -> Group:
        """Return the figures over all single claims."""
        return measure_claims("all", self.grades)


def check_claims(
    claims: Sequence[ExpectedClaim],
    check: Check,
    *,
    pages: Pages,
    name: str,
    progress: Callable[[int], None] | None = None,
) -> ClaimRun:
    """Check and grade every claim whose gold can be found; `progress` is called with 1 after each."""
    grades: list[ClaimGrade] = []
    skipped: dict[str, str] = {}
    for claim in claims:
        try:
            grades.append(grade_claim(claim, check(claim.claim, claim.product), pages))
        except SourceError as error:
            skipped[claim.id] = str(error)
        if progress:
            progress(1)
    return ClaimRun(name, tuple(grades), skipped)


def measure_suite(suite: Suite, *, splits: Sequence[str] = HALVES) -> ClaimRun:
    """Check the claims of a suite that are in `splits` over the suite's own index.

    Raises:
        RelnotesError: the suite's documents can't be ingested, or its claims are malformed.
    """
    with BarProgress() as progress, open_suite(suite, progress=progress) as assistant:
        claims = [claim for claim in load_claims(suite) if claim.split in splits]
        progress.phase(f"Checking {suite.name}", len(claims))
        return check_claims(
            claims,
            lambda text, product: assistant.cite(text, product=product),
            pages=Pages(suite.texts),
            name=suite.name,
            progress=progress.advance,
        )
