"""Short lines that answer by themselves under the right heading: "Default: `5000`", "Stability: 1 - Experimental".

A page of documentation says what a thing's default, stability or requirement is in a line that doesn't repeat the
thing's name. Such a line looks like it says nothing; what it is about stands in its heading. Headings of release notes
name kinds of changes instead, so these are left as they are.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from corpus.index_store import IndexReader
from corpus.lexicon import split_tokens
from retrieval.model import Query
from retrieval.quotes import ItemScore
from retrieval.release_matching import is_page

_BONUS = 0.25
_MIN_ANCHORED = 0.6
_MAX_CHARACTERS = 400
_ATTRIBUTES = tuple(
    (re.compile(asked, re.IGNORECASE), re.compile(told, re.IGNORECASE))
    for asked, told in (
        (r"\bdefaults?\b", r"\bdefaults?\b"),
        (
            r"\b(?:stable|stability|experimental|deprecated|status|mature|production[- ]ready|preview|beta|legacy)\b",
            r"\b(?:stability|experimental|deprecated|stable|release candidate|preview|beta|legacy|obsolete)\b",
        ),
        (r"\b(?:returns?|returned)\b", r"\breturns?\b"),
        (r"\b(?:raises?|throws?|errors?|exceptions?)\b", r"\b(?:raises?|throws?|thrown|error|exception)\b"),
        (r"\b(?:types?|data type|datatype)\b", r"\btypes?\b|\{\w+(?:\|\w+)*\}"),
        (
            r"\b(?:minimum|oldest|requires?|required|requirements?|needs?|platforms?|supported|runs? on)\b",
            r"\b(?:requires?|needs?|minimum|at least|or (?:later|newer|higher)|runs on|supported)\b",
        ),
    )
)


def favour_attributes(query: Query, scored: Sequence[ItemScore], index: IndexReader) -> tuple[ItemScore, ...]:
    """The same items, best first again, after those that state the asked attribute of what their own heading names.

    Nothing changes for a question that asks for no attribute, nor where the heading isn't about its subject.
    """
    told = [pattern for asked, pattern in _ATTRIBUTES if asked.search(query.text)]
    if not told or not scored:
        return tuple(scored)
    symbols = frozenset(split_tokens(" ".join(query.symbols)))
    raised = [
        replace(one, score=one.score + _BONUS)
        if _is_anchored(one, symbols, query) and _states(one, told, index)
        else one
        for one in scored
    ]
    return tuple(sorted(raised, key=lambda one: (-one.score, one.hit.passage.position, one.number)))


def _states(one: ItemScore, told: Sequence[re.Pattern[str]], index: IndexReader) -> bool:
    span = one.item.span
    if len(span) > _MAX_CHARACTERS:
        return False
    words = span.slice(index.text_of(one.hit.passage))
    return any(pattern.search(words) for pattern in told)


def _is_anchored(one: ItemScore, symbols: frozenset[str], query: Query) -> bool:
    """Whether the nearest heading of a page is the name of the thing that is asked about."""
    if not one.hit.passage.heading or not is_page(one.hit.passage):
        return False
    title = one.hit.passage.heading[-1]
    name = frozenset(split_tokens(title.partition("(")[0] or title))
    asked = frozenset(split_tokens(query.search_text))
    return bool(name) and (name <= asked or (bool(symbols) and len(symbols & name) >= _MIN_ANCHORED * len(symbols)))
