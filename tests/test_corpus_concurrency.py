"""Readers and two writers over one index at once: every answer is that of one state, and nothing is lost.

Each writer ingests a product of its own again and again, every document in a new state each time. All documents of a
state carry its number, so an answer whose quotes carry two numbers, or whose quotes aren't the words of their state,
mixes states.
"""

import multiprocessing
import random
import re
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import pytest
from ui_small_index import Silence

from corpus.cache_folder import cache_folder
from corpus.embedding import open_embedder
from corpus.errors import IndexBusy
from corpus.index.reader import IndexReader
from corpus.index.repair import verify_index
from ingest.pipeline import build_index
from retrieval.assistant import Assistant

PRODUCTS = ("sprocket", "widget")
_PARTS = 5
_STATE = re.compile(r"state (\d+) of")
_PAUSE_S = 0.02
Quoted = tuple[str, int, str]
"""A piece of a document, as an answer gives it: its source, where it begins, its words."""


def state_text(product: str, part: int, state: int) -> str:
    """A document of a product in a state; texts of other states have other lengths, so that offsets move."""
    filler = " and more" * (state % 7)
    return (
        f"# {product.title()} 4.{part}\n\n- `{product}.align_{part}` takes {state} turns{filler}; "
        f"state {state} of {product}.\n- `{product}.spin_{part}` is removed; state {state} of {product}.\n"
    )


def write_state(folder: Path, product: str, state: int) -> Path:
    """Write all documents of a product in a state; the folder to ingest."""
    root = folder / product
    root.mkdir(parents=True, exist_ok=True)
    for part in range(_PARTS):
        (root / f"{part}.md").write_text(state_text(product, part, state), encoding="utf-8", newline="")
    return root


def fault_of(quoted: Sequence[Quoted], product: str) -> str | None:
    """What tells that these pieces of a product's documents aren't all of one state."""
    states = {int(state) for *_, words in quoted for state in _STATE.findall(words)}
    if len(states) > 1:
        return f"states {sorted(states)} of {product} in one answer"
    for source, start, words in quoted:
        for state in states:
            if state_text(product, int(Path(source).stem), state)[start : start + len(words)] != words:
                return f"{source}:{start} isn't the text of state {state}"
    return None


def write_on(index: Path, folder: Path, product: str, *, seconds: float, seed: int) -> int:
    """Ingest one state after another until the time is over, the last one surely; how many."""
    chance = random.Random(f"{seed} {product}")
    embedder = open_embedder(cache_dir=cache_folder())
    until = time.monotonic() + seconds
    state, is_last = 0, False
    while not is_last:
        state += 1
        is_last = time.monotonic() > until
        root = write_state(folder, product, state)
        while True:
            try:
                build_index([str(root)], index=index, embedder=embedder, progress=Silence())
                break
            except IndexBusy:
                time.sleep(chance.uniform(_PAUSE_S, 5 * _PAUSE_S))
    return state


def read_on(index: Path, *, threads: int, seconds: float, seed: int) -> tuple[int, list[str]]:
    """Ask from threads that share an assistant, a new one for each newer state; how many answers, and their faults."""
    embedder = open_embedder(cache_dir=cache_folder())
    until = time.monotonic() + seconds
    told: list[str | None] = []
    chance = random.Random(seed)
    with ThreadPoolExecutor(threads) as pool:
        while time.monotonic() < until:
            with Assistant.open(index, embedder=embedder) as assistant:
                asked = [(chance.choice(PRODUCTS), chance.randrange(_PARTS)) for _ in range(4 * threads)]
                told += pool.map(lambda one, lent=assistant: _ask(lent, *one), asked)
    return len(told), [fault for fault in told if fault]


def _ask(assistant: Assistant, product: str, part: int) -> str | None:
    answer = assistant.ask(f"How many turns does {product}.align_{part} take?", product=product)
    for one in answer.citations:
        if assistant.index.document_text(one.document_id)[one.start : one.end] != one.quote:
            return f"{one.source}:{one.start}-{one.end} isn't the slice of its own state"
    quoted = [(one.source, one.start, one.quote) for one in answer.citations]
    listed = [(one.source, one.start, one.text) for one in answer.passages]
    return fault_of([*quoted, *listed], product)


@pytest.mark.slow
def test_every_answer_is_of_one_state_while_two_writers_ingest(tmp_path: Path) -> None:
    index, notes = tmp_path / "index", tmp_path / "notes"
    roots = [str(write_state(notes, product, 0)) for product in PRODUCTS]
    build_index(roots, index=index, embedder=open_embedder(cache_dir=cache_folder()), progress=Silence())
    with ProcessPoolExecutor(3, mp_context=multiprocessing.get_context("spawn")) as pool:
        writing = [pool.submit(write_on, index, notes, product, seconds=2, seed=10) for product in PRODUCTS]
        answers, faults = pool.submit(read_on, index, threads=2, seconds=2, seed=10).result()
        states = sum(one.result() for one in writing)
    with IndexReader.open(index) as reader:
        texts = {Path(one.root, one.source): reader.document_text(one.id) for one in reader.documents}
    assert faults == []
    assert verify_index(index) == ()
    assert {path: texts.get(path.resolve()) for path in notes.glob("*/*.md")} == {
        path: path.read_bytes().decode() for path in notes.glob("*/*.md")
    }, "documents that aren't those of the last state of their product"
    assert states >= 2
    assert answers > 0
