"""The learned order of items: which sentence or entry of the passages found answers a question, and how surely.

Linear over figures of each item and over which act answers which form of question; fitted by `make train` on questions
whose answer's place is known (`item_ranker.json`), so that the score is the log-odds that an item holds the answer. A
figure means the same in a small index as in a large one.
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
"""Words that come with what takes the place of something."""
_SIDES = {VersionMatch.BEARING: 1.0, VersionMatch.EXACT: -1.0}
_BY_FORM = {Form.VALUE: "figure_behind", Form.MIGRATE: "replacing_behind", Form.SINCE_WHEN: "dense_since_behind"}


@dataclass(frozen=True, slots=True)
class ItemFeatures:
    """Figures of one item, 0 to 1 where nothing else is said, and what it tells beside what is asked."""

    form: Form  # Of the question.
    act: Act  # Of the item.
    hit_behind: float  # Its passage's score minus the best one's; at most 0.
    hit_first: float  # 1 for an item of the first passage, 1/2 of the second and so on.
    cosine: float  # With the question, -1 to 1.
    cosine_behind: float  # Minus the nearest item's; at most 0.
    coverage_own: float  # The share of the question's weight that its own words hold.
    coverage_told: float  # The same with its headings.
    subject_own: float  # The share of the weight of what the question is about that its own words hold.
    subject_told: float
    names_told: float  # The share of the weight of the question's names; 0 without names.
    value: float  # 1 where it holds a value of each kind that is asked for; 0 where none is asked for.
    act_asked: float  # The certainty of its act where the question asks about that act.
    figure_behind: float
    """Where a value is asked for: 1 where it holds a figure that neither the question nor its release has. Minus the
    best one's, as the next two; at most 0."""
    replacing_behind: float
    """Where it is asked what to do now: as `subject_own` where it tells what takes the place of something."""
    dense_since_behind: float
    """Where it is asked since when: the share of its own words that stand in the question. "Add X" tells of X, what
    was added to X later tells much else."""
    states: float  # 1 where it says something by itself.
    title: float  # 1 for nothing but a heading.
    code: float
    bearing: float  # 1 where its release only bears on the asked one.
    bearing_near: float
    """Of such releases among the hits, 1 for the nearest to the asked one, 1/2 for the next and so on; else 0."""
    mends: float
    """In trouble with a release: 1 for what a release that bears on it mended, -1 for what it mended itself, which
    those who run it have; else 0. Of vulnerabilities only what speaks of one counts."""
    newest: float
    """Where no release is asked for: the place of its release among the hits of its product, 1 for the newest."""


_FIGURES = tuple(field.name for field in fields(ItemFeatures) if field.name not in ("form", "act"))
_RANKED_ACTS: tuple[Act, ...] = tuple(act for act in Act if act is not Act.KNOWN_ISSUE)
_PAIRS = {(form, act): place for place, (form, act) in enumerate((form, act) for form in Form for act in _RANKED_ACTS)}
FEATURES = (*_FIGURES, *(f"{form.value} told by {act.value}" for form, act in _PAIRS))
_figures = attrgetter(*_FIGURES)


def read_item_features(
    query: Query, readings: Sequence[HitReading], weights: TokenWeights, focus: Focus
) -> list[list[ItemFeatures]]:
    """Return the figures of every item of the hits that were read, best hit first: a list a hit, in their order."""
    subject = tuple(word for word in focus.keywords if not word.is_generic) or focus.keywords
    nearest = max((float(cosine) for reading in readings for cosine in reading.cosines), default=0.0)
    places, nearness = _release_places(readings), _bearing_places(query, readings)
    asked = frozenset(weights.tokens).union(
        *(tokens for word in (*focus.names, *focus.keywords) for tokens in (word.tokens, *word.alike))
    )

    # Few of a text's tokens are the question's, and the same few recur: each set of those is weighed once.
    @cache
    def shares(tokens: frozenset[str]) -> tuple[float, float, float]:
        names = share_met(focus.names, tokens) if focus.names else 0.0
        return weights.coverage(tokens), share_met(subject, tokens), names

    behind = _behind_by_form(query, readings, subject) if query.form in _BY_FORM else []
    found = []
    for rank, reading in enumerate(readings):
        hit, passage = reading.hit, reading.hit.passage
        place = places.get((passage.document.product, passage.release_order), 0.0)
        of_hit = {
            "hit_behind": hit.score - readings[0].hit.score,
            "hit_first": 1 / (1 + rank),
            "bearing": float(hit.match is VersionMatch.BEARING),
            "bearing_near": nearness.get(passage.release, 0.0),
            "newest": place if query.constraint is None and query.form is not Form.SINCE_WHEN else 0.0,
        }
        items = []
        for number, item in enumerate(passage.items):
            words, own = item.span.slice(reading.text), asked.intersection(reading.items[number])
            coverage_own, subject_own, _ = shares(own)
            coverage_told, subject_told, names_told = shares(own.union(asked.intersection(reading.heading)))
            figures = {
                "cosine": float(reading.cosines[number]),
                "cosine_behind": float(reading.cosines[number]) - nearest,
                "coverage_own": coverage_own,
                "coverage_told": coverage_told,
                "subject_own": subject_own,
                "subject_told": subject_told,
                "names_told": names_told,
                "value": float(focus.value is not None and focus.is_met_in_kind(words)),
                "act_asked": item.certainty * (item.act is query.act),
                "mends": _mends(query, hit.match, item.act, words),
                "states": float(is_statement(words)),
                "title": float(is_title(passage, words)),
                "code": float(item.is_code),
                **{one: behind[rank][number] if form is query.form else 0.0 for form, one in _BY_FORM.items()},
            }
            # A fault is looked for as its repair is.
            act = Act.FIXED if item.act is Act.KNOWN_ISSUE else item.act
            items.append(ItemFeatures(form=query.form, act=act, **of_hit, **figures))
        found.append(items)
    return found


