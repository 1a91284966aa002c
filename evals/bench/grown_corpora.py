"""A large index of realistic release notes: ../shared/corpora, and altered copies of it as further products.

A copy turns the vowels of about a third of the longer words, each time others, so that its vocabulary, its postings
and its products' names are its own while every offset stays. Versions and the words that tell structure stay as they
are: releases must be found. The vector of an altered sentence is the original's with seeded noise (a cosine of about
0.95 to it), because embedding every copy would take an hour: what this tells about time is real, and nothing else is.
"""

import re
import shutil
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from corpus.embedding import CachedEmbedder, Embedder, VectorCache
from evals.suite_index import cache_folder
from ingest.pipeline import IngestProgress, build_index
from ingest.sources_toml import SOURCES_FILE

PASSAGES_A_COPY = 8_800
"""About as many as ../shared/corpora has."""

_NOISE = 0.33
_VOWELS = "aeiou"
_WORD = re.compile(r"(?<![\w:/.`<@=\"'#&-])[A-Za-z]{6,}(?![\w`(:=/-])")


def open_grown_index(corpora: Path, embedder: Embedder, *, passages: int, progress: IngestProgress) -> Path:
    """The index of at least about `passages` passages, built in the cache folder where it isn't there yet.

    A second call with the same number only checks that nothing changed. Raises as `build_index` does.
    """
    copies = max(1, -(-passages // PASSAGES_A_COPY))
    folder = cache_folder() / "bench" / f"corpora-{copies}"
    original = CachedEmbedder(embedder, VectorCache(cache_folder()))
    index = folder / "index"
    build_index([str(corpora)], index=index, embedder=original, progress=progress)
    for number in range(1, copies):
        documents = folder / f"copy-{number}"
        if not documents.exists():
            write_copy(corpora, documents, number=number)
        build_index([str(documents)], index=index, embedder=AlteredEmbedder(original, number), progress=progress)
    return index


def write_copy(corpora: Path, documents: Path, *, number: int) -> None:
    """Write copy `number` of a folder of products, one folder a product, with a `sources.toml` that names them."""
    draft = documents.with_name(f"{documents.name}.partial")
    shutil.rmtree(draft, ignore_errors=True)
    tables = []
    for product in sorted(path for path in corpora.iterdir() if path.is_dir()):
        name = _turn(product.name, number)
        name = name if name != product.name else f"{name}{_VOWELS[number % 5]}{number}"
        for path in sorted(path for path in product.rglob("*") if path.is_file()):
            target = draft / name / path.relative_to(product)
            target.parent.mkdir(parents=True, exist_ok=True)
            with path.open(encoding="utf-8", errors="replace", newline="") as source:
                text = alter(source.read(), number)
            with target.open("w", encoding="utf-8", newline="") as copy:
                copy.write(text)
        tables.append(f'[[document]]\npath = "{name}/**"\nproduct = "{name}"\n')
    (draft / SOURCES_FILE).write_text("\n".join(tables), "utf-8")
    draft.rename(documents)


def alter(text: str, number: int) -> str:
    """`text` with the words turned that copy `number` turns; of the same length, and undone by `restore`."""
    return _WORD.sub(lambda found: _turned(found[0], number, by=number), text)


def restore(text: str, number: int) -> str:
    """The text that `alter` made `text` of."""
    return _WORD.sub(lambda found: _turned(found[0], number, by=-number), text)


class AlteredEmbedder:
    """Embeds texts of a copy as their originals with noise; the same for the same texts in the same order."""

    def __init__(self, original: Embedder, number: int) -> None:
        self.model_id = original.model_id
        self.digest = original.digest
        self.dimensions = original.dimensions
        self.max_tokens = original.max_tokens
        self._original = original
        self._number = number

    def embed(self, texts: Sequence[str], *, progress: Callable[[int], None] | None = None) -> NDArray[np.float32]:
        """See `Embedder.embed`."""
        vectors = self._original.embed([restore(text, self._number) for text in texts], progress=progress)
        if not len(vectors):
            return vectors
        chance = np.random.default_rng((self._number, len(texts)))
        noise = chance.standard_normal(vectors.shape, dtype=np.float32)
        noisy = vectors + noise * np.float32(_NOISE / np.sqrt(self.dimensions))
        normalised: NDArray[np.float32] = noisy / np.linalg.norm(noisy, axis=1, keepdims=True)
        return normalised


def _turned(word: str, number: int, *, by: int) -> str:
    # The choice looks at consonants only, so that it is the same for a word and its altered form.
    skeleton = "".join(letter for letter in word.casefold() if letter not in _VOWELS)
    return _turn(word, by) if zlib.crc32(skeleton.encode()) % 3 == number % 3 else word


def _turn(word: str, by: int) -> str:
    """Each vowel but a first letter replaced by the one `by` places on."""
    turned = [
        _VOWELS[(_VOWELS.index(letter) + by) % len(_VOWELS)] if position and letter in _VOWELS else letter
        for position, letter in enumerate(word)
    ]
    return "".join(turned)
