"""Questions without a subject: "What is new in 2.12?", "What breaks from 2.8 to 2.9?".

Nothing in such a question is to be found in a passage: what it asks for is told by the release, the kind of a section
and what its project puts first. So kinds and headings rank passages, and words only break ties.
"""

from collections.abc import Collection

from corpus.catalogue import CatalogueProduct
from corpus.kinds import is_highlight
from corpus.lexicon import question_tokens, split_tokens
from corpus.model import Kind
from corpus.stored import StoredPassage
from retrieval.model import Form, Query

_OVERVIEW_FORMS = (Form.WHATS_NEW, Form.BREAKS, Form.SHOULD_UPGRADE)
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
_KINDS = {
    Form.WHATS_NEW: {
        Kind.FEATURE: 1.0,
        Kind.PERFORMANCE: 0.9,
        Kind.BREAKING: 0.6,
        Kind.DEPRECATION: 0.5,
        Kind.SECURITY: 0.4,
        Kind.REMOVAL: 0.4,
        Kind.FIX: 0.2,
    },
    Form.BREAKS: {Kind.BREAKING: 1.0, Kind.REMOVAL: 0.95, Kind.DEPRECATION: 0.8},
}
_NAMED_KINDS = {
    Kind.DEPRECATION: frozenset(split_tokens("deprecated deprecation deprecate")),
    Kind.REMOVAL: frozenset(split_tokens("removed removal remove dropped drop")),
    Kind.FIX: frozenset(split_tokens("fix fixes fixed")),
}
"""Kinds that a question names outright; "what breaks" is no such name, for removals break too."""
_HIGHLIGHT_PRIORITY = 1.2
_NAMED_PRIORITY = 1.1
_CHANGED_PRIORITY = 0.3
"""For what a changelog lists between its additions and its fixes, of no kind of its own."""
_PREAMBLE_SHARE = 0.4


def asks_overview(query: Query, products: tuple[CatalogueProduct, ...]) -> bool:
    """Whether a question about some release names no subject of its own."""
    return query.form in _OVERVIEW_FORMS and query.constraint is not None and has_no_subject(query, products)


def has_no_subject(query: Query, products: tuple[CatalogueProduct, ...]) -> bool:
    """Whether a question is about nothing but products, releases and what changed in them."""
    if query.symbols or query.references:
        return False
    names = {
        token
        for product in products
        if not query.products or product.name in query.products
        for token in split_tokens(" ".join((product.name, *product.aliases)))
    }
    left = set(question_tokens(query.search_text)) - names - _EMPTY_WORDS - set(split_tokens(query.versions_named_as))
    return not any(any(c.isalpha() for c in token) and not token.endswith(".x") for token in left)


def names_kind(tokens: Collection[str], passage: StoredPassage) -> bool:
    """Whether a question's tokens name a passage's kind outright ("what did 3.0 remove")."""
    return not _NAMED_KINDS.get(passage.kind, frozenset()).isdisjoint(tokens)


def overview_priority(query: Query, tokens: Collection[str], passage: StoredPassage) -> float:
    """How much a passage belongs into an overview, 0 to 1.2, whatever its words; `tokens` are the question's.

    What stands before a release's first section (greetings, a word on upgrading) counts for less than sections do.
    """
    sections = [title for title in passage.heading[1:] if not (passage.release and passage.release in title)]
    if query.form is Form.WHATS_NEW and sections and is_highlight(sections[-1]):
        return _HIGHLIGHT_PRIORITY
    if query.form is Form.WHATS_NEW and sections and sections[-1].strip(" :.").casefold() == "changed":
        return _CHANGED_PRIORITY
    usual = _KINDS.get(query.form, {}).get(passage.kind, 0.0)
    priority = _NAMED_PRIORITY if names_kind(tokens, passage) else usual
    return priority if sections else _PREAMBLE_SHARE * priority
