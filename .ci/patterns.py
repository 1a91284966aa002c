"""Searches texts that are hard for each regular expression of the packages, and lists those that take too long.

    python .ci/patterns.py [--fast] [SEED]

The texts are made of each pattern's own pieces, sampled from its parse tree, and of fragments that are common to all,
repeated to 400 and to 1,600 characters. The longer may take eight times as long, or a quarter more of processor time
than the plainest search that begins anew at each character: 20 ms where that takes 16. `SEED` draws other pieces; by
`--fast` each text has one ending.
"""

import ast
import gc
import importlib
import pkgutil
import re
import signal
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from itertools import product
from pathlib import Path
from random import Random
from re import _constants as kinds
from re import _parser
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("corpus", "ingest", "retrieval", "ui")
SIZES, LONGEST = (12, 25, 50, 100, 400), 1_600
MOST_OF_PLAINEST, MOST_TIMES, MOST_IN_ALL = 1.25, 8, 1
SEED = int(next((word for word in sys.argv[1:] if word.isdigit()), 0))
ENDINGS = ("~ z", "", "\n")
FRAGMENTS = (
    *(
        "a ",
        "@a, ",
        "- ",
        "(",
        "A",
        "\t",
        "\n",
        " ",
        ")",
        "a-",
        "a.",
        "xx-jan?,",
        "#1 ",
        "1",
        "1.",
        "1.2.3 ",
        '"',
        "'",
        "`",
    ),
    *(
        "``",
        "[",
        "]",
        "](",
        "[a](",
        "*",
        "**",
        "* ",
        "_",
        "a_",
        "/",
        "a/",
        "<",
        "<a ",
        "<a>",
        ">",
        "&",
        "{",
        "}",
        "{{",
        "=",
    ),
    *(
        "-",
        "—",
        "~",
        ":",
        "a:",
        ": ",
        ";",
        ", ",
        "a, ",
        "Aa ",
        "A a",
        "\r\n",
        "\n\n",
        " \n",
        "\n ",
        "\\",
        "|",
        "%",
        "$a",
        "@",
    ),
    *("#", ".", ". ", "...", "!", "?", "é", "a b ", "aA", "A1", "https://a/", "](a) ", "`a` ", "v1.2 ", "1999-01-01 "),
    *("no ", "a's ", "(a) ", "(a, ", "\U000f0000", "\U000f0000, ", "\U000f0000 and ", "\U000f8000 "),
)
_CHARACTERS = "a0 A.-\t\n_,:/()'\"`*#@[]{}<>=~!?&;+|\\$%^éß–—’\u00a0\r\U000f0000\U000f8000bexyz19"
_IMPORT = re.compile(r"(?m)^from [\w.]+ import (?:\([^()]*\)|.*)")
_CATEGORIES = {"DIGIT": str.isdigit, "SPACE": str.isspace, "WORD": lambda c: c.isalnum() or c == "_"}
_REPEATS = (kinds.MAX_REPEAT, kinds.MIN_REPEAT, kinds.POSSESSIVE_REPEAT)


class TooLong(Exception):
    """A search was ended."""


class Use(NamedTuple):
    """Where a pattern is compiled, and the methods that it is called with."""

    place: str
    methods: frozenset[str]


def collect() -> dict[tuple[str | bytes, int], Use]:
    """Return each pattern that the packages compile, by its text and flags."""
    patterns: dict[tuple[str | bytes, int], Use] = {}
    compile_pattern = re._compile

    def note(pattern: Any, flags: int) -> re.Pattern[Any]:
        compiled, frame = compile_pattern(pattern, flags), sys._getframe(2)
        path = Path(frame.f_code.co_filename)
        if path.is_relative_to(ROOT) and path.relative_to(ROOT).parts[0] in PACKAGES:
            place = f"{path.relative_to(ROOT)}:{frame.f_lineno}"
            patterns.setdefault((compiled.pattern, compiled.flags), Use(place, frozenset()))
        return compiled

    re._compile = note
    modules = [importlib.import_module(name) for name in _module_names()]
    re._compile = compile_pattern
    calls = [(module, Path(module.__file__ or "")) for module in modules]
    sources = {path: _IMPORT.sub("", path.read_text("utf-8")) for _, path in calls}
    for module, path in calls:
        for text, flags, line, method in _in_functions(module):
            with suppress(re.error):
                compiled = re.compile(text, flags)
                use = Use(f"{path.relative_to(ROOT)}:{line}", frozenset((method,)))
                patterns.setdefault((compiled.pattern, compiled.flags), use)
    for module, path in calls:
        for name, value in vars(module).items():
            if isinstance(value, re.Pattern) and (key := (value.pattern, value.flags)) in patterns:
                methods = _methods(name, [sources[path]] if name.startswith("_") else sources.values())
                patterns[key] = patterns[key]._replace(methods=patterns[key].methods | methods)
    return patterns


