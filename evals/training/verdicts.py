"""Fit how sure the judge of claims must be for a verdict to stand: `python -m evals.training.verdicts`."""

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evals.command import ROOT, run_command
from evals.suite_index import open_suite
from evals.suites import CORPORA, require_suites
from evals.training.cross_encoder import HELD
from evals.training.examples import read_lines
from ingest.progress import BarProgress
from retrieval.assistant import Assistant
from retrieval.claims.evidence import decide, judge_evidence, says, search_part
from retrieval.claims.model import Verdict
from retrieval.claims.parts import split_parts
from retrieval.judge.claims import Thresholds

PRECISION = 0.85
_FEWEST = 40
"""A share of fewer verdicts than these is left to chance."""
_FILE = ROOT / "retrieval" / "judge" / "claim_thresholds.json"
_FITTED = (Verdict.SUPPORTED, Verdict.CONTRADICTED)


@dataclass(frozen=True, slots=True)
class Leaning:
    """What is made of a claim where any sureness is enough, how sure that is, and what is right."""

    project: str
    verdict: Verdict
    sureness: float
    expected: Verdict


def main() -> int:
    """Check the claims about projects kept aside, choose both thresholds, write and print them.

    Raises:
        RelnotesError: documents are absent or can't be ingested.
    """
    require_suites((CORPORA,), purpose="Fitting the thresholds of verdicts")
    with BarProgress() as progress, open_suite(CORPORA, progress=progress) as assistant:
        leanings = tuple(_leanings(assistant))
    fitted = {verdict.value: fit(leanings, verdict) for verdict in _FITTED}
    projects = sorted({one.project for one in leanings})
    told = {"fitted_on": f"{len(leanings)} claims about {', '.join(projects)}, of which nothing was learned"}
    written = json.dumps(told | fitted, indent=2) + "\n"
    _FILE.write_text(written, encoding="utf-8")
    sys.stdout.write(written)
    return 0


def fit(leanings: Sequence[Leaning], verdict: Verdict) -> dict[str, float]:
    """The `threshold` of a verdict, and what it is worth: the `precision` of the verdict above it, the share of the
    claims deserving it that still get it (`recall`), and its precision over projects that had no part in choosing it
    (`precision_held_out`)."""
    threshold = choose_threshold(leanings, verdict)
    kept: list[Leaning] = []
    for project in {one.project for one in leanings}:
        others = choose_threshold([one for one in leanings if one.project != project], verdict)
        kept += _above([one for one in leanings if one.project == project], verdict, others)
    above = _above(leanings, verdict, threshold)
    deserving = sum(one.expected is verdict for one in leanings)
    return {
        "threshold": threshold,
        "precision": round(_right(above) / max(1, len(above)), 3),
        "recall": round(_right(above) / max(1, deserving), 3),
        "precision_held_out": round(_right(kept) / max(1, len(kept)), 3),
    }


def choose_threshold(leanings: Sequence[Leaning], verdict: Verdict) -> float:
    """The lowest sureness, in steps of .01, from which on `verdict` is right in `PRECISION` of the cases at every step
    that has enough of them; 1 where there is none."""
    chosen = 1.0
    for step in range(99, 29, -1):
        above = _above(leanings, verdict, step / 100)
        if len(above) >= _FEWEST and _right(above) < PRECISION * len(above):
            break
        chosen = step / 100
    return chosen


def _leanings(assistant: Assistant) -> Iterator[Leaning]:
    """Of each claim in one part; those that the notes say nothing of lean to `not_found`."""
    sources = {document.source for document in assistant.index.documents}
    for line in read_lines("claims.jsonl"):
        project = line["path"].partition("/")[0]
        if project not in HELD or line["path"] not in sources or len(split_parts(line["claim"])) > 1:
            continue
        evidence = judge_evidence(line["claim"], search_part(line["claim"], assistant, product=None, version=None))
        decided = decide(line["claim"], evidence, Thresholds(0.0, 0.0))
        is_told = decided.verdict in _FITTED
        sureness = says(decided.evidence[0], bears=decided.verdict is Verdict.SUPPORTED) if is_told else 0.0
        yield Leaning(project, decided.verdict, sureness, Verdict(line["verdict"]))


def _above(leanings: Sequence[Leaning], verdict: Verdict, threshold: float) -> list[Leaning]:
    return [one for one in leanings if one.verdict is verdict and one.sureness >= threshold]


def _right(leanings: Sequence[Leaning]) -> int:
    return sum(one.expected is one.verdict for one in leanings)


if __name__ == "__main__":
    run_command(main)