def _mends(query: Query, match: VersionMatch, act: Act, words: str) -> float:
    if query.bearing is None or not query.form.traits.is_trouble or act not in (Act.FIXED, Act.SECURED):
        return 0.0
    is_meant = query.form is not Form.SECURITY or act is Act.SECURED or speaks_of_security(words)
    return _SIDES.get(match, 0.0) * is_meant


def _behind_by_form(query: Query, readings: Sequence[HitReading], subject: Sequence[QuestionWord]) -> list[list[float]]:
    """For every item the figure that `_BY_FORM` names minus the highest: it orders the items of a question, and says
    nothing of how surely one of them answers."""
    searched = frozenset(split_tokens(query.search_text))

    def rate(own: frozenset[str], release: Version | None) -> float:
        if query.form is Form.VALUE:
            return float(any(token[0].isdigit() for token in own - searched - {str(release)}))
        if query.form is Form.MIGRATE:
            return 0.0 if own.isdisjoint(_REPLACING) else share_met(subject, own)
        return len(own & searched) / max(len(own), 1)

    figures = [[rate(frozenset(own), reading.hit.passage.release) for own in reading.items] for reading in readings]
    highest = max((figure for row in figures for figure in row), default=0.0)
    return [[figure - highest for figure in row] for row in figures]


def _bearing_places(query: Query, readings: Sequence[HitReading]) -> Mapping[Version | None, float]:
    """Return how near each release that bears on the asked one is to it, by its place among those of the hits."""
    bearing = {reading.hit.passage.release for reading in readings if reading.hit.match is VersionMatch.BEARING}
    comes_later = query.bearing is not None and query.bearing.high is None
    nearest_first = sorted(filter(None, bearing), reverse=not comes_later)
    return {release: 1 / (1 + place) for place, release in enumerate(nearest_first)}


def _release_places(readings: Sequence[HitReading]) -> Mapping[tuple[str, Version], float]:
    """Return the place of each release among those of its product's hits, 1 for the newest."""
    hits = (reading.hit.passage for reading in readings if reading.hit.passage.release)
    releases = sorted({(passage.document.product, passage.release_order) for passage in hits})
    ordered = {product: list(those) for product, those in groupby(releases, key=lambda release: release[0])}
    return {release: (place + 1) / len(those) for those in ordered.values() for place, release in enumerate(those)}


def feature_row(features: ItemFeatures) -> list[float]:
    """Return the figures in the order of `FEATURES`, the item's act under the question's form marked."""
    pairs = [0.0] * len(_PAIRS)
    pairs[_PAIRS[features.form, features.act]] = 1.0
    return [*_figures(features), *pairs]


@dataclass(frozen=True, slots=True)
class ItemRanker:
    """Weights in the order of `FEATURES`, and a bias."""

    weights: tuple[float, ...]
    bias: float

    @classmethod
    def of(cls, named: Mapping[str, float], bias: float) -> "ItemRanker":
        """From named weights.

        Raises:
            KeyError: one is missing; run `make train`.
        """
        return cls(tuple(float(named[name]) for name in FEATURES), bias)

    def score(self, features: ItemFeatures) -> float:
        """Return the probability, 0 to 1, that an item with these figures holds the answer."""
        act_weight = self.weights[len(_FIGURES) + _PAIRS[features.form, features.act]]
        logit = self.bias + act_weight + sum(w * x for w, x in zip(self.weights, _figures(features), strict=False))
        return probability(logit)


@lru_cache(maxsize=1)
def load_item_ranker() -> ItemRanker:
    """Return the committed weights.

    Raises:
        KeyError: the file lacks a figure; run `make train`.
    """
    raw = json.loads(files("retrieval.search").joinpath("item_ranker.json").read_text(encoding="utf-8"))
    return ItemRanker.of(raw["weights"], float(raw["bias"]))
