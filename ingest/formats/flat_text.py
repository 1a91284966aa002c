"""Prose that lost its line breaks, cut into the headings, list items, paragraphs and code that it once was.

Text copied from a page stands on one line, headings glued to sentences. Where its units begin is told by a tagger that
was learned from documents whose structure is known, flattened (`evals/training/units.py` of b599438b): words, endings
and shapes of a token, what it repeats of its neighbours, read by dilated convolutions (after Strubell et al., "Fast and
Accurate Entity Recognition with Iterated Dilated Convolutions", 2017) and decoded as a whole (Viterbi).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import as_file, files

import numpy as np
from numpy.typing import NDArray

from ingest.blocks import Block, BlockKind

FLAT_CHARACTERS = 1200
"""A line as long as this may be a page that was copied; a paragraph hardly is."""
TAGS = tuple((kind, begins) for kind in ("heading", "paragraph", "list_item", "code") for begins in (True, False))
"""What a token is: whether it begins or goes on with a unit of a kind."""
TABLES = ("word", "ending", "shape", "mark")
"""The embedding tables, one for each column of `read_tokens`."""
_FORBIDDEN = -1e4
_TOKEN = re.compile(r"\S+")
_EDGES = re.compile(r"^\W+|\W+$")
_MARKS = ".,:;!?)”\"`'-•"
_BULLETS = "-•*"
_RUN = re.compile(r"(.)\1+")
_CLOSES = re.compile(r"[.,;:)\]]+$")
_GOES_ON = re.compile(r"(?:^[a-z_][\w.]*\.|[,(])$")
_CASED_SHARE = 0.03
_NEAR, _FAR = 8, 20
_MOST_TITLE_CHARACTERS = 160
_MOST_TOKENS = 20_000


@dataclass(frozen=True, slots=True, eq=False)
class Tagger:
    """The fitted network and the vocabulary of its tables."""

    rows: Mapping[str, Mapping[str, int]]
    """By table, the row of each known value; unknown ones have row 1."""
    arrays: Mapping[str, NDArray[np.float32]]

    def tag(
        self, ids: NDArray[np.int64], figures: NDArray[np.float32], goes_on: NDArray[np.bool_] | None = None
    ) -> list[int]:
        """Return the likeliest sequence of tags (places in `TAGS`) of tokens as `read_tokens` gives them; what
        `goes_on`, one a token, begins no unit."""
        arrays = self.arrays
        looked_up = [arrays[table][ids[:, column]] for column, table in enumerate(TABLES)]
        state = np.maximum(np.concatenate([*looked_up, figures], axis=1) @ arrays["inner"] + arrays["inner_bias"], 0)
        for layer, reach in enumerate(arrays["reaches"].astype(int)):
            padded = np.pad(state, ((reach, reach), (0, 0)))
            seen = np.concatenate([padded[at * reach : at * reach + len(state)] for at in range(3)], axis=1)
            state = state + np.maximum(seen @ arrays["layers"][layer] + arrays["layer_biases"][layer], 0)
        scores = state @ arrays["outer"] + arrays["outer_bias"]
        if goes_on is not None:
            scores[np.ix_(goes_on, np.array([begins for _, begins in TAGS]))] += _FORBIDDEN
        return _likeliest(scores, arrays["steps"] + allowed_steps())


def allowed_steps() -> NDArray[np.float32]:
    """Return what is added to a step from one tag to the next: a unit can't go on that hasn't begun."""
    return np.array(
        [[_FORBIDDEN * (not begins and kind != before) for kind, begins in TAGS] for before, _ in TAGS],
        dtype=np.float32,
    )


def _likeliest(scores: NDArray[np.float32], steps: NDArray[np.float32]) -> list[int]:
    best = scores[0] + np.array([0 if begins else _FORBIDDEN for _, begins in TAGS])
    came_from = np.zeros(scores.shape, dtype=np.int64)
    for place in range(1, len(scores)):
        reached = best[:, None] + steps
        came_from[place] = reached.argmax(axis=0)
        best = reached.max(axis=0) + scores[place]
    tags = [int(best.argmax())]
    for place in range(len(scores) - 1, 0, -1):
        tags.append(int(came_from[place, tags[-1]]))
    return tags[::-1]


@lru_cache(maxsize=1)
def load_tagger() -> Tagger:
    """Return the tagger that the package ships.

    Raises:
        OSError, ValueError, KeyError: it can't be read.
    """
    with as_file(files("ingest.formats").joinpath("flat_text.npz")) as path, np.load(path, allow_pickle=False) as read:
        rows = {
            table: {value: row for row, value in enumerate(str(read[f"{table}_values"]).split("\n"), 2)}
            for table in TABLES[:3]
        }
        return Tagger(rows, {name: read[name].astype(np.float32) for name in read if not name.endswith("_values")})


def values_of(token: str) -> tuple[str, str, str]:
    """A token's word, ending and shape, as the tables hold them."""
    word = "<url>" if "://" in token or token.startswith("www.") else _EDGES.sub("", token.lower())
    shape = re.sub(r"\d", "9", re.sub(r"[a-z]", "x", re.sub(r"[A-Z]", "X", token)))
    return word, word[-3:], _RUN.sub(r"\1", shape)[:10]