def _methods(name: str, sources: Iterable[str]) -> frozenset[str]:
    """Return the methods of a named pattern that are called; "findall" where it is handed on, too."""
    used = re.compile(rf"(?<![\w.]){name}\b(?:\.(\w+))?(?!, _| =|,? \w+ =|:)")
    methods = {method or "findall" for source in sources if name in source for method in used.findall(source)}
    return frozenset(methods - {"pattern"})


def _module_names() -> Iterator[str]:
    for package in PACKAGES:
        yield package
        for found in pkgutil.walk_packages([str(ROOT / package)], f"{package}."):
            if not found.name.endswith("__main__"):
                yield found.name


def _in_functions(module: ModuleType) -> Iterator[tuple[str | bytes, int, int, str]]:
    """Yield the text, flags and line of patterns that are compiled when a function is called: literals with "word" for
    what only the call knows, and where it knows all, every text that the module's tables and closures hold."""
    for call in ast.walk(ast.parse(Path(module.__file__ or "").read_bytes())):
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.args):
            continue
        if not (isinstance(call.func.value, ast.Name) and call.func.value.id == "re" and call.func.attr != "escape"):
            continue
        flags = 0
        for argument in (*call.args[1:], *(word.value for word in call.keywords)):
            with suppress(Exception):
                flags |= value if isinstance(value := _value(argument, module), re.RegexFlag) else 0
        try:
            texts = [_text(call.args[0], module)]
        except NameError:
            texts = [text for text in _held_texts(module) if re.search(r"\\|\(\?|[+*]", text)]
        for text in texts:
            yield text, flags, call.lineno, call.func.attr if call.func.attr != "compile" else "findall"


def _value(node: ast.expr, module: ModuleType) -> Any:
    return eval(compile(ast.Expression(node), "", "eval"), vars(module))


def _text(node: ast.expr, module: ModuleType) -> Any:
    try:
        return _value(node, module)
    except Exception:
        if isinstance(node, ast.JoinedStr):
            return "".join(_part(value, module) for value in node.values)
        if isinstance(node, ast.BinOp):
            return _part(node.left, module) + _part(node.right, module)
        raise NameError from None


def _part(node: ast.expr, module: ModuleType) -> str:
    try:
        return str(_text(node.value if isinstance(node, ast.FormattedValue) else node, module))
    except NameError:
        return "word"


def _held_texts(module: ModuleType) -> Iterator[str]:
    stack = [value for value in vars(module).values() if isinstance(value, tuple | dict) and value is not vars(module)]
    for function in gc.get_objects():
        if isinstance(function, FunctionType) and function.__module__ == module.__name__:
            stack += [cell.cell_contents for cell in function.__closure__ or ()]
    while stack:
        value = stack.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            stack += [*value, *value.values()]
        elif isinstance(value, tuple | list | frozenset | set):
            stack += value


def texts_of(pattern: re.Pattern[Any]) -> list[tuple[str, str]]:
    """Return `(prefix, piece)` of texts that are hard for a pattern: `piece` is repeated behind `prefix`."""
    flags = pattern.flags & ~re.UNICODE if isinstance(pattern.pattern, bytes) else pattern.flags
    random, tree = Random(SEED), _parser.parse(pattern.pattern, flags)
    pieces = dict.fromkeys(("", _sample(tree, random)) for _ in range(6))
    pieces |= dict.fromkeys(_repeated(list(tree), "", random))
    return [(prefix, piece) for prefix, piece in pieces if piece] + [("", fragment) for fragment in FRAGMENTS]


def _repeated(items: Sequence[Any], before: str, random: Random) -> Iterator[tuple[str, str]]:
    """Yield `(prefix, piece)` for each repeat below a sequence of nodes, the prefix being what must come before it."""
    for number, (kind, value) in enumerate(items):
        if kind in _REPEATS and value[1] > 3:
            after = _sample(items[number + 1 : number + 2], random)
            bodies = dict.fromkeys(_sample(value[2], random) for _ in range(8))
            for body in bodies:
                for prefix in {"", before}:
                    yield prefix, body
                    yield prefix, body + after
            short = list(bodies)[:3]
            yield from ((before, first + second) for first in short for second in short if first != second)
        for branch in _branches(kind, value):
            if kind is kinds.BRANCH:
                yield "", _sample(branch, random)
            yield from _repeated(branch, before, random)
        before += _sample([(kind, value)], random)


def _branches(kind: Any, value: Any) -> Iterable[Sequence[Any]]:
    """Return the sequences below a node."""
    if kind in _REPEATS:
        return [value[2]]
    if kind is kinds.BRANCH:
        return list(value[1])
    if kind is kinds.SUBPATTERN:
        return [value[3]]
    if kind in (kinds.ASSERT, kinds.ASSERT_NOT):
        return [value[1]]
    if kind is kinds.ATOMIC_GROUP:
        return [value]
    return [branch for branch in value[1:] if branch] if kind is kinds.GROUPREF_EXISTS else []


