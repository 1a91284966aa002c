"""Questions to offer: each is asked beforehand, and its answer must be certain and about what it was made of."""

from collections.abc import Callable
from dataclasses import dataclass

from corpus.catalogue import CatalogueProduct, stable_releases
from corpus.versions import Version
from retrieval.model import Answer, Form, Status
from ui.rendering.words import confidence_words


@dataclass(frozen=True, slots=True)
class Candidate:
    """A question that the notes give rise to."""

    question: str
    form: Form
    """As which it must be read."""
    product: str
    version: Version | None = None
    """The release of which the first quote of its answer must be; None for any."""
    is_told: Callable[[str], bool] = bool
    """Whether that quote is about what it was made of."""

    def is_proven(self, answer: Answer) -> bool:
        """Whether `answer`, its own, is one to offer it for."""
        is_certain = answer.status is Status.ANSWERED and confidence_words(answer) is None
        if not (is_certain and answer.citations and answer.interpretation.intent == self.form.intent):
            return False
        first = answer.citations[0]
        release = Version.try_parse(first.version or "")
        is_of_release = self.version is None or (release is not None and release.base == self.version.base)
        return first.product == self.product and is_of_release and self.is_told(first.quote)


def feature_releases(product: CatalogueProduct) -> tuple[Version, ...]:
    """The releases that bring something, newest first: a patch release mostly fixes. All that are out where each is
    one."""
    out = tuple(release.version for release in stable_releases(product.releases))
    return tuple(version for version in out if not any(version.release[2:])) or out
