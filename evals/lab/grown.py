"""Large indexes of realistic release notes: documents parsed once, and altered copies of them as further products.

A copy has a product name and versions of its own, and rare words that no other copy has, so that the vocabulary grows
with the size; its vectors are the original's with noise (a cosine of about 0.95). So time, memory and what filters
select are those of many real products; whether an answer is right is not to be read off a copy.
"""

import json
import random
import re
import shutil
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import count
from pathlib import Path

import numpy as np

from corpus.cache_folder import cache_folder
from corpus.embedding import CachedEmbedder, Embedder, VectorCache, open_embedder
from corpus.errors import SourceError
from corpus.index.commit import EncodedDocument, commit_changes, fingerprint
from corpus.index.layout import FORMAT_VERSION, write_lock
from corpus.lexicon import split_tokens
from corpus.manifest import ModelStamp
from corpus.versions import Version
from evals.suites import CORPORA, require_suites
from ingest.encoding import ChangedSource, encode_documents
from ingest.pipeline import PIPELINE_VERSION
from ingest.progress import BarProgress
from ingest.releases.identity import Hints
from ingest.sources.files import list_sources, read_source

_COPIES_VERSION = "2"
"""Counts changes to what is grown: an index grown by another version is grown anew."""
_NOISE, _RARE, _OWN_SHARE = 0.33, 2, 4
"""One in so many tokens that few passages hold is a copy's own: 113 copies then have some 18 times the words of one,
near to what Heaps' law says (a power of 0.6)."""
_SYLLABLES = tuple(f"{consonant}{vowel}" for consonant in "bcdfghjklmnpqrstvwxz" for vowel in "aeiou")
_FIRST_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Grown:
    """A folder with a grown index and the same passages for scripts."""

    folder: Path

    @property
    def index(self) -> Path:
        """The index."""
        return self.folder / "index"

    @property
    def texts(self) -> Path:
        """A JSON string a line, one line a passage."""
        return self.folder / "texts.jsonl"

    @property
    def vectors(self) -> Path:
        """Plain float32 of shape (lines of `texts`, dimensions), rows of length 1."""
        return self.folder / "vectors.f32"


def grown_corpora(passages: int) -> Grown:
    """Return the index of so many passages over ../shared/corpora and copies of it, kept in the cache folder.

    A second call with the same documents and number finds what the first has grown.

    Raises:
        RelnotesError: ../shared is absent, or a document can't be parsed.
    """
    require_suites([CORPORA], purpose="The benchmark")
    grown = Grown(cache_folder() / "bench" / f"grown-{passages}")
    listed = list_sources(str(CORPORA.documents), flags=Hints()).sources
    contents = [(source, read_source(source)) for source in listed]
    sources = [ChangedSource(source, content, None, fingerprint(content)) for source, content in contents]
    sums = sorted(source.sha256 for source in sources)
    stamp = fingerprint(_COPIES_VERSION, PIPELINE_VERSION, str(FORMAT_VERSION), str(passages), *sums)
    try:
        if json.loads((grown.folder / "grown.json").read_text("utf-8"))["stamp"] == stamp:
            return grown
    except (OSError, ValueError, KeyError):
        pass
    with BarProgress() as progress:
        embedder = open_embedder(cache_dir=cache_folder())
        cached = CachedEmbedder(embedder, VectorCache(cache_folder()))
        encoded = encode_documents(sources, embedder=cached, progress=progress)
        for failure in encoded.failures.values():
            raise SourceError(f"{failure.source} {failure.error}")
        grow(tuple(encoded.documents), grown, embedder, passages=passages, stamp=stamp)
    return grown


def grow(originals: Sequence[EncodedDocument], grown: Grown, embedder: Embedder, *, passages: int, stamp: str) -> None:
    """Write an index of exactly so many passages, and what lies beside it, in place of what the folder held.

    Raises:
        IndexUnavailable: the disk doesn't take it.
    """
    shutil.rmtree(grown.folder, ignore_errors=True)
    grown.folder.mkdir(parents=True)
    model = ModelStamp(embedder.model_id, embedder.digest, embedder.dimensions)
    with write_lock(grown.index), grown.vectors.open("wb") as vectors, grown.texts.open("w", encoding="utf-8") as texts:

        def noted() -> Iterator[EncodedDocument]:
            for document in grown_documents(originals, passages):
                for passage, matrix in zip(document.parsed.passages, document.vectors, strict=True):
                    if len(matrix):
                        text = " ".join(passage.span.slice(document.parsed.document.text).split())
                        texts.write(json.dumps(text) + "\n")
                        mean = matrix.mean(axis=0)
                        vectors.write((mean / np.linalg.norm(mean)).astype(np.float32).tobytes())
                yield document

        commit_changes(grown.index, model=model, add=noted(), fresh=True)
    (grown.folder / "grown.json").write_text(json.dumps({"stamp": stamp}), "utf-8")


