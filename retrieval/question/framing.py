"""The words around a question: greetings, reasons, who asks. They are read by example and left out before it is read.

Only what stands before the first clause that matters, or after the last, is left out; nothing inside is touched.
Learned from `evals/training/framing.jsonl`, clauses that matter and clauses that don't.
"""

import math
import re
from collections.abc import Sequence

from retrieval.products.known import KnownProducts
from retrieval.question.forms import form_terms, reader_named
from retrieval.question.tokens import TokenKind, tokenize_question

_JOINT = re.compile(r"(?<=[.?!;:,])\s+|\s+[-\u2013\u2014]+\s+|\s*\n\s*")
_NAMES = frozenset({TokenKind.PRODUCT, TokenKind.VERSION, TokenKind.SYMBOL})
_NAMES_SOMETHING = 1e6
"""In place of the log-odds of a clause that names a product, a version or code: more than any clauses between two
take away, so that both stay."""
_IN_DOUBT_KEPT = 1.0
"""Log-odds; leaving a clause in costs less than leaving out what is asked."""


def split_clauses(text: str) -> list[tuple[int, int]]:
    """The clauses of a question as ranges, in order: what full stops, commas, colons, dashes and line ends part."""
    ends = [0, *(place for found in _JOINT.finditer(text) for place in found.span()), len(text)]
    spans = list(zip(ends[::2], ends[1::2], strict=True))
    return [(start, end) for start, end in spans if any(c.isalnum() for c in text[start:end])]


def without_framing(text: str, known: KnownProducts) -> str:
    """The question without the words around it; as it is where nothing else would be left.

    Clauses are read by their words alone: embedding each would take longer than the rest of the reading.
    """
    clauses = split_clauses(text)
    if len(clauses) < 2:
        return text
    tokens = [tokenize_question(text[start:end], known).tokens for start, end in clauses]
    reader = reader_named("framing")
    chances = reader.probabilities(list(map(form_terms, tokens)), None, digest="")
    odds = [
        _NAMES_SOMETHING if any(token.kind in _NAMES for token in clause) else _log_odds(chance) + _IN_DOUBT_KEPT
        for clause, chance in zip(tokens, chances[:, reader.labels.index("n")].tolist(), strict=True)
    ]
    if max(odds) < 0:
        return text
    first, last = _telling_run(odds)
    kept = text[clauses[first][0] : clauses[last][1]]
    return kept if len(kept) == len(text) else kept.rstrip(" ,;:-\u2013\u2014\n")


def _log_odds(chance: float) -> float:
    return math.log(max(chance, 1e-6) / max(1 - chance, 1e-6))


def _telling_run(odds: Sequence[float]) -> tuple[int, int]:
    """The ends of the run of clauses whose log-odds of mattering add up to the most (Kadane's algorithm), so that a
    greeting that was read wrongly between others goes with them."""
    best, ends, sum_here, start = -math.inf, (0, 0), 0.0, 0
    for i, log_odds in enumerate(odds):
        if sum_here < 0:
            sum_here, start = 0.0, i
        sum_here += log_odds
        if sum_here > best:
            best, ends = sum_here, (start, i)
    return ends
