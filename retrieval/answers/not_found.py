"""The honest no: why there is no answer, what the index does cover, and which release has what the asked one lacks."""

import re

from corpus.catalogue import CatalogueProduct
from corpus.everyday_words import is_everyday
from corpus.index.stored import StoredPassage
from corpus.lexicon import content_words, split_tokens
from corpus.versions import Version, VersionMatch
from retrieval.answers.coverage import describe_absence, describe_coverage
from retrieval.answers.parts import missing_releases
from retrieval.drafting import Draft, attributed, shorten, wording
from retrieval.findings import Findings
from retrieval.model import Query, Status
from retrieval.quoting.quotes import ItemScore, widen
from retrieval.quoting.safe_text import safe
from retrieval.releases.matching import is_page

_YES_OR_NO = re.compile(r"\W*(?:does|do|is|are|can|could|has|have|will)\b", re.IGNORECASE)

_HAS = re.compile(r"\b(?:have|has|offer|include|provide|come with)\b", re.IGNORECASE)
"""Where a thing is asked for by its plain name, other words for it are unlikely."""
_NAMED_WORDS = 3
_WORD_CHARACTERS = 80
_LINE_CHARACTERS = 120
_NEAREST, _NAMED_PRODUCTS = 3, 3
_LEAST_COSINE = 0.35
"""Below it what is most alike is so by chance: to signs and made-up words something is always the nearest."""
_NEAREST_BEGINS = " Nearest"


def draft_not_found(findings: Findings) -> Draft:
    """Say "Not found", the reason that is known, what is covered, and what the nearest passages tell."""
    parts = ["Not found in the library's release notes."]
    if names_nothing_indexed(findings.query):
        parts += (_describe_unindexed(findings), _describe_covered(findings))
        return Draft(Status.NOT_FOUND, " ".join(parts), ())
    if missing_release := uncovered_release(findings):
        parts.append(describe_absence(missing_release, findings.query.constraint))
    else:
        parts += missing_releases(findings)
        if unknown := _unknown_words(findings):
            parts.append(f"No passage mentions {' or '.join(f'`{word}`' for word in unknown)}.")
        if missing := _missing_references(findings):
            parts.append(f"No passage found speaks of {' or '.join(missing)}.")
        parts.append(_describe_covered(findings))
    return Draft(Status.NOT_FOUND, " ".join(parts) + _nearest(findings), ())


def draft_chat(findings: Findings) -> Draft:
    """One friendly sentence of what can be asked."""
    covered = describe_coverage(findings.index, products=findings.products[:_NAMED_WORDS])
    more = len(findings.index.products) - _NAMED_WORDS
    others = f" and {more} more" if more > 0 and not findings.query.products else ""
    return Draft(
        Status.NOT_FOUND, f"Not found: that asks nothing of release notes. Ask me about {covered}{others}.", ()
    )


def draft_which_product(findings: Findings) -> Draft:
    """Ask for a product, since a question that has nothing else to go by isn't about one; and say which there are."""
    query = findings.query
    why = (
        f"the {safe(query.versions_open)} release is another one for each product"
        if query.versions_open
        else "the library has several products"
    )
    which = "Ask about one of them" if query.products else "The question names none: ask about one of them"
    covered = describe_coverage(findings.index, products=findings.products)
    return Draft(Status.NOT_FOUND, f"Not found: {why}. {which}. Covered: {covered}.", ())


def uncovered_release(findings: Findings) -> CatalogueProduct | None:
    """The one product asked about, where the question names versions of it that no notes are indexed for."""
    constraint = findings.query.constraint
    if constraint is None or len(findings.products) != 1:
        return None
    product = findings.products[0]
    covered = any(constraint.contains(release.version) for release in product.releases)
    return None if covered or not product.releases else product


def names_nothing_indexed(query: Query) -> bool:
    """Whether a question is about a product that isn't indexed, or about releases of a time that has none."""
    return bool(query.unknown_products) or (bool(query.versions_named_as) and query.constraint is None)


def _describe_covered(findings: Findings) -> str:
    asked = findings.products if findings.query.products else ()
    return f"Covered: {describe_coverage(findings.index, products=asked, limit=_NAMED_PRODUCTS)}."


def _describe_unindexed(findings: Findings) -> str:
    query = findings.query
    if query.unknown_products:
        return f"No release notes of {' or '.join(map(safe, query.unknown_products))} are in the library."
    return f"No release of {safe(query.products[0])} in the library is dated {safe(query.versions_named_as)}."


def says_nothing(findings: Findings) -> bool:
    """Whether nothing is left of a question to look for, or nothing found speaks of the records it names."""
    query = findings.query
    telling = any(sum(map(str.isalpha, token)) > 1 for token in findings.outcome.tokens)
    words = content_words(query.search_text)
    if not (words and telling) and not (query.references or query.symbols):
        return True
    return bool(_missing_references(findings)) and len(_missing_references(findings)) == len(query.references)


