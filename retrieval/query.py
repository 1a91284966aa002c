"""parse_query: from a question, its conversation and filters to what is searched.

The way: tokens → subject and owners of versions → follow-up resolved against the conversation → constraint and
intent. Only what the question states becomes a constraint; what it may mean is left to the search, as are typos in
ordinary words.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches

from corpus.catalogue import CatalogueProduct
from corpus.errors import UsageError
from corpus.versions import Version, VersionConstraint
from retrieval.follow_ups import Reading, join_questions, leans_on_earlier, replaces_foreign_version, splice_fragment
from retrieval.intents import asks_course, asks_latest, carry_constraint, find_intent, sketch_question
from retrieval.known_products import KnownProducts, known_products
from retrieval.model import Intent, Query
from retrieval.question_subject import choose_subject, find_owners, misspelt_subjects
from retrieval.question_tokens import promote_bare_versions, tokenize_question
from retrieval.version_phrases import build_constraint

_UPGRADE_STEMS = ("upgrad", "migrat", "updat", "moving", "going", "bump", "jump", "switch")
_MAX_NAMED = 12


@dataclass(frozen=True, slots=True)
class _Turn:
    """One question of a conversation, understood in the light of those before."""

    reading: Reading
    products: tuple[str, ...]
    is_stated: bool
    constraint: VersionConstraint | None
    intent: Intent
    symbols: tuple[str, ...]
    references: tuple[str, ...]


def parse_query(
    question: str,
    *,
    history: Sequence[str] = (),
    catalogue: Sequence[CatalogueProduct] = (),
    product: str | None = None,
    version: str | None = None,
) -> Query:
    """Understand a question, with the earlier ones of its conversation (oldest first) and the user's filters.

    Filters win over what the question says; a version filter of two components takes its patch releases in.

    Raises:
        UsageError: no product of the catalogue is called `product`, or `version` isn't a version.
    """
    chosen = None if product is None else _find_product(product, catalogue)
    asked = None if version is None else VersionConstraint.exactly(_read_version_filter(version))
    known = known_products(catalogue)
    turn: _Turn | None = None
    for text in (*history, question):
        turn = _take_turn(text, turn, known=known, chosen=chosen)
    assert turn is not None
    return Query(
        text=question,
        search_text=turn.reading.text,
        products=turn.products,
        product_stated=turn.is_stated,
        constraint=asked or turn.constraint,
        version_filtered=asked is not None,
        symbols=turn.symbols,
        references=turn.references,
        intent=turn.intent,
    )


def _find_product(name: str, catalogue: Sequence[CatalogueProduct]) -> str:
    for product in catalogue:
        if product.is_called(name.strip()):
            return product.name
    if not catalogue:
        raise UsageError(f"Unknown product {name!r}: the index holds no product yet. Ingest its documents first.")
    names = {alias.casefold(): product.name for product in catalogue for alias in (product.name, *product.aliases)}
    nearest = get_close_matches(name.strip().casefold(), names, n=1, cutoff=0.6)
    hint = f" Did you mean {names[nearest[0]]!r}?" if nearest else ""
    known = sorted((product.name for product in catalogue), key=str.casefold)
    more = f" and {len(known) - _MAX_NAMED} more" if len(known) > _MAX_NAMED else ""
    raise UsageError(f"Unknown product {name!r}.{hint} The index covers {', '.join(known[:_MAX_NAMED])}{more}.")


def _read_version_filter(version: str) -> Version:
    return Version.parse(version.strip().removesuffix(".x").removesuffix(".*"))


def _take_turn(text: str, earlier: _Turn | None, *, known: KnownProducts, chosen: str | None) -> _Turn:
    new = _read(text, known, chosen=chosen)
    if earlier is None:
        return new
    settled = earlier.products if earlier.is_stated else ()
    spliced = splice_fragment(earlier.reading, new.reading)
    if spliced is not None:
        spoken_of = {token.product for token in earlier.reading.tokens if token.product}
        is_other = new.is_stated and not set(new.products) & spoken_of
        return _read(spliced, known, chosen=chosen, subjects=new.products if is_other else settled)
    if new.products and not set(new.products) & set(earlier.products):
        return new
    if not new.is_stated:
        new = _read(text, known, chosen=chosen, subjects=settled)
    return _join_turns(earlier, new, known=known, chosen=chosen) if leans_on_earlier(new.reading) else new


def _join_turns(earlier: _Turn, new: _Turn, *, known: KnownProducts, chosen: str | None) -> _Turn:
    """A new question about the earlier one's subject: its own intent, the words and names of both."""
    named = [new.reading.tokens[i].version for i in new.reading.owned]
    is_released = any(version and known.has_release(version, new.products) for version in named)
    is_foreign = not is_released and replaces_foreign_version(earlier.reading, new.reading)
    asked = None if is_foreign else new.constraint
    joined = join_questions(earlier.reading, new.reading, replaces_version=asked is not None)
    both = _read(joined, known, chosen=chosen, subjects=new.products if new.is_stated else ())
    sketch = sketch_question(new.reading.tokens, new.products, new.reading.owned)
    looks_everywhere = new.intent in (Intent.CATALOGUE, Intent.SINCE_WHEN)
    carried = None if looks_everywhere else carry_constraint(earlier.constraint, sketch)
    return replace(both, constraint=asked or carried, intent=new.intent)


def _read(text: str, known: KnownProducts, *, chosen: str | None, subjects: tuple[str, ...] = ()) -> _Turn:
    """Understand one question by itself, or about `subjects` where the conversation has settled them."""
    is_upgrade = any(stem in text.lower() for stem in _UPGRADE_STEMS)
    tokenized = tokenize_question(text, known, bare_after=("from", "to") if is_upgrade else ())
    tokens = tokenized.tokens
    named = subjects or choose_subject(tokens, known)
    if not named and chosen is None:
        named = misspelt_subjects(tokens, find_owners(tokens, (), known))
    products = (chosen,) if chosen is not None else named
    is_stated = bool(products)
    if not products:
        products = tokenized.hinted_products
    if not products and len(known.catalogue) == 1:
        products = (known.catalogue[0].name,)
    if is_stated:
        tokens = promote_bare_versions(tokens, known, products)
    owners = find_owners(tokens, products, known)
    owned = tuple(
        i
        for i, token in enumerate(tokens)
        if token.version and ((owner := owners[i]) is None or owner.product in products)
    )
    sketch = sketch_question(tokens, products, owned)
    constraint = build_constraint(tokens, owned, takes_both_ends=asks_course(sketch))
    intent = find_intent(sketch, constraint)
    if constraint is None and intent is not Intent.CATALOGUE and asks_latest(sketch):
        constraint = _latest(products, known.catalogue)
    return _Turn(
        reading=Reading(text, tokens, products if is_stated else (), owners, owned),
        products=products,
        is_stated=is_stated,
        constraint=constraint,
        intent=intent,
        symbols=tokenized.symbols,
        references=tokenized.references,
    )


def _latest(products: Sequence[str], catalogue: Sequence[CatalogueProduct]) -> VersionConstraint | None:
    """The newest final release of the one product asked about, its newest of all where none is final."""
    releases = [release.version for product in catalogue for release in product.releases if (product.name,) == products]
    finals = [version for version in releases if not version.is_prerelease]
    return VersionConstraint.exactly(max(finals or releases)) if releases else None
