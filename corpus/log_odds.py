"""Probabilities and their log-odds, in which evidence adds up."""

import math

_MOST = 60.0


def log_odds(probability: float) -> float:
    """Return the logit, of probabilities that are neither 0 nor 1."""
    kept = min(max(probability, 1e-4), 1 - 1e-4)
    return math.log(kept / (1 - kept))


def probability(logit: float) -> float:
    """Return the probability, 0 to 1, with these log-odds."""
    return 1 / (1 + math.exp(-max(-_MOST, min(_MOST, logit))))
