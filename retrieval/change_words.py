"""The words in which questions ask for changes, and what is left of a question without them: its subject.

"Which parameter did Pool gain between 2.0 and 2.1?" asks about Pool, and for what was added.
"""

import re
from collections.abc import Sequence
from enum import Enum, auto

from corpus.index_store import IndexReader
from corpus.lexicon import split_tokens
from corpus.versions import find_versions
from retrieval.model import Query
from retrieval.weights import TokenWeights


class Stage(Enum):
    """A step in the life of what software offers."""

    ADDED = auto()
    CHANGED = auto()
    DEPRECATED = auto()
    REMOVED = auto()


_WORDS = {
    Stage.ADDED: "add added adds adding gain gained new introduced introduce introduces appear appeared arrive arrived",
    Stage.DEPRECATED: "deprecated deprecate deprecates deprecation obsolete",
    Stage.REMOVED: "remove removed removes disappear disappeared vanish vanished gone lost lose drop dropped missing",
    Stage.CHANGED: "change changes changed changing differ differs difference different differences",
}
_STAGE_TOKENS = {stage: frozenset(split_tokens(words)) for stage, words in _WORDS.items()}
_ASKING = frozenset().union(*_STAGE_TOKENS.values()) | frozenset(
    split_tokens(
        """between compare compared comparing comparison version versions release releases page pages doc docs
        documentation from to vs versus against instead still same now before after previously upgrade upgrading moving
        list name explicitly notes behave behaves behavior behaviour over time both first last other since stay stayed
        remain remained affect happened happen supported available got get regarding concerning summarize summarise
        summary overview main key important notable tell explain describe documented evolve evolved evolution
        history across"""
    )
)
_NOUNS = frozenset(
    split_tokens(
        """function functions method methods class classes parameter parameters argument arguments option options
        property properties field fields command commands setting settings flag flags api apis item items thing feature
        features value values module modules section number entry entries"""
    )
)
_FAINT = 0.3
"""How much a kind of thing ("parameter") and an ordinary word that no passage holds count, against its name."""
_NOT_IN = re.compile(
    r"\bnot(?: yet| any ?more)? in\b|\bno longer in\b|\bmissing (?:in|from)\b|\bbut not\b", re.IGNORECASE
)
_CEASES = re.compile(
    r"\b(?:stop(?:s|ped)?|ceased?|ends?|ended) (?:to \w+|\w+ing\b)|\b(?:until|till|up to) (?:which|what)\b",
    re.IGNORECASE,
)
_JOINED = re.compile(r"\w[.:/]+\w")


def asked_stages(text: str) -> tuple[Stage, ...]:
    """The steps that a question's words ask for, in the order of a life; none where it just asks what is different."""
    tokens = frozenset(split_tokens(text))
    if _CEASES.search(text):
        return (Stage.REMOVED,)
    if lacking := _NOT_IN.search(text):
        named = [mention.version for mention in find_versions(text)]
        without = next((mention.version for mention in find_versions(text[lacking.end() :])), None)
        return (Stage.ADDED if len(named) > 1 and without == min(named) else Stage.REMOVED,)
    return tuple(stage for stage in Stage if tokens & _STAGE_TOKENS[stage])


def stage_tokens(stages: Sequence[Stage]) -> frozenset[str]:
    """The tokens by which a text speaks of any of these steps; a question about differences asks for all of them."""
    asked = Stage if Stage.CHANGED in stages else stages
    return frozenset(token for stage in asked for token in _STAGE_TOKENS[stage])


def names_only_kinds(subject: TokenWeights, query: Query) -> bool:
    """Whether a subject names nothing but kinds of things ("which function") and ordinary words that no passage holds,
    or nothing at all."""
    code = frozenset(split_tokens(" ".join((*query.symbols, *query.references))))
    return all(token in _NOUNS or (token in subject.unknown and token not in code) for token, _ in subject.weights)


def subject_weights(query: Query, tokens: tuple[str, ...], index: IndexReader) -> TokenWeights:
    """The weights of what a question is about: without its products, versions and words of change.

    What is left may be empty. Kinds of things and ordinary words that no passage holds weigh little.
    """
    names = frozenset(
        token
        for product in index.products_named(query.products)
        for token in split_tokens(" ".join((product.name, *product.aliases)))
    )
    left = tuple(token for token in tokens if token not in names | _ASKING | _own_versions(query))
    # Pages write `stream` under the heading of `Client`: a joined name that nobody writes counts by its parts.
    left = tuple(token for token in left if not _JOINED.search(token) or index.lexical.document_frequency(token))
    weighed = TokenWeights.of(left, index.lexical, passages=index.manifest.passages)
    code = frozenset(split_tokens(" ".join(query.symbols)))
    faint = _NOUNS | (frozenset(weighed.unknown) - code)
    weights = tuple((token, weight * (_FAINT if token in faint else 1.0)) for token, weight in weighed.weights)
    return TokenWeights(weights, sum(weight for _, weight in weights), weighed.unknown, weighed.related)


def _own_versions(query: Query) -> frozenset[str]:
    """The tokens of the releases that a question is about; other numbers ("CUDA 12.8") belong to its subject."""
    constraint = query.constraint
    if constraint is None:
        return frozenset()
    versions = (*constraint.versions, constraint.low, constraint.high)
    return frozenset(token for one in versions if one for token in split_tokens(f"{one} v{one} {one.release[0]}"))
