"""Probabilities and their log-odds, in which evidence is additive."""

import math

_MOST = 60.0


def log_odds(probability: float) -> float:
    """Return the logit of a probability, which is first clipped to 0.0001 … 0.9999."""
    clipped = min(max(probability, 1e-4), 1 - 1e-4)
    return math.log(clipped / (1 - clipped))


def probability(logit: float) -> float:
    """Return the probability, 0 to 1, with these log-odds."""
    return 1 / (1 + math.exp(-max(-_MOST, min(_MOST, logit))))
