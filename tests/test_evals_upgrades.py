"""What `evals.upgrades` promises of its measures, and what the labelled bumps must hold."""

import hashlib
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from case_files import read_rows
from page_answers import CITATION

from corpus.errors import UsageError
from corpus.model import Change, Kind, Span
from corpus.versions import Version
from evals.pages import FolderTexts, Pages
from evals.suites import Suite
from evals.upgrades import __main__ as command
from evals.upgrades.__main__ import main, render_wrong
from evals.upgrades.bump_set import KINDS_OF, LabelledBump, ListedChange, load_bumps
from evals.upgrades.scoring import Counts, ListedItem, PlacedChange, place_changes, score
from evals.upgrades.trial import BUMP_SETS, UPGRADE, BumpResult, judge

NOTES = "Removed\n\n* ``old()`` is removed.\n\n* ``older()`` is removed.\n\nDeprecated\n\n* ``soon()`` is deprecated.\n"


def change(
    start: int, end: int, *, kind: Change = Change.REMOVED, optional: bool = False, also: tuple[Span, ...] = ()
) -> PlacedChange:
    spots = tuple(("a.txt", span) for span in (Span(start, end), *also))
    return PlacedChange(
        ListedChange("a.txt", start, end, "0" * 12, KINDS_OF[kind][0], kind, "2.0", optional=optional), spots
    )


def item(start: int, end: int, *, path: str = "a.txt", kind: Kind | None = None) -> ListedItem:
    return (path, Span(start, end)), kind


REMOVED, BROKEN = change(0, 100), change(100, 200, kind=Change.BREAKS)
SOON = change(200, 300, kind=Change.DEPRECATED)


@pytest.mark.parametrize(
    ("changes", "items", "expected"),
    [
        pytest.param([REMOVED], [item(0, 100), item(300, 400)], Counts(1, 1, 1, 1, 2, 1, 0), id="one item too many"),
        pytest.param([REMOVED], [item(0, 60), item(40, 100)], Counts(1, 1, 1, 1, 2, 1, 0), id="twice is once wrong"),
        pytest.param([REMOVED, BROKEN], [item(0, 200)], Counts(2, 2, 2, 2, 1, 1, 0), id="one item tells two"),
        pytest.param([REMOVED, BROKEN], [item(0, 200), item(0, 100)], Counts(2, 2, 2, 2, 2, 2, 0),
                     id="paired as well as can be"),
        pytest.param([REMOVED], [(None, None)], Counts(1, 0, 1, 0, 1, 0, 0), id="a quote that isn't there"),
        pytest.param([REMOVED, change(300, 400, optional=True)], [item(0, 100), item(300, 400), item(300, 350)],
                     Counts(1, 1, 1, 1, 1, 1, 0), id="optional changes count for nothing and against nothing"),
        pytest.param([change(0, 100, also=(Span(500, 550),))], [item(500, 550), item(0, 100)],
                     Counts(1, 1, 1, 1, 2, 1, 0), id="told elsewhere is told, and twice is wrong"),
        pytest.param([REMOVED, SOON], [item(0, 100, kind=Kind.REMOVAL), item(200, 300, kind=Kind.BREAKING)],
                     Counts(2, 2, 1, 1, 2, 2, 1), id="one kind of two"),
        pytest.param([change(0, 100, kind=Change.REQUIREMENT)], [item(0, 100, kind=Kind.REMOVAL)],
                     Counts(1, 1, 1, 1, 1, 1, 1), id="a dropped platform is a removal too"),
    ],
)  # fmt: skip
def test_counts_worked_out_by_hand(changes: list[PlacedChange], items: list[ListedItem], expected: Counts) -> None:
    assert score(changes, items) == expected


def bump_line(text: str, *entries: str, path: str = "a/2.0.txt", **changed: object) -> str:
    items = []
    for entry in entries:
        start = text.index(entry)
        sha = hashlib.sha256(entry.encode()).hexdigest()[:12]
        end = start + len(entry)
        items.append({"kind": "removal", "change": "removed", "release": "2.0", "path": path, "start": start})
        items[-1] |= {"end": end, "sha": sha}
    line = {"id": "u-a", "project": "a", "product": "A", "from": "1.0", "to": "2.0", "split": "dev", "items": items}
    return json.dumps(line | changed)


def read(folder: Path, line: str) -> LabelledBump:
    (folder / "bumps.jsonl").write_text(line, encoding="utf-8")
    (bump,) = load_bumps(folder / "bumps.jsonl")
    return bump


