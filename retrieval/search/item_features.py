"""What is known of an item as an answer: figures for the learned order of items (`retrieval.search.item_ranker`).

Each means the same in a small index as in a large one: words weigh by their inverse frequency in the index, shares are
of the question's own weight, places are among the question's own hits.
"""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import partial

from corpus.lexicon import split_tokens
from corpus.model import Act
from corpus.versions import Version, VersionMatch
from retrieval.model import Form, Query
from retrieval.question.holding import Holding
from retrieval.question.token_weights import TokenWeights
from retrieval.question.words import Focus, QuestionWord, share_met
from retrieval.quoting.statements import leans_back, speaks_of_security, states_something
from retrieval.search.hits import HitReading
from retrieval.search.item_forms import LONG_ITEM, is_code, is_title

_MENDS = (Act.FIXED, Act.SECURED)
_REPLACING = frozenset(split_tokens("instead favor favour replaced replacement renamed superseded"))
"""Words that come with what takes the place of something."""
_SIDES = {VersionMatch.BEARING: 1.0, VersionMatch.EXACT: -1.0}


@dataclass(frozen=True, slots=True)
class ItemFeatures:
    """Figures of one item, 0 to 1 where nothing else is said, and what it tells beside what is asked."""

    form: Form
    """Of the question."""
    act: Act
    """Of the item."""
    hit_behind: float
    """Its passage's score minus the best one's; at most 0."""
    hit_first: float
    """1 for an item of the first passage, 1/2 of the second and so on."""
    cosine: float
    """With the question, -1 to 1."""
    cosine_behind: float
    """Minus the nearest item's; at most 0."""
    coverage_own: float
    """The share of the question's weight that its own words hold."""
    coverage_told: float
    """The same with its headings."""
    subject_own: float
    """The share of the weight of what the question is about that its own words hold."""
    subject_told: float
    names_told: float
    """The share of the weight of the question's names; 0 without names."""
    symbols: float
    """The share of the question's symbols that stand in it as written; 0 without symbols."""
    value: float
    """1 where it holds a value of each kind that is asked for; 0 where none is asked for."""
    act_asked: float
    """The certainty of its act where the question asks about that act."""
    figure_behind: float
    """Where a value is asked for: 1 where it holds a figure that neither the question nor its release has. Minus the
    best one's, as the next three; at most 0."""
    replacing_behind: float
    """Where it is asked what to do now: as `subject_own` where it tells what takes the place of something."""
    act_since_behind: float
    """Where it is asked since when: as `act_asked`, that something came where the question tells no act."""
    dense_since_behind: float
    """Where it is asked since when: the share of its own words that stand in the question. "Add X" tells of X, what
    was added to X later tells much else."""
    states: float
    """1 where it says something by itself."""
    title: float
    """1 for nothing but a heading."""
    leans: float
    """1 where only what stands before explains it."""
    code: float
    length: float
    """Characters over 400, at most 1."""
    first: float
    """1 for the first item of its passage."""
    retracted: float
    series: float
    """1 where its release only belongs to the series that is asked for, or speaks of the asked one."""
    bearing: float
    """1 where its release only bears on the asked one."""
    bearing_near: float
    """Of such releases among the hits, 1 for the nearest to the asked one, 1/2 for the next and so on; else 0."""
    mends: float
    """In trouble with a release: 1 for what a release that bears on it mended, -1 for what it mended itself, which
    those who run it have; else 0. Of vulnerabilities only what speaks of one counts."""
    prerelease: float
    newest: float
    """Where no release is asked for: the place of its release among the hits of its product, 1 for the newest."""
    oldest_since: float
    """Where it is asked since when: 1 minus that place."""


