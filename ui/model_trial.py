"""A trial of the language model that is set: four questions over a small library of its own, each a request as large
as one of a real library, so that what is set wrong shows before anybody depends on it."""

import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from corpus.embedding import Embedder
from ingest.pipeline import build_index
from retrieval.assistant import Assistant
from retrieval.llm.client import ChatClient
from retrieval.model import Heard, Status

_PRODUCT, _RELEASES = "Mill", 60
_TOLD = {7: "TOML files are read.", 23: "YAML files are read.", 31: "Removed `mill --legacy`."}
_AREAS = "importer exporter scheduler cache viewer parser logger planner".split()
_CHANGES = (
    "The {area} keeps its state between two runs of `mill {area} --resume={number}`.",
    "Fixed: the {area} counted line {number} twice when a file ended without a line break.",
    "`mill {area}` prints how many seconds its step {number} took.",
)
_ASKED = ("Since when does Mill read TOML?", "and YAML?", "Does Mill speak Latin?", "What breaks in Mill 1.0 to 60.0?")
_ANSWERS = ("7.0", "23.0", None, "31.0")  # The release whose entry answers; None: nothing does.
_FEWEST_TOKENS = (250, 250, 250, 2_000)  # No tokenizer makes less of a request that isn't cut off.
_SHORT = "The model's context is too short for a request: give it 8,192 tokens or more."


@dataclass(frozen=True, slots=True)
class TriedQuestion:
    """One question of a trial."""

    question: str
    is_read: bool  # The model replied with numbers, in the JSON that was asked for.
    is_right: bool  # It chose the entry that answers, or none where none does.
    requests: int  # More than one: it searched with other words, or its reply couldn't be read at first.
    seconds: float
    tokens_in: int  # 0 where the endpoint doesn't count.
    tokens_out: int
    change: str | None  # What is wrong, and which setting to look at.


def try_model(model: ChatClient, embedder: Embedder) -> tuple[TriedQuestion, ...]:
    """Have a language model answer a question, a follow-up, an unanswerable one and a list, from notes made up here."""
    with tempfile.TemporaryDirectory() as folder:
        notes, index = Path(folder, "CHANGELOG.md"), Path(folder, "index")
        notes.write_text("\n".join(_notes()), encoding="utf-8")
        build_index([str(notes)], index=index, embedder=embedder, product=_PRODUCT)
        with Assistant.open(index, embedder=embedder, model=model) as assistant:
            return tuple(_try(place, assistant, model) for place in range(len(_ASKED)))


def _try(place: int, assistant: Assistant, model: ChatClient) -> TriedQuestion:
    before, started, release = model.usage, time.perf_counter(), _ANSWERS[place]
    answer = assistant.ask(_ASKED[place], history=_ASKED[place - 1 : place])
    used, is_read = model.usage, answer.heard is Heard.YES
    tokens_in, requests = used.tokens_in - before.tokens_in, used.requests - before.requests
    chosen = next((citation.version for citation in answer.citations), None)
    return TriedQuestion(
        question=_ASKED[place],
        is_read=is_read,
        is_right=is_read and chosen == release and (answer.status is Status.NOT_FOUND) is (release is None),
        requests=requests + used.failures - before.failures,
        seconds=round(time.perf_counter() - started, 2),
        tokens_in=tokens_in,
        tokens_out=used.tokens_out - before.tokens_out,
        change=_SHORT if 0 < tokens_in < _FEWEST_TOKENS[place] * requests else None if is_read else answer.notes[-1],
    )


def _notes() -> Iterator[str]:
    yield f"# {_PRODUCT} changelog"
    for number in range(_RELEASES, 0, -1):
        yield f"\n## {number}.0\n"
        yield from (
            f"- {change.format(area=area, number=number)}" for area in _AREAS[number % 5 :][:4] for change in _CHANGES
        )
        yield from (f"- {sentence}" for release, sentence in _TOLD.items() if release == number)