def _sample(items: Iterable[Any], random: Random) -> str:
    """Return a text that a sequence of nodes may match."""
    text = ""
    for kind, value in items:
        if kind is kinds.LITERAL:
            text += chr(value)
        elif kind in (kinds.IN, kinds.NOT_LITERAL):
            text += random.choice(_members(kind, value) or ["x"])
        elif kind is kinds.ANY:
            text += random.choice("a -")
        elif kind in _REPEATS:
            most = min(value[1], max(value[0], random.choice((1, 1, 2))))
            text += "".join(_sample(value[2], random) for _ in range(most))
        elif kind is not kinds.ASSERT_NOT and not (kind is kinds.ASSERT and text and random.random() < 0.7):
            text += _sample(random.choice([*_branches(kind, value)] or [[]]), random)
    return text


def _members(kind: Any, value: Any) -> list[str]:
    """Return characters of a class: those that are in it of all that patterns are about, else its first."""
    if kind is kinds.NOT_LITERAL:
        return [character for character in _CHARACTERS if ord(character) != value]
    members = [character for character in _CHARACTERS if _is_member(value, character)]
    firsts = [chr(at if kind is kinds.LITERAL else at[0]) for kind, at in value if kind in (kinds.LITERAL, kinds.RANGE)]
    return members or firsts


def _is_member(value: Sequence[Any], character: str) -> bool:
    code, is_in = ord(character), False
    for kind, at in value:
        if kind is kinds.LITERAL:
            is_in |= code == at
        elif kind is kinds.RANGE:
            is_in |= at[0] <= code <= at[1]
        elif kind is kinds.CATEGORY:
            has = _CATEGORIES[str(at).rpartition("_")[2]](character)
            is_in |= has != ("NOT" in str(at))
    return is_in != (value[0][0] is kinds.NEGATE)


@cache
def most_seconds() -> float:
    """Return how long a text may take, by the speed of this machine: seconds of processor time."""
    search, times = re.compile(r"\w+ ").search, []
    for _ in range(5):
        begin = time.thread_time()
        search("_" * LONGEST)
        times.append(time.thread_time() - begin)
    return MOST_OF_PLAINEST * min(times)


def fault_of(pattern: re.Pattern[Any], methods: Iterable[str], *, is_fast: bool = False) -> str:
    """Return the text that takes a pattern too long, and how long; empty without one."""
    calls = {method if method in ("match", "fullmatch", "search") else "findall" for method in methods} or {"findall"}
    for prefix, piece in texts_of(pattern):
        for ending, method in product(ENDINGS[:1] if is_fast else ENDINGS, calls):
            if fault := _fault_of_text(pattern, method, prefix, piece, ending):
                return f"{fault}: {method} {prefix!r} + {piece!r} * n + {ending!r}"
    return ""


def _fault_of_text(pattern: re.Pattern[Any], method: str, prefix: str, piece: str, ending: str) -> str:
    search = getattr(pattern, method)

    def spent(size: int, tries: int = 1) -> float:
        text: Any = prefix + piece * (size // len(piece) + 1) + ending
        text = text.encode("latin-1", "replace") if isinstance(pattern.pattern, bytes) else text
        times = []
        for _ in range(tries):
            begin = time.thread_time()
            search(text)
            times.append(time.thread_time() - begin)
        return min(times)

    most, before, at_size = most_seconds(), 0.0, 0.0
    signal.signal(signal.SIGVTALRM, _end)
    signal.setitimer(signal.ITIMER_VIRTUAL, MOST_IN_ALL)
    try:
        for size in SIZES:
            before = at_size
            if (at_size := spent(size)) > most and (at_size := spent(size, 2)) > most:
                return f"{at_size:.3f} s for {size} characters"
        # Up to the third power it stays under the limit.
        if at_size < most / 64 and at_size < 80 * before:
            return ""
        if (longest := spent(LONGEST)) > most and longest > MOST_TIMES * at_size:
            at_size, longest = spent(SIZES[-1], 3), spent(LONGEST, 3)
            if longest > most and longest > MOST_TIMES * at_size:
                return f"{at_size:.4f} s for {SIZES[-1]} characters, {longest:.3f} s for {LONGEST:,}"
    except TooLong:
        return f"over {MOST_IN_ALL} s"
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return ""


def _end(*_: object) -> None:
    raise TooLong


def main() -> int:
    """Print a line for each pattern that takes too long; 1 if there is any."""
    sys.path.insert(0, str(ROOT))
    patterns, faults = collect(), 0
    for (text, flags), (place, methods) in sorted(patterns.items(), key=lambda item: item[1].place):
        if fault := fault_of(re.compile(text, flags), methods, is_fast="--fast" in sys.argv):
            faults += 1
            print(f"{place}: {fault}\n    {text!r}", flush=True)
    print(f"{faults} of {len(patterns):,} patterns take too long; {time.process_time():.0f} s")
    return int(faults > 0)


if __name__ == "__main__":
    sys.exit(main())
