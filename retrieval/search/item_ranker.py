"""The item ranker: the probability that a sentence or entry of the hits answers a question.

A logistic regression over features of each item and over pairs of the question's form and the item's act; trained by
`make train` on questions with known answers (`item_ranker.json`). Features don't depend on the size of the index.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache, lru_cache
from importlib.resources import files
from itertools import groupby
from operator import attrgetter

from corpus.item_sentences import is_statement, speaks_of_security
from corpus.lexicon import split_tokens
from corpus.log_odds import probability
from corpus.model import Act
from corpus.versions import Version, VersionMatch
from retrieval.model import Form, Query
from retrieval.question.token_weights import TokenWeights
from retrieval.question.words import Focus, QuestionWord, share_met
from retrieval.search.hits import HitReading
from retrieval.search.item_forms import is_title

_REPLACING = frozenset(split_tokens("instead favor favour replaced replacement renamed superseded"))
"""Words that introduce a replacement."""
_SIDES = {VersionMatch.BEARING: 1.0, VersionMatch.EXACT: -1.0}
_BY_FORM = {Form.VALUE: "figure_behind", Form.MIGRATE: "replacing_behind", Form.SINCE_WHEN: "dense_since_behind"}


@dataclass(frozen=True, slots=True)
class ItemFeatures:
    """Features of one item, 0 to 1 unless stated otherwise; `_own` is of its own words, `_told` with its headings."""

    form: Form  # The question's form.
    act: Act  # The item's act.
    hit_behind: float  # Its passage's score minus the best one's; at most 0.
    hit_first: float  # 1 for an item of the first passage, 1/2 of the second and so on.
    cosine: float  # With the question, -1 to 1.
    cosine_behind: float  # Its cosine minus the nearest item's; at most 0.
    coverage_own: float  # The share of the question's weight that its words cover.
    coverage_told: float
    subject_own: float  # The share of the weight of the question's keywords that its words cover.
    subject_told: float
    names_told: float  # The share of the weight of the question's names; 0 without names.
    value: float  # 1 if it contains a value of the kind asked for; 0 if none is asked for.
    act_asked: float  # The certainty of its act if the question asks about that act, else 0.
    figure_behind: float
    """For a value: 1 if it contains a number not in the question or its release, minus the highest; at most 0."""
    replacing_behind: float
    """For a migration: `subject_own` if it names a replacement, else 0, minus the highest; at most 0."""
    dense_since_behind: float
    """For a question since when: the share of its own words that are in the question, minus the highest. "Add X" is
    mostly about X, while later additions to X are also about something else."""
    states: float  # 1 if it is a statement.
    title: float  # 1 if it is only a heading.
    code: float
    bearing: float  # 1 if its release is only relevant to the one asked about.
    bearing_near: float
    """1 for the nearest of such releases among the hits, 1/2 for the next and so on; else 0."""
    mends: float
    """For trouble with a release: 1 for a fix in a later, relevant release, -1 for a fix in the release itself, which
    its users already have; else 0. For a question about security only security fixes count."""
    newest: float
    """Without a release asked for: the rank of its release among its product's hits, 1 for the newest; else 0."""


_NUMERIC = tuple(field.name for field in fields(ItemFeatures) if field.name not in ("form", "act"))
_RANKED_ACTS: tuple[Act, ...] = tuple(act for act in Act if act is not Act.KNOWN_ISSUE)
_PAIRS = {(form, act): index for index, (form, act) in enumerate((form, act) for form in Form for act in _RANKED_ACTS)}
FEATURES = (*_NUMERIC, *(f"{form} told by {act}" for form, act in _PAIRS))
_numbers = attrgetter(*_NUMERIC)


def read_item_features(
    query: Query, readings: Sequence[HitReading], weights: TokenWeights, focus: Focus
) -> list[list[ItemFeatures]]:
    """Return the features of every item of the hits read, given best first: a list for each hit, in order."""
    subject = tuple(word for word in focus.keywords if not word.is_generic) or focus.keywords
    nearest = max((float(cosine) for reading in readings for cosine in reading.cosines), default=0.0)
    release_ranks, nearness = _release_ranks(readings), _bearing_nearness(query, readings)
    asked_tokens = frozenset(weights.tokens).union(
        *(tokens for word in (*focus.names, *focus.keywords) for tokens in (word.tokens, *word.alike))
    )

    # The same few question tokens recur in many items, so the result for each set of them is cached.
    @cache
    def shares(tokens: frozenset[str]) -> tuple[float, float, float]:
        names = share_met(focus.names, tokens) if focus.names else 0.0
        return weights.coverage(tokens), share_met(subject, tokens), names

    behind = _behind_by_form(query, readings, subject) if query.form in _BY_FORM else []
    features = []
    for rank, reading in enumerate(readings):
        hit, passage = reading.hit, reading.hit.passage
        release_rank = release_ranks.get((passage.document.product, passage.release_order), 0.0)
        of_hit = {
            "hit_behind": hit.score - readings[0].hit.score,
            "hit_first": 1 / (1 + rank),
            "bearing": float(hit.match is VersionMatch.BEARING),
            "bearing_near": nearness.get(passage.release, 0.0),
            "newest": release_rank if query.constraint is None and query.form is not Form.SINCE_WHEN else 0.0,
        }
        items = []
        for number, item in enumerate(passage.items):
            words, shared = item.span.slice(reading.text), asked_tokens.intersection(reading.items[number])
            coverage_own, subject_own, _ = shares(shared)
            coverage_told, subject_told, names_told = shares(shared.union(asked_tokens.intersection(reading.heading)))
            of_item = {
                "cosine": float(reading.cosines[number]),
                "cosine_behind": float(reading.cosines[number]) - nearest,
                "coverage_own": coverage_own,
                "coverage_told": coverage_told,
                "subject_own": subject_own,
                "subject_told": subject_told,
                "names_told": names_told,
                "value": float(focus.value is not None and focus.has_value_in(words)),
                "act_asked": item.certainty * (item.act is query.act),
                "mends": _fix_side(query, hit.match, item.act, words),
                "states": float(is_statement(words)),
                "title": float(is_title(passage, words)),
                "code": float(item.is_code),
                **{name: behind[rank][number] if form is query.form else 0.0 for form, name in _BY_FORM.items()},
            }
            # A known issue is ranked like its fix, because the same questions ask about both.
            act = Act.FIXED if item.act is Act.KNOWN_ISSUE else item.act
            items.append(ItemFeatures(form=query.form, act=act, **of_hit, **of_item))
        features.append(items)
    return features


