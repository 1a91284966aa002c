"""Attacks each regular expression of the product with strings of its own parts, repeated, to find slow ones (ReDoS).

A string is a text that the pattern matches before a part, the part repeated, and a tail that makes the match fail. Slow
strings are given to the entrances, too (`cost.py`), because a slow pattern does no harm if no long text reaches it.
"""

import ast
import random
import re
from argparse import ArgumentParser, Namespace
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import pairwise, permutations
from pathlib import Path
from pkgutil import walk_packages
from re import _constants as code  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

from evals.command import CODE, ROOT
from evals.lab.cost import MAX_EXPONENT, NOTABLE_S, Cost, Way, exponent, grown, open_ways, processor_s, summarise_costs
from evals.lab.trials import CountTable, TrialFindings

_SLOWEST_S, _STRINGS = 0.02, 30
"""The seconds that are slow at 64 KiB; the number of strings that are drawn at random if a pattern has more."""
_METHODS = frozenset(("match", "fullmatch", "search", "finditer", "findall", "sub", "subn", "split"))
_LETTERS = "a1 .-\n,`=>(_A:/[#*|<\té"
_TAILS = ("\0", "", "\n")
_QUICK_S, _SLOW_S, _CLEAR_S, _TIMES = 70e-6, 0.05, 0.3, 7
"""A string quicker than `_QUICK_S` at 4 KiB isn't notable at 64 KiB even if its cost is quadratic. One slower than
`_SLOW_S` at any size is suspect, and so is one that takes `_TIMES` as long as a quarter of it. Measuring ends at
`_CLEAR_S`."""


