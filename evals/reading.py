"""What a language model is worth, by recorded completions: `python -m evals.reading [--fit]`.

Asks the questions that people typed, with each recorded model and without, writes results/LANGUAGE-MODEL.md, and plants
the lies of completions/hostile.jsonl. A question whose request is no longer the one that was completed, for search or
passages changed since, is left out of both. `--fit` learns how sure an answer is that a large model read from how sure
the search was: `retrieval/llm/confidence.json`.

The lies are sentences that are false of our own digests, by language models that knew how sentences of a model were
checked at that time.
"""

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from pathlib import Path

import numpy as np
from pydantic import BaseModel, ConfigDict

from corpus.log_odds import log_odds
from evals.command import RESULTS, ROOT, render_table, run_command, write_page
from evals.comparison import Difference, compare_runs
from evals.labelled_places import load_labels
from evals.matching import plain_answer
from evals.metrics import check_limits
from evals.question_set import Question
from evals.recordings import RecordedModel, load_recordings
from evals.report import render_figure
from evals.runner import EvalRun, evaluate
from evals.suite_index import ask_suite, asker, open_suite
from evals.suites import BUNDLED, TYPED, load_suite, require_suites
from ingest.progress import BarProgress
from retrieval.assistant import Assistant
from retrieval.llm.chat import Completion, Prompt
from retrieval.llm.reader import load_confidence
from retrieval.model import Answer

COMPLETIONS = Path(__file__).parent / "completions"
LARGE = "large"
"""What is recorded: what a large model completed."""
_METRICS = (
    "good", "wrong", "answer_key", "citation_recall", "quote_verbatim", "false_answer_rate", "over_abstention_rate",
)  # fmt: skip
_LIMITS = {"good": 0.88, "quote_verbatim": 1.0, "most": {"wrong": 0.05, "false_answer_rate": 0.0}}
"""Of the large model's recordings."""
_CONFIDENCE = ROOT / "retrieval" / "llm" / "confidence.json"
_BINS = (0.0, 0.4, 0.8, 0.9, 0.95, 1.01)
_STEPS, _RIDGE = 50, 1e-3


@dataclass(frozen=True, slots=True)
class Measured:
    """The typed questions whose requests are as they were recorded, asked without and with a recorded model."""

    name: str
    without: EvalRun
    read: EvalRun
    stale: int
    """Questions left out: what the model would be asked about them today was never completed."""


def measure(name: str) -> Measured:
    """Ask the typed questions both ways.

    Raises:
        RelnotesError: their documents can't be ingested, or the recordings are missing.
    """
    with BarProgress() as progress, open_suite(TYPED, progress=progress) as assistant:
        read, stale = replay(assistant, RecordedModel(load_recordings(COMPLETIONS / f"{name}.jsonl")), progress)
        kept = [result.question for result in read.results]
        return Measured(name, ask_suite(TYPED, kept, asker(assistant), progress), read, stale)


def replay(assistant: Assistant, model: RecordedModel, progress: BarProgress) -> tuple[EvalRun, int]:
    """Ask with the recorded model; what it would be asked otherwise today is left out, and counted."""
    ask_reading = asker(assistant.judging(model=model))
    stale: set[str] = set()

    def ask(question: Question) -> Answer:
        missing = len(model.missing)
        answer = ask_reading(question)
        stale.update([question.id] * (len(model.missing) > missing))
        return answer

    read = ask_suite(TYPED, load_suite(TYPED), ask, progress)
    fresh = tuple(result for result in read.results if result.question.id not in stale)
    return replace(read, results=fresh), len(stale)


def read_grades(measured: Measured) -> Iterator[tuple[float, bool]]:
    """Of each answer that was read: how sure the search was without, and whether the answer is right."""
    for plain, read in zip(measured.without.results, measured.read.results, strict=True):
        if read.answer is not None and plain.answer is not None and _was_read(read.answer):
            yield plain.answer.confidence, read.grade.correct


def fit(judged: Sequence[tuple[float, bool]]) -> tuple[float, float]:
    """Bias and weight of the logistic regression of right on the log-odds of the search's confidence, by Newton's
    method with a little ridge."""
    odds = np.array([[1.0, log_odds(certainty)] for certainty, _ in judged])
    right = np.array([float(is_right) for _, is_right in judged])
    weights = np.zeros(2)
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-odds @ weights))
        hessian = (odds * (chance * (1 - chance))[:, None]).T @ odds + _RIDGE * np.eye(2)
        weights += np.linalg.solve(hessian, odds.T @ (right - chance) - _RIDGE * weights)
    return float(weights[0]), float(weights[1])