def _fix_side(query: Query, match: VersionMatch, act: Act, words: str) -> float:
    """Return the feature `mends`: how well the release of a fix fits a question about trouble; 0 for other items."""
    if query.bearing is None or not query.form.traits.is_trouble or act not in (Act.FIXED, Act.SECURED):
        return 0.0
    is_meant = query.form is not Form.SECURITY or act is Act.SECURED or speaks_of_security(words)
    return _SIDES.get(match, 0.0) * is_meant


def _behind_by_form(query: Query, readings: Sequence[HitReading], subject: Sequence[QuestionWord]) -> list[list[float]]:
    """Return a list for each reading, with a number for each item: the feature that `_BY_FORM` names for the query's
    form, which must be in it, minus the highest of all: it only orders the items of one question."""
    searched = frozenset(split_tokens(query.search_text))

    def rate(tokens: frozenset[str], release: Version | None) -> float:
        if query.form is Form.VALUE:
            return float(any(token[0].isdigit() for token in tokens - searched - {str(release)}))
        if query.form is Form.MIGRATE:
            return 0.0 if tokens.isdisjoint(_REPLACING) else share_met(subject, tokens)
        return len(tokens & searched) / max(len(tokens), 1)

    rates = [[rate(frozenset(item), reading.hit.passage.release) for item in reading.items] for reading in readings]
    highest = max((value for row in rates for value in row), default=0.0)
    return [[value - highest for value in row] for row in rates]


def _bearing_nearness(query: Query, readings: Sequence[HitReading]) -> Mapping[Version | None, float]:
    """Return for each relevant release of the hits how near it is to the requested one, by rank: 1, 1/2 …"""
    bearing = {reading.hit.passage.release for reading in readings if reading.hit.match is VersionMatch.BEARING}
    comes_later = query.bearing is not None and query.bearing.high is None
    nearest_first = sorted(filter(None, bearing), reverse=not comes_later)
    return {release: 1 / (1 + place) for place, release in enumerate(nearest_first)}


def _release_ranks(readings: Sequence[HitReading]) -> Mapping[tuple[str, Version], float]:
    """Return the rank of each release among those of its product's hits: 1 for the newest, 1/n for the oldest of n."""
    hits = (reading.hit.passage for reading in readings if reading.hit.passage.release)
    releases = sorted({(passage.document.product, passage.release_order) for passage in hits})
    by_product = {product: list(group) for product, group in groupby(releases, key=lambda release: release[0])}
    return {release: (n + 1) / len(group) for group in by_product.values() for n, release in enumerate(group)}


def feature_row(features: ItemFeatures) -> list[float]:
    """Return the features in the order of `FEATURES`, the pair of form and act one-hot."""
    pairs = [0.0] * len(_PAIRS)
    pairs[_PAIRS[features.form, features.act]] = 1.0
    return [*_numbers(features), *pairs]


@dataclass(frozen=True, slots=True)
class ItemRanker:
    """Weights in the order of `FEATURES`, and a bias."""

    weights: tuple[float, ...]
    bias: float

    @classmethod
    def of(cls, named: Mapping[str, float], bias: float) -> "ItemRanker":
        """Return a ranker from weights by feature name; a new form's acts weigh as those of a plain fact until trained.

        Raises:
            KeyError: any other weight is missing; run `make train`.
        """
        plain = {f"{form} told by {act}": named[f"{Form.FACT} told by {act}"] for form, act in _PAIRS}
        return cls(tuple(map({**plain, **named}.__getitem__, FEATURES)), bias)

    def score(self, features: ItemFeatures) -> float:
        """Return the probability, 0 to 1, that an item with these features contains the answer."""
        act_weight = self.weights[len(_NUMERIC) + _PAIRS[features.form, features.act]]
        logit = self.bias + act_weight + sum(w * x for w, x in zip(self.weights, _numbers(features), strict=False))
        return probability(logit)


@lru_cache(maxsize=1)
def load_item_ranker() -> ItemRanker:
    """Return the ranker with the committed weights.

    Raises:
        KeyError: the file lacks a feature; run `make train`.
    """
    raw = json.loads(files("retrieval.search").joinpath("item_ranker.json").read_text(encoding="utf-8"))
    return ItemRanker.of(raw["weights"], float(raw["bias"]))
