"""A symbol as release notes write it, taken apart for a search in code."""

import builtins
import re
from dataclasses import dataclass
from functools import lru_cache

from corpus.everyday_words import is_everyday
from retrieval.code_usage.plain_names import UPPER_NAME

_CALL = re.compile(r"^(?P<name>[^()\s]+)\((?P<arguments>[^()]*)\)?$")
_OPTION = re.compile(r"(?P<name>--?[A-Za-z][\w-]*[A-Za-z0-9])(?:=|$)")
_ARGUMENT = re.compile(r"(?P<name>[A-Za-z_]\w*)=\S*")
_PART = re.compile(r"[A-Za-z_$][\w$]*")
_SHORTEST = 3
_SHORTEST_ODD_WORD = 5
_METHODS_OF_ALL = frozenset(
    name
    for kind in (str, bytes, list, dict, set, int, float, complex, object, type, memoryview, BaseException)
    for name in dir(kind)
) | frozenset(dir(builtins))
# English to who programs, though no vocabulary of books has it.
_PROGRAMMERS_WORDS = frozenset(
    "async attrs boolean callback config configs configure const constructor cursor datetime debug decorator"
    " delete deletes encoder endpoint filename filenames iterable iterators keyword kwarg kwargs locale lookup"
    " middleware numeric override overwrite param params parse pathname pickle plugin plugins redirect regex"
    " retry runtime schema serialize serializer stderr stdin stdout struct subclass submodule subprocess"
    " teardown timedelta timeout timestamp timezone tokenizer traceback upload username utils validate"
    " validator validators widget".split()
)


@dataclass(frozen=True, slots=True)
class WantedName:
    """What to look for; `symbol` is how the notes write it."""

    symbol: str
    qualifiers: tuple[str, ...]
    last: str
    keyword: bool = False
    """Whether the notes write an argument: `axis=None`."""

    @property
    def is_upper(self) -> bool:
        """Whether it is written as settings and environment variables are, in several parts."""
        return UPPER_NAME.fullmatch(self.last) is not None

    @property
    def is_distinctive(self) -> bool:
        """Whether nobody would use the name by chance for something else."""
        return is_distinctive(self.last)


def parse_wanted(symbol: str) -> WantedName | None:
    """What a symbol of the notes asks for; None where it is no name of code.

    `np.product`, `Model.delete()`, `@validator`, `c10::Stream`, `Foo#bar`, `write(flush=True)`, `axis=None`,
    `--strict-markers` are names; versions, paths of files and sentences aren't.
    """
    text = symbol.strip("`'\" \t\n")
    if option := _OPTION.match(text):
        return WantedName(symbol, (), option["name"])
    if argument := _ARGUMENT.fullmatch(text):
        return WantedName(symbol, (), argument["name"], keyword=True)
    if call := _CALL.match(text):
        arguments, text = _ARGUMENT.findall(call["arguments"]), call["name"]
        if arguments and (parts := _parts(text)):
            return WantedName(symbol, parts, arguments[0], keyword=True)
    parts = _parts(re.sub(r"\(\)$|\[.*\]$|<.*>$", "", text).lstrip("@~!.:"))
    if not parts or (len(parts) == 1 and len(parts[0]) < _SHORTEST):
        return None
    return WantedName(symbol, parts[:-1], parts[-1])


def _parts(text: str) -> tuple[str, ...]:
    """The parts of a dotted name; empty where one of them isn't a name."""
    parts = tuple(part for part in re.split(r"\.|::|#|->|/", text) if part)
    if not all(_PART.fullmatch(part) for part in parts):
        return ()
    # Sphinx projects shorten a module to `_orm` and the like: the mark isn't part of its name.
    return (*(part.lstrip("_") or part for part in parts[:-1]), *parts[-1:])


@lru_cache(maxsize=16_384)
def is_distinctive(name: str) -> bool:
    """Whether a name says by itself what it names: several words in one, or a word that isn't English.

    Dunder names and what every object or builtin has are never distinctive.
    """
    if all_have(name) or name.casefold() in _PROGRAMMERS_WORDS or (name.startswith("__") and name.endswith("__")):
        return False
    bare = name.strip("_")
    if "_" in bare or re.search(r"[a-z0-9][A-Z]|[A-Z]{2}[a-z]", bare):
        return True
    return len(bare) >= _SHORTEST_ODD_WORD and not is_everyday(bare)


def all_have(name: str) -> bool:
    """Whether it is a built-in function, or a method that common types have."""
    return name in _METHODS_OF_ALL


def has_several_words(name: str) -> bool:
    """Whether a name is put together of words, as `parse_obj`, `isAjax` and `fast-forward` are."""
    return re.search(r"[^\W_][_-][^\W_]|[a-z0-9][A-Z]", name) is not None
