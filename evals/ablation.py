"""What each part of the answer is worth: `python -m evals.ablation` writes `evals/results/ABLATION.md`.

A part is a function of `retrieval` that can be left out: what tells whether something is so says no, what may find
something finds nothing, what changes a text, a query or a draft hands it on. One pass over the questions tells in which
of them a part does anything at all; those are asked again without it.
"""

import argparse
import importlib
import inspect
import pkgutil
import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import FunctionType, ModuleType
from typing import Any

from scipy.stats import binomtest

import retrieval
from corpus.errors import RelnotesError
from evals.command import RESULTS, render_table, run_command, write_page
from evals.grading import find_gold, grade_answer, grade_typed
from evals.pages import Pages
from evals.question_set import Question
from evals.suite_index import asker, open_suite
from evals.suites import (
    BUNDLED,
    CORPORA,
    PRACTICE_CORPORA,
    PRACTICE_SEEDS,
    SEEDS,
    TYPED,
    VERSIONS,
    Suite,
    load_suite,
    require_suites,
)
from ingest.progress import BarProgress
from retrieval.assistant import Assistant

SUITES = (BUNDLED, SEEDS, CORPORA, VERSIONS, TYPED, PRACTICE_SEEDS, PRACTICE_CORPORA)
_APART = ("claims", "code_usage", "llm", "reviews", "upgrades")
"""Packages that answer no question of these sets, or are measured by sets of their own."""
_TARGET = RESULTS / "ABLATION.md"
_MOST_ASKED, _SEED, _CHANCE = 150, 20, 0.05
_COLLECTIONS: Mapping[str, Callable[[], object]] = {
    "Iterator": lambda: iter(()), "Iterable": tuple, "Sequence": tuple, "list": list, "frozenset": frozenset,
    "dict": dict, "Mapping": dict, "set": set,
}  # fmt: skip
_INTRODUCTION = """# Ablation

{parts} parts of the answer, {asked:,} questions: `python -m evals.ablation` writes this page. For each part: in how
many questions it does anything, how many answers change without it (of at most {most} drawn), and how many of those
become right or wrong. Questions as people type them are right by their first line, others by key and citation
(`evals.grading`). A star marks what a sign test sets apart from chance (p < .05). All of these questions are practice:
parts were chosen by them."""


@dataclass(frozen=True, slots=True)
class Part:
    """A function of the answer, and what it gives where it is left out."""

    function: FunctionType
    leave_out: Callable[..., object]

    @property
    def name(self) -> str:
        """Where it stands: module and function."""
        return f"{self.function.__module__.removeprefix('retrieval.')}.{self.function.__name__}"


def find_parts() -> tuple[Part, ...]:
    """The functions of the answer that can be left out, by module and line."""
    return tuple(
        Part(function, neutral)
        for module in _modules()
        for function in vars(module).values()
        if isinstance(function, FunctionType) and function.__module__ == module.__name__
        if (neutral := _neutral(function)) is not None
    )


@contextmanager
def replaced(replacements: Mapping[FunctionType, Callable[..., object]]) -> Iterator[None]:
    """Put others in the place of functions, wherever a module of ours or a table in one refers to them."""
    kept: list[tuple[dict[Any, Any], Any, object]] = []
    for module in list(sys.modules.values()):
        if not getattr(module, "__name__", "").startswith("retrieval"):
            continue
        tables = [vars(module), *(value for value in vars(module).values() if isinstance(value, dict))]
        for table in tables:
            for name, value in list(table.items()):
                if isinstance(value, FunctionType) and value in replacements:
                    kept.append((table, name, value))
                    table[name] = replacements[value]
    _forget()
    try:
        yield
    finally:
        for table, name, value in kept:
            table[name] = value
        _forget()


def _forget() -> None:
    """Empty what modules remember of arguments: it was worked out with other parts."""
    for module in _modules():
        for value in vars(module).values():
            if hasattr(value, "cache_clear") and inspect.signature(value).parameters:
                value.cache_clear()


def measure(suite: Suite, parts: Sequence[Part], worth: Mapping[str, Counter[str]], progress: BarProgress) -> int:
    """Ask a suite's questions with all parts, then without each; returns how many were asked.

    `worth` counts for each part: in how many questions it `works`, how many were `asked` without it, how many of those
    `failed` and how many answers `changed`, and were right before only (`lost`) or are so now (`won`).
    """
    with open_suite(suite, progress=progress) as assistant:
        pages = Pages(suite.texts)
        questions = _usable(load_suite(suite), pages)
        at_work: set[str] = set()
        whole = {}
        with replaced({part.function: _watched(part, at_work) for part in parts}):
            for question in questions:
                at_work.clear()
                whole[question.id] = (*_outcome(assistant.judging(), question, pages), frozenset(at_work))
        progress.phase(f"Without each part: {suite.name}", len(parts))
        for part in parts:
            touched = [question for question in questions if part.name in whole[question.id][2]]
            worth[part.name]["works"] += len(touched)
            with replaced({part.function: part.leave_out}):
                without = assistant.judging()
                for question in random.Random(_SEED).sample(touched, min(len(touched), _MOST_ASKED)):  # noqa: S311
                    text, was_right, _ = whole[question.id]
                    worth[part.name].update(_becomes(without, question, text, was_right, pages))
            progress.advance(1)
    return len(questions)