@dataclass(frozen=True, slots=True)
class Pumped:
    """A string of any size: a prefix, a unit that is repeated, and a tail."""

    prefix: str
    unit: str
    tail: str

    def __str__(self) -> str:
        return f"{self.prefix!r} + {self.unit!r}"

    def text(self, size: int) -> str:
        """Return the string with about `size` characters."""
        return self.prefix + self.unit * max(1, (size - len(self.prefix)) // len(self.unit)) + self.tail


@dataclass(frozen=True, slots=True)
class Slow:
    """A pattern and a string on which its time grows too fast: the exponent, and the seconds at the largest size
    measured, at most 64 KiB."""

    name: str
    string: Pumped
    exponent: float
    size: int
    seconds: float


def add_options(parser: ArgumentParser) -> None:
    """Add the options of this trial."""
    parser.add_argument("--seed", type=int, default=1)


def run(options: Namespace) -> TrialFindings:
    """Pump the patterns, and give slow strings to the entrances whose texts these patterns read."""
    rng = random.Random(options.seed)  # noqa: S311 draws strings, no secrets
    patterns, methods, strings = all_patterns(), methods_by_name(), 0
    slow: list[Slow] = []
    for name, pattern in patterns.items():
        candidates = strings_of(pattern)
        # Strings that repeat line ends or blanks are all tried; of the others a sample.
        blank, solid = ([s for s in candidates if s.unit.isspace() is is_blank] for is_blank in (True, False))
        candidates = (*blank, *(solid if len(solid) <= _STRINGS else rng.sample(solid, _STRINGS)))
        strings += len(candidates)
        bare = name.partition(" (")[0]
        used = methods.get(bare) or methods.get(bare.partition(": ")[0], frozenset())
        slow += filter(None, [find_slow(name, pattern, used, candidates)])
    with open_ways() as ways:
        costs = {name: reached for name, way in ways.items() if (reached := list(_reached(way, slow)))}
    summary, table = summarise_costs(ways, costs)
    rows = (
        (f"`{case.name}`", f"{case.exponent:.2f}", f"{case.seconds:.2f} of {case.size:,}", f"`{case.string}`")
        for case in slow
    )
    alone = CountTable(("pattern", "exponent", "s of characters", "string"), tuple(rows), "Patterns slow alone.")
    return TrialFindings(
        title="Patterns pumped by their own parts",
        summary=(("regular expressions pumped", "all", f"{len(patterns):,} by {strings:,} strings", True), *summary),
        tables=(table, alone),
        notes=(
            f"Pumping repeats each part of a pattern, up to 64 KiB; {len(slow)} of {len(patterns)} patterns are slow "
            "alone. Their strings were given to the ways in whose texts they read, at the largest size and its half, "
            "and are told where that grew too fast: elsewhere a bound on what reaches a pattern holds.",
        ),
    )


def _reached(way: Way, slow: Sequence[Slow]) -> Iterator[Cost]:
    """Yield the costs of those slow strings whose time grows too fast through an entrance, too."""
    for case in {s.string.prefix + s.string.unit: s for s in slow if s.name.startswith(way.modules)}.values():

        def make(size: int, string: Pumped = case.string) -> str:
            # Put between words, because blanks at the ends of a text are stripped.
            return f"numpy {string.text(size - 20)[: size - 20]} was removed"

        half, full = (way.seconds(make(size)) for size in (way.largest // 2, way.largest))
        if full > max(NOTABLE_S, 2**MAX_EXPONENT * half):
            yield grown(way, case.name, make)


def all_patterns() -> Mapping[str, re.Pattern[Any]]:
    """Return each pattern once, by its place: those in modules and their tables, and those written inside calls."""
    places: dict[tuple[object, int], tuple[str, re.Pattern[Any]]] = {}
    for package in map(import_module, CODE):
        for info in walk_packages(package.__path__, f"{package.__name__}."):
            if info.name.endswith("__main__"):
                continue
            module = import_module(info.name)
            named = [(name, pattern) for name, value in vars(module).items() for pattern in _patterns_in(value)]
            calls = filter(_is_use, ast.walk(ast.parse(Path(str(module.__file__)).read_bytes())))
            named += [(f"line {call.lineno}", re.compile(call.args[0].value)) for call in calls]  # type: ignore[attr-defined]
            for name, pattern in named:
                places.setdefault((pattern.pattern, pattern.flags & ~re.UNICODE), (f"{info.name}: {name}", pattern))
    return dict(_numbered(places.values()))


def _patterns_in(value: object) -> Iterator[re.Pattern[Any]]:
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, tuple | list | frozenset | set | dict):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _patterns_in(item)


def _is_use(node: ast.AST) -> bool:
    """Return whether a node is a call like `re.search("…", text)`; its flags are ignored."""
    called = node.func if isinstance(node, ast.Call) and node.args else None
    is_of_re = isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name) and called.value.id == "re"
    return is_of_re and called.attr in _METHODS and isinstance(node.args[0], ast.Constant)  # type: ignore[attr-defined,union-attr]


def _numbered(named_patterns: Any) -> Iterator[tuple[str, re.Pattern[Any]]]:
    seen: dict[str, int] = defaultdict(int)
    for name, pattern in sorted(named_patterns, key=lambda pair: pair[0]):
        seen[name] += 1
        yield (name if seen[name] == 1 else f"{name} ({seen[name]})"), pattern


def methods_by_name() -> Mapping[str, frozenset[str]]:
    """Return the methods called on each pattern ("module: NAME"), and under a module's own name those called on its
    variables, for patterns in tables."""
    used: dict[str, set[str]] = defaultdict(set)
    for path in (path for package in CODE for path in (ROOT / package).rglob("*.py")):
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Attribute) and node.attr in _METHODS and isinstance(node.value, ast.Name):
                used[f"{module}: {node.value.id}" if node.value.id.isupper() else module].add(node.attr)
    return {name: frozenset(methods) for name, methods in used.items()}


def strings_of(pattern: re.Pattern[Any]) -> tuple[Pumped, ...]:
    """Return strings that repeat a part of the pattern: alone, after the text that reaches it, or in turn with the next
    part; and strings that repeat two letters."""
    is_text = isinstance(pattern.pattern, str)
    written = pattern.pattern if is_text else pattern.pattern.decode("latin-1")
    parts = [(before, unit) for before, unit in _parts(parser.parse(written, pattern.flags & ~re.DEBUG)) if unit]
    after = [Pumped(before, unit, tail) for before, unit in parts for tail in _TAILS]
    alone = [Pumped("", unit, _TAILS[0]) for _, unit in parts]
    turns = [Pumped(first[0], first[1] + second[1], _TAILS[0]) for first, second in pairwise(parts)]
    letters = [unit for unit in dict.fromkeys(unit for _, unit in parts) if len(unit) == 1][:6]
    pairs = [Pumped("", first + second, _TAILS[0]) for first, second in permutations(letters, 2)]
    return tuple(dict.fromkeys((*after, *alone, *turns, *pairs)))


