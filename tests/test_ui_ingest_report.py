"""What `relnotes ingest` and `relnotes status` tell: what came in, what looks wrong, how old it is; of 1 or of 200."""

import json
from pathlib import Path
from typing import Any

import pytest
from case_files import read_rows
from cli_calls import run
from small_corpus import HashedEmbedder

import ui.opening


class Place:
    """Notes and an index of them, as the command line has them."""

    def __init__(self, root: Path) -> None:
        self.notes, self.index = root / "notes", root / "index"

    def write(self, name: str, text: str) -> Path:
        path = self.notes / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def run(self, *words: str | Path) -> str:
        result = run(*words, "--index", self.index)
        assert result.exit_code == 0, result.output
        return result.stdout

    def json(self, *words: str | Path) -> Any:
        return json.loads(self.run(*words, "--json"))


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    monkeypatch.setattr(ui.opening, "open_document_embedder", lambda settings: HashedEmbedder())
    return Place(tmp_path)


def changelog(product: str, *releases: str) -> str:
    return f"# {product} changelog\n\n" + "".join(
        f"## {release}\n\n- Turned {release[:4]}.\n\n" for release in releases
    )


def test_the_report_on_one_document_tells_its_releases_dates_and_gaps(place: Place) -> None:
    file = place.write("gizmo.md", changelog("Gizmo", "2.4.0 (2026-05-01)", "2.3.0", "2.1.0 (2025-06-01)"))
    shown = place.run("ingest", file)
    told = "Gizmo  1 document  3 releases  2.1.0 … 2.4.0  2025-06 … 2026-05  no notes for 2.2"
    assert told in shown.splitlines()
    assert "check   gizmo.md: 1 of 3 releases has no date: 2.3.0\n" in shown
    assert "\x1b" not in shown
    report = place.json("ingest", "--rebuild", file)
    (product,) = report["products"]
    printed = ("name", "documents", "releases", "oldest", "newest", "first_date", "last_date", "undated", "gaps")
    assert [product[key] for key in printed] == [
        "Gizmo", 1, 3, "2.1.0", "2.4.0", "2025-06-01", "2026-05-01", 1, ["2.2"]
    ]  # fmt: skip
    assert report["documents"]["suspicious"] == [{"source": "gizmo.md", "reason": "1 of 3 releases has no date: 2.3.0"}]
    assert place.json("ingest", file)["products"] == []


def test_a_gap_is_one_of_the_whole_index_not_of_what_came_in(place: Place) -> None:
    place.run("ingest", place.write("a.md", changelog("Gizmo", "2.2.0 (2025-07-01)", "2.1.0 (2025-06-01)")))
    later = place.json("ingest", place.write("b.md", changelog("Gizmo", "2.4.0 (2025-09-01)")))
    assert later["products"][0]["gaps"] == ["2.3"]
    between = place.json("ingest", place.write("c.md", changelog("Gizmo", "2.3.0 (2025-08-01)")))
    assert [between["products"][0][key] for key in ("releases", "gaps")] == [1, []]


@pytest.mark.parametrize(("text", "reasons"), read_rows("ui-what-looks-wrong-is-told", list))
def test_what_looks_wrong_is_told(place: Place, text: str, reasons: list[str]) -> None:
    printed = place.json("ingest", place.write("gizmo.md", text))["documents"]["suspicious"]
    assert [suspicion["reason"].partition(";")[0] for suspicion in printed] == reasons


@pytest.mark.parametrize(
    ("text", "product", "is_told"),
    [
        ("# Changelog\n\n## 1.2 (2026-01-02)\n\n- A\n", "mylib", True),
        (".. currentmodule:: gizmo\n\nVersion 1.2\n-----------\n\nReleased 2026-01-02\n\n- A\n", "gizmo", False),
        ("Mylib changelog\n===============\n\n1.2 (2026-01-02)\n----------------\n\n- A\n", "Mylib", False),
    ],
    ids=["nothing but the folder", "its text", "a title like the folder"],
)
def test_a_product_taken_from_the_folder_around_a_file_is_told(
    place: Place, text: str, product: str, is_told: bool
) -> None:
    report = place.json("ingest", place.write("mylib/CHANGES.rst", text))
    assert [one["name"] for one in report["products"]] == [product]
    reasons = [one["reason"] for one in report["documents"]["suspicious"]]
    assert ("product taken from the folder's name: mylib; --product names it" in reasons) is is_told


def test_status_tells_gaps_and_how_old_each_source_is(place: Place) -> None:
    file = place.write("gizmo.md", changelog("Gizmo", "2.4.0 (2026-05-01)", "2.3.0", "2.1.0 (2025-06-01)"))
    place.run("ingest", file)
    shown = place.run("status")
    assert "Gizmo  3 releases  2.1.0 … 2.4.0  2025-06-01 … 2026-05-01  no notes for 2.2  1 document  " in shown
    assert f"{file}  1 document  synced just now" in shown.splitlines()
    (product,) = place.json("status")["products"]
    assert (product["gaps"], product["undated"]) == (["2.2"], 1)
