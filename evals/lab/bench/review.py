"""How long the review of a large diff takes: 40 bumps and 5,000 changed lines, over ../shared/corpora.

The peer is what a reviewer would do without us, as a script of thirty lines: read the diff for changed pins, and grep
every line of the notes of the product's releases in the range for words of breaking changes. It knows no sections,
repeats itself, cites nothing and finds no symbols.

    python -m evals.lab.bench.review [--passes N]
"""

import argparse
import re
import time
from collections.abc import Callable, Iterator, Sequence

from corpus.index.reader import IndexReader
from corpus.versions import Version
from evals.command import run_command
from evals.suite_index import open_suite
from evals.suites import CORPORA, require_suites
from ingest.progress import BarProgress
from retrieval.assistant import Assistant

_BUMPS = 40
_LINES = 5000
_PIN = re.compile(r"([+-])([\w.-]+)==(\S+)")
_WORDS = re.compile(r"breaking|removed|deprecated|no longer|incompatible|dropped", re.IGNORECASE)


def large_diff(index: IndexReader) -> str:
    """A diff of pins of the indexed products, each twice over its releases, and of Python code that uses them."""
    pins = tuple(_pins(index))[:_BUMPS]
    code = [f"+value_{n} = {pins[n % len(pins)][0].lower()}.load_{n}(axis={n})" for n in range(_LINES - 2 * len(pins))]
    return "\n".join(
        (
            "--- a/requirements.txt",
            "+++ b/requirements.txt",
            f"@@ -1,{len(pins)} +1,{len(pins)} @@",
            *(f"-{name}=={old}" for name, old, _ in pins),
            *(f"+{name}=={new}" for name, _, new in pins),
            "--- a/app.py",
            "+++ b/app.py",
            f"@@ -0,0 +1,{len(code)} @@",
            *code,
            "",
        )
    )


def _pins(index: IndexReader) -> Iterator[tuple[str, Version, Version]]:
    """Names that aren't indexed too: half of a real diff is unknown."""
    known = [one for one in index.products if len(one.releases) > 2]
    for product in known:
        newest = product.releases[0].version, product.releases[min(8, len(product.releases) - 1)].version
        yield product.name, newest[1], newest[0]
    for n in range(_BUMPS - len(known)):
        yield f"unknown-{n}", Version.parse("1.0"), Version.parse("2.0")


def grep_notes(diff: str, index: IndexReader) -> int:
    """The peer: how many lines of the notes in each pin's range hold a word of breaking changes."""
    pins: dict[str, dict[str, Version]] = {}
    for sign, name, version in _PIN.findall(diff):
        pins.setdefault(name, {})[sign] = Version.parse(version)
    found = 0
    for passage in index.load_passages(range(index.manifest.passages)):
        pin = pins.get(passage.document.product)
        if pin and passage.release and pin["-"] < passage.release_order <= pin["+"]:
            lines = passage.span.slice(index.text_of(passage)).splitlines()
            found += sum(bool(_WORDS.search(line)) for line in lines)
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Print seconds and their ratio.

    Raises:
        RelnotesError: ../shared is absent.
    """
    parser = argparse.ArgumentParser(
        prog="python -m evals.lab.bench.review", description="Time the review of a large diff"
    )
    parser.add_argument("--passes", type=int, default=3, help="the fastest of these counts")
    chosen = parser.parse_args(arguments)
    require_suites((CORPORA,), purpose="This benchmark")
    with open_suite(CORPORA, progress=BarProgress()) as assistant:
        diff = large_diff(assistant.index)
        ours = _fastest(lambda: _review(assistant, diff), passes=chosen.passes)
        peers = _fastest(lambda: grep_notes(diff, assistant.index), passes=chosen.passes)
        review, lines = assistant.review(diff), grep_notes(diff, assistant.index)
    items = sum(len(bump.items) for bump in review.bumps)
    print(f"{diff.count(chr(10)):,} lines, {_BUMPS} bumps, {len(review.bumps)} of them of indexed products")
    print(f"review: {ours:.2f} s, {items} items, {len(review.symbols)} symbols, all cited")
    print(f"grep over the same notes: {peers:.2f} s, {lines} lines")
    print(f"ratio: {ours / peers:.2f}")
    return 0


def _review(assistant: Assistant, diff: str) -> None:
    assistant.review(diff)


def _fastest(work: Callable[[], object], *, passes: int) -> float:
    """Seconds of the fastest pass."""
    times = []
    for _ in range(passes):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return min(times)


if __name__ == "__main__":
    run_command(main)
