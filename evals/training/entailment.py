"""Learn to judge claims: `python -m evals.training.entailment [--panel DOCUMENTS]... [--epochs N]`."""

import argparse
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from sklearn.metrics import classification_report
from torch import Tensor, nn
from torch.nn import functional

from corpus.embedding.default_model import default_model_folder, load_tokenizer
from corpus.model import Span
from corpus.plain_words import one_line
from evals.command import run_command
from evals.labelled_places import words_sha
from evals.training.examples import open_labelled, panel_option, read_lines
from evals.training.literal_claims import literal_claims
from retrieval.assistant import Assistant
from retrieval.claims.entailment import CLAIM_TOKENS, CLS, ITEM_TOKENS, SEP, Slot, pair_tokens
from retrieval.claims.evidence import named_releases, nearest_items, search_part, told_of
from retrieval.claims.model import Verdict
from retrieval.claims.pairs import Side, Sign, ToldItem, read_pair

HELD = frozenset(
    "attrs cargo django fish guzzle mongoose redis setuptools sphinx sqlite-utils tox traefik uv vite".split()
)
"""Drawn by lot: nothing is learned from claims about these, the thresholds of `deciding` are chosen by them."""
_MODEL = Path(__file__).parents[2] / "retrieval" / "claims" / "entailment.npz"
_VERDICTS = (Verdict.SUPPORTED, Verdict.CONTRADICTED, Verdict.NOT_FOUND)
_RATE, _BATCH, _SLOT_WEIGHT, _SMOOTHING = 1e-4, 32, 0.3, 0.05
_SILENT_WEIGHT, _LITERAL_WEIGHT, _LITERAL = 0.5, 0.7, 4_000
_SEARCHED, _NEAR, _SAME_WORDS = 24, 6, 0.6
_LEVELS = 8


@dataclass(frozen=True, slots=True)
class LabelledPair:
    """A pair with its label; the tokens of both sides, their signs, and whether they are the item's."""

    ids: list[int]
    signs: list[int]
    of_item: list[int]
    verdict: int
    """Position in `_VERDICTS`."""
    slot: int
    """Position in `Slot`; -1 where nothing is refuted."""
    weight: float
    project: str


def main() -> int:
    """Learn, write and measure.

    Raises:
        RelnotesError: documents are absent, or aren't those that were labelled.
    """
    parser = argparse.ArgumentParser(description="Learn to judge claims; half an hour on two cores.")
    panel_option(parser, learned="also from labelled claims about")
    parser.add_argument("--epochs", type=int, default=4, help="how often all examples are seen (default: 4)")
    options = parser.parse_args()
    with open_labelled(options.panel) as assistants:
        examples = tuple(_examples(assistants))
    torch.manual_seed(0)
    random.seed(0)
    network = CrossEncoder()
    _fit(network, [example for example in examples if example.project not in HELD], epochs=options.epochs)
    np.savez_compressed(_MODEL, allow_pickle=False, **network.changes())
    held = [example for example in examples if example.project in HELD and example.weight == 1.0]
    given = network.judge(held)[:, : len(_VERDICTS)].argmax(1).tolist()
    expected = [example.verdict for example in held]
    sys.stdout.write(
        f"{len(held)} claims about projects not learned from:\n\n"
        + classification_report(
            expected, given, labels=range(len(_VERDICTS)), target_names=_VERDICTS, digits=3, zero_division=0
        )
    )
    return 0


def _examples(assistants: Sequence[Assistant]) -> Iterator[LabelledPair]:
    """Each claim beside the item that it was written from, and beside a near one of other words; claims whose documents
    aren't there or whose item isn't found are left out."""
    tokenizer = load_tokenizer(default_model_folder())
    homes = {
        document.source: (assistant, document.id) for assistant in assistants for document in assistant.index.documents
    }
    chosen = random.Random(0)  # noqa: S311 - no secret

    def example(pair: tuple[Side, Side], verdict: str, slot: str | None, path: str, weight: float) -> LabelledPair:
        (first, signs), (second, others) = (
            pair_tokens(tokenizer, side, limit=limit)
            for side, limit in zip(pair, (CLAIM_TOKENS, ITEM_TOKENS), strict=True)
        )
        return LabelledPair(
            ids=[CLS, *first, SEP, *second, SEP],
            signs=[0, *signs, 0, *others, 0],
            of_item=[0] * (len(first) + 2) + [1] * (len(second) + 1),
            verdict=_VERDICTS.index(Verdict(verdict)),
            slot=tuple(Slot).index(Slot(slot)) if slot else -1,
            weight=weight,
            project=path.partition("/")[0],
        )

    seen: dict[tuple[str, int], ToldItem] = {}
    for line in read_lines("claims.jsonl"):
        if line["path"] not in homes:
            continue
        home, document = homes[line["path"]]
        if words_sha(home.index.document_text(document)[line["start"] : line["end"]]) != line["sha"]:
            continue
        findings = search_part(line["claim"], home, product=None, version=None)
        releases = named_releases(findings.query)
        place = Span(line["start"], line["end"])
        items = nearest_items(findings, limit=_SEARCHED)
        seen |= {(one.hit.passage.document.source, one.item.span.start): told_of(one, home.index) for one in items[:10]}
        own = [one for one in items if one.hit.passage.document.source == line["path"] and one.item.span.meets(place)]
        for item in own[:1]:
            pair = read_pair(one_line(line["claim"]), releases, told_of(item, home.index))
            yield example(pair, line["verdict"], line.get("slot"), line["path"], 1.0)
        others = [one for one in items if not any(_is_same(one.tokens, own_item.tokens) for own_item in own)]
        for item in chosen.sample(others[:_NEAR], min(1, len(others))):
            pair = read_pair(one_line(line["claim"]), releases, told_of(item, home.index))
            yield example(pair, Verdict.NOT_FOUND, None, line["path"], _SILENT_WEIGHT)
    for claim in literal_claims(seen, limit=_LITERAL, chosen=chosen):
        yield example(*claim, _LITERAL_WEIGHT)


