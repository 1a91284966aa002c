"""The metrics, one short function each, and the minimums of a run. They take hits and decisions, no documents or
answers, and don't average.

Retrieval metrics take a table of hits: a row for each ranked passage, best first, a column for each gold passage,
True if the passage retrieves it. A question without passages has an empty table and scores 0.
"""

import difflib
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from corpus.errors import UsageError
from evals.matching import holds_wording, normalise

Hits = tuple[tuple[bool, ...], ...]

RECALL_DEPTHS = (1, 3, 5, 10)
RANKED_DEPTH = 10
METRIC_NAMES = (
    *(f"recall@{depth}" for depth in RECALL_DEPTHS), f"mrr@{RANKED_DEPTH}", f"ndcg@{RANKED_DEPTH}", "answer_key",
    "citation_precision", "citation_recall", "quote_verbatim", "abstention_precision", "abstention_recall",
    "abstention_f1", "false_answer_rate", "over_abstention_rate", "end_to_end", "good", "wrong",
    "median_answer_chars", "median_quote_chars", "median_with_quotes_chars",
)  # fmt: skip
_ROUNDING = 1e-9


def recall_at(hits: Hits, depth: int, *, any_of: bool) -> float:
    """Return the share of the gold passages found in the first `depth`; with `any_of`, 1 as soon as one is.

    Source: Manning, Raghavan, Schütze, Introduction to Information Retrieval (2008), section 8.3.
    """
    is_found = [any(column) for column in zip(*hits[:depth], strict=True)]
    if any_of:
        return float(any(is_found))
    return sum(is_found) / len(is_found) if is_found else 0.0


def reciprocal_rank(hits: Hits) -> float:
    """Return one over the rank of the first passage that retrieves any gold, 0 if none of the first ten does.

    Source: Voorhees, The TREC-8 Question Answering Track Report (1999).
    """
    return next((1 / rank for rank, row in enumerate(hits[:RANKED_DEPTH], start=1) if any(row)), 0.0)


def ndcg(hits: Hits, *, any_of: bool) -> float:
    """Return the binary gain of each needed gold at its first rank in the first ten, over that of an ideal ranking.

    The ideal has the needed golds (one with `any_of`, else all) at ranks 1, 2, …. Golds in the same passage count at
    successive ranks, so that a passage with two of them never beats the ideal.

    Source: Järvelin, Kekäläinen, Cumulated Gain-Based Evaluation of IR Techniques (TOIS 2002).
    """
    columns = tuple(zip(*hits[:RANKED_DEPTH], strict=True))
    needed = min(1, len(columns)) if any_of else len(columns)
    first_ranks = sorted(column.index(True) + 1 for column in columns if any(column))
    gain, rank = 0.0, 0
    for first_rank in first_ranks[:needed]:
        rank = max(first_rank, rank + 1)
        gain += _discount(rank)
    return gain / sum(_discount(rank) for rank in range(1, needed + 1)) if needed else 0.0


def _discount(rank: int) -> float:
    return 1 / math.log2(rank + 1)


def answer_key_found(keys: tuple[tuple[str, ...], ...], texts: Sequence[str]) -> bool:
    """Return whether the answer or its quotes contain every key fact in one of its wordings.

    Source: answer-string matching as in Chen et al., Reading Wikipedia to Answer Open-Domain Questions (ACL
    2017), over several facts as in Gao et al., ALCE (EMNLP 2023), "exact match recall".
    """
    everything = normalise(" \n ".join(texts))
    return all(any(holds_wording(wording, everything) for wording in wordings) for wordings in keys)


def share(flags: Sequence[bool]) -> float | None:
    """Return the share of flags that are true; None without any.

    With a flag for each citation that overlaps a gold passage, it is citation precision: Gao et al., Enabling Large
    Language Models to Generate Text with Citations (EMNLP 2023), with gold passages in place of an entailment model.
    With a flag for each quote that is verbatim in its document, it is the quotability of Menick et al., Teaching
    Language Models to Support Answers with Verified Quotes (2022).
    """
    return sum(flags) / len(flags) if flags else None


@dataclass(frozen=True, slots=True)
class Abstention:
    """A decision to answer: whether the documents have an answer to the question, and whether none was given."""

    answerable: bool
    abstained: bool


