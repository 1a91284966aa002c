"""What the ranker and the decision to answer are worth, as a page."""

from collections.abc import Iterator, Sequence

import numpy as np

from evals.ablation import render_difference
from evals.comparison import QuestionScores, compare_scores
from evals.grading import Score
from evals.risk_plot import Curve, Panel, render_plot
from evals.tables import render_table
from evals.training.decision_fit import SIGNALS, area_under_curve, confidences, fit_decision, teaches
from evals.training.examples import Example
from evals.training.held_out import Figures, HeldOut, held_out_confidences, held_out_ranks, held_out_trees
from evals.training.learning import MANY, ONE, LearningSet
from evals.training.ranker_fit import RANKED_DEPTH, reciprocal_ranks
from retrieval.evidence import Calibration
from retrieval.ranker import Ranker

HAND_MADE = SIGNALS[:7]
"""The signals that the decision had before there were natural questions."""
RESAMPLES = 5000
_SEED = 7
SIZES = (100, 250, 500, 1000)
_BINS = 10
_NATURAL = {MANY: "natural, many products", ONE: "natural, one product"}
_INTRODUCTION = """# Judgement

`make train` writes this page. The ranker and the decision to answer are learned from the natural questions of
[the training set](training/DATASHEET.md) and from the development halves of our questions. Natural questions are
measured by cross-validation over projects, and so are all others: what is fitted has seen no question about the
measured one's project. The test halves and the practice questions are never learned from. (The signals of the decision
are those of a search with the ranker that ships.) Intervals are of 95 %, by the paired bootstrap; a star marks those
that leave out zero.

![How often there is an answer at a stated confidence](reliability.svg)"""


def render_judgement(
    plain: LearningSet, ranked: LearningSet, held_out: HeldOut, *, ranker: Ranker, calibration: Calibration
) -> str:
    """The page: `plain` was asked without a ranker, `ranked` with the one that ships; `held_out` has the confidences
    of `ranked`."""
    points = sorted(ranker.weights.items(), key=lambda item: -abs(item[1]))
    parts = (
        _INTRODUCTION,
        "## The ranker",
        f"MRR@{RANKED_DEPTH} of the search alone and with the ranker.",
        _rank_table(plain),
        "What a unit of each feature adds to the fused score:",
        render_table(("feature", "points"), [(name, f"{value:+.3f}") for name, value in points]),
        "## Learning curve",
        "Learned from so many natural questions over indexes of many products, drawn at random, and the development "
        "halves:",
        _learning_table(plain, ranked),
        "## The decision to answer",
        "AUROC: how often an answerable question is more certain than one without an answer. Hand-made: the seven "
        "signals of before, fitted on the development halves alone. Trees: gradient boosting over the same signals and "
        "questions as learned. False answers and over-abstention are by the confidence alone, each at its own "
        "threshold; an answer has further conditions (evals/RESULTS-full.md has what users see).",
        _decision_table(ranked, held_out, calibration),
        "What is answered of each kind of natural question, many products indexed, at the threshold that ships:",
        _kind_table(ranked, held_out, calibration),
        "The weight of each signal, in logits:",
        render_table(
            ("signal", "weight"),
            [(name, f"{weight:.3f}") for name, weight in zip(SIGNALS, calibration.weights, strict=True)],
        ),
    )
    return "\n\n".join(parts) + "\n"


def render_reliability(ranked: LearningSet, held_out: HeldOut) -> str:
    """A plot of how often there is an answer at a stated confidence, as SVG."""
    natural, others = (*ranked.many, *ranked.one), (*ranked.test, *ranked.practice)
    return render_plot(
        (
            Panel("natural questions", "confidence", "there is an answer", _reliability(natural, held_out.of(natural))),
            Panel("test half, practice", "confidence", "there is an answer", _reliability(others, held_out.of(others))),
        )
    )


def _reliability(examples: Sequence[Example], certainties: Figures) -> tuple[Curve, ...]:
    usable = np.array([teaches(one) for one in examples])
    answerable = np.array([one.question.answerable for one in examples])
    bins = np.minimum((certainties * _BINS).astype(int), _BINS - 1)
    points = [
        (float(certainties[chosen].mean()), float(answerable[chosen].mean()))
        for number in range(_BINS)
        if (chosen := usable & (bins == number)).any()
    ]
    return Curve("measured", tuple(points)), Curve("ideal", ((0.0, 0.0), (1.0, 1.0)))