def read_item_features(
    query: Query, readings: Sequence[HitReading], weights: TokenWeights, focus: Focus
) -> list[list[ItemFeatures]]:
    """The figures of every item of the hits that were read, best hit first: a list a hit, in their order."""
    subject = tuple(word for word in focus.telling if not word.is_generic) or focus.telling
    nearest = max((float(cosine) for reading in readings for cosine in reading.cosines), default=0.0)
    places, nearness = _release_places(readings), _bearing_places(query, readings)
    best = readings[0].hit.score if readings else 0.0
    troubled = query.form.tells_trouble and query.bearing is not None
    owned = [[frozenset(tokens) for tokens in reading.items] for reading in readings]
    holding = Holding(focus, weights, weights.coverage, partial(share_met, subject), partial(share_met, focus.names))
    figures, replacing, acts, dense = map(_behind, _read_by_form(query, readings, owned, subject))
    found = []
    for rank, reading in enumerate(readings):
        passage = reading.hit.passage
        place = places.get((passage.document.product, passage.release), 0.0)
        version = Version.parse(passage.release) if passage.release else None
        heading = holding.asked(reading.heading)
        items = []
        for number, (item, own) in enumerate(zip(passage.items, owned[rank], strict=True)):
            words = item.span.slice(reading.text)
            asked = holding.asked(own)
            coverage_own, subject_own, _ = holding.of(asked)
            coverage_told, subject_told, names_told = holding.of(asked | heading)
            items.append(
                ItemFeatures(
                    form=query.form,
                    act=item.act,
                    hit_behind=reading.hit.score - best,
                    hit_first=1 / (1 + rank),
                    cosine=float(reading.cosines[number]),
                    cosine_behind=float(reading.cosines[number]) - nearest,
                    coverage_own=coverage_own,
                    coverage_told=coverage_told,
                    subject_own=subject_own,
                    subject_told=subject_told,
                    names_told=names_told if focus.names else 0.0,
                    symbols=sum(symbol in words for symbol in query.symbols) / max(len(query.symbols), 1),
                    value=float(bool(focus.values) and focus.is_met_in_kind(words)),
                    act_asked=item.certainty * (item.act is query.act),
                    figure_behind=figures[rank][number],
                    replacing_behind=replacing[rank][number],
                    act_since_behind=acts[rank][number],
                    dense_since_behind=dense[rank][number],
                    states=float(states_something(words)),
                    title=float(is_title(passage, words)),
                    leans=float(leans_back(words)),
                    code=float(is_code(reading.text, item.span)),
                    length=min(1.0, len(words) / LONG_ITEM),
                    first=float(number == 0),
                    retracted=float(item.retracted),
                    series=float(reading.hit.match is VersionMatch.SERIES),
                    bearing=float(reading.hit.match is VersionMatch.BEARING),
                    bearing_near=nearness.get(passage.release, 0.0),
                    mends=troubled * _SIDES.get(reading.hit.match, 0.0) * _mends(query.form, item.act, words),
                    prerelease=float(version is not None and version.is_prerelease),
                    newest=place if query.constraint is None and query.form is not Form.SINCE_WHEN else 0.0,
                    oldest_since=1.0 - place if query.form is Form.SINCE_WHEN and place else 0.0,
                )
            )
        found.append(items)
    return found


def _read_by_form(
    query: Query,
    readings: Sequence[HitReading],
    owned: Sequence[Sequence[frozenset[str]]],
    subject: Sequence[QuestionWord],
) -> Iterator[list[list[float]]]:
    """What items of `owned` words have that answer a question of some form: a figure, what takes the place of a thing,
    the act, and little beside the question's words; 0 for all under another form."""
    asked, came = frozenset(split_tokens(query.search_text)), query.act or Act.ADDED
    is_since, is_migrate, is_value = (query.form is form for form in (Form.SINCE_WHEN, Form.MIGRATE, Form.VALUE))
    known = [asked.union((reading.hit.passage.release or "",)) for reading in readings]
    yield [[float(is_value and _has_figure(own - its)) for own in owns] for its, owns in zip(known, owned, strict=True)]
    yield [
        [share_met(subject, own) if is_migrate and not own.isdisjoint(_REPLACING) else 0.0 for own in owns]
        for owns in owned
    ]
    yield [
        [item.certainty * (is_since and item.act is came) for item in reading.hit.passage.items] for reading in readings
    ]
    yield [[len(own & asked) / max(len(own), 1) if is_since else 0.0 for own in owns] for owns in owned]


def _mends(form: Form, act: Act, words: str) -> bool:
    return act in _MENDS and (form is not Form.SECURITY or act is Act.SECURED or speaks_of_security(words))


def _has_figure(tokens: AbstractSet[str]) -> bool:
    return any(token[0].isdigit() for token in tokens)


def _behind(figures: Sequence[Sequence[float]]) -> list[list[float]]:
    """A figure of every item minus the highest one: it orders the items of a question, and says nothing of how surely
    one of them answers."""
    highest = max((figure for row in figures for figure in row), default=0.0)
    return [[figure - highest for figure in row] for row in figures]


def _bearing_places(query: Query, readings: Sequence[HitReading]) -> Mapping[str | None, float]:
    """How near each release that bears on the asked one is to it, by its place among those of the hits."""
    bearing = {reading.hit.passage.release for reading in readings if reading.hit.match is VersionMatch.BEARING}
    comes_later = query.bearing is not None and query.bearing.high is None
    nearest_first = sorted((label for label in bearing if label), key=Version.parse, reverse=not comes_later)
    return {label: 1 / (1 + place) for place, label in enumerate(nearest_first)}


def _release_places(readings: Sequence[HitReading]) -> Mapping[tuple[str, str | None], float]:
    """The place of each release among those of its product's hits, 1 for the newest."""
    releases = {(reading.hit.passage.document.product, reading.hit.passage.release) for reading in readings}
    places: dict[tuple[str, str | None], float] = {}
    for product in {product for product, _ in releases}:
        ordered = sorted((Version.parse(label), label) for name, label in releases if name == product and label)
        places |= {(product, label): (place + 1) / len(ordered) for place, (_, label) in enumerate(ordered)}
    return places
