"""Learn to judge claims: `python -m evals.training.entailment [--panel DOCUMENTS]... [--epochs N]`."""

import argparse
import random
import sys
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from sklearn.metrics import classification_report
from torch import nn
from torch.nn import functional

from corpus.model import Span
from corpus.plain_words import one_line
from corpus.versions import Version
from evals.command import run_command
from evals.labelled_places import Place
from evals.training.cross_encoder import HELD, Network, TokenPair, weights_file
from evals.training.examples import homes_of, is_there, open_labelled, panel_option, read_lines
from retrieval.assistant import Assistant
from retrieval.claims.evidence import nearest_items, search_part
from retrieval.claims.model import Verdict
from retrieval.judge.claims import Slot
from retrieval.judge.pairs import JudgedItem, Side, named_releases, read_item, read_pair

_VERDICTS = (Verdict.SUPPORTED, Verdict.CONTRADICTED, Verdict.NOT_FOUND)
_RATE, _BATCH, _SLOT_WEIGHT, _SMOOTHING = 1e-4, 32, 0.3, 0.05
_SILENT_WEIGHT = 0.5
_SEARCHED, _NEAR, _SAME_WORDS = 24, 6, 0.6
_MADE_TESTED, _MADE_HELD = 8, min(HELD)  # Of made products one in eight is tested.


@dataclass(frozen=True, slots=True)
class LabelledPair:
    """A (claim, item) or (question, item) pair with its label."""

    pair: TokenPair
    verdict: int
    """Position in `_VERDICTS`, or in the answers of `yes_no`."""
    slot: int
    """Position in `Slot` of the part that the item refutes; -1 if it refutes none."""
    weight: float
    project: str


def main() -> int:
    """Fit the network, write its weights and measure it.

    Raises:
        RelnotesError: documents are absent, or have changed since they were labelled.
    """
    parser = argparse.ArgumentParser(description="Learn to judge claims; half an hour on two cores.")
    panel_option(parser, learned="also from labelled claims about")
    parser.add_argument("--epochs", type=int, default=4, help="how often all examples are seen (default: 4)")
    options = parser.parse_args()
    with open_labelled(options.panel) as assistants:
        examples = (*claim_examples(assistants), *made_claims())
    torch.manual_seed(0)
    random.seed(0)
    network = Network(len(_VERDICTS) + len(Slot))
    fit(network, [example for example in examples if example.project not in HELD], epochs=options.epochs)
    np.savez_compressed(weights_file("claims"), allow_pickle=False, **network.changes())
    tested = [example for example in examples if example.project in HELD and example.weight == 1.0]
    predicted = network.judge([example.pair for example in tested])[:, : len(_VERDICTS)].argmax(1).tolist()
    expected = [example.verdict for example in tested]
    sys.stdout.write(
        f"{len(tested)} claims about projects not learned from:\n\n"
        + classification_report(
            expected, predicted, labels=range(len(_VERDICTS)), target_names=_VERDICTS, digits=3, zero_division=0
        )
    )
    return 0


def made_claims() -> Iterator[LabelledPair]:
    """Yield made claims about made entries, which credit a change to another thing, read a plan as done or turn it
    round, and plain ones beside them."""
    for made, (claim, verdict, slot) in made_lines("claims"):
        yield LabelledPair(
            TokenPair.of(made_pair(claim, made)),
            _VERDICTS.index(Verdict(verdict)),
            tuple(Slot).index(Slot(slot)) if slot else -1,
            1.0,
            _MADE_HELD if zlib.crc32(made["product"].encode()) % _MADE_TESTED == 0 else "",
        )


def made_lines(name: str) -> Iterator[tuple[dict[str, Any], list[str]]]:
    """Yield each made entry with each of its `claims` or `questions` (words, label, slot)."""
    for line in read_lines("claims_made.jsonl"):
        for words in line[name]:
            yield line, words


