"""Fit the tagger of flat text: `python -m evals.training.units FOLDER... [--hold PROJECT...] [--epochs N]`.

Each folder holds projects, a folder each, of Markdown, reStructuredText, AsciiDoc or plain text. Their blocks are the
labels: each document is flattened three times, each time another way (links with or without their address; bullets
kept, glued or dropped; code spans kept or not; lower case). Projects held out are measured. PyTorch does the fitting;
the weights go to ingest/formats/flat_text.npz and are read by NumPy.
"""

import argparse
import random
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import nn

import ingest.formats
from corpus.errors import SourceError
from evals.command import run_command
from ingest.blocks import Block, BlockKind
from ingest.formats import flat_text, parse_blocks
from ingest.formats.flat_text import TABLES, TAGS, Tagger, read_tokens, values_of

_SIZES, _WIDTHS = (6000, 1500, 400, 13), (32, 16, 12, 6)
"""Rows of the tables (word, ending, shape, mark) and how wide each is."""
_WIDTH, _REACHES = 128, (1, 2, 4, 8, 1)
_WINDOW, _BATCH, _STYLES = 160, 64, 3
_MOST_BYTES, _MOST_UNIT, _MOST_TITLE, _LEAST_TOKENS = 400_000, 400, 20, 60
_MOST_TOKENS = 160_000
"""What a project gives at most, in each style."""
_LEAST_PROJECTS = 4
"""A word that fewer projects write is no word of the language."""
_INLINE = (
    (re.compile(r"!\[[^\]]*\]\([^)]*\)|<[^<>]{1,300}>|\{#[^}]*\}"), ""),
    (re.compile(r":[a-z:+-]+:`~?([^`<]*?)(?:\s*<[^`>]*>)?`"), r"`\1`"),
    (re.compile(r"\[([^\]\[]+)\]\[[^\]]*\]"), r"\1"),
    (re.compile(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1"), r"\2"),
    (re.compile(r"(?<![\w*])\*(?=\S)([^*]+?)(?<=\S)\*(?![\w*])"), r"\1"),
    (re.compile(r"``"), "`"),
)
_LINKS = re.compile(r"\[([^\]\[]*)\]\(([^()\s]+)(?:\s+\"[^\"]*\")?\)|`([^`<]+?)\s*<([^`>]+)>`_+")
_FENCE = re.compile(r"^\s*(?:```|~~~|\.\. code|::).*$", re.MULTILINE)
_BULLET = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)])\s+")


@dataclass(frozen=True, slots=True)
class Flattened:
    """A document in one style: its tokens and the place of each one's tag in `TAGS`."""

    project: str
    tokens: list[str]
    tags: list[int]


def flatten_folder(folder: Path) -> Iterator[list[Flattened]]:
    """Each document of a folder of projects in all its styles; what can't be parsed is left out."""
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        name = str(path.relative_to(folder))
        try:
            parsed = parse_blocks(path.name, path.read_bytes()[:_MOST_BYTES])
        except SourceError:
            continue
        if parsed.is_extracted or path.suffix in (".tsv", ".toml", ".json"):
            continue
        chosen = (random.Random(f"{name} {style}") for style in range(_STYLES))  # noqa: S311 - no secret
        styled = [_flatten(parsed.text, parsed.blocks, choose) for choose in chosen]
        if len(styled[0][0]) >= _LEAST_TOKENS:
            yield [Flattened(name.split("/")[0], *one) for one in styled]


def _flatten(text: str, blocks: Sequence[Block], choose: random.Random) -> tuple[list[str], list[int]]:
    has_links, has_ticks, is_lower = choose.random() < 0.4, choose.random() < 0.5, choose.random() < 0.08
    bullet, is_glued = choose.choice(("", "", "-", "-", "•")), choose.random() < 0.15
    tokens: list[str] = []
    tags: list[int] = []
    for block in blocks:
        kind = BlockKind.CODE if block.kind is BlockKind.TABLE else block.kind
        said = block.title or text[block.start : block.end]
        words = _plain(said, kind, has_links=has_links, has_ticks=has_ticks).split()
        if kind is BlockKind.MARKUP or not 0 < len(words) <= _MOST_UNIT:
            continue
        if kind is BlockKind.HEADING and len(words) > _MOST_TITLE:
            kind = BlockKind.PARAGRAPH
        if kind is BlockKind.LIST_ITEM and bullet:
            if is_glued and tokens and choose.random() < 0.5:
                tokens[-1] += bullet
            else:
                words = [bullet, *words]
        tokens += [word.lower() for word in words] if is_lower else words
        tags += [TAGS.index((kind.value, n == 0)) for n in range(len(words))]
    return tokens, tags


