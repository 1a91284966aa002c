"""What `evals.releases` promises of its measures, and what the hand-checked releases must hold."""

import hashlib
import json
from dataclasses import replace
from pathlib import Path

import pytest

from corpus.errors import SourceError
from evals.releases import __main__ as command
from evals.releases import scoring
from evals.releases.reading import ReadDocument, read_folder
from evals.releases.scoring import ReadingScore, score
from evals.releases.truth_set import TruePassage, TrueRelease, parse_passage, parse_release
from evals.suites import BUNDLED, CORPORA, Suite

NOTES = """# Changelog

## 2.0.0-rc.1

Released: 2024-05-06

- The lid opens.
  It stays open.
- The spout pours.

## 1.9.0 [YANKED]

[Compare](https://example.org/compare)

The handle is back.

```
## 1.8.0
```
"""
PAGE = """<html><head><title>Kettle</title></head><body><nav>Kettle 2.1</nav><main><h1>Kettle 2.1<a>#</a></h1>
<dl><dt>Editor:</dt><dd>Jane</dd></dl><p>It boils &amp; whistles.</p><h2>Notable changes in Kettle 2.1.1</h2>
<p>It <em>pours</em>.</p><h2>Notable changes in Kettle 2.1.10</h2><p>It <em>pours</em> again.</p></main></body></html>
"""


@pytest.fixture
def documents(tmp_path: Path) -> dict[str, ReadDocument]:
    """A changelog and a page, read as ingest reads them."""
    (tmp_path / "CHANGELOG.md").write_text(NOTES, encoding="utf-8")
    (tmp_path / "page.html").write_text(PAGE, encoding="utf-8")
    return {document.path: document for document in read_folder(tmp_path, {"CHANGELOG.md", "page.html"})}


def place(words: str, *, source: str = NOTES) -> dict[str, object]:
    start = source.index(words)
    sha = hashlib.sha256(words.encode()).hexdigest()[:12]
    return {"start": start, "end": start + len(words), "sha": sha}


def labelled(version: str, day: str | None, kind: str, *, heading: str, first: str, last: str) -> TrueRelease:
    ranges = {"heading": place(heading), "first": place(first), "last": place(last)}
    line = {"path": "CHANGELOG.md", "version": version, "date": day, "kind": kind, **ranges}
    return parse_release(json.dumps(line))


def passage(words: str, version: str | None, *, path: str = "CHANGELOG.md") -> TruePassage:
    source = PAGE if path.endswith("html") else NOTES
    return parse_passage(json.dumps({"path": path, **place(words, source=source), "version": version}))


LID, SPOUT = "- The lid opens.\n  It stays open.", "- The spout pours."
CANDIDATE = labelled("2.0.0-rc.1", "2024-05-06", "candidate", heading="## 2.0.0-rc.1", first=LID, last=SPOUT)
HANDLE = "The handle is back."
YANKED = labelled("1.9.0", None, "yanked", heading="## 1.9.0 [YANKED]", first=HANDLE, last=HANDLE)


def test_what_is_read_as_a_person_reads_it_is_right(documents: dict[str, ReadDocument]) -> None:
    passages = [passage("It stays open.", "2.0.0rc1"), passage("# Changelog\n", None)]
    assert score(documents, [CANDIDATE, YANKED], passages) == ReadingScore(2, 2, ())


def test_everything_that_differs_is_a_miss_of_its_own(documents: dict[str, ReadDocument]) -> None:
    wrong = labelled("2.1.0", "2024-05-07", "final", heading="## 2.0.0-rc.1", first=SPOUT, last=LID)
    found = score(documents, [wrong], [passage("It stays open.", "1.9.0")])
    assert [(miss.check, miss.reading) for miss in found.misses] == [
        ("version", "2.0.0-rc.1"),
        ("date", "2024-05-06"),
        ("kind", "candidate"),
        ("first", "characters 50 to 83"),
        ("last", "characters 84 to 102"),
        ("passage", "2.0.0-rc.1"),
    ]
    assert {miss.version for miss in found.misses} == {"2.1.0", "1.9.0"}


def test_a_document_that_changed_is_not_scored(documents: dict[str, ReadDocument], tmp_path: Path) -> None:
    (tmp_path / "CHANGELOG.md").write_text(NOTES.replace("lid", "cap"), encoding="utf-8")
    changed = {document.path: document for document in read_folder(tmp_path, {"CHANGELOG.md"})}
    with pytest.raises(SourceError, match="has changed"):
        score(changed, [CANDIDATE], [])
    with pytest.raises(SourceError, match="is absent"):
        score({}, [CANDIDATE], [])


@pytest.mark.parametrize(
    ("here", "status", "said"),
    [
        pytest.param((BUNDLED,), 0, "releases (23 releases, 23 passages): version 1.000", id="the bundled"),
        pytest.param((), 1, "MISSED in releases: version is not measured", id="none"),
    ],
)
def test_what_is_absent_is_said_and_what_is_here_must_be_read(
    here: tuple[Suite, ...],
    status: int,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(command, "_REPORT", tmp_path / "releases.md")
    monkeypatch.setattr(scoring, "_SUITES", (replace(CORPORA, documents=tmp_path / "none"), *here))
    assert command.main() == status
    output = capsys.readouterr().out
    assert output.startswith("releases in corpora: skipped, its documents are not beside this checkout\n")
    assert f"\n{said}" in output
    assert not (tmp_path / "releases.md").exists()
