"""Measures each module of the answer: `python -m evals.ablation` writes `evals/results/ABLATION.md`.

A module of `retrieval` is left out by replacing its functions by neutral ones: predicates return False, finders return
nothing, and functions that change a text, a query or a draft return it unchanged. Functions whose results others need
stay, and a module that has no other function isn't left out.
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
from contextlib import contextmanager, suppress
from functools import partial
from types import FunctionType, ModuleType

from scipy.stats import binomtest

import retrieval
from corpus.errors import RelnotesError
from evals.claims.claim_set import CLAIM_FULL_SUITES, ExpectedClaim, load_claims
from evals.claims.grading import combine_verdicts
from evals.command import RESULTS, render_table, run_command, write_page
from evals.grading import find_gold, grade_answer, grade_typed
from evals.pages import Pages
from evals.question_set import Question
from evals.suite_index import asker, open_suite
from evals.suites import BUNDLED, CORPORA, SEEDS, TYPED, VERSIONS, Suite, load_suite, require_suites
from ingest.progress import BarProgress
from retrieval.assistant import Assistant

SUITES = (BUNDLED, SEEDS, CORPORA, VERSIONS, TYPED)
_APART = ("upgrades.code_usage", "llm", "reviews", "upgrades")
"""Packages that answer neither questions nor claims; other sets measure them."""
_SEED, _CHANCE = 20, 0.05
_EMPTY: Mapping[str, Callable[[], object]] = {
    "tuple": tuple, "Iterator": lambda: iter(()), "Iterable": tuple, "Sequence": tuple, "list": list,
    "frozenset": frozenset, "dict": dict, "Mapping": dict, "set": set,
}  # fmt: skip
_INTRODUCTION = """# Ablation

{modules} modules of the answer, {asked} questions and claims, at most {most} drawn of each set:
`python -m evals.ablation --most {most}` writes this page. For each module: its functions that do nothing without it,
how many answers fail or change, how many become wrong or right, and what that makes of a thousand. Questions as people
type them are right by their first line, others by key and citation (`evals.grading`), claims by their verdict. A star
marks what a sign test sets apart from chance (p < .05). All of these are practice: parts were chosen by them."""

Probe = Callable[[Assistant], tuple[str, bool]]
"""Asks a question or checks a claim; returns the answer's text and whether it is right."""
Idle = Mapping[FunctionType, Callable[..., object]]
"""Functions and their neutral replacements."""


def find_modules(only: str = "") -> dict[str, Idle]:
    """Return the modules of the answer that can be left out, by name; `only` is a pattern to search in names."""
    modules: dict[str, Idle] = {}
    for module in _modules():
        name = module.__name__.removeprefix("retrieval.")
        functions = (f for f in vars(module).values() if inspect.isfunction(f) and f.__module__ == module.__name__)
        idle = {function: neutral for function in functions if (neutral := _neutral(function)) is not None}
        if idle and re.search(only, name):
            modules[name] = idle
    return modules


@contextmanager
def replaced(idle: Idle) -> Iterator[None]:
    """Replace functions for a `with` block, wherever a module of retrieval or a dict in one refers to them."""
    modules = [vars(module) for name, module in sys.modules.items() if name.startswith("retrieval")]
    tables = [*modules, *(value for module in modules for value in module.values() if isinstance(value, dict))]
    originals = [
        (table, name, value)
        for table in tables
        for name, value in table.items()
        if isinstance(value, FunctionType) and value in idle
    ]
    for table, name, value in originals:
        table[name] = idle[value]
    _clear_caches()
    try:
        yield
    finally:
        for table, name, value in originals:
            table[name] = value
        _clear_caches()


def _clear_caches() -> None:
    """Clear the caches of all modules, whose results were computed with other functions."""
    for module in _modules():
        for value in vars(module).values():
            if hasattr(value, "cache_clear") and inspect.signature(value).parameters:
                value.cache_clear()


def measure(
    suite: Suite,
    probes: Sequence[Probe],
    modules: Mapping[str, Idle],
    worth: Mapping[str, Counter[str]],
    progress: BarProgress,
) -> None:
    """Run the probes over a suite's index with all modules, then without each.

    Adds to `worth`, for each module, how many answers `failed` or `changed` without it, and how many were right only
    with it (`lost`) or only without it (`won`). A probe is repeated only if a function of the module affected it.
    """
    with open_suite(suite, progress=progress) as assistant:
        affected: dict[FunctionType, set[int]] = {function: set() for idle in modules.values() for function in idle}
        baseline = []
        progress.phase(f"With all modules: {suite.name}", len(probes))
        for number, probe in enumerate(probes):
            watched = {f: _watch(f, idle[f], affected[f], number) for idle in modules.values() for f in idle}
            with replaced(watched):
                baseline.append((probe, *probe(assistant.judging())))
            progress.advance(1)
        progress.phase(f"Without each module: {suite.name}", len(modules))
        for name, idle in modules.items():
            with replaced(idle):
                without = assistant.judging()
                for number in sorted(set().union(*(affected[function] for function in idle))):
                    worth[name].update(_compare(without, *baseline[number]))
            progress.advance(1)