def test_judged_against_the_notes_themselves(tmp_path: Path) -> None:
    first, second = "* ``old()`` is removed.", "* ``older()`` is removed."
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "2.0.txt").write_text(NOTES, encoding="utf-8")
    bump = read(tmp_path, bump_line(NOTES, first, second))
    pages = Pages(FolderTexts(tmp_path))
    soon = "``soon()`` is deprecated."
    listed = [
        (replace(CITATION, source="a/2.0.txt", start=at, end=at + len(quote), quote=quote), Kind.DEPRECATION)
        for quote, at in ((first, NOTES.index(first)), (soon, NOTES.index(soon)))
    ]
    result = judge("engine", bump, place_changes(bump, pages), listed, pages)
    assert result.score == Counts(changes=2, listed=1, severe=2, severe_listed=1, items=2, right=1, of_right_kind=0)
    assert [NOTES[one.change.start : one.change.end] for one in result.missed] == [second]
    assert [one.quote for one in result.wrong] == [soon]
    missed, wrong = render_wrong([result]).splitlines()
    assert missed == f"engine, u-a: missed a/2.0.txt:{NOTES.index(second)}-{NOTES.index(second) + len(second)}"
    assert wrong.endswith(f": {soon!r}")


@pytest.mark.parametrize(("line", "fault"), read_rows("evals-faults-of-a-file-are-told-by-line"))
def test_faults_of_a_file_are_told_by_line(line: str, fault: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=rf"bumps\.jsonl:2.*{fault}"):
        read(tmp_path, f"\n{line}\n")


@pytest.fixture(scope="module", params=BUMP_SETS, ids=lambda one: one.name)
def labelled(request: pytest.FixtureRequest) -> Suite:
    bump_set: Suite = request.param
    return bump_set


def test_labels_stand_where_they_say(labelled: Suite) -> None:
    if not labelled.is_available:
        pytest.skip(f"the documents of {labelled.name} are not beside this checkout")
    pages = Pages(FolderTexts(labelled.documents))
    for bump in load_bumps(labelled.questions):
        lost = [placed.change for placed in place_changes(bump, pages) if not placed.spots]
        assert not lost, bump.id


def test_no_change_is_labelled_twice(labelled: Suite) -> None:
    for bump in load_bumps(labelled.questions):
        places = Counter((change.path, change.start, change.end) for change in bump.changes)
        assert [place for place, times in places.items() if times > 1] == [], bump.id


def test_every_label_is_of_a_release_in_the_range(labelled: Suite) -> None:
    for bump in load_bumps(labelled.questions):
        low, high = Version.parse(bump.start), Version.parse(bump.end)
        outside = [one.release for one in bump.changes if not low < Version.parse(one.release).base <= high]
        assert outside == [], bump.id


@pytest.mark.parametrize(
    ("limits", "status", "missed"), read_rows("evals-the-micro-figures-are-compared-with-limits", list)
)
@pytest.mark.parametrize("gate", [True, False], ids=["gate", "all"])
def test_the_micro_figures_are_compared_with_limits(
    limits: str,
    status: int,
    missed: list[str],
    gate: bool,
    labelled_bump: LabelledBump,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    results = (
        BumpResult(UPGRADE, labelled_bump, Counts(3, 3, 3, 3, 3, 3, 3), (), ()),
        BumpResult(UPGRADE, labelled_bump, Counts(3, 0, 3, 0, 9, 0, 0), (), ()),
        BumpResult("another", labelled_bump, Counts(3, 0, 3, 0, 0, 0, 0), (), ()),
    )
    sets = (Suite("here", tmp_path, tmp_path), Suite("elsewhere", tmp_path / "none", tmp_path))
    monkeypatch.setattr(command, "GATE_BUMP_SETS" if gate else "BUMP_SETS", sets)
    monkeypatch.setattr(command, "run_set", lambda *_, **__: results)
    monkeypatch.setattr(command, "_MINIMUMS", tmp_path / "minimums.toml")
    (tmp_path / "minimums.toml").write_text(f"[{'gate' if gate else 'all'}]\n{limits}\n", encoding="utf-8")
    assert main(["--gate"] * gate) == status
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "upgrades in elsewhere: skipped, its documents are not beside this checkout"
    told = "upgrades (2 bumps): recall 0.500  severe 0.500  precision 0.250  ratio 2.000  kind 1.000"
    assert said[-len(missed) - 1 :] == [told, *(f"MISSED in upgrades: {miss}" for miss in missed)]


@pytest.fixture
def labelled_bump(tmp_path: Path) -> LabelledBump:
    return read(tmp_path, bump_line(NOTES, "older()"))
