"""Everyday English told from names: "processor" is a word, "rocSHMEM" and "webpack" are names.

A word is everyday when it, or the word it is inflected from, stands whole in the default embedding model's WordPiece
vocabulary, the 30,522 most frequent pieces of English books and Wikipedia (Devlin et al., "BERT", 2019).
"""

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from corpus.embedding.default_model import default_model_folder

_ENDINGS = ("ing", "ed", "es", "er", "est", "ly", "able", "ion")
_SHORTEST_STEM = 3


def is_everyday(word: str) -> bool:
    """Return whether every part of a word, whatever its case, is everyday English; a word with a digit never is.

    What follows an apostrophe doesn't count ("vendor's", "won't").

    Raises:
        ModelError: the default model's package isn't installed.
    """
    parts = (part.partition("'")[0] for part in word.casefold().replace("\u2019", "'").split("-"))
    return all(not _vocabulary().isdisjoint(_forms(part)) for part in parts if part)


def _forms(part: str) -> Iterator[str]:
    """Yield the word itself and what it may be an inflection of: "loaders", "loader", "load"."""
    if part.isalpha():
        for number in dict.fromkeys((part, part.removesuffix("s"))):
            yield number
            for ending in _ENDINGS:
                stem = number.removesuffix(ending)
                if stem != number and len(stem) >= _SHORTEST_STEM:
                    yield from (stem, f"{stem}e", stem[:-1])


@lru_cache(maxsize=1)
def _vocabulary() -> frozenset[str]:
    lines = Path(default_model_folder() / "vocab.txt").read_text(encoding="utf-8").split("\n")
    return frozenset(line for line in lines if line.isalpha())


PLATFORMS = frozenset(
    """android bun cc chrome clang cpython cuda cudnn debian deno ecmascript fedora firefox gcc glibc golang http
    ios java javascript jdk kernel libc linux llvm mac macos mariadb msrv mysql node nodejs npm openssl oracle perl
    php postgres postgresql py pypy python redis rhel rocm ruby rust rustc safari sqlite ssl tls typescript
    ubuntu unicode windows xcode""".split()
)
"""What software runs on and is written in, by the names that stand before their versions."""