def _becomes(without: Assistant, question: Question, text: str, was_right: bool, pages: Pages) -> Iterator[str]:
    """What becomes of an answer without a part."""
    yield "asked"
    try:
        changed, is_right = _outcome(without, question, pages)
    except Exception:  # a part that others can't do without
        yield "failed"
        return
    if changed != text:
        yield "changed"
    if is_right != was_right:
        yield "won" if is_right else "lost"


def _outcome(assistant: Assistant, question: Question, pages: Pages) -> tuple[str, bool]:
    """What is answered, and whether it is right."""
    answer = asker(assistant)(question)
    if question.lead and question.answerable:
        is_right, _ = grade_typed(question, answer)
    else:
        is_right = grade_answer(question, answer, find_gold(question, pages), pages=pages).correct
    return "\n".join((answer.answer, *answer.notes)), is_right


def _usable(questions: Sequence[Question], pages: Pages) -> list[Question]:
    usable = []
    for question in questions:
        try:
            find_gold(question, pages)
        except RelnotesError:
            continue
        usable.append(question)
    return usable


def _modules() -> Iterator[ModuleType]:
    for found in pkgutil.walk_packages(retrieval.__path__, "retrieval."):
        if found.name.split(".")[1] not in _APART:
            yield importlib.import_module(found.name)


def _neutral(function: FunctionType) -> Callable[..., object] | None:
    """What stands in for a function that is left out; None for one that makes something that others need."""
    signature = inspect.signature(function)
    gives = str(signature.return_annotation)
    first = next(iter(signature.parameters.values()), None)
    if first is not None and str(first.annotation) == gives and gives not in ("bool", "int", "float"):
        return lambda *given, **named: given[0] if given else named[first.name]
    if gives in ("bool", "<class 'bool'>"):
        return lambda *_, **__: False
    if "None" in gives.split(" | ") and gives != "None":
        return lambda *_, **__: None
    kind, _, inner = gives.removeprefix("collections.abc.").partition("[")
    if kind == "tuple" and inner.endswith(", ...]"):
        return lambda *_, **__: ()
    if kind in _COLLECTIONS:
        make = _COLLECTIONS[kind]
        return lambda *_, **__: make()
    return None


def _watched(part: Part, at_work: set[str]) -> Callable[..., object]:
    def call(*given: object, **named: object) -> object:
        result: Any = part.function(*given, **named)
        if isinstance(result, Iterator):
            result = list(result)
            does = bool(result)
            result = iter(result)
        else:
            without = part.leave_out(*given, **named)
            does = result is not without and not (type(result) is type(without) and result == without)
        if does:
            at_work.add(part.name)
        return result

    return call


def render(parts: Sequence[Part], worth: Mapping[str, Counter[str]], asked: int) -> str:
    """The page: the parts by what they are worth."""
    rows = []
    for part in sorted(parts, key=lambda part: (worth[part.name]["won"] - worth[part.name]["lost"], part.name)):
        one = worth[part.name]
        won, lost = one["won"], one["lost"]
        is_beyond_chance = won + lost > 0 and binomtest(won, won + lost).pvalue < _CHANCE
        star = " *" if is_beyond_chance else ""
        lines = len(inspect.getsource(part.function).splitlines())
        counts = (lines, one["works"], one["asked"], one["failed"], one["changed"], lost)
        rows.append((f"`{part.name}`", *map(str, counts), f"{won}{star}"))
    header = ("part", "lines", "works in", "asked without", "fails", "answers changed", "right no more", "right now")
    return f"{_INTRODUCTION.format(parts=len(parts), asked=asked, most=_MOST_ASKED)}\n\n{render_table(header, rows)}\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Leave out each part in turn over every suite on this machine and write the page.

    Raises:
        RelnotesError: ../shared is absent.
    """
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="a pattern: parts whose name it is found in")
    only = re.compile(parser.parse_args(arguments).only)
    require_suites(SUITES, purpose="The ablation")
    parts = [part for part in find_parts() if only.search(part.name)]
    worth = {part.name: Counter[str]() for part in parts}
    with BarProgress() as progress:
        asked = sum(measure(suite, parts, worth, progress) for suite in SUITES)
    write_page(_TARGET, render(parts, worth, asked))
    return 0


if __name__ == "__main__":
    run_command(main)