def read_tokens(
    tokens: Sequence[str], rows: Mapping[str, Mapping[str, int]]
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Return the rows of each token in the tables, shape (tokens, 4), and its figures, shape (tokens, 9)."""
    ids = np.zeros((len(tokens), len(TABLES)), dtype=np.int64)
    figures = np.zeros((len(tokens), 9), dtype=np.float32)
    last: dict[str, int] = {}
    for place, token in enumerate(tokens):
        values = values_of(token)
        ids[place, :3] = [rows[table].get(value, 1) for table, value in zip(TABLES, values, strict=False)]
        ids[place, 3] = 1 + _MARKS.find(token[-1])
        stem = values[0][:5]
        if len(stem) > 2:
            apart = place - last.get(stem, -_FAR - 1)
            if apart <= _FAR:
                nearness = 1.0 if apart <= _NEAR else 0.5
                figures[place, 0] = nearness
                figures[place - apart, 1] = max(figures[place - apart, 1], nearness)
            last[stem] = place
        figures[place, 2:] = (
            min(len(token), 20) / 10,
            token[0].isupper(),
            len(token) > 1 and token.isupper(),
            any(letter.isdigit() for letter in token),
            any(letter in "=(){}[];<>" for letter in token[1:]),
            token[0] in "`\"'(“",
            "_" in token or "." in token[1:-1],
        )
    return ids, figures


def cut_flat(text: str, start: int, end: int) -> Iterator[Block]:
    """Return the units of `text[start:end]` as blocks in order, disjoint, every word in one.

    A heading above another one has level 2, others level 3.
    """
    matches = list(_TOKEN.finditer(text, start, end))
    for first in range(0, len(matches), _MOST_TOKENS):
        yield from _cut_tokens(text, matches[first : first + _MOST_TOKENS])


def _cut_tokens(text: str, matches: Sequence[re.Match[str]]) -> Iterator[Block]:
    tagger = load_tagger()
    tokens = [match[0] for match in matches]
    # A lone full stop, and what follows a name's ("torch. compile"), a comma or an open bracket, begins nothing.
    is_cased = sum(token[0].isupper() for token in tokens) > _CASED_SHARE * len(tokens)
    pairs = zip(["", *tokens], tokens, strict=False)
    goes_on = np.array(
        [
            bool(_CLOSES.match(one) or (is_cased and _GOES_ON.search(before) and one[0].islower()))
            for before, one in pairs
        ]
    )
    goes_on[0] = False
    tags = tagger.tag(*read_tokens(tokens, tagger.rows), goes_on)
    begins = [place for place, tag in enumerate(tags) if TAGS[tag][1]]
    units: list[Block] = []
    for first, following in zip(begins, [*begins[1:], len(tags)], strict=True):
        kind = BlockKind(TAGS[tags[first]][0])
        begin, finish = matches[first].start(), matches[following - 1].end()
        if following < len(tags) and TAGS[tags[following]][0] == BlockKind.LIST_ITEM and finish - begin > 1:
            # A bullet that is glued to the word before it.
            finish -= text[finish - 1] in _BULLETS
        title = text[begin:finish] if kind is BlockKind.HEADING else ""
        if len(title) > _MOST_TITLE_CHARACTERS:
            kind, title = BlockKind.PARAGRAPH, ""
        units.append(Block(kind, begin, finish, int(kind is BlockKind.LIST_ITEM), title))
    for unit, after in zip(units, [*units[1:], None], strict=True):
        if unit.kind is BlockKind.HEADING:
            stands_above = after is not None and after.kind is BlockKind.HEADING
            unit = Block(unit.kind, unit.start, unit.end, 2 if stands_above else 3, unit.title)
        yield unit
