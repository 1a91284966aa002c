"""Cuts prose that lost its line breaks into the headings, list items, paragraphs and code that it once was.

A tagger finds the beginnings of units; it was trained on flattened documents (`evals/training/units.py` of b599438b). A
token's word, ending, shape and repetition are read by dilated convolutions (Strubell et al., "Fast and Accurate Entity
Recognition with Iterated Dilated Convolutions", 2017) and decoded as a sequence (Viterbi).
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import as_file, files

import numpy as np
from numpy.typing import NDArray

from ingest.blocks import HEADING, LIST_ITEM, PARAGRAPH, Block, BlockKind, Blocks

FLAT_CHARACTERS = 1200  # A line of this length may be a copied page; a paragraph hardly is so long.
_TAGS = tuple((kind, begins) for kind in ("heading", "paragraph", "list_item", "code") for begins in (True, False))
"""A token's tag: the kind of its unit, and whether it begins that unit."""
_TABLES = ("word", "ending", "shape", "mark")  # The embedding tables, one for each column of `_read_tokens`.
_FORBIDDEN = -1e4
_STEPS = np.array([[_FORBIDDEN * (not begins and kind != before) for kind, begins in _TAGS] for before, _ in _TAGS])
"""Added to the score of each step between tags, because a unit can't continue without a beginning."""
_TOKEN = re.compile(r"\S+")
_EDGES = re.compile(r"^\W+|\W+$")
_MARKS, _BULLETS, _QUOTES = ".,:;!?)”\"`'-•", "-•*", "`\"'(“"
_RUN = re.compile(r"(.)\1+")
_CLOSES = re.compile(r"[.,;:)\]]+$")
_GOES_ON = re.compile(r"(?:^[a-z_][\w.]*\.|[,(])$")
_CASED_SHARE = 0.03
_NEAR, _FAR, _MOST_TITLE_CHARACTERS, _MOST_TOKENS = 8, 20, 160, 20_000


def _tag(tokens: Sequence[str], continues: NDArray[np.bool_]) -> list[int]:
    """Return the likeliest tags, as positions in `_TAGS`; tokens that are True in `continues` begin no unit."""
    rows, arrays = _load_tagger()
    ids, figures = _read_tokens(tokens, rows)
    embedded = [arrays[table][ids[:, column]] for column, table in enumerate(_TABLES)]
    state = np.maximum(np.concatenate([*embedded, figures], axis=1) @ arrays["inner"] + arrays["inner_bias"], 0)
    for layer, reach in enumerate(arrays["reaches"].astype(int)):
        padded = np.pad(state, ((reach, reach), (0, 0)))
        seen = np.concatenate([padded[at * reach : at * reach + len(state)] for at in range(3)], axis=1)
        state = state + np.maximum(seen @ arrays["layers"][layer] + arrays["layer_biases"][layer], 0)
    scores = state @ arrays["outer"] + arrays["outer_bias"]
    scores[np.ix_(continues, np.array([begins for _, begins in _TAGS]))] += _FORBIDDEN
    steps = arrays["steps"] + _STEPS.astype(np.float32)
    best = scores[0] + np.array([0 if begins else _FORBIDDEN for _, begins in _TAGS])
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
def _load_tagger() -> tuple[Mapping[str, Mapping[str, int]], Mapping[str, NDArray[np.float32]]]:
    """Return the row of each known value by table (unknown values have row 1), and the trained weights."""
    with as_file(files("ingest.formats").joinpath("flat_text.npz")) as path, np.load(path, allow_pickle=False) as read:
        values = {table: str(read[f"{table}_values"]).split("\n") for table in _TABLES[:3]}
        rows = {table: {value: row for row, value in enumerate(of_table, 2)} for table, of_table in values.items()}
        return rows, {name: read[name].astype(np.float32) for name in read if not name.endswith("_values")}


def _read_tokens(
    tokens: Sequence[str], rows: Mapping[str, Mapping[str, int]]
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Return each token's rows in the tables, shape (tokens, 4), and its features, shape (tokens, 9)."""
    ids = np.zeros((len(tokens), len(_TABLES)), dtype=np.int64)
    figures = np.zeros((len(tokens), 9), dtype=np.float32)
    last_places: dict[str, int] = {}
    for place, token in enumerate(tokens):
        word = "<url>" if "://" in token or token.startswith("www.") else _EDGES.sub("", token.lower())
        shape = re.sub(r"\d", "9", re.sub(r"[a-z]", "x", re.sub(r"[A-Z]", "X", token)))
        values = (word, word[-3:], _RUN.sub(r"\1", shape)[:10])
        ids[place, :3] = [rows[table].get(value, 1) for table, value in zip(_TABLES, values, strict=False)]
        ids[place, 3] = 1 + _MARKS.find(token[-1])
        stem = word[:5]
        if len(stem) > 2:
            distance = place - last_places.get(stem, -_FAR - 1)
            if distance <= _FAR:
                nearness = 1.0 if distance <= _NEAR else 0.5
                figures[place, 0] = nearness
                figures[place - distance, 1] = max(figures[place - distance, 1], nearness)
            last_places[stem] = place
        figures[place, 2:5] = (min(len(token), 20) / 10, token[0].isupper(), len(token) > 1 and token.isupper())
        figures[place, 5:7] = (any(map(str.isdigit, token)), any(letter in "=(){}[];<>" for letter in token[1:]))
        figures[place, 7:] = (token[0] in _QUOTES, "_" in token or "." in token[1:-1])
    return ids, figures


def cut_flat(text: str, start: int, end: int) -> Blocks:
    """Return the units of `text[start:end]` as blocks, in order, disjoint, every word in one.

    A heading right above another has level 2, others have level 3.
    """
    matches = list(_TOKEN.finditer(text, start, end))
    starts = range(0, len(matches), _MOST_TOKENS)
    return [unit for first in starts for unit in _cut_tokens(text, matches[first : first + _MOST_TOKENS])]


def _cut_tokens(text: str, matches: Sequence[re.Match[str]]) -> Blocks:
    tokens = [match[0] for match in matches]
    # A lone full stop begins no unit, nor does a token behind a name's ("torch. compile"), a comma or an open bracket.
    is_cased = sum(token[0].isupper() for token in tokens) > _CASED_SHARE * len(tokens)
    continues = [
        bool(before) and bool(_CLOSES.match(token) or (is_cased and _GOES_ON.search(before) and token[0].islower()))
        for before, token in zip(["", *tokens], tokens, strict=False)
    ]
    tags = [_TAGS[tag] for tag in _tag(tokens, np.array(continues))]
    begins = [place for place, (_, begins) in enumerate(tags) if begins]
    units: list[Block] = []
    for first, following in reversed(list(zip(begins, [*begins[1:], len(tags)], strict=True))):
        kind, begin, finish = BlockKind(tags[first][0]), matches[first].start(), matches[following - 1].end()
        if units and units[-1].kind is LIST_ITEM and finish - begin > 1:
            # Leave out the next item's bullet, which is glued to this unit's last word.
            finish -= text[finish - 1] in _BULLETS
        is_title = kind is HEADING and finish - begin <= _MOST_TITLE_CHARACTERS
        kind = PARAGRAPH if kind is HEADING and not is_title else kind
        heads_heading = bool(units) and units[-1].kind is HEADING
        level = (2 if heads_heading else 3) if is_title else int(kind is LIST_ITEM)
        units.append(Block(kind, begin, finish, level, text[begin:finish] if is_title else ""))
    return units[::-1]