def _plain(said: str, kind: BlockKind, *, has_links: bool, has_ticks: bool) -> str:
    """The words of a block as a page shows them."""
    if kind is BlockKind.CODE:
        return _FENCE.sub("", said)
    said = _BULLET.sub("", said) if kind is BlockKind.LIST_ITEM else said
    for form, words in _INLINE[:1]:
        said = form.sub(words, said)
    said = _LINKS.sub(
        lambda link: f"{link[1] or link[3]} {link[2] or link[4]}" if has_links else link[1] or link[3] or "", said
    )
    for form, words in _INLINE[1:]:
        said = form.sub(words, said)
    return said if has_ticks else said.replace("`", "")


class Network(nn.Module):  # type: ignore[misc]
    """Embeddings, residual dilated convolutions and a linear chain over them."""

    def __init__(self) -> None:
        super().__init__()
        self.tables = nn.ModuleList(nn.Embedding(size + 2, width) for size, width in zip(_SIZES, _WIDTHS, strict=True))
        self.inner = nn.Linear(sum(_WIDTHS) + 9, _WIDTH)
        self.layers = nn.ModuleList(nn.Conv1d(_WIDTH, _WIDTH, 3, padding=reach, dilation=reach) for reach in _REACHES)
        self.outer = nn.Linear(_WIDTH, len(TAGS))
        self.steps = nn.Parameter(torch.zeros(len(TAGS), len(TAGS)))
        self.dropout = nn.Dropout(0.2)

    def forward(self, ids: torch.Tensor, figures: torch.Tensor) -> torch.Tensor:
        """The score of each tag, shape (texts, tokens, tags)."""
        looked_up = [table(ids[..., column]) for column, table in enumerate(self.tables)]
        state = torch.relu(self.inner(self.dropout(torch.cat([*looked_up, figures], -1)))).transpose(1, 2)
        for layer in self.layers:
            state = state + torch.relu(layer(self.dropout(state)))
        scores: torch.Tensor = self.outer(state.transpose(1, 2))
        return scores

    def loss(self, scores: torch.Tensor, tags: torch.Tensor, is_there: torch.Tensor) -> torch.Tensor:
        """Minus the log likelihood of the tags, a token (a conditional random field's)."""
        steps = self.steps + torch.from_numpy(flat_text.allowed_steps())
        total = scores[:, 0]
        told = total.gather(1, tags[:, :1]).squeeze(1)
        for place in range(1, scores.shape[1]):
            reached = torch.logsumexp(total.unsqueeze(2) + steps, 1) + scores[:, place]
            total = torch.where(is_there[:, place, None], reached, total)
            step = steps[tags[:, place - 1], tags[:, place]]
            gained = scores[:, place].gather(1, tags[:, place, None]).squeeze(1) + step
            told = told + torch.where(is_there[:, place], gained, torch.zeros_like(gained))
        return (torch.logsumexp(total, 1) - told).sum() / is_there.sum()

    def arrays(self) -> dict[str, np.ndarray]:
        """The weights as `Tagger` reads them."""
        with torch.no_grad():
            named = {table: layer.weight for table, layer in zip(TABLES, self.tables, strict=True)}
            named |= {"inner": self.inner.weight.T, "inner_bias": self.inner.bias}
            named |= {"outer": self.outer.weight.T, "outer_bias": self.outer.bias, "steps": self.steps}
            kernels = [layer.weight.permute(2, 1, 0).reshape(3 * _WIDTH, _WIDTH) for layer in self.layers]
            named |= {"layers": torch.stack(kernels), "layer_biases": torch.stack([one.bias for one in self.layers])}
            arrays = {name: one.detach().numpy().astype(np.float16) for name, one in named.items()}
        return arrays | {"reaches": np.array(_REACHES, dtype=np.float16)}


def learn_rows(documents: Sequence[Flattened]) -> dict[str, dict[str, int]]:
    """The values that each table knows: the commonest, words only where several projects write them."""
    counts: tuple[Counter[str], ...] = (Counter(), Counter(), Counter())
    writers: dict[str, set[str]] = defaultdict(set)
    for document in documents:
        for token in document.tokens:
            values = values_of(token)
            writers[values[0]].add(document.project)
            for count, value in zip(counts, values, strict=True):
                count[value] += bool(value)
    known = [[value for value, _ in count.most_common()] for count in counts]
    known[0] = [word for word in known[0] if len(writers[word]) >= _LEAST_PROJECTS]
    return {
        table: {value: row for row, value in enumerate(some[:size], 2)}
        for table, some, size in zip(TABLES, known, _SIZES, strict=False)
    }


