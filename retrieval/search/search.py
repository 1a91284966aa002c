"""Search: a parsed query to ranked hits.

Two legs score every passage: BM25 over symbol-aware tokens, and FAISS over item vectors, where a passage scores as its
best item. Both are min-max scaled over the candidates and added (a convex combination; Bruch et al., "An Analysis of
Fusion Functions for Hybrid Retrieval", 2023), with bonuses for the release, references and kind asked for. A product
named in the question is a filter; a version isn't, because "not in this one" needs evidence from others.
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
from retrieval.search.exact import Places, find_exact
from retrieval.search.hits import Hit, SearchOutcome

_CANDIDATES = 400  # Passages of each leg that are fused.
_ITEM_CANDIDATES = 1000  # Items nearest to the question; a passage without any of them isn't in the dense leg.
_ELSEWHERE = 6  # Hits from releases not asked about that are kept, whatever their rank.
_OTHER_PAGE_PENALTY = 0.3
"""For a reference page of another release, with nearly the words of the right one, but maybe wrong. Chosen by hand."""
_DENSE = 0.4  # The share of the dense leg in the fused score; the lexical leg has the rest.
_EXACT_RELEASE, _SERIES_RELEASE, _MENTION, _PRERELEASE = 0.3, 0.15, 0.12, 0.03
NAMED, _REFERENCE, _KIND, _AUTHORITY = 1.0, 0.5, 0.08, 0.01
"""Bonuses of a passage: of the requested release; of a patch release of it, or another relevant one; of another release
that mentions it; (subtracted) of a pre-release if the final one is requested; with a requested name as written; about a
requested pull request, issue or CVE; of the requested kind; for each step of authority. Tuned on practice questions
(docs/decisions/0003)."""


def search(query: Query, index: IndexReader, embedder: Embedder, *, limit: int) -> SearchOutcome:
    """Return the best `limit` passages by (-score, position), or as many as match, and some of other releases."""
    tokens = question_tokens(query.search_text)
    vector = embedder.embed([query.search_text])[0]
    wanted = _passage_filter(query, index)
    if () in (wanted.products, wanted.versions):
        return SearchOutcome((), tokens, vector)
    lexical = index.store.lexical_scores(dict.fromkeys(tokens, 1.0), wanted)
    rows, cosines = index.store.nearest_items(vector, wanted, limit=_ITEM_CANDIDATES)
    positions, inverse = np.unique(index.passages.item_passages[rows].astype(np.int64), return_inverse=True)
    best = np.full(len(positions), -1.0, np.float32)
    np.maximum.at(best, inverse, cosines)
    named = find_exact(query, index, wanted)
    ranked = _rank(query, index, lexical, PassageScores(positions, best), named, limit=limit)
    elsewhere = tuple(hit for hit in ranked if hit.match is VersionMatch.OUTSIDE)
    return SearchOutcome(ranked[:limit], tokens, vector, elsewhere=elsewhere[:_ELSEWHERE], named=named)


def _passage_filter(query: Query, index: IndexReader) -> PassageFilter:
    """Return a filter by the products that the query states, and by the releases that its version filter allows."""
    table = index.passages
    products = index.product_places(query.products) if query.products and query.product_stated else None
    if not query.version_filtered:
        return PassageFilter(products, None)
    codes = np.unique(table.version_codes[PassageFilter(products).positions(table)]).tolist()
    matches = (match_release(query.constraint, table.distinct_versions[code]) for code in codes)
    kept = (code for code, match in zip(codes, matches, strict=True) if match is not VersionMatch.OUTSIDE)
    return PassageFilter(products, tuple(kept))


def _rank(
    query: Query, index: IndexReader, lexical: PassageScores, dense: PassageScores, named: Places, *, limit: int
) -> tuple[Hit, ...]:
    """Return the best passages of both legs by fused score with bonuses.

    There may be more than `limit` if a release is asked for, to include hits from other releases.
    """
    table, places = index.passages, {position for position, _ in named}
    # NumPy's union would import its masked arrays, which takes 15 ms of the first question.
    candidates = np.array(sorted({*_best(lexical).tolist(), *_best(dense).tolist(), *places}), np.int64)
    cosines = dense.at(candidates, missing=-1.0)
    lexical_scaled, dense_scaled = _min_max(lexical.at(candidates, missing=0.0)), _min_max(cosines)
    scores = _DENSE * dense_scaled + (1 - _DENSE) * lexical_scaled
    matches = release_matches(query.constraint, table, candidates, bearing=query.bearing)
    scores += _priors(query, table, candidates, matches)
    scores += NAMED * np.isin(candidates, list(places))
    order = np.argsort(-scores, kind="stable")
    # More passages are loaded if the releases and references that they mention may raise their score.
    looks_deep = query.constraint is not None or bool(query.references)
    ranked = order[: max(limit * 3, 30) if looks_deep else limit].tolist()
    passages = list(index.load_passages([int(candidates[i]) for i in ranked]))
    # Copies are kept for since-when questions, because the oldest one answers.
    folds = not looks_deep and query.form is not Form.SINCE_WHEN and any(map(is_page, passages))
    if folds:
        more = order[limit : 3 * limit].tolist()
        ranked += more
        passages += index.load_passages([int(candidates[i]) for i in more])
    constraint, exact = query.constraint or VersionConstraint(), VersionMatch.EXACT
    is_indexed = bool(constraint.versions) and any(matches[i] > VersionMatch.BEARING for i in ranked)
    names_final = bool(constraint.versions) and not any(version.is_prerelease for version in constraint.versions)
    # For "before 2.9", the notes of 2.9 say what was different before.
    changed = VersionConstraint.exactly(constraint.high) if constraint.high and not constraint.includes_high else None
    hits = []
    for i, passage in zip(ranked, passages, strict=True):
        match, version = VersionMatch(int(matches[i])), table.version_of(passage.position)
        is_elsewhere = query.constraint is not None and match <= VersionMatch.BEARING
        is_mentioned = is_elsewhere and any(constraint.match(mentioned) is exact for mentioned in passage.versions)
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
        is_about_asked = is_mentioned or is_before
        hits.append(Hit(passage, score, float(max(cosines[i], 0.0)), VersionMatch.SERIES if is_about_asked else match))
    hits.sort(key=lambda hit: (-hit.score, hit.passage.position))
    return _fold_copies(hits, index) if folds else tuple(hits)


def _priors(
    query: Query, table: PassageTable, positions: NDArray[np.int64], matches: NDArray[np.int8]
) -> NDArray[np.float64]:
    """Return the bonuses of passages for authority, release and kind, which are known without loading them."""
    bonus = _AUTHORITY * table.authority_weights[positions].astype(np.float64)
    if query.constraint is not None:
        bonus[matches == VersionMatch.EXACT] += _EXACT_RELEASE
        bonus[(matches == VersionMatch.SERIES) | (matches == VersionMatch.BEARING)] += _SERIES_RELEASE
    is_wanted = np.fromiter((kind in query.form.traits.kinds for kind in Kind), dtype=np.bool_)
    bonus[is_wanted[table.kind_codes[positions]]] += _KIND
    return bonus


def _fold_copies(hits: Sequence[Hit], index: IndexReader) -> tuple[Hit, ...]:
    """Return the hits in order, with identical pages of several releases folded into one: the newest release's, at the
    first one's rank, because copies aren't competing answers."""
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


def _best(leg: PassageScores) -> NDArray[np.int64]:
    """Return the positions of the highest scores, at most `_CANDIDATES`; among equal ones the first."""
    if len(leg.positions) <= _CANDIDATES:
        return leg.positions
    least = np.partition(leg.scores, -_CANDIDATES)[-_CANDIDATES]
    higher = leg.positions[leg.scores > least]
    return np.concatenate([higher, leg.positions[leg.scores == least][: _CANDIDATES - len(higher)]])


def _min_max(scores: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return scores min-max scaled to 0..1 over the passages that the leg found; the others score 0."""
    is_hit = scores > (-1.0 if (scores < 0).any() else 0.0)
    if not is_hit.any():
        return np.zeros(len(scores))
    low, high = float(scores[is_hit].min()), float(scores.max())
    if high <= low:
        return is_hit.astype(np.float64)
    return np.clip((scores.astype(np.float64) - low) / (high - low), 0.0, 1.0)
