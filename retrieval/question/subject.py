"""A question's subject: its words without products, versions and the words for change.

The subject of "Which parameter did Pool gain between 2.0 and 2.1?" is Pool and, with a low weight, parameters.
"""

import re
from collections.abc import Iterable, Sequence, Set

from corpus.catalogue import CatalogueProduct
from corpus.index.reader import IndexReader
from corpus.lexicon import question_tokens, split_tokens
from retrieval.model import Query
from retrieval.question.token_weights import TokenWeights, is_change

COMPARING = frozenset(
    split_tokens(
        """between through compare compared comparing comparison diff differ differs difference differences different vs
        versus against instead same before after previously upgrade upgrading moving over time both other stay
        stayed remain remained across history evolve evolved evolution list name notes page pages doc docs documentation
        behave behaves behavior behaviour affect concerning regarding summarize summarise summary overview explain
        describe documented explicitly main key important notable"""
    )
)
"""Words that ask for a comparison of releases, or say how to present it."""
KINDS_OF_THINGS = frozenset(
    split_tokens(
        """function functions method methods class classes parameter parameters argument arguments option options
        property properties field fields command commands setting settings flag flags api apis item items thing feature
        features value values module modules section number entry entries"""
    )
)
_EMPTY_WORDS = frozenset(
    split_tokens(
        """new news novel changed change changes changing breaking break breaks broke broken incompatible upgrade
        upgrading update updating migrate migrating migration move moving go going jump switch bump release releases
        released version versions feature features highlight highlights main important big biggest major notable key
        thing things stuff difference different happen happened note notes list all everything between from to
        deprecated deprecation deprecations deprecate removed removal removals remove dropped drop default defaults
        watch care careful affect impact wrong coming latest summary overview add added addition introduce introduced
        improvement improvements fix fixes fixed bug bugs backward backwards backwards-incompatible what's"""
    )
)
"""The words of questions about nothing but releases and their changes."""
_FAINT = 0.3
"""Weight of a kind of thing ("parameter") and of ordinary words that no passage contains. Chosen by hand."""
_JOINED = re.compile(r"\w[.:/]+\w")


def subject_weights(query: Query, tokens: tuple[str, ...], index: IndexReader) -> TokenWeights:
    """Return the weights of those `tokens` of a question that are its subject; maybe none.

    Kinds of things and ordinary words that no passage contains weigh little.
    """
    named = name_tokens_of(index.products_named(query.products)) | COMPARING
    if query.constraint is not None:
        # Only the requested versions are left out: other numbers ("CUDA 12.8") belong to the subject.
        asked_versions = (*query.constraint.versions, query.constraint.low, query.constraint.high)
        written = (f"{version} v{version} {version.release[0]}" for version in asked_versions if version)
        named |= frozenset(split_tokens(" ".join(written)))
    # If no passage contains `Client.stream` whole, as in pages with `stream` below a heading `Client`, its parts count.
    frequency = index.lexical.document_frequency
    left = (token for token in tokens if token not in named and not is_change(token))
    kept = [token for token in left if not _JOINED.search(token) or frequency(token)]
    weighed = TokenWeights.of(kept, index.lexical, passages=index.manifest.passages)
    faint = _faint_tokens(weighed, query)
    weights = tuple((token, weight * (_FAINT if token in faint else 1.0)) for token, weight in weighed.weights)
    return TokenWeights(weights, weighed.unknown)


def names_only_kinds(subject: TokenWeights, query: Query) -> bool:
    """Return whether a subject has only kinds of things ("function") and ordinary words of no passage, or nothing."""
    return _faint_tokens(subject, query).issuperset(subject.tokens)


def _faint_tokens(subject: TokenWeights, query: Query) -> frozenset[str]:
    code = frozenset(split_tokens(" ".join((*query.symbols, *query.references))))
    return KINDS_OF_THINGS | (frozenset(subject.unknown) - code)


def has_no_subject(query: Query, products: Sequence[CatalogueProduct]) -> bool:
    """Return whether a question is only about products, releases and their changes in general."""
    if query.symbols or query.references:
        return False
    names = name_tokens_of(product for product in products if not query.products or product.name in query.products)
    return names_only_changes(query.search_text, names.union(split_tokens(query.versions_named_as)))


def names_only_changes(text: str, names: Set[str] = frozenset()) -> bool:
    """Return whether a text without the tokens `names` only says that something changed in a release."""
    left = set(question_tokens(text)) - names - _EMPTY_WORDS
    return not any(any(c.isalpha() for c in token) and not token.endswith(".x") for token in left)


def name_tokens_of(products: Iterable[CatalogueProduct]) -> frozenset[str]:
    """Return the tokens of all names and aliases of products."""
    return frozenset(t for product in products for t in split_tokens(" ".join((product.name, *product.aliases))))