def fit(documents: Sequence[Flattened], rows: dict[str, dict[str, int]], *, epochs: int) -> Network:
    """Fit the network to windows of the documents."""
    windows = []
    given: Counter[str] = Counter()
    for document in documents:
        if given[document.project] > _STYLES * _MOST_TOKENS:
            continue
        given[document.project] += len(document.tokens)
        ids, figures = read_tokens(document.tokens, rows)
        for start in range(-random.randrange(_WINDOW), len(ids), _WINDOW):  # noqa: S311 - no secret
            some = slice(max(start, 0), start + _WINDOW)
            if len(ids[some]) >= _WINDOW // 8:
                windows.append((ids[some], figures[some], np.array(document.tags[some])))
    network = Network()
    optimizer = torch.optim.AdamW(network.parameters(), 2e-3, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, 4e-3, total_steps=epochs * (len(windows) // _BATCH + 1) + 1
    )
    for epoch in range(epochs):
        random.shuffle(windows)
        lost = 0.0
        for first in range(0, len(windows), _BATCH):
            ids, figures, tags = (
                nn.utils.rnn.pad_sequence(
                    [torch.from_numpy(one[part]) for one in windows[first : first + _BATCH]], True
                )
                for part in range(3)
            )
            lengths = torch.tensor([len(one[2]) for one in windows[first : first + _BATCH]])
            is_there = torch.arange(ids.shape[1]) < lengths[:, None]
            # Words are unknown at times, as those of a new project are.
            ids[..., 0] = torch.where(torch.rand(ids.shape[:2]) < 0.1, 1, ids[..., 0])
            loss = network.loss(network(ids, figures), tags, is_there)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            lost += loss.item() * len(lengths) / len(windows)
        sys.stderr.write(f"epoch {epoch + 1} of {epochs}: loss {lost:.4f}\n")
    network.eval()
    return network


def measure(tagger: Tagger, documents: Sequence[Flattened]) -> Iterator[str]:
    """For each kind of unit and all of them: precision and recall of begins, how many are whole, and n."""
    right, found, there, whole = (Counter[str]() for _ in range(4))
    for document in documents:
        read = _units(tagger.tag(*read_tokens(document.tokens, tagger.rows)))
        told = _units(document.tags)
        for kind in ("heading", "paragraph", "list_item", "code", "all"):
            mine, theirs = (
                {begin: end for begin, (name, end) in some.items() if kind in (name, "all")} for some in (read, told)
            )
            right[kind] += len(mine.keys() & theirs.keys())
            whole[kind] += len(mine.items() & theirs.items())
            found[kind] += len(mine)
            there[kind] += len(theirs)
    for kind, n in there.items():
        figures = (right[kind] / max(found[kind], 1), right[kind] / max(n, 1), whole[kind] / max(n, 1))
        yield f"{kind:10} precision {figures[0]:.2f} recall {figures[1]:.2f} whole {figures[2]:.2f} n {n}"


def _units(tags: Sequence[int]) -> dict[int, tuple[str, int]]:
    """By its first token, the kind and the end of each unit."""
    begins = [place for place, tag in enumerate(tags) if TAGS[tag][1]]
    return {first: (TAGS[tags[first]][0], end) for first, end in zip(begins, [*begins[1:], len(tags)], strict=True)}


def main() -> int:
    """Fit, measure where projects are held out, and write the weights where none is."""
    parser = argparse.ArgumentParser(description="Fit the tagger of flat text.")
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--hold", nargs="*", default=[], metavar="PROJECT")
    parser.add_argument("--epochs", type=int, default=8)
    options = parser.parse_args()
    random.seed(1)
    torch.manual_seed(1)
    documents = [styled for folder in options.folders for styled in flatten_folder(folder)]
    learned = [one for styled in documents for one in styled if one.project not in options.hold]
    random.shuffle(learned)
    rows = learn_rows(learned)
    arrays = fit(learned, rows, epochs=options.epochs).arrays()
    if options.hold:
        tagger = Tagger(rows, {name: one.astype(np.float32) for name, one in arrays.items()})
        held = [styled[0] for styled in documents if styled[0].project in options.hold]
        told = (f"{len(learned)} flattened documents, {len(held)} held out", *measure(tagger, held))
        sys.stdout.write("\n".join(told) + "\n")
        return 0
    values = {f"{table}_values": np.array("\n".join(known)) for table, known in rows.items()}
    np.savez_compressed(Path(ingest.formats.__file__).parent / "flat_text.npz", allow_pickle=False, **arrays, **values)
    return 0


if __name__ == "__main__":
    run_command(main)