def made_pair(words: str, made: Mapping[str, Any]) -> tuple[Side, Side]:
    """Return a made claim or question and its made entry as the judge reads them."""
    item = JudgedItem(one_line(made["text"]), made["product"], "", made["heading"], Version.parse(made["release"]))
    return read_pair(one_line(words).rstrip("? "), (Version.parse(made["release"]),), item)


def claim_examples(assistants: Sequence[Assistant], *, limit: int | None = None) -> Iterator[LabelledPair]:
    """Yield each claim (at most `limit`, drawn by lot) with its own item, if found, and with a near one of other
    words."""
    homes = homes_of(assistants)
    rng = random.Random(0)  # noqa: S311 - no secret
    lines = read_lines("claims.jsonl")
    lines = rng.sample(lines, min(limit, len(lines))) if limit else lines

    def example(pair: tuple[Side, Side], verdict: str, slot: str | None, path: str, weight: float) -> LabelledPair:
        return LabelledPair(
            pair=TokenPair.of(pair),
            verdict=_VERDICTS.index(Verdict(verdict)),
            slot=tuple(Slot).index(Slot(slot)) if slot else -1,
            weight=weight,
            project=path.partition("/")[0],
        )

    for line in lines:
        if not is_there(Place(line["path"], line["start"], line["end"], line["sha"]), homes):
            continue
        home, _ = homes[line["path"]]
        findings = search_part(line["claim"], home, product=None, version=None)
        releases = named_releases(findings.query)
        place = Span(line["start"], line["end"])
        items = nearest_items(findings, limit=_SEARCHED)
        labelled = [s for s in items if s.hit.passage.document.source == line["path"] and s.item.span.meets(place)]
        for item in labelled[:1]:
            pair = read_pair(one_line(line["claim"]), releases, read_item(item, home.index))
            yield example(pair, line["verdict"], line.get("slot"), line["path"], 1.0)
        others = [item for item in items if not any(_is_same(item.tokens, source.tokens) for source in labelled)]
        for item in rng.sample(others[:_NEAR], min(1, len(others))):
            pair = read_pair(one_line(line["claim"]), releases, read_item(item, home.index))
            yield example(pair, Verdict.NOT_FOUND, None, line["path"], _SILENT_WEIGHT)


def _is_same(first: frozenset[str], second: frozenset[str]) -> bool:
    return len(first & second) >= _SAME_WORDS * len(first | second)


def fit(network: Network, examples: Sequence[LabelledPair], *, epochs: int, rate: float = _RATE) -> None:
    """Fit verdicts, and slots if the network has outputs for them."""
    network.train()
    steps = epochs * (len(examples) // _BATCH + 21)
    optimizer, schedule = network.optimizer(rate=rate, steps=steps)
    for epoch in range(epochs):
        for batch in _batches(examples):
            scores = network([example.pair for example in batch])
            weights = torch.tensor([example.weight for example in batch])
            verdicts = functional.cross_entropy(
                scores[:, : len(_VERDICTS)],
                torch.tensor([example.verdict for example in batch]),
                reduction="none",
                label_smoothing=_SMOOTHING,
            )
            loss = (verdicts * weights).sum() / weights.sum()
            slots = torch.tensor([example.slot for example in batch])
            if scores.shape[1] > len(_VERDICTS) and (slots >= 0).any():
                loss = loss + _SLOT_WEIGHT * functional.cross_entropy(
                    scores[:, len(_VERDICTS) :], slots, ignore_index=-1
                )
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimizer.step()
            schedule.step()
        sys.stderr.write(f"epoch {epoch + 1} of {epochs}: loss {loss.item():.2f} at its end\n")


def _batches(examples: Sequence[LabelledPair]) -> Iterator[list[LabelledPair]]:
    """Yield all examples once, in random batches of similar length."""
    shuffled = random.sample(examples, len(examples))
    batches = []
    for at in range(0, len(shuffled), 20 * _BATCH):
        near = sorted(shuffled[at : at + 20 * _BATCH], key=lambda example: len(example.pair.ids))
        batches += [near[first : first + _BATCH] for first in range(0, len(near), _BATCH)]
    random.shuffle(batches)
    yield from batches


if __name__ == "__main__":
    run_command(main)