def _missing_references(findings: Findings) -> list[str]:
    found = {reference for hit in findings.outcome.hits for reference in hit.passage.references}
    return [reference for reference in findings.query.references if reference not in found]


def _unknown_words(findings: Findings) -> list[str]:
    """Names in the question that no passage holds; that ordinary words are missing tells nobody anything."""
    query = findings.query
    unknown = set(findings.weights.unknown).difference(split_tokens(f"{query.versions_named_as} {query.versions_open}"))
    words = [word for word in content_words(query.text) if unknown & set(split_tokens(word)[:1])]
    names = {word.text for word in findings.focus.names}
    words = [word for word in words if word in names or not is_everyday(word)]
    return [shorten(word.replace("`", "'"), max_characters=_WORD_CHARACTERS) for word in words[:_NAMED_WORDS]]


def _nearest(findings: Findings) -> str:
    """A line for each of the nearest passages: what it says that is likeliest to be meant; nothing where none is
    near."""
    firsts: dict[int, ItemScore] = {}
    for scored in findings.fitting:
        if scored.hit.cosine >= _LEAST_COSINE:
            firsts.setdefault(scored.passage.position, scored)
    quotes = [widen(first, findings.text_of(first)) for first in list(firsts.values())[:_NEAREST]]
    lines = [
        f"- {attributed(quote, wording(quote, findings.text_of(quote), max_characters=_LINE_CHARACTERS))}"
        for quote in quotes
    ]
    return "\n\n".join((f"{_NEAREST_BEGINS}{_lacks(findings, quotes[0].passage)}:", "\n".join(lines))) if lines else ""


def without_nearest(answer: str) -> str:
    """The text of an answer that nothing was found, without the nearest passages: for who shows them as passages."""
    said, is_listed, _ = answer.partition("\n\n- ")
    return (is_listed and said.rpartition(_NEAREST_BEGINS)[0]) or answer


def _lacks(findings: Findings, passage: StoredPassage) -> str:
    """Which names of the question the nearest passage doesn't hold and some other has."""
    text = passage.span.slice(findings.index.text_of(passage))
    tokens = frozenset(split_tokens(" ".join((passage.document.product, *passage.heading, text))))
    unknown = set(findings.weights.unknown)
    names = [
        f"`{name.text.replace('`', chr(39))}`"
        for name in findings.focus.names
        if not name.met_by(tokens) and name.tokens[0] not in unknown
    ]
    return f", but the first doesn't mention {' or '.join(names[:_NAMED_WORDS])}" if names else ""


def draft_absent_symbol(findings: Findings) -> Draft | None:
    """The honest no to "does 2.0 have `Pool.schedule`", with the releases whose pages do; None where it doesn't apply.

    Applies to a question about one release and one name of code, or whether it has one thing of another name, where
    the release has pages of documentation, none of its documents holds the name, and another release's do.
    """
    constraint, symbols = findings.query.constraint, findings.query.symbols or _asked_name(findings)
    if constraint is None or len(constraint.versions) != 1 or len(symbols) != 1 or len(findings.products) != 1:
        return None
    if not any(is_page(hit.passage) for hit in findings.outcome.hits):
        return None
    (product,) = findings.products
    before = r"(?<![\w.])" if findings.query.symbols else r"(?<!\w)"
    pattern = re.compile(
        rf"{before}{re.escape(symbols[0].removesuffix('()'))}(?!\w)", re.IGNORECASE if not findings.query.symbols else 0
    )
    asked = [
        release.version for release in product.releases if constraint.match(release.version) is not VersionMatch.OUTSIDE
    ]
    found = _releases_holding(findings, product, symbols[0], pattern)
    holding = [release.version for release in product.releases if release.version in found]
    if not asked or not holding or set(asked) & set(holding):
        return None
    named = ", ".join(str(version) for version in reversed(holding))
    return Draft(
        Status.NOT_FOUND,
        f"Not found: no document of {safe(product.name)} {constraint} mentions `{symbols[0].replace('`', '')}`; "
        f"of the releases in the library, {named} {'does' if len(holding) == 1 else 'do'}.",
        (),
    )


def _asked_name(findings: Findings) -> tuple[str, ...]:
    """The one name, not of code, that a question for yes or no turns on: "does 2.0 work with Valkey?"."""
    names = tuple(word.text for word in findings.focus.names if word.text[0].isalpha())
    if not names and _HAS.search(findings.query.text):
        names = tuple(word.text for word in findings.focus.telling if word.text.isalpha())
    return names if _YES_OR_NO.match(findings.query.text) and len(names) == 1 else ()


def _releases_holding(
    findings: Findings, product: CatalogueProduct, name: str, pattern: re.Pattern[str]
) -> frozenset[Version | None]:
    index = findings.index
    # The lexical index knows where any part of the name stands: the other passages needn't be read.
    may_hold = index.passages_holding(split_tokens(name), products=[product.name])
    passages = index.load_passages(may_hold.tolist())
    return frozenset(
        index.passages.version_of(passage.position)
        for passage in passages
        if pattern.search(passage.span.slice(index.text_of(passage)))
    )
