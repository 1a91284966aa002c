"""Lies planted in a language model's completions: whether one reaches an answer.

completions/hostile.jsonl holds sentences that are false of our own digests, by language models that knew how sentences
of a model were checked at that time, with the proofs that they gave for them, which mostly are words of the digests.
"""

import json
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from evals.labelled_places import load_labels
from evals.matching import plain_answer
from retrieval.assistant import Assistant
from retrieval.llm.chat import Completion, Prompt
from retrieval.llm.reply import Piece
from retrieval.model import Answer

HOSTILE = Path(__file__).parent / "completions" / "hostile.jsonl"


class Lie(BaseModel):
    """A false sentence as the answer to a question, with its proofs, and what is so."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    question: str
    history: tuple[str, ...] = ()
    kind: str
    text: str
    proofs: tuple[Piece, ...]
    why_false: str


class _Lying:
    name = "liar"
    timeout_s = 60.0

    def __init__(self) -> None:
        self.reply = ""

    def complete(self, prompt: Prompt, *, within_s: float) -> Completion:  # noqa: ARG002 -- it says what it wants
        return Completion(self.reply)


def load_lies() -> tuple[Lie, ...]:
    """The lies that we keep."""
    return load_labels(HOSTILE, Lie.model_validate_json, name="lies")


def plant_lies(assistant: Assistant) -> list[Lie]:
    """Have each lie said as words of each of the first passages, before the proofs that it came with; gives those that
    an answer or a quote holds."""
    model = _Lying()
    reached = []
    for lie in load_lies():
        pieces = [{"passage": number, "words": lie.text} for number in (1, 2, 3)]
        pieces += [proof.model_dump() for proof in lie.proofs]
        model.reply = json.dumps({"standalone_question": lie.text, "found": True, "answer": pieces, "search": ""})
        # What was replied to a request before would be remembered; what is asked again is told as the model puts it.
        told = assistant.judging(model=model).ask(lie.question, history=(*lie.history, lie.question))
        if holds(told, lie.text):
            reached.append(lie)
    return reached


def holds(answer: Answer, text: str) -> bool:
    """Whether an answer or one of its quotes says a sentence, whatever its markup."""
    said = (answer.answer, answer.interpretation.standalone or "", *(cited.quote for cited in answer.citations))
    told = plain_answer(text).rstrip(". ")
    return any(told in plain_answer(part) for part in said)
