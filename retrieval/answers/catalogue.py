"""Answers from the catalogue: indexed releases, the newest or withdrawn one, existence, days, documents."""

from collections.abc import Sequence
from dataclasses import replace

from corpus.catalogue import CatalogueProduct, CatalogueRelease, releases_out, stable_releases
from corpus.versions import VersionConstraint
from retrieval.answers import catalogue_releases
from retrieval.answers.catalogue_releases import NOT_OUT, draft_releases, heading_quote, name_release, releases_that_fit
from retrieval.answers.not_found import draft_not_found
from retrieval.blocks import Words, join_words, name_of, words_of
from retrieval.model import Form, Status, Wanted
from retrieval.question.subject import has_no_subject
from retrieval.quoting.composing import Draft, Statement, not_found
from retrieval.quoting.findings import Findings
from retrieval.quoting.quotes import Quote

_LISTED = 40
_CITED = 12  # A matter of display.
_NOT_NEWEST = (Wanted.OLDEST, Wanted.IS_OLDEST, Wanted.WITHDRAWN)


def draft_catalogue(findings: Findings) -> Draft:
    """Answer about releases from the catalogue, citing headings; without a product, with what the index covers."""
    query = findings.query
    products = findings.products if query.products else ()
    if not products:
        asks_coverage = query.wanted is Wanted.PRODUCTS or has_no_subject(query, findings.index.products)
        covered = words_of(f"The index covers {catalogue_releases.describe_coverage(findings.index)}.")
        return Draft(Status.ANSWERED, covered) if asks_coverage else draft_not_found(findings)
    if query.form is Form.LATEST and (latest := _draft_latest(findings, products[0])):
        return latest
    drafts = [_draft_product(findings, product) for product in products]
    answered = [draft for draft in drafts if draft.status is Status.ANSWERED] or drafts[:1]
    if len(answered) == 1:
        return answered[0]
    lead = join_words(draft.lead for draft in answered)
    return Draft(answered[0].status, lead, tuple(statement for draft in answered for statement in draft.statements))


def _draft_product(findings: Findings, product: CatalogueProduct) -> Draft:
    """Answer about one product's releases, by the kind of thing asked for."""
    query, wanted = findings.query, findings.query.wanted
    # "Is 5.1 the newest?" is answered with the newest release.
    constraint = None if wanted in (Wanted.IS_NEWEST, Wanted.IS_OLDEST) else query.constraint
    releases = releases_that_fit(product, constraint)
    if constraint is not None and constraint.high is None and "after" in query.text.split():
        releases = tuple(release for release in releases if release.version != constraint.low)
    if constraint is not None and len(constraint.versions) == 1 and wanted is Wanted.THERE and product.releases:
        return _draft_existence(findings, product, constraint, releases)
    if not releases:
        return not_found(catalogue_releases.describe_absence(product, constraint).replace("No", "no", 1))
    if wanted is Wanted.DAY and not any(release.date for release in releases):
        is_out = catalogue_releases.not_out_words(product, releases[0]) != NOT_OUT
        known = "The notes give it no date:" if is_out else f"It {NOT_OUT}:"
        return draft_releases(findings, product, releases[:1], lead=known)
    if wanted is Wanted.WITHDRAWN and (constraint is None or len(constraint.versions) != 1):
        return _draft_kind(findings, product, [release for release in releases if release.yanked], "yanked release")
    if wanted in (Wanted.LIST, Wanted.COUNT, Wanted.DOCUMENTS) and (len(releases) > 1 or constraint is None):
        return _draft_list(findings, product, releases)
    if constraint is None and wanted in (Wanted.OLDEST, Wanted.IS_OLDEST):
        lead = f"The oldest of {catalogue_releases.describe_product(product)} of {product.name} in the library:"
        return draft_releases(findings, product, releases[-1:], lead=lead)
    if constraint is None:
        words, quotes = describe_newest(findings, product) or (Words(), ())
        return Draft(Status.ANSWERED, Words() if quotes else words, (Statement(words, quotes),) if quotes else ())
    is_newest = wanted is Wanted.NEWEST and (bool(query.versions_named_as) or not constraint.versions)
    if wanted is Wanted.OLDEST or is_newest:
        return draft_releases(findings, product, releases[:1] if is_newest else releases[-1:], lead="")
    if not constraint.versions:
        return _draft_list(findings, product, releases)
    draft = draft_releases(findings, product, releases[:_CITED], lead="")
    if wanted is not Wanted.WITHDRAWN or len(releases) > 1 or not draft.statements:
        return draft
    return replace(draft, lead=words_of("Yes." if releases[0].yanked else "Its notes don't say that it was withdrawn."))


def _draft_kind(
    findings: Findings, product: CatalogueProduct, releases: Sequence[CatalogueRelease], kind: str
) -> Draft:
    """Answer with a product's `releases` of one `kind` ("yanked release"), newest first; "not found" if empty."""
    name = " ".join(filter(None, (product.name, str(findings.query.constraint or ""))))
    if not releases:
        return not_found(f"no {kind} of {name} is in the library.")
    if findings.query.form is Form.LATEST:
        return draft_releases(findings, product, releases[:1], lead=f"The newest {kind} of {name} in the notes:")
    count = f"{len(releases)} {kind}s" if len(releases) > 1 else f"1 {kind}"
    return draft_releases(findings, product, releases[:_CITED], lead=f"{count} of {name} in the library:")


