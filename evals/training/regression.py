"""A logistic regression whose weights are read in the units of its columns."""

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

Table = NDArray[np.float64]
DIGITS = 4


def fit_logistic(
    table: Table, labels: NDArray[np.bool_], *, strength: float, shares: Table | None
) -> tuple[Table, float]:
    """The weight of each column (examples, columns) and the bias, in logits, rounded for a file; columns are penalised
    alike, whatever their scale, the more the lower `strength`. `shares` weigh the examples."""
    centre, scale = table.mean(axis=0), table.std(axis=0) + 1e-9
    model = LogisticRegression(C=strength, max_iter=5000).fit((table - centre) / scale, labels, sample_weight=shares)
    weights = model.coef_[0] / scale
    return np.round(weights, DIGITS), round(float(model.intercept_[0] - weights @ centre), DIGITS)
