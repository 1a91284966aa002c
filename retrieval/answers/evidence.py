"""Whether to answer at all: signals of a search, the calibrated confidence, and the strongest reason against answering.

The logistic regression is fitted by `make train` on whether the answer was right, and stored in `calibration.json` with
the threshold (docs/decisions/0005 and 0007).
"""

import json
from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields
from functools import lru_cache
from importlib.resources import files

from corpus.index.release_matching import is_page
from corpus.lexicon import split_tokens
from corpus.log_odds import log_odds, probability
from corpus.versions import VersionMatch
from retrieval.answers.missing import is_mentioned
from retrieval.question.words import share_met
from retrieval.quoting.findings import Findings
from retrieval.quoting.quote_ranges import quote_item, surround
from retrieval.search.hits import SEARCHED_HITS
from retrieval.search.search import NAMED

_CLOSE_HITS, _RIVALS = 3, 10
_WIDE_MARGIN = 0.5  # Chosen by hand, never fitted.
LIKELY = 0.15
"""Least confidence, below the threshold, for an answer marked as probable, if an item has nearly all of the question.
Chosen by hand, never fitted: of 142 refused questions without an answer, it answers one more."""
_FARTHEST = 0.21
"""Least cosine of the nearest item, because something is nearest even to an unrelated question. Of 161 questions over
the bundled digests with an answer, and of 560 of the training set, none has less."""
LACKS = {
    "item": "No statement in the notes answers it.",
    "margin": "Several statements come equally close, and none clearly answers it.",
    "score_gap": "Nothing in the notes stands out as the answer.",
    "release_match": "What comes closest is about another release than the one asked about.",
    "names_together": "The names in the question don't appear together anywhere in the notes.",
    "value_found": "What comes closest doesn't state the kind of value that was asked for.",
    "said_here": "Another release says more about it than the one asked about.",
    "symbols_known": "A name in the question appears nowhere in the notes.",
    "trouble": "Notes tell more often what was fixed than what somebody wishes for.",
}
"""What a low signal means, in words for people; one for each field of `Evidence`."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Signals of one search; the higher, the likelier an answer."""

    item: float  # The log-odds that the best item contains the answer, divided by 10.
    margin: float  # How much these are above the next item's, at most 0.5.
    score_gap: float  # Fused score of the search's first hit minus its tenth's (0 without a tenth), at most 1.
    release_match: float
    """1 if the first hit is from the requested release or its series (or none is asked), 0 if from another; 0.5 if that
    is relevant to the requested one, or 1 for a question about trouble, which a later release may fix."""
    names_together: float
    """How well one of the first three passages matches the name it matches least; 1 without names."""
    value_found: float
    """0 if the question asks for a kind of value (a ratio, a person) that the best quote lacks, else 1."""
    said_here: float
    """1 minus how much more of the question the items of another release contain than those of the requested one."""
    symbols_known: float  # The share of the question's symbols that any passage mentions; 1 without symbols.
    trouble: float
    """1 if something went wrong for the user (an error, a symptom): notes rarely lack what happened."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """A logistic regression over the fields of `Evidence`, in their order, and the least confidence for an answer."""

    weights: tuple[float, ...]
    bias: float
    threshold: float
    typical: tuple[float, ...] = ()  # Each signal's mean over answered questions, in the same order.

    def probability(self, signals: Sequence[float]) -> float:
        """Return the probability, 0 to 1, of a right answer given these signals."""
        logit = self.bias + sum(weight * signal for weight, signal in zip(self.weights, signals, strict=True))
        return probability(logit)


def gather_evidence(findings: Findings) -> Evidence | None:
    """Return the signals of a search; None if it found nothing, nothing from the requested release or nothing near."""
    hits, fitting, focus = findings.outcome.hits, findings.fitting, findings.focus
    if not fitting or max((hit.cosine for hit in hits), default=0.0) < _FARTHEST:
        return None
    # That an entry holds a name doesn't say that it answers.
    named = {position for position, _ in findings.outcome.named}
    scores = [hit.score - NAMED * (hit.passage.position in named) for hit in findings.ranking.searched[:SEARCHED_HITS]]
    last = scores[_RIVALS - 1] if len(scores) >= _RIVALS else 0.0
    odds = [log_odds(scored.score) / 10 for scored in fitting[:2]]
    trouble, match, symbols = findings.query.form.traits.is_trouble, hits[0].match, findings.query.symbols
    names_together = 1.0
    if focus.names:
        close = [reading.words for reading in findings.ranking.readings if findings.fits(reading.hit)][:_CLOSE_HITS]
        met = (min(name.met_by(tokens) for name in focus.names) for tokens in close)
        names_together = max(met, default=0.0)
    value_found = True
    if focus.value:
        text = findings.text_of(fitting[0])
        value_found = focus.has_value_in(surround(quote_item(fitting[0], text)).span.slice(text))
    return Evidence(
        item=odds[0],
        margin=min(_WIDE_MARGIN, odds[0] - odds[-1]) if len(odds) > 1 else _WIDE_MARGIN,
        score_gap=min(1.0, max(0.0, scores[0] - last)),
        release_match=0.5
        if match is VersionMatch.BEARING and not trouble
        else float(match is not VersionMatch.OUTSIDE),
        names_together=names_together,
        value_found=float(value_found),
        said_here=1.0 - _excess_elsewhere(findings),
        symbols_known=sum(is_mentioned(findings, symbol) for symbol in symbols) / len(symbols) if symbols else 1.0,
        trouble=float(trouble),
    )


def confidence(evidence: Evidence | None, calibration: Calibration) -> float:
    """Return the probability, 0 to 1, that an answer drawn from this search is right."""
    return 0.0 if evidence is None else calibration.probability(astuple(evidence))


@lru_cache(maxsize=1)
def load_calibration() -> Calibration:
    """Return the committed calibration.

    Raises:
        KeyError: the file lacks a signal; run `make train`.
    """
    raw = json.loads(files("retrieval").joinpath("calibration.json").read_text(encoding="utf-8"))
    weights, typical = (tuple(float(raw[key][s.name]) for s in fields(Evidence)) for key in ("weights", "typical"))
    return Calibration(weights, float(raw["bias"]), float(raw["threshold"]), typical)


def _excess_elsewhere(findings: Findings) -> float:
    """Return how much more of the question an item of another release contains, 0 to 1."""
    products, keywords = findings.query.products, findings.focus.keywords
    elsewhere = 0.0
    for hit in findings.outcome.elsewhere:
        # Reference pages of other releases are skipped: nearly equal, one always has a few more words of the question.
        if (products and hit.passage.document.product not in products) or is_page(hit.passage):
            continue
        text, context = findings.text_of(hit), frozenset(split_tokens(" ".join(hit.passage.heading)))
        items = (context.union(split_tokens(item.span.slice(text))) for item in hit.passage.items)
        elsewhere = max((elsewhere, *(share_met(keywords, tokens) for tokens in items)))
    return max(0.0, elsewhere - max(share_met(keywords, scored.tokens) for scored in findings.fitting))


def name_lack(evidence: Evidence | None, calibration: Calibration) -> str | None:
    """Return the strongest reason against an answer as a sentence; None if there is none, or nothing was found."""
    if evidence is None:
        return None
    signals = zip(fields(evidence), astuple(evidence), calibration.typical, calibration.weights, strict=True)
    points = {field.name: weight * (value - usual) for field, value, usual, weight in signals}
    weakest = min(points, key=points.__getitem__)
    return LACKS[weakest] if points[weakest] < 0 else None