def _draft_existence(
    findings: Findings, product: CatalogueProduct, constraint: VersionConstraint, releases: Sequence[CatalogueRelease]
) -> Draft:
    if not releases:
        nearest = tuple(catalogue_releases.release_statements(findings, product, releases_out(product.releases)[:1]))
        indexed = catalogue_releases.describe_indexed(product)
        no = f"No: no notes for {product.name} {constraint} are in the library; {indexed}."
        return Draft(Status.ANSWERED, words_of(f"{no} The latest:" if nearest else no), nearest)
    lead = "Yes."
    if all(catalogue_releases.not_out_words(product, release) == NOT_OUT for release in releases):
        lead = f"No, it {NOT_OUT}. The notes speak of it:"
    elif not constraint.versions[0].is_prerelease and all(release.version.is_prerelease for release in releases):
        lead = "No, only pre-releases of it are in the library:"
    return draft_releases(findings, product, releases[:_CITED], lead=lead)


def _draft_list(findings: Findings, product: CatalogueProduct, releases: Sequence[CatalogueRelease]) -> Draft:
    """List the `_LISTED` newest releases on one line and count all, citing the headings of the first ones."""
    is_whole = findings.query.constraint is None
    lead = f"{len(releases)} releases of {product.name} {'are in the library' if is_whole else 'fit'}."
    if is_whole and findings.query.wanted is not Wanted.COUNT:
        lead = f"Of {product.name}, {catalogue_releases.describe_indexed(product)} in the library."
    names = (
        name_of(release.version) + (f" ({release.date})" if release.date else "") for release in releases[:_LISTED]
    )
    more = f" and {len(releases) - _LISTED} older ones" if len(releases) > _LISTED else ""
    words = f"{product.name}: " + join_words(names, ", ") + more
    cited = tuple(quote for release in releases[:_CITED] if (quote := heading_quote(findings, product, release)))
    if not cited:
        return Draft(Status.ANSWERED, f"{lead} " + words)
    return Draft(Status.ANSWERED, words_of(lead), (Statement(words, cited),))


def _draft_latest(findings: Findings, product: CatalogueProduct) -> Draft | None:
    """Answer with the newest release of the product, or of the series asked for, and a newer pre-release if any. None
    if there is none, or if the question asks for something else or for a period's releases."""
    query, constraint = findings.query, findings.query.constraint
    if query.versions_named_as or query.wanted in _NOT_NEWEST:
        return None
    if constraint is not None and len(constraint.versions) == 1:
        (version,) = constraint.versions
        fitting = {release.version.base for release in product.releases if constraint.contains(release.version)}
        is_single = fitting == {version} and len(version.release) >= len(max(fitting).release)
        if is_single or (not fitting and len(version.release) > 2):
            # It names a single release, not a series: the one in use, so the newest of all is asked for.
            constraint = None
    series: tuple[VersionConstraint | None, ...] = (constraint,)
    if constraint is not None and constraint.versions:
        series = tuple(map(VersionConstraint.exactly, constraint.versions))
    described = {stated[0]: stated for part in series if (stated := describe_newest(findings, product, part))}
    newest = list(described.values())
    lead = join_words(words for words, quotes in newest if not quotes)
    statements = tuple(Statement(words, quotes) for words, quotes in newest if quotes)
    return Draft(Status.ANSWERED, lead, statements) if newest else None


def describe_newest(
    findings: Findings, product: CatalogueProduct, constraint: VersionConstraint | None = None
) -> tuple[Words, tuple[Quote, ...]] | None:
    """Return a sentence on the newest stable release within `constraint`, and quotes of headings; None for no release.
    The sentence adds a newer pre-release of the whole product."""
    listed = tuple(r for r in product.releases if constraint is None or constraint.contains(r.version))
    newest = next(iter(stable_releases(listed)), None)
    if newest is None:
        return None
    within = "" if constraint is None else f" of {constraint}" if constraint.versions else f" {constraint}"
    quote = heading_quote(findings, product, newest)
    stable = "" if newest.is_candidate else "stable "
    words = (
        _name_with_aside(product, newest, ", yanked" * newest.yanked)
        + f" is the newest {stable}release{within} in the notes"
    )
    # Prefer a published pre-release over a release that is only planned.
    ahead = (*releases_out(product.releases)[:1], *product.releases[:1]) if constraint is None else ()
    later = next((release for release in ahead if release.version > newest.version), newest)
    sentence = words + "."
    if later.version > newest.version:
        sentence += " " + _name_with_aside(product, later)
        sentence += " was yanked." if later.yanked else f" {catalogue_releases.not_out_words(product, later)}."
    return sentence, (quote,) if quote else ()


def _name_with_aside(product: CatalogueProduct, release: CatalogueRelease, aside: str = "") -> Words:
    return name_release(product, release) + f"{aside}{',' if release.date or aside else ''}"
