"""Altered copies of a parsed document: other products with other releases, of the same shape.

A copy has a product name of its own, versions with another first number, and other words in part: in its text the
vowels of a third of the longer words are turned, so that every offset stays and every quote is a slice of it; its
tokens are turned likewise, rare ones into tokens that no other copy has, so that the vocabulary grows with the size.
The vector of an item is the original's with noise (a cosine of about 0.95 to it). So time, memory and what filters
select are those of many real products; whether an answer is right is not to be read off a copy.
"""

import re
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from corpus.index.commit import EncodedDocument, fingerprint
from corpus.lexicon import split_tokens
from corpus.model import Document
from corpus.versions import Version

_NOISE = 0.33
_VOWELS = "aeiou"
_SYLLABLES = tuple(f"{consonant}{vowel}" for consonant in "bcdfghjklmnpqrstvwxz" for vowel in _VOWELS)
_NAMES = len(_SYLLABLES) ** 3
_NAME_STEP = 7_919
"""Without a common factor with the number of names, so that none comes twice."""
_WORD = re.compile(r"(?<![\w:/.`<@=\"'#&-])[A-Za-z]{6,}(?![\w`(:=/-])")
_VERSION_TOKEN = re.compile(r"(v?)(\d+)((?:\.\d+)+.*)")
_FIRST_NUMBER = re.compile(r"\d+")
_LONG_TOKEN = 6
_RARE = 2
"""In as many passages or fewer: names and symbols, of which another project has its own."""
_OWN_SHARE = 4
"""One in so many rare tokens is a copy's own: 113 copies then have some 18 times the words of one, near to what
Heaps' law says (a power of 0.6)."""


class DocumentCopier:
    """Makes copy after copy of the same documents; remembers how often their tokens are."""

    def __init__(self, originals: Sequence[EncodedDocument]) -> None:
        self._originals = originals
        self._frequencies = Counter(
            token for original in originals for tokens in original.tokens for token in set(tokens)
        )
        names = sorted({original.parsed.document.product for original in originals})
        self._products = {name: position for position, name in enumerate(names)}

    def copy(self, position: int, number: int) -> EncodedDocument:
        """Copy `number`, from 1, of the original at `position`; always the same one."""
        original = self._originals[position]
        document = original.parsed.document
        name = made_up_name(number * len(self._products) + self._products[document.product])
        shift = 1 + number % 9
        parsed = replace(
            original.parsed,
            document=_as_product(document, name, number, shift),
            releases=tuple(
                replace(one, version=_shifted(one.version, shift), label=shifted_version(one.label, shift))
                if one.version
                else one
                for one in original.parsed.releases
            ),
            passages=tuple(
                replace(passage, versions=tuple(_shifted(version, shift) for version in passage.versions))
                for passage in original.parsed.passages
            ),
        )
        own = dict.fromkeys(split_tokens(" ".join((document.product, *document.aliases))), split_tokens(name)[0])
        found = {token for one in original.tokens for token in one}
        turned = {token: self._turned(token, number, shift) for token in found} | own
        tokens = tuple(tuple(turned[token] for token in one) for one in original.tokens)
        chance = np.random.default_rng((number, position))
        return EncodedDocument(parsed, tokens, _noisy(original.vectors, chance))

    def _turned(self, token: str, number: int, shift: int) -> str:
        """A token of the originals as copy `number` has it."""
        if version := _VERSION_TOKEN.fullmatch(token):
            return f"{version[1]}{int(version[2]) + shift}{version[3]}"
        if self._frequencies[token] <= _RARE and zlib.crc32(f"{token} {number}".encode()) % _OWN_SHARE == 0:
            return f"{token}~{number}"
        return _turned_word(token, number) if len(token) >= _LONG_TOKEN and token.isalpha() else token


def alter(text: str, number: int) -> str:
    """`text` with the words turned that copy `number` turns; of the same length."""
    return _WORD.sub(lambda found: _turned_word(found[0], number), text)


def made_up_name(number: int) -> str:
    """A name of three syllables; another one for each number below a million."""
    rest = number * _NAME_STEP % _NAMES
    syllables = []
    for _ in range(3):
        rest, syllable = divmod(rest, len(_SYLLABLES))
        syllables.append(_SYLLABLES[syllable])
    return "".join(syllables)


def shifted_version(label: str, shift: int) -> str:
    """A version's label with its first number raised; a label without a number stays."""
    return _FIRST_NUMBER.sub(lambda found: str(int(found[0]) + shift), label, count=1)


def _as_product(document: Document, name: str, number: int, shift: int) -> Document:
    return replace(
        document,
        root=f"copy-{number}",
        source=f"{name}/{document.source}",
        title=re.sub(re.escape(document.product), name, document.title, flags=re.IGNORECASE),
        product=name,
        aliases=(),
        version=_shifted(document.version, shift) if document.version else None,
        text=alter(document.text, number),
        sha256=fingerprint(document.sha256, str(number)),
    )


@cache
def _shifted(version: Version, shift: int) -> Version:
    return Version.parse(shifted_version(version.label, shift))


@cache
def _turned_word(word: str, number: int) -> str:
    # The choice looks at consonants only, so that a text and its tokens, which have lost their endings, often agree.
    skeleton = "".join(letter for letter in word.casefold() if letter not in _VOWELS)
    if zlib.crc32(skeleton[:4].encode()) % 3 != number % 3:
        return word
    vowels = str.maketrans({vowel: _VOWELS[(place + number) % len(_VOWELS)] for place, vowel in enumerate(_VOWELS)})
    return word[:1] + word[1:].translate(vowels)


def _noisy(matrices: Sequence[NDArray[np.float32]], chance: np.random.Generator) -> tuple[NDArray[np.float32], ...]:
    if not matrices:
        return ()
    vectors = np.concatenate(matrices)
    noise = chance.standard_normal(vectors.shape, dtype=np.float32)
    noise *= np.float32(_NOISE / np.sqrt(vectors.shape[1]))
    noise += vectors
    noise /= np.linalg.norm(noise, axis=1, keepdims=True)
    return tuple(np.split(noise, np.cumsum([len(matrix) for matrix in matrices])[:-1].tolist()))
