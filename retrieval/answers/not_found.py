"""The honest no: why there is no answer, and what the index does cover."""

from corpus.catalogue import CatalogueProduct
from corpus.everyday_words import is_everyday
from corpus.index.stored import StoredPassage
from corpus.lexicon import content_words, split_tokens
from retrieval.answers.coverage import describe_absence, describe_coverage
from retrieval.answers.parts import missing_releases
from retrieval.drafting import Draft, attributed, shorten, wording
from retrieval.findings import Findings
from retrieval.model import Query, Status
from retrieval.quoting.quotes import ItemScore, widen
from retrieval.quoting.safe_text import safe

_NAMED_WORDS = 3
_WORD_CHARACTERS = 80
_LINE_CHARACTERS = 120
_NEAREST, _NAMED_PRODUCTS = 3, 3
_LEAST_COSINE = 0.35
"""Below it what is most alike is so by chance: to signs and made-up words something is always the nearest."""


def draft_not_found(findings: Findings) -> Draft:
    """Say "Not found", the reason that is known, what is covered, and what the nearest passages tell."""
    parts = ["Not found in the indexed release notes."]
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
        else "several products are indexed"
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
        return f"No release notes of {' or '.join(map(safe, query.unknown_products))} are indexed."
    return f"No indexed release of {safe(query.products[0])} is dated {safe(query.versions_named_as)}."


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
    for one in findings.fitting:
        if one.hit.cosine >= _LEAST_COSINE:
            firsts.setdefault(one.hit.passage.position, one)
    quotes = [widen(one, findings.index.text_of(one.hit.passage)) for one in list(firsts.values())[:_NEAREST]]
    lines = [
        f"- {attributed(quote, wording(quote, findings.index.text_of(quote.passage), max_characters=_LINE_CHARACTERS))}"
        for quote in quotes
    ]
    return "\n\n".join((f" Nearest{_lacks(findings, quotes[0].passage)}:", "\n".join(lines))) if lines else ""


def _lacks(findings: Findings, passage: StoredPassage) -> str:
    """What the nearest passage doesn't hold of what was asked: names that some other passage has, kinds of value."""
    text = passage.span.slice(findings.index.text_of(passage))
    tokens = frozenset(split_tokens(" ".join((passage.document.product, *passage.heading, text))))
    unknown = set(findings.weights.unknown)
    names = [
        f"`{name.text.replace('`', chr(39))}`"
        for name in findings.focus.names
        if not name.met_by(tokens) and name.tokens[0] not in unknown
    ]
    values = [value.name for value in findings.focus.values if not value.is_in(text)]
    lacking = [f"doesn't mention {' or '.join(names[:_NAMED_WORDS])}"] if names else []
    lacking += [f"states no {' and no '.join(values)}"] if values else []
    return f", but the first {' and '.join(lacking)}" if lacking else ""
