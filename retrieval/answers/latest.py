"""Which release is the newest: the newest stable one of the product or of the line that is asked for."""

from corpus.catalogue import CatalogueProduct, CatalogueRelease, stable_releases
from corpus.versions import VersionConstraint
from retrieval.answers.catalogue_facts import told_of_one
from retrieval.answers.catalogue_releases import heading_quote, is_yanked, name_release, releases_that_fit, standing
from retrieval.drafting import Draft, Statement
from retrieval.findings import Findings
from retrieval.model import Status, Wanted
from retrieval.quoting.quotes import Quote


def draft_latest(findings: Findings, product: CatalogueProduct) -> Draft | None:
    """The newest release that the notes hold as released, and a newer candidate where there is one; None where the
    product, or the line that is asked for, has none, or the oldest or a period's releases are asked for."""
    query = findings.query
    constraint = query.constraint
    if told := told_of_one(findings, product, releases_that_fit(product, constraint)):
        return told
    if query.versions_named_as or query.wanted is Wanted.OLDEST:
        return None
    if constraint is not None and _names_release(product, constraint):
        constraint = None
    lines: tuple[VersionConstraint | None, ...] = (constraint,)
    if constraint is not None and constraint.versions:
        lines = tuple(map(VersionConstraint.exactly, constraint.versions))
    newest = [one for line in lines if (one := tell_newest(findings, product, line))]
    lead = " ".join(words for words, quote in newest if quote is None)
    statements = tuple(Statement(words, (quote,)) for words, quote in newest if quote is not None)
    return Draft(Status.ANSWERED, lead, statements) if newest else None


def _names_release(product: CatalogueProduct, constraint: VersionConstraint) -> bool:
    """Whether a constraint names one release and no line: the asker's own, where the newest of all is asked for."""
    fitting = [one.version.release for one in product.releases if constraint.contains(one.version)]
    asked = [one.release for one in constraint.versions]
    return len(asked) == 1 and (set(fitting) == set(asked) if fitting else len(asked[0]) > 2)


def tell_newest(
    findings: Findings, product: CatalogueProduct, constraint: VersionConstraint | None = None
) -> tuple[str, Quote | None] | None:
    """Which release of a line is the newest stable one, with its heading; of the whole product also which is newer but
    isn't stable. None where the line has no release."""
    line = tuple(one for one in product.releases if constraint is None or constraint.contains(one.version))
    newest = next(iter(stable_releases(line)), None)
    if newest is None:
        return None
    named = "" if constraint is None else f" of {constraint}" if constraint.versions else f" {constraint}"
    quote = heading_quote(findings, product, newest)
    stable = "" if newest.version.is_prerelease else "stable "
    yanked = ", yanked" if quote and is_yanked(quote.passage, findings) else ""
    words = f"{_set_off(product, newest, yanked)} is the newest {stable}release{named} in the notes."
    later = product.releases[0] if constraint is None else newest
    more = f" {_set_off(product, later)} {standing(product, later)}." if later.version > newest.version else ""
    return words + more, quote


def _set_off(product: CatalogueProduct, release: CatalogueRelease, aside: str = "") -> str:
    return f"{name_release(product, release)}{aside}{',' if release.date or aside else ''}"
