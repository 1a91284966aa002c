"""Whether to answer at all: signals of the answer that was found, and their calibrated weight.

The logistic regression is fitted by `make train` on whether the answer was right, and kept in `calibration.json` with
the threshold (docs/decisions/0005 and 0007).
"""

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass, fields
from functools import lru_cache
from importlib.resources import files

from corpus.lexicon import split_tokens
from corpus.versions import VersionMatch
from retrieval.findings import Findings
from retrieval.question.symbols import absent_symbols
from retrieval.question.words import share_met
from retrieval.quoting.quotes import MAX_QUOTE_CHARACTERS, surround, widen
from retrieval.releases.matching import is_page
from retrieval.search.hits import Hit
from retrieval.search.weights import SEARCHED_HITS

_CLOSE_HITS = 3
_RIVALS = 10
_WIDE_MARGIN = 0.5
_FARTHEST = 0.21
"""Of 161 questions over the bundled digests with an answer, and of 560 of the training set, none is further from its
nearest item: to what is about something else altogether something is always the nearest."""
_SAME = 0.6
"""The share of words that two passages have in common (Jaccard) when one is a copy of the other."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Signals of one search; the more, the likelier an answer."""

    item: float
    """The log-odds that the best item holds the answer, over 10."""
    margin: float
    """By how much these are above the next item's, at most 0.5."""
    cosine: float
    """The nearest item's."""
    score_gap: float
    """Fused score of the search's first hit minus its tenth's (0 where there is no tenth), at most 1."""
    release_match: float
    """1 where the first hit is of the asked release or its series (or none is asked), 0 where it is of another; 0.5
    where that bears on it, 1 in trouble, which a later release mends."""
    names_together: float
    """How well the least met of the question's names is met in one of the first three passages; 1 without names."""
    value_found: float
    """0 where the question asks for a kind of value (a ratio, a person) that the best quote doesn't hold, else 1."""
    said_here: float
    """1 minus how much more of the question the items of another release hold than those of the asked one."""
    symbols_known: float
    """The share of the question's symbols that any passage holds; 1 without symbols."""
    trouble: float
    """1 where something went wrong for who asks (an error, a symptom, a thing that is gone): what happened is rarely
    missing from the notes, what somebody wishes for often is."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """A fitted logistic regression, `weights` in the order of the signals' fields, and the confidence below which
    nothing is answered."""

    weights: tuple[float, ...]
    bias: float
    threshold: float
    typical: tuple[float, ...] = ()
    """Each signal's mean among questions whose answer was found, in the same order; empty where it isn't known. Only
    explanations read it."""

    def probability(self, signals: Sequence[float]) -> float:
        """The probability, 0 to 1, that these signals give."""
        logit = self.bias + sum(weight * signal for weight, signal in zip(self.weights, signals, strict=True))
        return 1 / (1 + math.exp(-max(-60.0, min(60.0, logit))))


def gather_evidence(findings: Findings) -> Evidence | None:
    """The signals of a search; None where nothing was found at all, nothing of the asked release or nothing near."""
    hits = findings.outcome.hits
    fitting = findings.fitting
    cosine = max((hit.cosine for hit in hits), default=0.0)
    if not fitting or cosine < _FARTHEST:
        return None
    searched = findings.ranking.searched[:SEARCHED_HITS]
    rivals = _distinct(findings, searched)[:_RIVALS]
    last = rivals[-1].score if len(searched) >= _RIVALS and len(rivals) > 1 else 0.0
    odds = [log_odds(scored.score) / 10 for scored in fitting[:2]]
    return Evidence(
        item=odds[0],
        margin=min(_WIDE_MARGIN, odds[0] - odds[-1]) if len(odds) > 1 else _WIDE_MARGIN,
        cosine=cosine,
        score_gap=min(1.0, max(0.0, searched[0].score - last)),
        release_match=_release_match(findings),
        names_together=_names_together(findings),
        value_found=float(_holds_value(findings)),
        said_here=1.0 - _said_elsewhere(findings),
        symbols_known=_symbols_known(findings),
        trouble=float(findings.query.form.tells_trouble),
    )


def log_odds(probability: float) -> float:
    """The logit, of probabilities that are neither 0 nor 1."""
    kept = min(max(probability, 1e-4), 1 - 1e-4)
    return math.log(kept / (1 - kept))


def _distinct(findings: Findings, hits: Sequence[Hit]) -> tuple[Hit, ...]:
    """The hits without those that are the same passage of another release's page: copies of an answer don't make it
    less certain."""
    distinct: list[Hit] = []
    paged: list[tuple[Hit, frozenset[str]]] = []
    for hit in hits:
        if is_page(hit.passage):
            tokens = _passage_tokens(findings, hit)
            is_copy = any(
                len(tokens & known) >= _SAME * len(tokens | known) and other.passage.release != hit.passage.release
                for other, known in paged
            )
            if is_copy:
                continue
            paged.append((hit, tokens))
        distinct.append(hit)
    return tuple(distinct)


def confidence(evidence: Evidence | None, calibration: Calibration) -> float:
    """The probability, 0 to 1, that an answer drawn from this search is right."""
    return 0.0 if evidence is None else calibration.probability(astuple(evidence))


@lru_cache(maxsize=1)
def load_calibration() -> Calibration:
    """The committed weights.

    Raises:
        KeyError: the file names other signals than there are; run `make train`.
    """
    raw = json.loads(files("retrieval").joinpath("calibration.json").read_text(encoding="utf-8"))
    names = [field.name for field in fields(Evidence)]
    weights = tuple(float(raw["weights"][name]) for name in names)
    typical = tuple(float(raw["typical"][name]) for name in names) if "typical" in raw else ()
    return Calibration(weights, float(raw["bias"]), float(raw["threshold"]), typical)


def _release_match(findings: Findings) -> float:
    match, trouble = findings.outcome.hits[0].match, findings.query.form.tells_trouble
    return 0.5 if match is VersionMatch.BEARING and not trouble else float(match is not VersionMatch.OUTSIDE)


def _names_together(findings: Findings) -> float:
    names = findings.focus.names
    if not names:
        return 1.0
    fitting = [hit for hit in findings.outcome.hits if findings.fits(hit)]
    held = [_passage_tokens(findings, hit) for hit in fitting[:_CLOSE_HITS]]
    return max((min(name.met_by(tokens) for name in names) for tokens in held), default=0.0)


def _symbols_known(findings: Findings) -> float:
    symbols = findings.query.symbols
    return 1.0 - len(absent_symbols(symbols, findings.index.lexical)) / len(symbols) if symbols else 1.0


def _holds_value(findings: Findings) -> bool:
    if not findings.focus.values:
        return True
    best = findings.fitting[0]
    text = findings.text_of(best)
    return findings.focus.is_met_in_kind(surround(widen(best, text), room=MAX_QUOTE_CHARACTERS).span.slice(text))


def _said_elsewhere(findings: Findings) -> float:
    """How much more of the question an item of another release holds, 0 to 1."""
    products = findings.query.products
    # Each release's page says nearly the same, one in more of the question's words than the others.
    rivals = [
        hit
        for hit in findings.outcome.elsewhere
        if (not products or hit.passage.document.product in products) and not is_page(hit.passage)
    ]
    if not rivals:
        return 0.0
    telling = findings.focus.telling
    here = max(share_met(telling, scored.tokens) for scored in findings.fitting)
    there = max((share_met(telling, tokens) for hit in rivals for tokens in _item_tokens(findings, hit)), default=0.0)
    return max(0.0, there - here)


def _passage_tokens(findings: Findings, hit: Hit) -> frozenset[str]:
    read = next(
        (reading for reading in findings.ranking.readings if reading.hit.passage.position == hit.passage.position), None
    )
    if read is not None:
        return read.words
    document = hit.passage.document
    words = hit.passage.span.slice(findings.text_of(hit))
    return frozenset(split_tokens(" ".join((document.product, document.title, *hit.passage.heading, words))))


def _item_tokens(findings: Findings, hit: Hit) -> Iterable[frozenset[str]]:
    text = findings.text_of(hit)
    context = frozenset(split_tokens(" ".join(hit.passage.heading)))
    return (context.union(split_tokens(item.span.slice(text))) for item in hit.passage.items)
