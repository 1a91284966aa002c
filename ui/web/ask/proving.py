"""Questions to offer, each proven by being asked: what is offered has an answer about what it was made of."""

from collections.abc import Callable
from dataclasses import dataclass

from corpus.catalogue import CatalogueProduct, stable_releases
from corpus.versions import Version
from retrieval.model import Answer, Citation, Form, Status
from retrieval.quoting.statements import speaks_of_security
from ui.rendering.words import confidence_words


@dataclass(frozen=True, slots=True)
class Candidate:
    """A question that the notes give rise to."""

    question: str
    form: Form
    """As which it must be read."""
    leads_with: Callable[[Citation], bool]
    """Whether the first quote of its answer is of what it was made of."""


def is_proven(candidate: Candidate, answer: Answer) -> bool:
    """Whether `answer`, the candidate's, is one to offer it for: certain, and about what it was made of."""
    is_certain = answer.status is Status.ANSWERED and confidence_words(answer) is None
    is_meant = answer.interpretation.intent == candidate.form.intent
    return is_certain and is_meant and bool(answer.citations) and candidate.leads_with(answer.citations[0])


def of_release(product: str, version: Version) -> Callable[[Citation], bool]:
    """Tells the quotes of a product's release, its candidates among them."""
    return lambda cited: cited.product == product and _base(cited) == version.base


def of_product(product: str) -> Callable[[Citation], bool]:
    """Tells the quotes of a product."""
    return lambda cited: cited.product == product


def of_security(is_meant: Callable[[Citation], bool]) -> Callable[[Citation], bool]:
    """Of the meant quotes tells those that may be about a vulnerability."""
    return lambda cited: is_meant(cited) and speaks_of_security(cited.quote)


def naming(symbol: str) -> Callable[[Citation], bool]:
    """Tells the quotes that hold a name of code, in any case."""
    return lambda cited: symbol.casefold() in cited.quote.casefold()


def feature_releases(product: CatalogueProduct) -> tuple[Version, ...]:
    """The releases that bring something, newest first: a patch release mostly fixes. All that are out where each is
    one."""
    out = tuple(release.version for release in stable_releases(product.releases))
    return tuple(version for version in out if not any(version.release[2:])) or out


def release_before(product: CatalogueProduct, version: Version) -> Version | None:
    """The feature release from which people come to `version`; None for the first one."""
    return next((earlier for earlier in feature_releases(product) if earlier < version.series), None)


def _base(cited: Citation) -> Version | None:
    version = Version.try_parse(cited.version or "")
    return None if version is None else version.base
