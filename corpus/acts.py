"""Classifiers of items and entries: what happened, how much it matters to readers of a release, and what it does to
those who upgrade. Fitted on labelled items by `python -m evals.training.readers`."""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from corpus.change_kinds import category_of_tag, is_highlight, read_tag
from corpus.effects import is_addition, is_mere_fix, named_change, stated_change
from corpus.entry_words import TICKET_AHEAD
from corpus.item_sentences import speaks_of_security
from corpus.model import Act, Kind, Section
from corpus.sections import section_of_title, without_tag
from corpus.text_classifier import TextClassifier, packaged_classifier

_WORD = re.compile(
    r"(?P<code>`[^`\n]{1,200}`|[A-Za-z_]\w{0,99}(?:(?:[.:/_]+|[a-z](?=[A-Z]))\w+)+|\w{1,99}_\w*)|(?P<version>v?\d+(?:\.\d+)+\w*)"
    r"|(?P<number>\d+)|(?P<word>[A-Za-z]+(?:['\u2019][a-z]+)?)|(?P<mark>[:!?#@])"
)
_READ_WORDS = 40
_READ_HEADING_WORDS = 12
_READ_HEADINGS = 3
_LENGTH_STEP = 6
_STEM_WORDS, _STEM_LETTERS = 12, 5
_READ_PLACES, _READ_CERTAINTY = 5, 4
_IDEOGRAPHS = re.compile(r"(?=([\u3040-\u30ff\u3400-\u9fff]{2}))")


@lru_cache(maxsize=1024)  # All items of a section share its headings.
def mask_words(text: str, *, limit: int) -> tuple[str, ...]:
    """Return the first `limit` words and marks (`:!?#@`) in lower case; code, versions, numbers as `CODE`, ..."""
    masked = []
    for match in _WORD.finditer(text):
        group = match.lastgroup or ""
        masked.append(match[0].lower().replace("\u2019", "'") if group in ("word", "mark") else group.upper())
        if len(masked) == limit:
            break
    return tuple(masked)


def act_terms(text: str, heading: Sequence[str]) -> set[str]:
    """Return the features of the classifier of acts: an item's first words, their pairs and stems, its first and last
    character if no letter or digit, the words of the three headings above it (outermost first), and its rough length.

    Stems make inflected forms of a word alike; the first character separates a list's entry from prose. A tag before
    the item is replaced by its category ("Removed" for `DEL`), which is also added as the innermost heading.
    """
    text = TICKET_AHEAD.sub("", text)
    tag, rest = read_tag(text)
    if tag:
        category = category_of_tag(tag)
        text, heading = f"{category} {rest}", (*heading, category)
    words = mask_words(text, limit=_READ_WORDS)
    pairs = [f"{first} {second}" for first, second in pairwise(words)]
    terms = {*words, *pairs, f"length:{min(_READ_WORDS, len(words)) // _LENGTH_STEP}"}
    terms |= {
        f"stem:{word[:_STEM_LETTERS]}" for word in words[:_STEM_WORDS] if word.islower() and len(word) >= _STEM_LETTERS
    }
    stripped = text.strip()
    terms |= {f"{end}:{sign}" for end, sign in (("first", stripped[:1]), ("last", stripped[-1:])) if not sign.isalnum()}
    terms.update(f"^{sequence[0]}" for sequence in (words, pairs) if sequence)
    for place, title in enumerate(reversed(heading[-_READ_HEADINGS:])):
        terms.update(
            f"{'heading' if place == 0 else 'above'}:{w}" for w in mask_words(title, limit=_READ_HEADING_WORDS)
        )
    return terms


def read_acts(
    texts: Sequence[str], heading: Sequence[str], vectors: NDArray[np.float32] | None, *, digest: str
) -> list[tuple[Act, float]]:
    """Return the likeliest act of each item of a passage, with its probability (0 to 1), in order.

    `heading` is the passage's heading path; `vectors`, shape (items, dimensions), are of the embedding model with
    `digest`. Without vectors, or with those of another model than acts were learned with, the words alone are read.
    """
    return read_act_terms([act_terms(text, heading) for text in texts], vectors, digest=digest)


def read_act_terms(
    terms: Sequence[set[str]], vectors: NDArray[np.float32] | None, *, digest: str, reader: TextClassifier | None = None
) -> list[tuple[Act, float]]:
    """Return the same as `read_acts`, from the terms of items; by `reader` if given, else by the packaged model."""
    if not terms:
        return []
    reader = reader or packaged_classifier("corpus", "acts")
    rows = reader.probabilities(terms, vectors, digest=digest)
    best = rows.argmax(axis=1)
    return [(Act(reader.labels[label]), round(float(row[label]), 2)) for row, label in zip(rows, best, strict=True)]


def importance_terms(
    terms: set[str], heading: Sequence[str], kind: Kind, number: int, act: Act, certainty: float
) -> set[str]:
    """Return the features of the classifiers of importance: `terms` (`act_terms`), act, kind, place in the passage."""
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
    """Return two probabilities for each item, 0 to 1, in order: that it belongs among the first to report of what is
    new, and of what breaks; `terms` are those of `importance_terms`, `vectors` as for `read_acts`."""
    if not terms:
        return []
    probabilities = []
    for name in ("headlines", "breaking"):
        reader = packaged_classifier("corpus", name)
        probabilities.append(reader.probabilities(terms, vectors, digest=digest)[:, reader.labels.index("y")].tolist())
    return [(round(news, 3), round(breaks, 3)) for news, breaks in zip(*probabilities, strict=True)]


def label_terms(words: str, section: Section | None, heading: Sequence[str]) -> set[str]:
    """Return the features of an entry's label; a `section` of None is that of entries made for training."""
    words = without_tag(words)
    # A list inside one of what breaks is told by its own title alone.
    titles = [t for t in heading[-2:] if section is Section.BREAKS or section_of_title(t) is not Section.BREAKS]
    changes = stated_change(words), named_change(words)
    hits = *changes, is_mere_fix(words) is None, is_addition(words) is None, speaks_of_security(words)
    results = [f"found {i}={hit}" for i, hit in enumerate(hits)]
    below = (f"{section}: {hit}" for hit in results)
    return {*act_terms(words, titles), *_IDEOGRAPHS.findall(words), f"section={section}", *results, *below}


def read_labels(
    terms: Sequence[set[str]], vectors: NDArray[np.float32] | None, *, digest: str
) -> list[dict[str, float]]:
    """Return each entry's probabilities of `Change`'s values and "performance"; `vectors` are of first sentences."""
    reader = packaged_classifier("corpus", "labels")
    rows = reader.probabilities(terms, vectors, digest=digest).tolist()
    return [dict(zip(reader.labels, row, strict=True)) for row in rows]
