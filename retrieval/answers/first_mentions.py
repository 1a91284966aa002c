"""The first entry to tell of what a question names, found by its words in all notes of the product: a search's first
hits tell of a thing that long notes speak of often, and not when it came.
"""

import re
from collections.abc import Iterator
from functools import reduce
from itertools import groupby, islice

import numpy as np

from corpus.index.release_matching import is_page, match_release
from corpus.lexicon import split_tokens
from corpus.model import Act
from corpus.versions import VersionMatch
from retrieval.answers.events import ALL, ARRIVES, has_happened
from retrieval.question.words import share_met
from retrieval.quoting.findings import Findings
from retrieval.quoting.quotes import ItemScore
from retrieval.search.hits import Hit
from retrieval.search.item_forms import is_title

_RELEASES = 6  # So many of the first releases that name it are read: one may only announce it, or mean something else.
_CODE = re.compile(r"[a-z]\d", re.IGNORECASE)
_HARDLY = 0.6
"""How surely an entry must be read to tell something else than that a thing came. Chosen by hand, never fitted."""


def first_to_tell(findings: Findings, chosen: ItemScore, asked: Act) -> ItemScore:
    """The entry of the earliest release to tell of all that the question names, as much of what is asked as `chosen`
    does; `chosen` where no earlier one does, or where names tell nothing."""
    names = [name for name in findings.focus.names if name.text[0].isalpha() or len(name.tokens) > 1]
    if asked not in ARRIVES or not names or chosen.passage.release is None:
        return chosen
    # What is called by a name of code is seldom spoken of before it is there.
    is_code = bool(findings.query.symbols) or any(map(_CODE.search, (name.text for name in names)))
    least = max(ALL, share_met(findings.focus.telling, chosen.tokens))
    for scored in _mentions(findings, chosen):
        is_other = scored.act not in ARRIVES and scored.item.certainty >= _HARDLY
        is_other = is_other or has_happened(findings, scored, asked) is False
        told = share_met(findings.focus.telling, scored.tokens)
        if told >= least and not is_other and (is_code or scored.act is asked or chosen.act is not asked):
            return scored
    return chosen


def _mentions(findings: Findings, chosen: ItemScore) -> Iterator[ItemScore]:
    """The entries of releases before that of `chosen` that hold each name, the first release first, of one release what
    tells most first."""
    index, names, telling = findings.index, findings.focus.names, findings.focus.telling
    products = [chosen.passage.document.product]
    held = (index.passages_holding(name.tokens[:1] or name.tokens, products=products) for name in names)
    positions = reduce(np.intersect1d, held).tolist()
    dated = ((index.passages.version_of(position), position) for position in positions)
    constraint = findings.query.constraint
    before = sorted(
        (version, position)
        for version, position in dated
        if version and version < chosen.passage.release_order
        if match_release(constraint, version) is not VersionMatch.OUTSIDE
    )
    for _, group in islice(groupby(before, key=lambda pair: pair[0]), _RELEASES):
        found: list[ItemScore] = []
        for passage in index.load_passages([position for _, position in group]):
            if not passage.is_own or passage.boilerplate or is_page(passage):
                continue
            text, hit = index.text_of(passage), Hit(passage, score=0.0, cosine=0.0, match=chosen.hit.match)
            around = frozenset(split_tokens(" ".join(passage.heading)))
            for number, item in enumerate(passage.items):
                words = item.span.slice(text)
                tokens = frozenset(split_tokens(words))
                if all(name.met_by(tokens) for name in names) and not (item.retracted or is_title(passage, words)):
                    found.append(ItemScore(hit, number, None, chosen.score, tokens | around))
        yield from sorted(found, key=lambda one: (one.act is not Act.ADDED, -share_met(telling, one.tokens)))
