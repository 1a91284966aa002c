"""Plants lies in a language model's completions, or asks a panel by recorded ones: `python -m evals.reading`.

Plants those of completions/hostile.jsonl: sentences that are false of our own digests, by language models that knew how
sentences of a model were checked at that time.

    python -m evals.reading --panel QUESTIONS --index DIR --requests OUT [--completions FILE ...] --answers OUT

asks a panel on an index with the completions that there are: writes the requests that lack one, for somebody to
complete, and the answers for `typed.py`. What a reply asks for (more of an entry, a search) is another request: run it
again with all completions until it writes none.
"""

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from evals.command import run_command
from evals.labelled_places import load_labels
from evals.matching import plain_answer
from evals.question_set import load_questions
from evals.recordings import RecordedModel, load_recordings
from evals.suite_index import asker, open_suite
from evals.suites import BUNDLED
from ingest.progress import BarProgress
from retrieval.assistant import Assistant
from retrieval.llm.chat import Completion, Prompt
from retrieval.model import Answer

COMPLETIONS = Path(__file__).parent / "completions"


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
        model.reply = json.dumps({"search": lie.text, **numbers})
        # A question that is asked again isn't answered from memory, and its answer repeats the model's wording of it.
        answer = assistant.judging(model=model).ask(lie.question, history=(*lie.history, lie.question))
        if holds(answer, lie.text):
            reached.append(lie)
    return reached


def holds(answer: Answer, text: str) -> bool:
    """Return whether an answer or one of its quotes contains a sentence, in any markup."""
    parts = (answer.answer, *(cited.quote for cited in answer.citations))
    wanted = plain_answer(text).rstrip(". ")
    return any(wanted in plain_answer(part) for part in parts)


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
    """Plant the lies, or ask a panel; return 1 if a lie reaches an answer."""
    parser = argparse.ArgumentParser(description="Plant lies in completions, or ask a panel with recorded ones.")
    for name in ("panel", "index", "requests", "answers"):
        parser.add_argument(f"--{name}", type=Path)
    parser.add_argument("--completions", type=Path, nargs="*", default=[])
    options = parser.parse_args(arguments)
    if options.panel:
        written = ask_panel(options.panel, options.index, options.completions, options.requests, options.answers)
        sys.stdout.write(f"{written} requests to complete are in {options.requests}\n")
        return 0
    lies = load_lies()
    with BarProgress() as progress, open_suite(BUNDLED, progress=progress) as assistant:
        reached = plant_lies(assistant, lies)
    sys.stdout.write(f"lies: {len(reached)} of {len(lies)} reached an answer\n")
    sys.stdout.writelines(f"MISSED: a lie reached an answer: {lie.text}\n" for lie in reached)
    return 1 if reached else 0


if __name__ == "__main__":
    run_command(main)
