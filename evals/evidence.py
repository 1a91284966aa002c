"""What was measured before the code that it is about changed: `python -m evals.evidence`, or `make evidence`.

Looks at the table of evidence in docs/quality.md, at the pages that commands write (evals/results, docs/releases.md)
and at the trials (evals/lab/results). Nothing is measured here.
"""

import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from evals.command import CODE, RESULTS, ROOT, ask_git, run_command

QUALITY = ROOT / "docs" / "quality.md"
_ROW = re.compile(r"(?m)^\| ([^|]+) \|.*\| (\d{4}-\d\d-\d\d), ([0-9a-f]{7,}) \| (`\w+`(?:, `\w+`)*) \|$")
_MEASURED = re.compile(r"^# .+\n\nMeasured on (\S+) at ([0-9a-f]{7,})\b")


@dataclass(frozen=True, slots=True)
class Measurement:
    """What was measured, on which day (ISO 8601), at which commit, and the folders of code that it is about."""

    name: str
    day: str
    commit: str
    about: tuple[str, ...] = CODE

    def age(self) -> str:
        """Return how much of that code was committed since; empty where none was."""
        if not self.commit or not ask_git("cat-file", "-t", self.commit):
            return "tells no commit of this history"
        since = ask_git("rev-list", "--count", f"{self.commit}..HEAD", "--", *self.about)
        return "" if since == "0" else f"{since} commits since"


def read_evidence(page: str) -> Iterator[Measurement]:
    """Return the rows of the table of evidence, as the page has them."""
    for name, day, commit, about in _ROW.findall(page):
        yield Measurement(name, day, commit, tuple(re.findall(r"\w+", about)))


def read_page(path: Path) -> Measurement:
    """A page that a command wrote (`evals.command.write_page`)."""
    text = path.read_text(encoding="utf-8")
    measured = _MEASURED.match(text)
    name = path.relative_to(ROOT).as_posix()
    return Measurement(name, measured[1], measured[2]) if measured else Measurement(name, "", "")


def read_trial(path: Path) -> Measurement:
    """A trial that was kept (`evals.lab.trials.keep_trial`)."""
    trial = json.loads(path.read_text(encoding="utf-8"))
    return Measurement(path.relative_to(ROOT).as_posix(), trial["began"][:10], trial["commit"])


def main() -> int:
    """List what is older than its code, the oldest first."""
    pages = (*sorted(RESULTS.glob("*.md")), ROOT / "docs" / "releases.md")
    trials = sorted((ROOT / "evals" / "lab" / "results").glob("*.json"))
    measured = [
        *read_evidence(QUALITY.read_text(encoding="utf-8")), *map(read_page, pages), *map(read_trial, trials)
    ]  # fmt: skip
    old = [(one, age) for one in sorted(measured, key=lambda one: one.day) if (age := one.age())]
    sys.stdout.writelines(f"{one.day or 'no day':10}  {age:32}  {one.name}\n" for one, age in old)
    sys.stdout.write(f"{len(measured) - len(old)} of {len(measured)} are as new as the code that they are about.\n")
    return 0


if __name__ == "__main__":
    run_command(main)
