"""Passages to check by hand: `python -m evals.releases.sample INDEX ROOT COUNT PROJECT...`.

Draws passages of an index at random, as many of each project, and prints them as lines of `evals.releases.truth_set`
whose version is the empty text: whoever reads around them in the file fills it in, or null. Ranges count in the file,
also where the index keeps extracted text.
"""

import argparse
import html
import json
import random
import re
import sys
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from pathlib import Path

from corpus.errors import SourceError
from corpus.index.reader import IndexReader
from corpus.model import Span
from evals.command import run_command
from evals.labelled_places import words_sha
from evals.matching import squash

_SEED = 20_240_223
_END_CHARACTERS = 40
_MARKUP = re.compile(r"<(script|style|head)\b.*?</\1>|<!--.*?-->|<[^>]*>|&#?\w+;", re.IGNORECASE | re.DOTALL)


def sample_passages(index: IndexReader, projects: Sequence[str], count: int) -> Iterator[tuple[str, str, Span]]:
    """Path, text as the index keeps it, and range there, of `count` passages spread evenly over the projects."""
    chance = random.Random(_SEED)  # noqa: S311 - drawing a sample is no secret
    everything = index.load_passages(range(len(index.passages.ids)))
    for number, project in enumerate(projects):
        own = [one for one in everything if one.document.source.startswith(f"{project}/") and not one.boilerplate]
        share = count // len(projects) + (number < count % len(projects))
        for passage in sorted(chance.sample(own, share), key=lambda one: one.position):
            yield passage.document.source, index.document_text(passage.document.id), passage.span


def place_in_file(source: str, text: str, span: Span) -> Span:
    """The range of the file that holds a range of the text taken out of it.

    Raises:
        SourceError: the words aren't found.
    """
    if source == text:
        return span
    blank = _MARKUP.sub(lambda found: _unescaped(found.group()).ljust(len(found.group())), source)
    page, sought = squash(blank), squash(span.slice(text)).text
    depth = bisect_left(squash(text).positions, span.start)
    starts = [found.start() for found in re.finditer(f"(?={re.escape(sought[:_END_CHARACTERS])})", page.text)]
    if not starts:
        raise SourceError(f"Not in the file: {span.slice(text)[:60]!r}")
    start = min(starts, key=lambda at: abs(at - depth))
    last = page.text.find(sought[-_END_CHARACTERS:], start)
    if last < 0:
        raise SourceError(f"Not in the file: {span.slice(text)[-60:]!r}")
    end = last + min(_END_CHARACTERS, len(sought))
    return Span(page.positions[start], page.positions[end - 1] + 1)


def _unescaped(markup: str) -> str:
    return html.unescape(markup) if markup.startswith("&") else ""


def main() -> int:
    """Print the sample.

    Raises:
        RelnotesError: the index can't be read, or isn't of these files.
    """
    parser = argparse.ArgumentParser(description="Draw passages of an index to check by hand.")
    parser.add_argument("index", type=Path)
    parser.add_argument("root", type=Path)
    parser.add_argument("count", type=int)
    parser.add_argument("projects", nargs="+")
    options = parser.parse_args()
    with IndexReader.open(options.index) as index:
        for path, text, span in sample_passages(index, options.projects, options.count):
            source = (options.root / path).read_bytes().decode("utf-8", errors="replace")
            place = place_in_file(source, text, span)
            sha = words_sha(place.slice(source))
            line = {"path": path, "start": place.start, "end": place.end, "sha": sha, "version": ""}
            sys.stdout.write(f"{json.dumps(line)}\n")
    return 0


if __name__ == "__main__":
    run_command(main)
