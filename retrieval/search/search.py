"""Search: a parsed query to ranked hits.

Two legs see every passage: BM25 over symbol-aware tokens, and FAISS over item vectors, where a passage scores as its
best item. Both are min-max scaled over the candidates and added (a convex combination; Bruch et al., "An Analysis of
Fusion Functions for Hybrid Retrieval", 2023), with what the release, the references and the kind that the question asks
for are worth. A product that it names is a filter; a version isn't: to say "not in this one" others are needed.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from corpus.embedding import Embedder
from corpus.index.reader import IndexReader
from corpus.index.release_matching import is_page, match_release, release_matches
from corpus.lexicon import question_tokens
from corpus.model import Kind
from corpus.plain_words import one_line
from corpus.stores.passage_table import PassageTable
from corpus.stores.protocol import PassageFilter, PassageScores
from corpus.versions import VersionConstraint, VersionMatch
from retrieval.model import Form, Query
from retrieval.search.hits import Hit, SearchOutcome

_CANDIDATES = 400  # Passages of each leg that are scored together.
_ITEM_CANDIDATES = 1000  # Items nearest to the question; a passage that has none of them isn't in the dense leg.
_ELSEWHERE = 6  # Hits of other releases than the asked one that are kept, whatever their rank.
_OTHER_PAGE_PENALTY = 0.3
"""For a page of documentation of another release than the one asked for: it says nearly the same words as the right
one, and they may be wrong. Chosen by hand, never fitted."""
_DENSE, _EXACT_RELEASE, _SERIES_RELEASE, _MENTION, _PRERELEASE = 0.4, 0.3, 0.15, 0.12, 0.03
_REFERENCE, _KIND, _AUTHORITY = 0.5, 0.08, 0.01
"""The dense leg's share of the fused score, 0 to 1; what is added for the asked release, a patch of it or one bearing
on it, another's passage that speaks of it, an asked record or kind, and a step of authority; what is taken off a
pre-release where the final one was named. Chosen by practice and development questions (docs/decisions/0003)."""


def search(query: Query, index: IndexReader, embedder: Embedder, *, limit: int) -> SearchOutcome:
    """Return the best `limit` passages for a query, ranked by (-score, passage id); fewer where fewer match at all."""
    tokens = question_tokens(query.search_text)
    vector = embedder.embed([query.search_text])[0]
    wanted = _passage_filter(query, index)
    if () in (wanted.products, wanted.versions):
        return SearchOutcome((), tokens, vector)
    lexical = index.store.lexical_scores(dict.fromkeys(tokens, 1.0), wanted)
    rows, cosines = index.store.nearest_items(vector, wanted, limit=_ITEM_CANDIDATES)
    positions, places = np.unique(index.passages.item_passages[rows].astype(np.int64), return_inverse=True)
    best = np.full(len(positions), -1.0, np.float32)
    np.maximum.at(best, places, cosines)
    ranked = _rank(query, index, lexical, PassageScores(positions, best), limit=limit)
    elsewhere = tuple(hit for hit in ranked if hit.match is VersionMatch.OUTSIDE)
    return SearchOutcome(ranked[:limit], tokens, vector, elsewhere=elsewhere[:_ELSEWHERE])


def _passage_filter(query: Query, index: IndexReader) -> PassageFilter:
    """Passages that may be shown: of the named products, of the releases that a filter leaves."""
    table = index.passages
    products = index.product_places(query.products) if query.products and query.product_stated else None
    if not query.version_filtered:
        return PassageFilter(products, None)
    codes = np.unique(table.version_codes[PassageFilter(products).positions(table)]).tolist()
    matches = (match_release(query.constraint, table.distinct_versions[code]) for code in codes)
    kept = (code for code, match in zip(codes, matches, strict=True) if match is not VersionMatch.OUTSIDE)
    return PassageFilter(products, tuple(kept))


def _rank(
    query: Query, index: IndexReader, lexical: PassageScores, dense: PassageScores, *, limit: int
) -> tuple[Hit, ...]:
    """Return the best passages of either leg by fused score, with what the question asks of release and kind.

    More than `limit` where a release is asked for: what comes after them may be of another one.
    """
    table = index.passages
    # NumPy's union would bring in its masked arrays: 15 ms of a question from cold.
    candidates = np.array(sorted({*_best(lexical).tolist(), *_best(dense).tolist()}), np.int64)
    cosines = dense.at(candidates, missing=-1.0)
    lexical_scaled, dense_scaled = _min_max(lexical.at(candidates, missing=0.0)), _min_max(cosines)
    scores = _DENSE * dense_scaled + (1 - _DENSE) * lexical_scaled
    matches = release_matches(query.constraint, table, candidates, bearing=query.bearing)
    scores += _priors(query, table, candidates, matches)
    order = np.argsort(-scores, kind="stable")
    # Passages are looked into for the releases and references that they speak of, which may raise them.
    looks_deep = query.constraint is not None or bool(query.references)
    ranked = order[: max(limit * 3, 30) if looks_deep else limit].tolist()
    passages = list(index.load_passages([int(candidates[i]) for i in ranked]))
    # For since-when questions keep copies: the oldest one answers.
    folds = not looks_deep and query.form is not Form.SINCE_WHEN and any(map(is_page, passages))
    if folds:
        more = order[limit : 3 * limit].tolist()
        ranked += more
        passages += index.load_passages([int(candidates[i]) for i in more])
    asked, exact = query.constraint or VersionConstraint(), VersionMatch.EXACT
    is_indexed = bool(asked.versions) and any(matches[i] > VersionMatch.BEARING for i in ranked)
    names_final = bool(asked.versions) and not any(one.is_prerelease for one in asked.versions)
    # The notes of the release before which something was so tell what they changed.
    changed = VersionConstraint.exactly(asked.high) if asked.high and not asked.includes_high else None
    hits = []
    for i, passage in zip(ranked, passages, strict=True):
        match, version = VersionMatch(int(matches[i])), table.version_of(passage.position)
        is_elsewhere = query.constraint is not None and match <= VersionMatch.BEARING
        is_mentioned = is_elsewhere and any(asked.match(spoken_of) is exact for spoken_of in passage.versions)
        # A final release's own notes come before those of its candidates.
        is_candidate = names_final and match is exact and version is not None and version.is_prerelease
        score = (
            float(scores[i])
            + _MENTION * is_mentioned
            - _PRERELEASE * is_candidate
            + _REFERENCE * (not set(query.references).isdisjoint(passage.references))
            - _OTHER_PAGE_PENALTY * (is_indexed and match <= VersionMatch.BEARING and is_page(passage))
        )
        is_before = changed is not None and version is not None and changed.match(version) is exact
        tells_of_asked = is_mentioned or is_before
        hits.append(Hit(passage, score, float(max(cosines[i], 0.0)), VersionMatch.SERIES if tells_of_asked else match))
    hits.sort(key=lambda hit: (-hit.score, hit.passage.position))
    return _fold_copies(hits, index) if folds else tuple(hits)


def _priors(
    query: Query, table: PassageTable, positions: NDArray[np.int64], matches: NDArray[np.int8]
) -> NDArray[np.float64]:
    """Return what authority, release and kind add to the scores of some passages, known without reading them."""
    bonus = _AUTHORITY * table.authority_weights[positions].astype(np.float64)
    if query.constraint is not None:
        bonus[matches == VersionMatch.EXACT] += _EXACT_RELEASE
        bonus[(matches == VersionMatch.SERIES) | (matches == VersionMatch.BEARING)] += _SERIES_RELEASE
    is_wanted = np.fromiter((kind in query.form.traits.kinds for kind in Kind), dtype=np.bool_)
    bonus[is_wanted[table.kind_codes[positions]]] += _KIND
    return bonus


def _fold_copies(hits: Sequence[Hit], index: IndexReader) -> tuple[Hit, ...]:
    """Return the hits in their order, of pages that say the same in several releases the newest release's in the first
    one's place: they are no rivals of each other."""
    folded: dict[tuple[str, str], Hit] = {}
    for hit in hits:
        passage = hit.passage
        if not is_page(passage):
            folded[str(passage.position), ""] = hit
            continue
        words = one_line(passage.span.slice(index.text_of(passage))).replace(str(passage.release or ""), "")
        first = folded.setdefault((passage.document.product, words), hit)
        if passage.release_order > first.passage.release_order:
            folded[passage.document.product, words] = replace(hit, score=first.score)
    return tuple(folded.values())


def _best(found: PassageScores) -> NDArray[np.int64]:
    """Positions of the highest scores, at most `_CANDIDATES`; among equal ones the first."""
    if len(found.positions) <= _CANDIDATES:
        return found.positions
    least = np.partition(found.scores, -_CANDIDATES)[-_CANDIDATES]
    higher = found.positions[found.scores > least]
    return np.concatenate([higher, found.positions[found.scores == least][: _CANDIDATES - len(higher)]])


def _min_max(scores: NDArray[np.float32]) -> NDArray[np.float64]:
    """Min-max to 0..1 over those that the leg found; what it didn't find scores 0."""
    found = scores > (-1.0 if (scores < 0).any() else 0.0)
    if not found.any():
        return np.zeros(len(scores))
    low, high = float(scores[found].min()), float(scores.max())
    if high <= low:
        return found.astype(np.float64)
    return np.clip((scores.astype(np.float64) - low) / (high - low), 0.0, 1.0)