def _rank_table(plain: LearningSet) -> str:
    learned = held_out_ranks(plain, plain.many)
    rows = []
    for name, examples in _groups(plain):
        chosen = [one for one in examples if one.question.answerable]
        before, after = reciprocal_ranks(chosen, Ranker({}), depth=RANKED_DEPTH), learned.of(chosen)
        figures = (f"{before.mean():.3f}", f"{after.mean():.3f}", _difference(chosen, before, after))
        rows.append((name, str(len(chosen)), *figures))
    return render_table(("questions", "n", "search", "ranker", "difference"), rows)


def _learning_table(plain: LearningSet, ranked: LearningSet) -> str:
    order = np.random.default_rng(_SEED).permutation(len(plain.many)).tolist()
    rows = []
    for size in (*SIZES, len(plain.many)):
        ranks = held_out_ranks(plain, [plain.many[place] for place in order[:size]])
        decided = held_out_confidences(ranked, [ranked.many[place] for place in order[:size]])
        gains, areas = [], []
        for searched, judged in (
            (plain.many, ranked.many),
            ((*plain.test, *plain.practice), (*ranked.test, *ranked.practice)),
        ):
            chosen = [one for one in searched if one.question.answerable]
            gains.append(
                _difference(chosen, reciprocal_ranks(chosen, Ranker({}), depth=RANKED_DEPTH), ranks.of(chosen))
            )
            areas.append(f"{area_under_curve(judged, decided.of(judged)):.3f}")
        rows.append((str(size), *gains, *areas))
    others = "test and practice"
    header = ("questions", "MRR gain, natural", f"MRR gain, {others}", "AUROC, natural", f"AUROC, {others}")
    return render_table(header, rows)


def _decision_table(ranked: LearningSet, held_out: HeldOut, calibration: Calibration) -> str:
    natural = (*ranked.many, *ranked.one)
    by_hand = fit_decision((), ranked.development, signals=HAND_MADE)
    trees = held_out_trees(ranked, natural)
    rows = []
    for name, examples in _groups(ranked):
        before, after = confidences(examples, by_hand), held_out.of(examples)
        areas = (f"{area_under_curve(examples, found):.3f}" for found in (before, after, trees.of(examples)))
        rates = (_rates(examples, before, by_hand.threshold), _rates(examples, after, calibration.threshold))
        rows.append((name, *areas, *rates))
    header = ("questions", "hand-made", "learned", "trees", "false / over, hand-made", "false / over, learned")
    return render_table(header, rows)


def _kind_table(ranked: LearningSet, held_out: HeldOut, calibration: Calibration) -> str:
    answered = held_out.of(ranked.many) >= calibration.threshold
    kinds = sorted({(one.question.answerable, one.question.kind) for one in ranked.many})
    rows = []
    for answerable, kind in kinds:
        chosen = np.array([one.question.kind == kind for one in ranked.many])
        share = f"{answered[chosen].mean():.2f}"
        rows.append((kind, "yes" if answerable else "no", str(chosen.sum()), share))
    return render_table(("kind", "answerable", "n", "answered"), rows)


def _groups(found: LearningSet) -> Iterator[tuple[str, Sequence[Example]]]:
    """The examples by where they come from, each group with its name."""
    yield _NATURAL[MANY], found.many
    if found.one:
        yield _NATURAL[ONE], found.one
    for half, examples in (("dev", found.development), ("test", found.test), ("", found.practice)):
        for suite in dict.fromkeys(one.suite for one in examples):
            yield f"{suite} {half}".strip(), [one for one in examples if one.suite == suite]


def _rates(examples: Sequence[Example], certainties: Figures, threshold: float) -> str:
    answerable = np.array([one.question.answerable for one in examples])
    false, over = (certainties[~answerable] >= threshold).mean(), (certainties[answerable] < threshold).mean()
    return f"{false:.3f} / {over:.3f}"


def _difference(examples: Sequence[Example], before: Figures, after: Figures) -> str:
    def scored(ranks: Figures) -> list[QuestionScores]:
        return [
            QuestionScores(one.suite, one.question.id, one.question.split, (Score("mrr", float(rank)),))
            for one, rank in zip(examples, ranks, strict=True)
        ]

    return render_difference(compare_scores(scored(before), scored(after), "mrr", seed=_SEED, resamples=RESAMPLES))
