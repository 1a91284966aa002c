"""Whether to answer at all: signals of what was found, their calibrated weight, and what spoke most against it.

The logistic regression is fitted by `make train` on whether the answer was right, and kept in `calibration.json` with
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

_CLOSE_HITS = 3
_RIVALS = 10
_WIDE_MARGIN = 0.5  # Chosen by hand, never fitted.
LIKELY = 0.15
"""The confidence from which what the first passages hold nearly whole is told as probable, though below the threshold.
Chosen by hand, never fitted: of 142 questions without an answer that were refused, one more is answered from it on."""
_FARTHEST = 0.21
"""Of 161 questions over the bundled digests with an answer, and of 560 of the training set, none is further from its
nearest item: to what is about something else altogether something is always the nearest."""
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
"""What it means for people that a signal is low; one for each field of `Evidence`."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Signals of one search; the more, the likelier an answer."""

    item: float  # The log-odds that the best item holds the answer, over 10.
    margin: float  # By how much these are above the next item's, at most 0.5.
    score_gap: float  # Fused score of the search's first hit minus its tenth's (0 where there is no tenth), at most 1.
    release_match: float
    """1 where the first hit is of the asked release or its series (or none is asked), 0 where it is of another; 0.5
    where that bears on it, 1 in trouble, which a later release mends."""
    names_together: float
    """How well the least met of the question's names is met in one of the first three passages; 1 without names."""
    value_found: float
    """0 where the question asks for a kind of value (a ratio, a person) that the best quote doesn't hold, else 1."""
    said_here: float
    """1 minus how much more of the question the items of another release hold than those of the asked one."""
    symbols_known: float  # The share of the question's symbols that any passage holds; 1 without symbols.
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
    typical: tuple[float, ...] = ()  # Each signal's mean among questions whose answer was found, in the same order.

    def probability(self, signals: Sequence[float]) -> float:
        """Return the probability, 0 to 1, that these signals give."""
        logit = self.bias + sum(weight * signal for weight, signal in zip(self.weights, signals, strict=True))
        return probability(logit)


def gather_evidence(findings: Findings) -> Evidence | None:
    """Gather the signals of a search; None where nothing was found, nothing of the asked release or nothing near."""
    hits, fitting, focus = findings.outcome.hits, findings.fitting, findings.focus
    cosine = max((hit.cosine for hit in hits), default=0.0)
    if not fitting or cosine < _FARTHEST:
        return None
    searched = findings.ranking.searched[:SEARCHED_HITS]
    last = searched[_RIVALS - 1].score if len(searched) >= _RIVALS else 0.0
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
        quote = surround(quote_item(fitting[0], text))
        value_found = focus.is_met_in_kind(quote.span.slice(text))
    return Evidence(
        item=odds[0],
        margin=min(_WIDE_MARGIN, odds[0] - odds[-1]) if len(odds) > 1 else _WIDE_MARGIN,
        score_gap=min(1.0, max(0.0, searched[0].score - last)),
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
    """Return the committed weights.

    Raises:
        KeyError: the file names other signals than there are; run `make train`.
    """
    raw = json.loads(files("retrieval").joinpath("calibration.json").read_text(encoding="utf-8"))
    weights, typical = (tuple(float(raw[key][one.name]) for one in fields(Evidence)) for key in ("weights", "typical"))
    return Calibration(weights, float(raw["bias"]), float(raw["threshold"]), typical)


def _excess_elsewhere(findings: Findings) -> float:
    """Return how much more of the question an item of another release holds, 0 to 1."""
    products, keywords = findings.query.products, findings.focus.keywords
    there = 0.0
    for hit in findings.outcome.elsewhere:
        # Each release's page says nearly the same, one in more of the question's words than the others.
        if (products and hit.passage.document.product not in products) or is_page(hit.passage):
            continue
        text, context = findings.text_of(hit), frozenset(split_tokens(" ".join(hit.passage.heading)))
        items = (context.union(split_tokens(item.span.slice(text))) for item in hit.passage.items)
        there = max((there, *(share_met(keywords, tokens) for tokens in items)))
    return max(0.0, there - max(share_met(keywords, scored.tokens) for scored in findings.fitting))


def name_lack(evidence: Evidence | None, calibration: Calibration) -> str | None:
    """Return what spoke most against an answer, as a sentence; None where nothing did, or nothing was found."""
    if evidence is None:
        return None
    signals = zip(fields(evidence), astuple(evidence), calibration.typical, calibration.weights, strict=True)
    points = {field.name: weight * (value - usual) for field, value, usual, weight in signals}
    weakest = min(points, key=points.__getitem__)
    return LACKS[weakest] if points[weakest] < 0 else None