def _watch(function: FunctionType, neutral: Callable[..., object], used: set[int], n: int) -> Callable[..., object]:
    """Wrap the function to add `n`, a probe's number, to `used` if its result differs from the neutral one's."""

    def watched(*args: object, **kwargs: object) -> object:
        args = tuple(list(arg) if isinstance(arg, Iterator) else arg for arg in args)
        value = function(*args, **kwargs)
        if isinstance(value, Iterator):
            value = list(value)
            used.update([n] if value else ())
            return iter(value)
        if n not in used:
            neutral_value = neutral(*args, **kwargs)
            with suppress(ValueError):  # of arrays
                if value is neutral_value or bool(value == neutral_value):
                    return value
            used.add(n)
        return value

    return watched


def _compare(without: Assistant, probe: Probe, text: str, was_right: bool) -> Iterator[str]:
    """Yield how an answer differs without a module: `failed`, or `changed`, and `won` or `lost`."""
    try:
        new_text, is_right = probe(without)
    except Exception:  # Other modules need this one.
        yield "failed"
        return
    if new_text != text:
        yield "changed"
    if is_right != was_right:
        yield "won" if is_right else "lost"


def _questions(suite: Suite) -> list[Probe]:
    """Return the probes of a suite's questions."""
    pages = Pages(suite.texts)
    return [partial(_ask, question, pages) for question in load_suite(suite) if _has_gold(question, pages)]


def _claims(suite: Suite) -> list[Probe]:
    return [partial(_cite, claim) for claim in load_claims(suite)]


def _ask(question: Question, pages: Pages, assistant: Assistant) -> tuple[str, bool]:
    answer = asker(assistant)(question)
    if question.lead and question.answerable:
        is_right, _ = grade_typed(question, answer)
    else:
        is_right = grade_answer(question, answer, find_gold(question, pages), pages=pages).correct
    return "\n".join((answer.answer, *answer.notes)), is_right


def _cite(claim: ExpectedClaim, assistant: Assistant) -> tuple[str, bool]:
    check = assistant.cite(claim.claim, product=claim.product)
    return repr(check.claims), combine_verdicts([checked.verdict for checked in check.claims]) is claim.verdict


def _has_gold(question: Question, pages: Pages) -> bool:
    try:
        find_gold(question, pages)
    except RelnotesError:
        return False
    return True


def _modules() -> Iterator[ModuleType]:
    for package in pkgutil.walk_packages(retrieval.__path__, "retrieval."):
        if package.name.split(".")[1] not in _APART:
            yield importlib.import_module(package.name)


def _neutral(function: FunctionType) -> Callable[..., object] | None:
    """Return the neutral replacement of a function, by its return type; None if others need the function's result."""
    signature = inspect.signature(function)
    return_type = str(signature.return_annotation)
    first = next(iter(signature.parameters.values()), None)
    if first is not None and str(first.annotation) == return_type and return_type not in ("bool", "int", "float"):
        return lambda *args, **kwargs: args[0] if args else kwargs[first.name]
    if return_type in ("bool", "<class 'bool'>"):
        return lambda *_, **__: False
    if "None" in return_type.split(" | ") and return_type != "None":
        return lambda *_, **__: None
    kind, _, items = return_type.removeprefix("collections.abc.").partition("[")
    if kind in _EMPTY and (kind != "tuple" or items.endswith(", ...]")):
        make = _EMPTY[kind]
        return lambda *_, **__: make()
    return None


def render(modules: Mapping[str, Idle], worth: Mapping[str, Counter[str]], questions: int, most: int) -> str:
    """Return the page with a table of the modules, the most valuable first."""
    rows = []
    for name in sorted(modules, key=lambda name: (worth[name]["won"] - worth[name]["lost"], name)):
        won, lost = worth[name]["won"], worth[name]["lost"]
        star = " *" if won + lost > 0 and binomtest(won, won + lost).pvalue < _CHANCE else ""
        counts = (len(modules[name]), worth[name]["failed"], worth[name]["changed"], lost, won)
        rows.append((f"`{name}`", *map(str, counts), f"{1000 * (lost - won) / questions:.1f}{star}"))
    header = ("module", "functions", "fails", "answers changed", "right no more", "right now", "worth in 1,000")
    introduction = _INTRODUCTION.format(modules=len(modules), asked=questions, most=most)
    return f"{introduction}\n\n{render_table(header, rows)}\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Leave out each module in turn over every suite on this machine and write the page.

    Raises:
        RelnotesError: ../shared is absent.
    """
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="a pattern: modules in whose name it is found")
    parser.add_argument("--most", type=int, default=40, help="how many questions of each set are asked")
    options = parser.parse_args(arguments)
    modules = find_modules(options.only)
    require_suites(SUITES, purpose="The ablation")
    worth = {name: Counter[str]() for name in modules}
    questions = 0
    with BarProgress() as progress:
        for suites, probes_of in ((SUITES, _questions), (CLAIM_FULL_SUITES, _claims)):
            for suite in suites:
                probes = probes_of(suite)
                drawn = random.Random(_SEED).sample(probes, min(len(probes), options.most))  # noqa: S311
                measure(suite, drawn, modules, worth, progress)
                questions += len(drawn)
    write_page(RESULTS / "ABLATION.md", render(modules, worth, questions, options.most))
    return 0


if __name__ == "__main__":
    run_command(main)
