"""The cross-encoder of `retrieval.judge.model` in torch, for training, and the export of its weights."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor, nn
from torch.optim import AdamW, Optimizer
from torch.optim.lr_scheduler import LRScheduler, OneCycleLR

import retrieval
from corpus.embedding.default_model import default_model_folder, load_tokenizer
from retrieval.judge.model import ASKED_TOKENS, CLS, ITEM_TOKENS, SEP, Task, pair_tokens
from retrieval.judge.pairs import Side, Sign

if TYPE_CHECKING:
    from tokenizers import Tokenizer

HELD = frozenset(
    "attrs cargo django fish guzzle mongoose redis setuptools sphinx sqlite-utils tox traefik uv vite".split()
)
"""Held-out projects, drawn by lot: no network learns from them; thresholds and combining weights are fitted on them."""
_LEVELS = 8
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


@dataclass(frozen=True, slots=True)
class TokenPair:
    """The token ids of both sides, the sign of each, and 1 for tokens of the item, else 0."""

    ids: list[int]
    signs: list[int]
    of_item: list[int]

    @classmethod
    def of(cls, sides: tuple[Side, Side]) -> "TokenPair":
        """Return the tokens of (question, item) as the model reads them."""
        (first, first_signs), (second, second_signs) = (
            pair_tokens(_tokenizer(), side, limit=limit)
            for side, limit in zip(sides, (ASKED_TOKENS, ITEM_TOKENS), strict=True)
        )
        ids, of_item = [CLS, *first, SEP, *second, SEP], [0] * (len(first) + 2) + [1] * (len(second) + 1)
        return cls(ids, [0, *first_signs, 0, *second_signs, 0], of_item)


@cache
def _tokenizer() -> "Tokenizer":
    return load_tokenizer(default_model_folder())


def weights_file(task: Task) -> Path:
    """Return the path of a task's learned weights in the package."""
    return Path(retrieval.__file__).parent / "judge" / f"{task}.npz"


class Network(nn.Module):  # type: ignore[misc]  # torch has no types here
    """A trainable version of `CrossEncoder`: the word vectors are frozen, the layers learn."""

    def __init__(self, outputs: int, *, begin: Path | None = None, keeps_head: bool = False) -> None:
        """Begin at the default model's weights plus the changes in the file `begin`, if given; the head begins at
        random, or with `keeps_head` at the first rows of that file's head."""
        from transformers import AutoModel

        super().__init__()
        self.model = AutoModel.from_pretrained(
            str(default_model_folder()),
            add_pooling_layer=False,
            hidden_dropout_prob=0.0,
            attention_probs_dropout_prob=0.0,
            attn_implementation="eager",  # On a CPU, torch's own takes half as long again for so few tokens.
        )
        words = self.model.embeddings
        types = words.token_type_embeddings.weight.detach()
        self.sign = nn.Embedding(len(Sign), types.shape[1])
        nn.init.zeros_(self.sign.weight)
        self.item = nn.Parameter(types[1] - types[0])
        self.head = nn.Linear(2 * types.shape[1], outputs)
        self.drop = nn.Dropout(0.1)
        for frozen in (words.word_embeddings, words.position_embeddings, words.token_type_embeddings):
            frozen.weight.requires_grad = False
        self._start = {name: weight.detach().clone() for name, weight in self.model.named_parameters()}
        if begin:
            self._change_by(begin, keeps_head=keeps_head)

    def _change_by(self, learned: Path, *, keeps_head: bool) -> None:
        """Add the changes in a file of `changes()` to the weights."""
        with np.load(learned) as arrays, torch.no_grad():
            changes = {name: torch.tensor(arrays[name].astype(np.float32)) for name in arrays.files}
            for name, weight in self.model.named_parameters():
                if name in changes:
                    weight += changes[name]
                elif (steps := changes.get(f"{name}.steps")) is not None:
                    weight += steps * changes[f"{name}.size"]
            self.sign.weight.copy_(changes["sign"])
            self.item.copy_(changes["item"])
            if keeps_head:
                self.head.weight.copy_(changes["head.weight"][: self.head.out_features])
                self.head.bias.copy_(changes["head.bias"][: self.head.out_features])

    def forward(self, examples: Sequence[TokenPair]) -> Tensor:
        """Return unnormalised scores, float32 of shape (examples, outputs)."""
        length, device = max(len(example.ids) for example in examples), self.item.device

        def padded(rows: Sequence[list[int]]) -> Tensor:
            return torch.tensor([row + [0] * (length - len(row)) for row in rows], device=device)

        is_token = padded([[1] * len(example.ids) for example in examples])
        of_item = padded([example.of_item for example in examples])
        rows = self.model.embeddings.word_embeddings(padded([example.ids for example in examples]))
        rows = rows + self.sign(padded([example.signs for example in examples])) + self.item * of_item[..., None]
        with torch.autocast(device.type, dtype=torch.bfloat16):
            states = self.model(inputs_embeds=rows, attention_mask=is_token).last_hidden_state.float()
        mean = (states * is_token[..., None]).sum(1) / is_token.sum(1, keepdim=True)
        scores: Tensor = self.head(self.drop(torch.cat([states[:, 0], mean], 1)))
        return scores

    def judge(self, examples: Sequence[TokenPair]) -> Tensor:
        """Return the scores of examples, in order, without gradients or dropout."""
        self.eval()
        with torch.no_grad():
            return torch.cat([self(examples[at : at + 64]).cpu() for at in range(0, len(examples), 64)])

    def changes(self) -> dict[str, np.ndarray]:
        """Return the weights that `CrossEncoder` loads: for each matrix its change in steps (8-bit integers; a step
        size for each row, `_LEVELS` steps to 3.5 standard deviations), for the rest the change as 16-bit floats."""
        added = {
            "sign": self.sign.weight,
            "item": self.item,
            "head.weight": self.head.weight,
            "head.bias": self.head.bias,
        }
        changes = {name: weight.detach().cpu().half().numpy() for name, weight in added.items()}
        for name, weight in self.model.named_parameters():
            change = weight.detach().cpu() - self._start[name]
            if weight.requires_grad and weight.ndim == 2:
                size = (3.5 * change.std(1, keepdim=True) / _LEVELS).half()
                steps = torch.round(change / size.clamp(min=1e-7).float()).clamp(-127, 127)
                changes |= {f"{name}.steps": steps.to(torch.int8).numpy(), f"{name}.size": size.numpy()}
            elif weight.requires_grad:
                changes[name] = change.half().numpy()
        return changes

    def optimizer(self, *, rate: float, steps: int) -> tuple[Optimizer, LRScheduler]:
        """Return AdamW with a one-cycle schedule of `steps`; parameters added to the model learn ten times as fast."""
        layers = [parameter for parameter in self.model.parameters() if parameter.requires_grad]
        added = [self.item, *self.sign.parameters(), *self.head.parameters()]
        optimizer = AdamW([{"params": layers, "lr": rate}, {"params": added, "lr": 10 * rate}])
        most = [rate, 10 * rate]
        return optimizer, OneCycleLR(optimizer, most, total_steps=steps, pct_start=0.1)


def average(networks: Sequence[Network]) -> Network:
    """Return the first network, set to the mean of all weights, which began at the same ones (Wortsman et al. 2022)."""
    with torch.no_grad():
        for copies in zip(*(network.parameters() for network in networks), strict=True):
            copies[0].copy_(torch.stack(copies).mean(0))
    return networks[0]