def _parts(sequence: Any, before: str = "") -> Iterator[tuple[str, str]]:
    """Yield `(text before a part, a string that the part matches)`, also for the parts of parts."""
    for kind, arg in sequence:
        subpatterns = _subpatterns(kind, arg)
        yield from ((before, letter) for letter in _members(kind, arg))
        yield from ((before, _plainest_of(subpattern)) for subpattern in subpatterns)
        for subpattern in subpatterns:
            yield from _parts(subpattern, before)
        before += _plainest(kind, arg)
    yield "", before


def _subpatterns(kind: Any, arg: Any) -> list[Any]:
    """Return the sequences inside a parsed part: branches, or the content of a group, repeat or assertion."""
    if kind is code.BRANCH:
        return list(arg[1])
    if kind is code.ATOMIC_GROUP:
        return [arg]
    if kind is code.SUBPATTERN:
        return [arg[3]]
    if kind in (code.MAX_REPEAT, code.MIN_REPEAT, code.POSSESSIVE_REPEAT):
        return [arg[2]]
    return [arg[1]] if kind in (code.ASSERT, code.GROUPREF_EXISTS) else []


def _members(kind: Any, arg: Any) -> list[str]:
    """Return letters that a one-letter part matches."""
    if kind is code.LITERAL:
        return [chr(arg)]
    if kind in (code.ANY, code.NOT_LITERAL):
        return [letter for letter in "a -\t\n" if kind is code.NOT_LITERAL and letter != chr(arg)] or [*"a -\t"]
    if kind is not code.IN:
        return []
    state = parser.State()
    state.str = ""
    matcher = re._compiler.compile(parser.SubPattern(state, [(kind, arg)]))  # type: ignore[attr-defined]
    ends = [
        chr(end) for op, at in arg if op in (code.LITERAL, code.RANGE) for end in (at if op is code.RANGE else [at])
    ]
    matched = [letter for letter in dict.fromkeys((*ends, *_LETTERS)) if matcher.match(letter)]
    return list(dict.fromkeys((*matched[:6], *filter(str.isspace, matched))))


def _plainest_of(sequence: Any) -> str:
    return "".join(_plainest(kind, arg) for kind, arg in sequence)


def _plainest(kind: Any, arg: Any) -> str:
    """Return the plainest string that a part matches."""
    if kind in (code.ASSERT, code.ASSERT_NOT):
        return ""
    repeats = min(arg[0], 200) if kind in (code.MAX_REPEAT, code.MIN_REPEAT, code.POSSESSIVE_REPEAT) else 1
    return "".join((*_members(kind, arg)[:1], *(_plainest_of(part) for part in _subpatterns(kind, arg)[:1]))) * repeats


def find_slow(name: str, pattern: re.Pattern[Any], methods: frozenset[str], strings: tuple[Pumped, ...]) -> Slow | None:
    """Return the slowest of the strings if its time grows too fast and is notable at 64 KiB; else None.

    A pattern that is only matched at the start of a text is tried that way; all others search the whole text.
    """
    is_anchored = methods and methods <= {"match", "fullmatch"}

    def read(text: str | bytes) -> None:
        for method in methods if is_anchored else ():
            getattr(pattern, method)(text)
        for _ in () if is_anchored else pattern.finditer(text):
            pass

    def cost(string: Pumped, size: int, limit_s: float) -> float:
        text = string.text(size) if isinstance(pattern.pattern, str) else string.text(size).encode("latin-1", "replace")
        return processor_s(lambda: read(text), limit_s=limit_s)

    suspects = [*_suspects(strings, cost)]
    if not suspects:
        return None
    _, string = max(suspects, key=lambda pair: pair[0])
    costs = []
    for size in (2**power for power in range(6, 17)):
        costs.append((size, min(cost(string, size, 1.0) for _ in range(2))))
        if costs[-1][1] > _CLEAR_S:
            break
    power, (size, seconds) = exponent(costs), costs[-1]
    return Slow(name, string, power, size, seconds) if power > MAX_EXPONENT and seconds > _SLOWEST_S else None


def _suspects(
    strings: tuple[Pumped, ...], cost: Callable[[Pumped, int, float], float]
) -> Iterator[tuple[float, Pumped]]:
    """Yield `(seconds, string)` of suspicious strings; end at the first very slow one, which is enough."""
    for string in strings:
        before = 0.0
        for size in (64, 1_024, 4_096, 16_384):
            seconds = cost(string, size, 2 * _SLOW_S)
            if seconds > _SLOW_S:
                yield seconds, string
                return
            if size >= 4_096 and (seconds < _QUICK_S or seconds < _TIMES * before):
                break
            before = seconds
        else:
            yield seconds, string
