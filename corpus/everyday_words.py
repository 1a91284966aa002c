"""Distinguishing everyday English from names: "processor" is a word, "rocSHMEM" and "webpack" are names.

A word is everyday if it, or the word it is inflected from, is a whole entry of the default embedding model's WordPiece
vocabulary, the 30,522 most frequent pieces of English books and Wikipedia (Devlin et al., "BERT", 2019).
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from corpus.embedding.default_model import default_model_folder

_ENDINGS = ("ing", "ed", "es", "er", "est", "ly", "able", "ion")
_SHORTEST_STEM = 3


def is_everyday(word: str) -> bool:
    """Return whether every part of a word, in any case, is everyday English; a part with a digit never is, "" is.

    The ending after an apostrophe is ignored ("vendor's", "won't").

    Raises:
        ModelError: the default model's package isn't installed.
    """
    parts = (part.partition("'")[0] for part in word.casefold().replace("\u2019", "'").split("-"))
    return all(not _vocabulary().isdisjoint(_forms(part)) for part in parts if part)


def _forms(part: str) -> Iterator[str]:
    """Yield a word and the words that it may be inflected from: "loaders", "loader", "load"."""
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
"""Platforms and languages of software, by the names that precede their versions."""


_NO_PROSE = re.compile(r"`[^`]*`|(?<![^\s`])[^\s\d_/.()#@=]*+[\d_/.()#@=]\S+|\b[^\W_]*[a-z][A-Z]\w*")
_LETTERS, _WIDE, _LATIN = re.compile(r"[^\W\d_]+"), "\u2e80", "\u0250"
_OTHER_SCRIPT = 0.45
"""The share of exotic letters that makes a statement foreign; Chinese ones count three times. Chosen by hand."""
_ENGLISH_WORDS = frozenset("the of and to for is are with from by when that this it be been has longer not can".split())
_FOREIGN_WORDS = frozenset(
    """aggiunto alle au aux avec beim che con corretto corrigido dans das de dei del della dem den der des die dos du
    ein eine een eliminado entfernt est et foi het ist jetzt kann l la le les los mit niet nicht non nun nu och oder per
    por pour removido rimosso se sind sont su sur um una und une von wird werd wordt wurde wurden zu""".split()
)
"""Frequent small words of other languages in Latin letters, and the verbs of their changelogs."""


def is_english(statement: str) -> bool:
    """Return whether a statement is English, or has too few words beside code to be recognised as anything else."""
    prose = _NO_PROSE.sub(" ", statement)
    exotic = sum(3 if sign >= _WIDE else 1 for sign in prose if sign >= _LATIN and sign.isalpha())
    words = [word for word in _LETTERS.findall(prose) if word.isascii() or word.islower()]
    other_words = sum(not word.isascii() or word.casefold() in _FOREIGN_WORDS for word in words)
    english = sum(word.casefold() in _ENGLISH_WORDS for word in words)
    is_strange = other_words > english == 0 and 2 * sum(not is_everyday(word) for word in words) >= len(words)
    if exotic and exotic >= _OTHER_SCRIPT * (exotic + sum(sign < _LATIN and sign.isalpha() for sign in prose)):
        return False
    return other_words <= max(english, 1) and not is_strange