def _is_same(one: frozenset[str], other: frozenset[str]) -> bool:
    return len(one & other) >= _SAME_WORDS * len(one | other)


class CrossEncoder(nn.Module):  # type: ignore[misc]  # torch has no types here
    """What `retrieval.claims.entailment` computes, to be fitted: word vectors stay, the layers learn."""

    def __init__(self) -> None:
        """Begin at the default model's weights."""
        from transformers import AutoModel

        super().__init__()
        self.model = AutoModel.from_pretrained(
            str(default_model_folder()),
            add_pooling_layer=False,
            hidden_dropout_prob=0.0,
            attention_probs_dropout_prob=0.0,
        )
        words = self.model.embeddings
        types = words.token_type_embeddings.weight.detach()
        self.sign = nn.Embedding(len(Sign), types.shape[1])
        nn.init.zeros_(self.sign.weight)
        self.item = nn.Parameter(types[1] - types[0])
        self.head = nn.Linear(2 * types.shape[1], len(_VERDICTS) + len(Slot))
        self.drop = nn.Dropout(0.1)
        for frozen in (words.word_embeddings, words.position_embeddings, words.token_type_embeddings):
            frozen.weight.requires_grad = False
        self._start = {name: one.detach().clone() for name, one in self.model.named_parameters()}

    def forward(self, examples: Sequence[LabelledPair]) -> Tensor:
        """Unnormalised scores of verdicts and slots, float32 of shape (examples, 10)."""
        length = max(len(example.ids) for example in examples)

        def padded(rows: Sequence[list[int]]) -> Tensor:
            return torch.tensor([row + [0] * (length - len(row)) for row in rows])

        is_token = padded([[1] * len(example.ids) for example in examples])
        of_item = padded([example.of_item for example in examples])
        rows = self.model.embeddings.word_embeddings(padded([example.ids for example in examples]))
        rows = rows + self.sign(padded([example.signs for example in examples])) + self.item * of_item[..., None]
        with torch.autocast("cpu", dtype=torch.bfloat16):
            states = self.model(inputs_embeds=rows, attention_mask=is_token).last_hidden_state.float()
        mean = (states * is_token[..., None]).sum(1) / is_token.sum(1, keepdim=True)
        scores: Tensor = self.head(self.drop(torch.cat([states[:, 0], mean], 1)))
        return scores

    def judge(self, examples: Sequence[LabelledPair]) -> Tensor:
        """The scores of examples, in order."""
        self.eval()
        with torch.no_grad():
            return torch.cat([self(examples[at : at + 64]) for at in range(0, len(examples), 64)])

    def changes(self) -> dict[str, np.ndarray]:
        """What `EntailmentModel` takes: of each matrix the change in steps (8-bit integers, the size of one for
        each row, `_LEVELS` of them to 3.5 standard deviations), of all else the change as 16-bit floats."""
        own = {
            "sign": self.sign.weight,
            "item": self.item,
            "head.weight": self.head.weight,
            "head.bias": self.head.bias,
        }
        changes = {name: one.detach().half().numpy() for name, one in own.items()}
        for name, weight in self.model.named_parameters():
            change = weight.detach() - self._start[name]
            if weight.requires_grad and weight.ndim == 2:
                size = (3.5 * change.std(1, keepdim=True) / _LEVELS).half()
                steps = torch.round(change / size.clamp(min=1e-7).float()).clamp(-127, 127)
                changes |= {f"{name}.steps": steps.to(torch.int8).numpy(), f"{name}.size": size.numpy()}
            elif weight.requires_grad:
                changes[name] = change.half().numpy()
        return changes


def _fit(network: CrossEncoder, examples: Sequence[LabelledPair], *, epochs: int) -> None:
    network.train()
    layers = [parameter for parameter in network.model.parameters() if parameter.requires_grad]
    own = [network.item, *network.sign.parameters(), *network.head.parameters()]
    optimizer = torch.optim.AdamW([{"params": layers, "lr": _RATE}, {"params": own, "lr": 10 * _RATE}])
    steps = epochs * (len(examples) // _BATCH + 21)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, [_RATE, 10 * _RATE], total_steps=steps, pct_start=0.1)
    for epoch in range(epochs):
        for batch in _batches(examples):
            scores = network(batch)
            weights = torch.tensor([one.weight for one in batch])
            verdicts = functional.cross_entropy(
                scores[:, : len(_VERDICTS)],
                torch.tensor([one.verdict for one in batch]),
                reduction="none",
                label_smoothing=_SMOOTHING,
            )
            loss = (verdicts * weights).sum() / weights.sum()
            slots = torch.tensor([one.slot for one in batch])
            if (slots >= 0).any():
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
    """All examples once, in batches of like length, at random."""
    shuffled = random.sample(examples, len(examples))
    batches = []
    for at in range(0, len(shuffled), 20 * _BATCH):
        near = sorted(shuffled[at : at + 20 * _BATCH], key=lambda one: len(one.ids))
        batches += [near[first : first + _BATCH] for first in range(0, len(near), _BATCH)]
    random.shuffle(batches)
    yield from batches


if __name__ == "__main__":
    run_command(main)
