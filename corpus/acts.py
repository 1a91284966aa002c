"""What an item of release notes says happened and how much it matters to readers of a release, learned from labelled
items (`python -m evals.training.readers`)."""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from corpus.change_kinds import category_of_tag, is_highlight, read_tag
from corpus.effects import is_addition, is_mere_fix, named_change, stated_change
from corpus.model import Act, Change, Kind
from corpus.text_classifier import TextClassifier, packaged_classifier

_WORD = re.compile(
    r"(?P<code>`[^`\n]{1,200}`|[A-Za-z_]\w*(?:(?:[.:/_]+|[a-z](?=[A-Z]))\w+)+|\w+_\w*)|(?P<version>v?\d+(?:\.\d+)+\w*)"
    r"|(?P<number>\d+)|(?P<word>[A-Za-z]+(?:['\u2019][a-z]+)?)|(?P<mark>[:!?#@])"
)
_READ_WORDS = 40
_READ_HEADING_WORDS = 12
_READ_HEADINGS = 3
_LENGTH_STEP = 6
_STEM_WORDS, _STEM_LETTERS = 12, 5
_READ_PLACES, _READ_CERTAINTY = 5, 4
_IDEOGRAPHS = re.compile(r"(?=([\u3040-\u30ff\u3400-\u9fff]{2}))")


@lru_cache(maxsize=1024)  # All items of a section have its headings.
def mask_words(text: str, *, limit: int) -> tuple[str, ...]:
    """Return the first words of a text in lower case, with `CODE`, `VERSION` and `NUMBER` for what only names."""
    masked = []
    for found in _WORD.finditer(text):
        kind = found.lastgroup or ""
        masked.append(found[0].lower().replace("\u2019", "'") if kind in ("word", "mark") else kind.upper())
        if len(masked) == limit:
            break
    return tuple(masked)


def act_terms(text: str, heading: Sequence[str]) -> set[str]:
    """Return what the reader of acts looks at in an item: its first words by one and by two, how they begin, the signs
    that it begins and ends with, the words of the headings above it, and about how long it is.

    However a word is inflected it begins alike, and an entry of a list begins with another sign than prose does. A tag
    before it is read as the heading and the first word that it stands for.
    """
    tag, rest = read_tag(text)
    if tag:
        category = category_of_tag(tag)
        text, heading = f"{category} {rest}", (*heading, category)
    words = mask_words(text, limit=_READ_WORDS)
    pairs = [f"{one} {other}" for one, other in pairwise(words)]
    terms = {*words, *pairs, f"length:{min(_READ_WORDS, len(words)) // _LENGTH_STEP}"}
    terms |= {
        f"stem:{word[:_STEM_LETTERS]}" for word in words[:_STEM_WORDS] if word.islower() and len(word) >= _STEM_LETTERS
    }
    bare = text.strip()
    terms |= {f"{place}:{sign}" for place, sign in (("first", bare[:1]), ("last", bare[-1:])) if not sign.isalnum()}
    terms.update(f"^{start[0]}" for start in (words, pairs) if start)
    for place, title in enumerate(reversed(heading[-_READ_HEADINGS:])):
        terms.update(
            f"{'heading' if place == 0 else 'above'}:{w}" for w in mask_words(title, limit=_READ_HEADING_WORDS)
        )
    return terms


def read_acts(
    texts: Sequence[str], heading: Sequence[str], vectors: NDArray[np.float32] | None, *, digest: str
) -> list[tuple[Act, float]]:
    """Return what each item of a passage says happened, the likeliest act with its probability (0 to 1), in order.

    `heading` is the passage's heading path; `vectors`, shape (items, dimensions), are of the embedding model with
    `digest`. Without vectors, or with those of another model than acts were learned with, the words alone are read.
    """
    return read_act_terms([act_terms(text, heading) for text in texts], vectors, digest=digest)


def read_act_terms(
    terms: Sequence[set[str]], vectors: NDArray[np.float32] | None, *, digest: str, reader: TextClassifier | None = None
) -> list[tuple[Act, float]]:
    """What `read_acts` returns, of items whose terms are made already; `reader`: another than the packaged one."""
    if not terms:
        return []
    reader = reader or packaged_classifier("corpus", "acts")
    chances = reader.probabilities(terms, vectors, digest=digest)
    best = chances.argmax(axis=1)
    return [(Act(reader.labels[label]), round(float(row[label]), 2)) for row, label in zip(chances, best, strict=True)]


def importance_terms(
    terms: set[str], heading: Sequence[str], kind: Kind, number: int, act: Act, certainty: float
) -> set[str]:
    """What the readers look at: the terms of the reader of acts, with the item's act and its place in its passage."""
    return terms | {
        f"act={act.value}",
        f"act={act.value} kind={kind.value}",
        f"kind={kind.value}",
        f"number={min(number, _READ_PLACES)}",
        f"highlight={any(map(is_highlight, heading))}",
        f"certainty={int(certainty * _READ_CERTAINTY)} {act is Act.OTHER}",
    }


def read_importance(
    terms: Sequence[set[str]], vectors: NDArray[np.float32] | None, *, digest: str
) -> list[tuple[float, float]]:
    """Return the probabilities, 0 to 1, that each item is among the first to be told of what is new, and of what breaks
    or must be minded, in order; `terms` are those of `importance_terms`, `vectors` as for `read_acts`."""
    if not terms:
        return []
    chances = []
    for name in ("headlines", "breaking"):
        reader = packaged_classifier("corpus", name)
        chances.append(reader.probabilities(terms, vectors, digest=digest)[:, reader.labels.index("y")].tolist())
    return [(round(news, 3), round(breaks, 3)) for news, breaks in zip(*chances, strict=True)]


def change_terms(words: str) -> set[str]:
    """What the reader of changes looks at in an entry's first words: the terms of the reader of acts without headings,
    which promise and don't tell, and what the patterns find there. Chinese and Japanese are read by two signs."""
    found = stated_change(words), named_change(words), is_mere_fix(words) is None, is_addition(words) is None
    return {*act_terms(words, ()), *_IDEOGRAPHS.findall(words), *(f"found {i}={one}" for i, one in enumerate(found))}


def read_changes(
    words: Sequence[str], vectors: NDArray[np.float32] | None, *, digest: str
) -> list[tuple[Change, float]]:
    """Return what each entry most likely does to who upgrades, and the probability, 0 to 1, that it does any such
    thing; `vectors` are of the entries' first sentences, as for `read_acts`."""
    reader = packaged_classifier("corpus", "changes")
    chances = reader.probabilities([change_terms(one) for one in words], vectors, digest=digest)
    nothing = reader.labels.index("none")
    likely = np.delete(chances, nothing, axis=1).argmax(axis=1)
    changes = [Change(label) for label in reader.labels if label != "none"]
    return [(changes[one], 1 - float(none)) for one, none in zip(likely, chances[:, nothing], strict=True)]
