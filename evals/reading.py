"""What a language model is worth, by recorded completions: `python -m evals.reading`.

Asks the questions that people typed, with each recorded model and without, writes results/LANGUAGE-MODEL.md, and plants
the lies of completions/hostile.jsonl. A question whose request is no longer the one that was completed, for search or
entries changed since, is left out of both. The lies are sentences that are false of our own digests, by language models
that knew how sentences of a model were checked at that time.

    python -m evals.reading --panel QUESTIONS --index DIR --requests OUT [--completions FILE ...] --answers OUT

asks a panel on an index with the completions that there are: writes the requests that lack one, for somebody to
complete, and the answers for `typed.py`. What a reply asks for (more of an entry, a search) is another request: run it
again with all completions until it writes none.
"""

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from evals.command import RESULTS, render_table, run_command, write_page
from evals.comparison import Difference, compare_runs
from evals.labelled_places import load_labels
from evals.matching import plain_answer
from evals.metrics import check_limits
from evals.question_set import Question, load_questions
from evals.recordings import RecordedModel, load_recordings
from evals.report import render_figure
from evals.runner import EvalRun, evaluate
from evals.suite_index import ask_suite, asker, open_suite
from evals.suites import BUNDLED, TYPED, load_suite, require_suites
from ingest.progress import BarProgress
from retrieval.assistant import Assistant
from retrieval.llm.chat import Completion, Prompt
from retrieval.model import Answer

COMPLETIONS = Path(__file__).parent / "completions"
LARGE = "large"
"""What is recorded: what a large model completed."""
_METRICS = (
    "good", "wrong", "answer_key", "citation_recall", "quote_verbatim", "false_answer_rate", "over_abstention_rate",
)  # fmt: skip
_LIMITS = {"good": 0.88, "quote_verbatim": 1.0, "most": {"wrong": 0.05, "false_answer_rate": 0.0}}
"""Of the large model's recordings."""


@dataclass(frozen=True, slots=True)
class Measured:
    """The typed questions whose requests are as they were recorded, asked without and with a recorded model."""

    name: str
    without: EvalRun
    read: EvalRun
    stale: int
    """The number of questions left out because today's request to the model was never completed."""
    tokens: int  # Mean tokens of all requests of a question that was sent: a fourth of their characters.


def measure(name: str) -> Measured:
    """Ask the typed questions both ways.

    Raises:
        RelnotesError: their documents can't be ingested, or the recordings are missing.
    """
    with BarProgress() as progress, open_suite(TYPED, progress=progress) as assistant:
        model = RecordedModel(load_recordings(COMPLETIONS / f"{name}.jsonl"))
        read, stale = replay(assistant, model, progress)
        kept = [result.question for result in read.results]
        sent = sum("tokens in" in note for result in read.results if result.answer for note in result.answer.notes[-1:])
        without = ask_suite(TYPED, kept, asker(assistant), progress)
        return Measured(name, without, read, stale, round(model.tokens_in / max(sent, 1)))


def replay(assistant: Assistant, model: RecordedModel, progress: BarProgress) -> tuple[EvalRun, int]:
    """Ask with the recorded model; return the run, and how many questions were left out: their requests changed."""
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


class Lie(BaseModel):
    """A false sentence as the answer to a question, and why it is false."""

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
    """Put each lie into every field of a model's reply that is text, with the first items as its answer; return the
    lies that an answer or a quote contains."""
    model = _Lying()
    reached = []
    for lie in lies:
        numbers = {name: [1, 2, 3] for name in ("answer", "breaks", "more")}
        model.reply = json.dumps({"standalone_question": lie.text, "search": lie.text, **numbers})
        # A question that is asked again isn't answered from memory, and its answer repeats the model's wording of it.
        answer = assistant.judging(model=model).ask(lie.question, history=(*lie.history, lie.question))
        if holds(answer, lie.text):
            reached.append(lie)
    return reached


