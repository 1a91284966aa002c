"""Each regular expression of the product, pumped: strings of its own parts, repeated until a slow one shows.

A part is reached by what the pattern reads before it, repeated, and followed by what makes the whole fail. What is
found is given to the ways in too (`cost.py`), for a pattern that is slow on a long text does no harm where no long text
reaches it.
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
from evals.lab.cost import MAX_EXPONENT, NOTABLE_S, Cost, Way, exponent, grown, opened_ways, processor_s, told_costs
from evals.lab.trials import CountTable, TrialFindings

_SLOWEST_S, _STRINGS = 0.02, 30
"""What is slow at 64 KiB; and a pattern with more strings is pumped with so many of them, drawn by chance."""
_METHODS = frozenset(("match", "fullmatch", "search", "finditer", "findall", "sub", "subn", "split"))
_LETTERS = "a1 .-\n,`=>(_A:/[#*|<\té"
_TAILS = ("\0", "", "\n")
_QUICK_S, _SLOW_S, _CLEAR_S, _TIMES = 70e-6, 0.05, 0.3, 7
"""At 4 KiB what is quicker isn't notable at 64 KiB even if it grows with the square; what takes longer at any size is
slow enough to be looked at, and so is what takes so many times as long as a quarter of it."""


@dataclass(frozen=True, slots=True)
class Pumped:
    """A string that can be of any size."""

    prefix: str
    unit: str
    tail: str

    def __str__(self) -> str:
        return f"{self.prefix!r} + {self.unit!r}"

    def text(self, size: int) -> str:
        """It with about so many characters."""
        return self.prefix + self.unit * max(1, (size - len(self.prefix)) // len(self.unit)) + self.tail


@dataclass(frozen=True, slots=True)
class Slow:
    """A pattern with a string on which it grows too fast: with which power, and how many seconds it takes of which
    size, 64 KiB or where that is clear before."""

    name: str
    string: Pumped
    exponent: float
    size: int
    seconds: float


def add_options(parser: ArgumentParser) -> None:
    """What this trial can be told."""
    parser.add_argument("--seed", type=int, default=1)


def run(options: Namespace) -> TrialFindings:
    """Pump the patterns, and give what is slow to the ways in whose texts they read."""
    chosen = random.Random(options.seed)  # noqa: S311 draws strings, no secrets
    patterns, methods, strings = all_patterns(), methods_by_name(), 0
    slow: list[Slow] = []
    for name, pattern in patterns.items():
        made = strings_of(pattern)
        # Line ends and blanks are tried in every place that takes them.
        blank, others = ([each for each in made if each.unit.isspace() is is_blank] for is_blank in (True, False))
        made = (*blank, *(others if len(others) <= _STRINGS else chosen.sample(others, _STRINGS)))
        strings += len(made)
        bare = name.partition(" (")[0]
        asked = methods.get(bare) or methods.get(bare.partition(": ")[0], frozenset())
        slow += filter(None, [find_slow(name, pattern, asked, made)])
    with opened_ways() as ways:
        costs = {name: found for name, way in ways.items() if (found := list(_reached(way, slow)))}
    summary, table = told_costs(ways, costs)
    rows = (
        (f"`{one.name}`", f"{one.exponent:.2f}", f"{one.seconds:.2f} of {one.size:,}", f"`{one.string}`")
        for one in slow
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
    """What strings cost by a way in, of those that grow too fast there."""
    for one in {one.string.prefix + one.string.unit: one for one in slow if one.name.startswith(way.modules)}.values():

        def make(size: int, string: Pumped = one.string) -> str:
            # Words around it, for blanks at the ends of a text are stripped.
            return f"numpy {string.text(size - 20)[: size - 20]} was removed"

        half, whole = (way.seconds(make(size)) for size in (way.largest // 2, way.largest))
        if whole > max(NOTABLE_S, 2**MAX_EXPONENT * half):
            yield grown(way, one.name, make)


def all_patterns() -> Mapping[str, re.Pattern[Any]]:
    """Each once, by where it stands: those that modules hold, in tables too, and those written where they are used."""
    found: dict[tuple[object, int], tuple[str, re.Pattern[Any]]] = {}
    for package in map(import_module, CODE):
        for info in walk_packages(package.__path__, f"{package.__name__}."):
            if info.name.endswith("__main__"):
                continue
            module = import_module(info.name)
            held = [(name, each) for name, value in vars(module).items() for each in _held(value)]
            calls = filter(_is_use, ast.walk(ast.parse(Path(str(module.__file__)).read_bytes())))
            held += [(f"line {call.lineno}", re.compile(call.args[0].value)) for call in calls]  # type: ignore[attr-defined]
            for name, pattern in held:
                found.setdefault((pattern.pattern, pattern.flags & ~re.UNICODE), (f"{info.name}: {name}", pattern))
    return dict(_numbered(found.values()))


def _held(value: object) -> Iterator[re.Pattern[Any]]:
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, tuple | list | frozenset | set | dict):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _held(each)


def _is_use(node: ast.AST) -> bool:
    """`re.search("…", text)` and its like; with other flags it is a pattern too, but not of its own here."""
    called = node.func if isinstance(node, ast.Call) and node.args else None
    is_of_re = isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name) and called.value.id == "re"
    return is_of_re and called.attr in _METHODS and isinstance(node.args[0], ast.Constant)  # type: ignore[attr-defined,union-attr]


def _numbered(found: Any) -> Iterator[tuple[str, re.Pattern[Any]]]:
    seen: dict[str, int] = defaultdict(int)
    for name, pattern in sorted(found, key=lambda pair: pair[0]):
        seen[name] += 1
        yield (name if seen[name] == 1 else f"{name} ({seen[name]})"), pattern


def methods_by_name() -> Mapping[str, frozenset[str]]:
    """By which methods a module's patterns are asked ("module: NAME"), and for a module's own name all variables in it:
    those that its tables of patterns are gone through with."""
    used: dict[str, set[str]] = defaultdict(set)
    for path in (path for package in CODE for path in (ROOT / package).rglob("*.py")):
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Attribute) and node.attr in _METHODS and isinstance(node.value, ast.Name):
                used[f"{module}: {node.value.id}" if node.value.id.isupper() else module].add(node.attr)
    return {name: frozenset(methods) for name, methods in used.items()}


def strings_of(pattern: re.Pattern[Any]) -> tuple[Pumped, ...]:
    """Its parts, each repeated: alone, after what reaches it, in turn with the part after it, and letters by twos."""
    is_text = isinstance(pattern.pattern, str)
    written = pattern.pattern if is_text else pattern.pattern.decode("latin-1")
    parts = [(before, unit) for before, unit in _parts(parser.parse(written, pattern.flags & ~re.DEBUG)) if unit]
    after = [Pumped(before, unit, tail) for before, unit in parts for tail in _TAILS]
    alone = [Pumped("", unit, _TAILS[0]) for _, unit in parts]
    turns = [Pumped(one[0], one[1] + two[1], _TAILS[0]) for one, two in pairwise(parts)]
    letters = [unit for unit in dict.fromkeys(unit for _, unit in parts) if len(unit) == 1][:6]
    pairs = [Pumped("", one + two, _TAILS[0]) for one, two in permutations(letters, 2)]
    return tuple(dict.fromkeys((*after, *alone, *turns, *pairs)))


def _parts(sequence: Any, before: str = "") -> Iterator[tuple[str, str]]:
    """What is read before a part, and a string of it; the parts of parts too."""
    for kind, given in sequence:
        inner = _inner(kind, given)
        yield from ((before, letter) for letter in _members(kind, given))
        yield from ((before, _word(each)) for each in inner)
        for each in inner:
            yield from _parts(each, before)
        before += _one(kind, given)
    yield "", before


def _inner(kind: Any, given: Any) -> list[Any]:
    if kind is code.BRANCH:
        return list(given[1])
    if kind is code.ATOMIC_GROUP:
        return [given]
    if kind is code.SUBPATTERN:
        return [given[3]]
    if kind in (code.MAX_REPEAT, code.MIN_REPEAT, code.POSSESSIVE_REPEAT):
        return [given[2]]
    return [given[1]] if kind in (code.ASSERT, code.GROUPREF_EXISTS) else []


def _members(kind: Any, given: Any) -> list[str]:
    """Letters that a part of one letter takes."""
    if kind is code.LITERAL:
        return [chr(given)]
    if kind in (code.ANY, code.NOT_LITERAL):
        return [letter for letter in "a -\t\n" if kind is code.NOT_LITERAL and letter != chr(given)] or [*"a -\t"]
    if kind is not code.IN:
        return []
    takes = parser.State()
    takes.str = ""
    one = re._compiler.compile(parser.SubPattern(takes, [(kind, given)]))  # type: ignore[attr-defined]
    ends = [
        chr(end) for op, at in given if op in (code.LITERAL, code.RANGE) for end in (at if op is code.RANGE else [at])
    ]
    taken = [letter for letter in dict.fromkeys((*ends, *_LETTERS)) if one.match(letter)]
    return list(dict.fromkeys((*taken[:6], *filter(str.isspace, taken))))


def _word(sequence: Any) -> str:
    return "".join(_one(kind, given) for kind, given in sequence)


def _one(kind: Any, given: Any) -> str:
    """Return the plainest string that a part reads."""
    if kind in (code.ASSERT, code.ASSERT_NOT):
        return ""
    repeated = min(given[0], 200) if kind in (code.MAX_REPEAT, code.MIN_REPEAT, code.POSSESSIVE_REPEAT) else 1
    return "".join((*_members(kind, given)[:1], *(_word(each) for each in _inner(kind, given)[:1]))) * repeated


def find_slow(name: str, pattern: re.Pattern[Any], methods: frozenset[str], strings: tuple[Pumped, ...]) -> Slow | None:
    """Return the worst of the strings, where it grows faster than it may and that is notable at 64 KiB.

    A pattern that is only ever matched where a text begins is tried so; all others search the whole text.
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
    """Of the very slow the first, for one is enough."""
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