class Lie(BaseModel):
    """A false sentence as the answer to a question, with its proofs, and what is so."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    question: str
    history: tuple[str, ...] = ()
    kind: str
    text: str
    why_false: str


class _Lying:
    name = "liar"
    timeout_s = 60.0

    def __init__(self) -> None:
        self.reply = ""

    def complete(self, prompt: Prompt, *, within_s: float) -> Completion:  # noqa: ARG002 -- it says what it wants
        return Completion(self.reply)


def load_lies() -> tuple[Lie, ...]:
    """Return the lies that we keep."""
    return load_labels(COMPLETIONS / "hostile.jsonl", Lie.model_validate_json, name="lies")


def plant_lies(assistant: Assistant, lies: Iterable[Lie]) -> list[Lie]:
    """Have each lie said wherever a reply can say something, beside the first items; gives those that an answer or a
    quote holds."""
    model = _Lying()
    reached = []
    for lie in lies:
        model.reply = json.dumps({"standalone_question": lie.text, "answer": [1, 2, 3], "search": lie.text})
        # What was replied to a request before would be remembered; what is asked again is told as the model puts it.
        answer = assistant.judging(model=model).ask(lie.question, history=(*lie.history, lie.question))
        if holds(answer, lie.text):
            reached.append(lie)
    return reached


def holds(answer: Answer, text: str) -> bool:
    """Return whether an answer or one of its quotes says a sentence, whatever its markup."""
    parts = (answer.answer, answer.interpretation.standalone or "", *(cited.quote for cited in answer.citations))
    wanted = plain_answer(text).rstrip(". ")
    return any(wanted in plain_answer(part) for part in parts)


def render(measured: Sequence[Measured], reached: int) -> str:
    """Return the report; `reached` counts the lies that an answer holds."""
    parts = [
        "# With a language model",
        "Recorded completions, each made by a language model from its request alone, replayed: `python -m "
        "evals.reading`. Language models wrote the questions, too. Left out are those that would be put to the model "
        "otherwise today than when its completion was recorded. *Without* is the answer that there is without one. The "
        "order of items and the decision to answer learned from these questions: all rows are too good.",
        render_table(("recordings", "n", "left out", *_METRICS), _rows(measured)),
        "Differences, with the interval that holds 95 % of resampled question sets:",
        render_table(("recordings", "metric", "difference", "95 %", "n"), _differences(measured)),
        f"## Lies\n\nOf {len(load_lies())} lies planted in completions, by language models that knew how a model's "
        f"sentences were checked before (decision 14), {reached} reached an answer or a quote: by "
        "construction, for a reply names numbers of what stands in the notes. That a model chooses what doesn't answer "
        "is what the figures above show.",
        "## Confidence\n\nHow often an answer that was read is right at a stated confidence, which was fitted on "
        "these very answers:",
        render_table(("confidence", "n", "stated", "right"), _bins(measured[0])),
    ]
    return "\n\n".join(parts) + "\n"


def _rows(measured: Sequence[Measured]) -> Iterator[tuple[str, ...]]:
    for one in measured:
        for name, run in ((f"{one.name}, without", one.without), (one.name, one.read)):
            overall = evaluate(run).overall
            figures = (render_figure(overall, metric) for metric in _METRICS)
            yield (name, str(overall.questions), str(one.stale), *figures)


def _differences(measured: Sequence[Measured]) -> Iterator[tuple[str, ...]]:
    for one in measured:
        for metric in _METRICS:
            found = compare_runs(one.without, one.read, metric)
            if found is not None and found.mean:
                yield (one.name, *_figures(found))


def _figures(found: Difference) -> tuple[str, ...]:
    return found.metric, f"{found.mean:+.3f}", f"{found.low:+.3f} to {found.high:+.3f}", str(found.questions)


def _bins(measured: Measured) -> Iterator[tuple[str, ...]]:
    judged = [(load_confidence().of(certainty), is_right) for certainty, is_right in read_grades(measured)]
    for low, high in pairwise(_BINS):
        inside = [(stated, is_right) for stated, is_right in judged if low <= stated < high]
        if inside:
            stated = sum(one for one, _ in inside) / len(inside)
            right = sum(is_right for _, is_right in inside) / len(inside)
            yield f"{low:.2f} to {min(high, 1):.2f}", str(len(inside)), f"{stated:.3f}", f"{right:.3f}"


def _was_read(answer: Answer) -> bool:
    return any("chose the quotes" in note for note in answer.notes)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, report, fit; 1 where a limit is missed."""
    parser = argparse.ArgumentParser(description="Measure what a language model is worth, by recorded completions.")
    parser.add_argument("--fit", action="store_true", help="learn how sure an answer is that was read")
    options = parser.parse_args(arguments)
    require_suites([TYPED], purpose="Measuring a language model")
    measured = [measure(name) for name in (LARGE,)]
    if options.fit:
        bias, weight = fit(list(read_grades(measured[0])))
        learned = replace(load_confidence(), bias=round(bias, 4), weight=round(weight, 4))
        _CONFIDENCE.write_text(json.dumps(asdict(learned)) + "\n", encoding="utf-8")
        load_confidence.cache_clear()
    with BarProgress() as progress, open_suite(BUNDLED, progress=progress) as assistant:
        report = render(measured, len(plant_lies(assistant, load_lies())))
    sys.stdout.write(report)
    write_page(RESULTS / "LANGUAGE-MODEL.md", report)
    figures = evaluate(measured[0].read).overall.figures
    missed = check_limits(figures, _LIMITS)
    sys.stdout.writelines(f"MISSED with a language model: {miss}\n" for miss in missed)
    return 1 if missed else 0


if __name__ == "__main__":
    run_command(main)