def holds(answer: Answer, text: str) -> bool:
    """Return whether an answer or one of its quotes contains a sentence, in any markup."""
    parts = (answer.answer, answer.interpretation.standalone or "", *(cited.quote for cited in answer.citations))
    wanted = plain_answer(text).rstrip(". ")
    return any(wanted in plain_answer(part) for part in parts)


def render(measured: Sequence[Measured], reached: int) -> str:
    """Return the report; `reached` is the number of lies that an answer contains."""
    parts = [
        "# With a language model",
        "Recorded completions, each made by a language model from its request alone, replayed: `python -m "
        "evals.reading`. Language models wrote the questions, too. Left out are those that would be put to the model "
        "otherwise today than when its completion was recorded. *Without* is the answer that there is without one. The "
        "order of items and the decision to answer learned from these questions: all rows are too good. *Tokens in* is "
        "a fourth of the characters of all requests of a question that was sent, at the mean.",
        render_table(("recordings", "n", "left out", "tokens in", *_METRICS), _rows(measured)),
        "Differences, with the interval that holds 95 % of resampled question sets:",
        render_table(("recordings", "metric", "difference", "95 %", "n"), _differences(measured)),
        f"## Lies\n\nOf {len(load_lies())} lies planted in completions, by language models that knew how a model's "
        f"sentences were checked before (decision 14), {reached} reached an answer or a quote: by "
        "construction, for a reply names numbers of what stands in the notes. That a model chooses what doesn't answer "
        "is what the figures above show.",
    ]
    return "\n\n".join(parts) + "\n"


def _rows(measured: Sequence[Measured]) -> Iterator[tuple[str, ...]]:
    for model in measured:
        for name, run in ((f"{model.name}, without", model.without), (model.name, model.read)):
            overall = evaluate(run).overall
            figures = (render_figure(overall, metric) for metric in _METRICS)
            tokens = "" if run is model.without else f"{model.tokens:,}"
            yield (name, str(overall.questions), str(model.stale), tokens, *figures)


def _differences(measured: Sequence[Measured]) -> Iterator[tuple[str, ...]]:
    for model in measured:
        for metric in _METRICS:
            difference = compare_runs(model.without, model.read, metric)
            if difference is not None and difference.mean:
                yield (model.name, *_figures(difference))


def _figures(gain: Difference) -> tuple[str, ...]:
    return gain.metric, f"{gain.mean:+.3f}", f"{gain.low:+.3f} to {gain.high:+.3f}", str(gain.questions)


def ask_panel(questions: Path, index: Path, completions: Sequence[Path], requests: Path, answers: Path) -> int:
    """Ask a panel with what was completed, write the answers, and return how many requests were written.

    Raises:
        RelnotesError: a file can't be read or written, or the index can't be opened.
    """
    recorded = {name: text for path in completions for name, text in load_recordings(path).items()}
    model = RecordedModel(recorded, record_to=requests)
    with Assistant.open(index, model=model) as assistant, answers.open("w", encoding="utf-8") as sink:
        ask = asker(assistant)
        for question in load_questions(questions):
            answer = ask(question)
            quotes = [{"quote": cited.quote} for cited in answer.citations]
            record = {"id": question.id, "status": answer.status, "answer": answer.answer, "citations": quotes}
            sink.write(json.dumps(record | {"notes": answer.notes}, ensure_ascii=False) + "\n")
    return len(model.missing)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and report, or ask a panel; return 1 if a limit is missed."""
    parser = argparse.ArgumentParser(description="Measure what a language model is worth, by recorded completions.")
    for name in ("panel", "index", "requests", "answers"):
        parser.add_argument(f"--{name}", type=Path)
    parser.add_argument("--completions", type=Path, nargs="*", default=[])
    options = parser.parse_args(arguments)
    if options.panel:
        written = ask_panel(options.panel, options.index, options.completions, options.requests, options.answers)
        sys.stdout.write(f"{written} requests to complete are in {options.requests}\n")
        return 0
    require_suites([TYPED], purpose="Measuring a language model")
    measured = [measure(name) for name in (LARGE,)]
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
