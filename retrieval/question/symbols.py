"""Code names in a question: what `corpus.symbols` finds in notes, and what only people who ask write.

They write flags by a letter ("-C"), calls with a keyword ("Adagrad(fused=True)") and hardware ("V100").
"""

import re
from collections.abc import Callable, Sequence
from itertools import islice

from corpus.lexicon import split_tokens
from corpus.stores.lexical_index import LexicalIndex
from corpus.symbols import find_symbols
from corpus.versions import Version

_SHORT_FLAG = re.compile(r"(?<![\w-])-[A-Za-z](?![\w-])")
_CALL = re.compile(r"(?<![\w.])([A-Za-z_][\w.]*+)(?=\(\w+\s*=)|(?<![\w.:-])([A-Za-z_]\w*)(?==[\w'\"])")
_HARDWARE_NAME = re.compile(r"\b(?:[A-Z]+[a-z]*)\d+\w*\b(?!\.\d)")
_GLUED_TO_VERSION = re.compile(r"(?<!\w)[A-Za-z]\w*(?<=\d)(?=\.\d)")
_BUILD = re.compile(r"(?<=\d\+)[A-Za-z]\w*")
_NO_SYMBOL = re.compile(r"e\.g|i\.e|[A-Z][a-z]+\.js|[A-Z]+s|v\d+|V\d{1,2}|Q[1-4]|[A-Z]\d")
_MAX_SYMBOLS = 80


def find_question_symbols(question: str) -> tuple[str, ...]:
    """The distinct code names of a question, at most 80; none that is a version or has one glued to it ("py3.9")."""
    calls = (found[1] or found[2] for found in _CALL.finditer(question))
    others = [found[0] for pattern in (_SHORT_FLAG, _HARDWARE_NAME) for found in pattern.finditer(question)]
    glued = {found[0] for found in _GLUED_TO_VERSION.finditer(question)} | set(_BUILD.findall(question))
    found = dict.fromkeys((*find_symbols(question), *calls, *others))
    kept = (s for s in found if not (s in glued or _NO_SYMBOL.fullmatch(s) or _is_version(s)))
    return tuple(islice(kept, _MAX_SYMBOLS))


def _is_version(symbol: str) -> bool:
    """Whether a symbol is but a version; hardware is named with a capital V ("V100")."""
    return Version.try_parse(symbol) is not None and not (symbol[0] == "V" and symbol[1:].isdecimal())


def absent_symbols(symbols: Sequence[str], lexical: LexicalIndex) -> tuple[str, ...]:
    """Those that no passage holds: neither whole, nor their last part, nor all their words (a text that lost its
    underscores)."""
    return tuple(symbol for symbol in symbols if not _is_held(symbol, lexical.document_frequency))


def _is_held(symbol: str, known: Callable[[str], int]) -> bool:
    whole, *words = split_tokens(symbol) or ("",)
    member = symbol.removesuffix("()").replace("::", ".").rpartition(".")[2]
    return bool(known(whole) or any(map(known, split_tokens(member)[:1])) or (words and all(map(known, words))))