def abstention_precision(decisions: Sequence[Abstention]) -> float | None:
    """Return the share of the abstentions that were right, 0 if there were none; None without unanswerable questions.

    Source: Rajpurkar, Jia, Liang, Know What You Don't Know (ACL 2018), abstention taken as the positive class.
    """
    if all(decision.answerable for decision in decisions):
        return None
    return share([not decision.answerable for decision in decisions if decision.abstained]) or 0.0


def abstention_recall(decisions: Sequence[Abstention]) -> float | None:
    """Return the share of the unanswerable questions that got no answer; None without such questions.

    Source: Rajpurkar, Jia, Liang (ACL 2018), as above.
    """
    return share([decision.abstained for decision in decisions if not decision.answerable])


def abstention_f1(decisions: Sequence[Abstention]) -> float | None:
    """Return the F1 of abstention precision and recall, 0 if both are 0; None without unanswerable questions.

    Source: van Rijsbergen, Information Retrieval (1979), chapter 7.
    """
    return harmonic_mean(abstention_precision(decisions), abstention_recall(decisions))


def harmonic_mean(precision: float | None, recall: float | None) -> float | None:
    """Return the F1 of precision and recall: 0 if both are 0, None if one of them is None."""
    if precision is None or recall is None:
        return None
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def false_answer_rate(decisions: Sequence[Abstention]) -> float | None:
    """Return the share of the unanswerable questions that got an answer, `partial` included; lower is better.

    Source: the complement of recall in Rajpurkar, Jia, Liang (ACL 2018).
    """
    recall = abstention_recall(decisions)
    return None if recall is None else 1 - recall


def over_abstention_rate(decisions: Sequence[Abstention]) -> float | None:
    """Return the share of the answerable questions that got no answer; lower is better; None without such questions.

    Source: one minus coverage, El-Yaniv, Wiener, On the Foundations of Noise-free Selective Classification
    (JMLR 2010).
    """
    return share([decision.abstained for decision in decisions if decision.answerable])


RATES: tuple[tuple[str, Callable[[Sequence[Abstention]], float | None]], ...] = (
    ("abstention_recall", abstention_recall),
    ("false_answer_rate", false_answer_rate),
    ("over_abstention_rate", over_abstention_rate),
)
"""Metrics of decisions that are plain means over questions, so that a single question has a value, too."""


Minimum = tuple[str, float]
"""A metric and its minimal value over all questions."""


def parse_minimum(text: str) -> Minimum:
    """Parse `METRIC=VALUE`.

    Raises:
        UsageError: no `=`, an unknown metric, or a value that isn't a finite number.
    """
    metric, equals, value = (part.strip() for part in text.partition("="))
    if not equals:
        raise UsageError(f"A minimum is METRIC=VALUE, such as recall@5=0.85, got {text!r}.")
    if metric not in METRIC_NAMES:
        close = difflib.get_close_matches(metric, METRIC_NAMES, n=1)
        hint = f"did you mean {close[0]!r}?" if close else f"known are {', '.join(METRIC_NAMES)}."
        raise UsageError(f"Unknown metric {metric!r} in {text!r}: {hint}")
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise UsageError(f"The minimum of {metric} must be a number, got {value!r}.")
    return metric, number


def check_limits(figures: Mapping[str, float], limits: Mapping[str, Any]) -> list[str]:
    """Return a line for each limit that the figures (by metric) miss or lack: the minimums, then `most`'s maximums."""
    minimums = [(metric, least) for metric, least in limits.items() if metric != "most"]
    return check_minimums(figures, minimums) + [
        f"{metric} is {f'{figures[metric]:.4f}' if metric in figures else 'not measured'}, the maximum is {most:g}"
        for metric, most in limits.get("most", {}).items()
        if figures.get(metric, math.inf) > most + _ROUNDING
    ]


def check_minimums(figures: Mapping[str, float], minimums: Iterable[Minimum]) -> list[str]:
    """Return a line for each of the minimums, in the order given, that the figures (by metric) miss or lack."""
    return [
        f"{metric} is {f'{figures[metric]:.4f}' if metric in figures else 'not measured'}, the minimum is {least:g}"
        for metric, least in minimums
        if figures.get(metric, -math.inf) < least - _ROUNDING
    ]
