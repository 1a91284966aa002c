"""Labelled releases from what a reader notes down: `python -m evals.releases.label ROOT NOTES`.

A line of NOTES has seven fields with tabs between them: path below ROOT, version or `-`, date or `-`, kind, the heading
or `-`, the first entry, the last entry. The last three are a line's number, `|` and the words that the range opens
with; ` … ` and words that end it may follow. Without those a heading ends with its line, and an entry before the next
bullet as deep or the next paragraph. Prints the JSON lines of `evals.releases.truth_set`.

A note that doesn't fit its file, or leaves the range open, is refused.
"""

import argparse
import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from corpus.errors import UsageError
from corpus.model import Span
from evals.command import run_command
from evals.labelled_places import words_sha
from evals.releases.truth_set import parse_release

_NOTE = re.compile(r"(?P<line>\d+)\|(?P<opening>.+?)(?: … (?P<closing>.+))?")
_BULLET = re.compile(r"[ \t]*(?:[-*+•o]|\d+[.)])[ \t]+")
_FIELDS = 7


def label_release(note: str, text: str) -> str:
    """The JSON line of one note about a file with this text.

    Raises:
        UsageError: the note is malformed, or its words don't stand once on the line that it names.
    """
    fields = note.split("\t")
    if len(fields) != _FIELDS:
        raise UsageError(f"A note has {_FIELDS} fields, got {len(fields)} in {note!r}.")
    path, version, day, kind, heading, first, last = fields
    entry = {
        "path": path,
        "version": None if version == "-" else version,
        "date": None if day == "-" else day,
        "kind": kind,
        "heading": None if heading == "-" else _range(text, _span(text, heading, is_heading=True)),
        "first": _range(text, _span(text, first, is_heading=False)),
        "last": _range(text, _span(text, last, is_heading=False)),
    }
    line = json.dumps(entry, ensure_ascii=False)
    parse_release(line)
    return line


def _range(text: str, span: Span) -> dict[str, object]:
    sha = words_sha(span.slice(text))
    return {"start": span.start, "end": span.end, "sha": sha}


def _span(text: str, note: str, *, is_heading: bool) -> Span:
    parts = _NOTE.fullmatch(note)
    if parts is None:
        raise UsageError(f"A range is noted as LINE|opening words, got {note!r}.")
    lines = text.split("\n")
    number = int(parts["line"]) - 1
    if number >= len(lines) or lines[number].count(parts["opening"]) != 1:
        raise UsageError(f"The words must stand once on the line that is noted: {note!r}.")
    begins = sum(len(line) + 1 for line in lines[:number])
    start = begins + lines[number].index(parts["opening"])
    if parts["closing"]:
        end = text.find(parts["closing"], start)
        if end < 0:
            raise UsageError(f"The closing words don't follow: {note!r}.")
        return Span(start, end + len(parts["closing"]))
    last = number if is_heading else _last_line(lines, number)
    end = begins + len("\n".join(lines[number : last + 1]))
    return Span(start, start + len(text[start:end].rstrip()))


def _last_line(lines: Sequence[str], first: int) -> int:
    """The last line of the entry that begins on line `first`."""
    bullet = _BULLET.match(lines[first])
    depth = _depth(lines[first])
    last = first
    for number in range(first + 1, len(lines)):
        line = lines[number]
        if not line.strip():
            if bullet is None:
                break
            continue
        after_blank = not lines[number - 1].strip()
        if _depth(line) <= depth and (after_blank or _BULLET.match(line) or line.startswith("#")):
            break
        last = number
    return last


def _depth(line: str) -> int:
    return len(line.expandtabs()) - len(line.expandtabs().lstrip())


def main() -> int:
    """Print the labels of a file of notes.

    Raises:
        UsageError: as for `label_release`.
    """
    parser = argparse.ArgumentParser(description="Turn notes about releases into labels.")
    parser.add_argument("root", type=Path)
    parser.add_argument("notes", type=Path)
    options = parser.parse_args()
    for note in options.notes.read_text(encoding="utf-8").splitlines():
        if note.strip() and not note.startswith("#"):
            text = (options.root / note.partition("\t")[0]).read_bytes().decode("utf-8")
            sys.stdout.write(f"{label_release(note, text)}\n")
    return 0


if __name__ == "__main__":
    run_command(main)