def grown_documents(originals: Sequence[EncodedDocument], passages: int) -> Iterator[EncodedDocument]:
    """Return the originals in a fixed mixed order, then copy after copy, until there are so many passages.

    The last document ends where they are reached. Needs an original with a passage.
    """
    mixed = sorted(originals, key=lambda one: one.parsed.document.source)
    random.Random(7).shuffle(mixed)  # noqa: S311 - an order, not a secret
    held = Counter(token for original in mixed for tokens in original.tokens for token in set(tokens))
    rare = frozenset(token for token, passages_with in held.items() if passages_with <= _RARE)
    for number in count():
        for original in mixed:
            if passages <= 0:
                return
            document = copied(original, number, rare) if number else original
            kept = min(passages, len(document.parsed.passages))
            passages -= kept
            parsed = replace(document.parsed, passages=document.parsed.passages[:kept])
            yield EncodedDocument(parsed, document.tokens[:kept], document.vectors[:kept])


def copied(original: EncodedDocument, number: int, rare: frozenset[str]) -> EncodedDocument:
    """Copy `number`, from 1, of a document; always the same one. Of its `rare` tokens some are its own."""
    document, shift = original.parsed.document, 1 + number % 9
    name = made_up_name(document.product, number)
    parsed = replace(
        original.parsed,
        document=replace(
            document,
            root=f"copy-{number}",
            source=f"{name}/{document.source}",
            title=re.sub(re.escape(document.product), name, document.title, flags=re.IGNORECASE),
            product=name,
            aliases=(),
            version=document.version and _shifted(document.version, shift),
            sha256=fingerprint(document.sha256, str(number)),
        ),
        releases=tuple(
            replace(one, version=_shifted(one.version, shift), label=shifted(one.label, shift)) if one.version else one
            for one in original.parsed.releases
        ),
        passages=tuple(
            replace(passage, versions=tuple(_shifted(version, shift) for version in passage.versions))
            for passage in original.parsed.passages
        ),
    )
    names = dict.fromkeys(split_tokens(" ".join((document.product, *document.aliases))), split_tokens(name)[0])

    def turned(token: str) -> str:
        if re.match(r"v?\d+\.\d", token):
            return shifted(token, shift)
        is_own = token in rare and zlib.crc32(f"{token} {number}".encode()) % _OWN_SHARE == 0
        return f"{token}~{number}" if is_own else names.get(token, token)

    tokens = tuple(tuple(map(turned, one)) for one in original.tokens)
    chance = np.random.default_rng((number, zlib.crc32(document.source.encode())))
    vectors = []
    for matrix in original.vectors:
        noise = chance.standard_normal(matrix.shape, dtype=np.float32)
        noisy = matrix + noise * np.float32(_NOISE / np.sqrt(matrix.shape[1]))
        vectors.append(noisy / np.linalg.norm(noisy, axis=1, keepdims=True))
    return EncodedDocument(parsed, tokens, tuple(vectors))


def made_up_name(product: str, number: int) -> str:
    """A name of three syllables for copy `number` of a product, and the number."""
    rest, syllables = zlib.crc32(f"{product} {number}".encode()), []
    for _ in range(3):
        rest, syllable = divmod(rest, len(_SYLLABLES))
        syllables.append(_SYLLABLES[syllable])
    return f"{''.join(syllables)}{product.casefold()[:1]}{number}"


def shifted(label: str, shift: int) -> str:
    """A version's label with its first number raised; a label without a number stays."""
    return _FIRST_NUMBER.sub(lambda found: str(int(found[0]) + shift), label, count=1)


@cache
def _shifted(version: Version, shift: int) -> Version:
    return Version.parse(shifted(version.label, shift))
