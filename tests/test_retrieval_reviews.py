"""A diff in, the passages that matter out: over a small real index of made-up projects."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from case_files import read_rows

from corpus.errors import UsageError
from corpus.index.reader import IndexReader
from retrieval.assistant import Assistant
from retrieval.reviews.diff import read_diff
from retrieval.reviews.model import Review
from retrieval.reviews.review import review_diff
from retrieval.upgrades.code_usage import load_code
from ui.contract.upgrade import ReviewBody


@pytest.fixture(scope="module")
def index(library: Callable[[str], Assistant]) -> IndexReader:
    return library("reviews").index


def file_diff(path: str, removed: list[str], added: list[str], *, line: int = 1) -> str:
    before, after = f"{line},{len(removed)}", f"{line},{len(added)}"
    body = "".join(f"-{one}\n" for one in removed) + "".join(f"+{one}\n" for one in added)
    return f"diff --git a/{path} b/{path}\n--- a/{path}\n+++ b/{path}\n@@ -{before} +{after} @@\n{body}"


def bumped(start: str, end: str, *, path: str = "requirements.txt", line: int = 1) -> str:
    return file_diff(path, [f"turbine=={start}"], [f"turbine=={end}"], line=line)


def reviewed(index: IndexReader, *diffs: str) -> Review:
    return review_diff(read_diff("".join(diffs)), index)


def test_a_bump_lists_what_comes_after_its_start_up_to_its_end_most_severe_first(index: IndexReader) -> None:
    (bump,) = reviewed(index, bumped("2.5.0", "3.1.0", line=7)).bumps
    assert (bump.start, bump.end, bump.bump.file, bump.bump.line) == ("2.5.0", "3.1.0", "requirements.txt", 7)
    assert [item.kind.value for item in bump.items] == ["removal", "breaking", "deprecation"]
    assert [item.citation.version for item in bump.items] == ["3.0.0", "3.0.0", "3.1.0"]
    assert [item.citation.version for item in bump.security] == ["3.0.0"]
    (later,) = reviewed(index, bumped("3.0.0", "3.1.0")).bumps
    assert ([item.kind.value for item in later.items], later.security) == (["deprecation"], ())
    for item in (*bump.items, *bump.security):
        text = index.document_text(item.citation.document_id)
        assert item.citation.quote == text[item.citation.start : item.citation.end]


def test_what_the_repository_uses_comes_first(index: IndexReader, tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text("import turbine\n\nturbine.spin_up()\n", encoding="utf-8")
    diff = read_diff(bumped("2.5.0", "3.1.0"))
    (bump,) = review_diff(diff, index, code=load_code(tmp_path)).bumps
    assert [item.kind.value for item in bump.items] == ["deprecation", "removal", "breaking"]
    assert [(usage.file, usage.line) for usage in bump.items[0].usages] == [("app.py", 3)]
    assert not any(item.usages for item in bump.items[1:])


@pytest.mark.parametrize(
    ("diff", "name", "because"),
    [
        (file_diff("requirements.txt", [], ["turbine==3.0.0"]), "turbine", "Added at 3.0.0"),
        (file_diff("requirements.txt", ["turbine==3.0.0"], []), "turbine", "Removed at 3.0.0"),
        (file_diff("requirements.txt", ["other==1"], ["other==2"]), "other", "No release notes in the library"),
        (file_diff("requirements.txt", ["redis==6.0"], ["redis==7.0"]), "redis", "client"),
        ("".join(file_diff(f"{folder}/requirements.txt", ["Other==1"], ["Other==2"]) for folder in "ab"), "Other",
         "No"),
        (file_diff("go.mod", ["require x.io/turbine v0.0.0"], ["require x.io/turbine v0.0.1"]), "x.io/turbine",
         "turbine have no release 0.0.0 or 0.0.1"),
    ],
    ids=["an addition", "a removal", "no notes", "a client of a server", "in two files", "other versions"],
)  # fmt: skip
def test_what_the_index_cannot_speak_of_is_listed_with_the_reason(
    index: IndexReader, diff: str, name: str, because: str
) -> None:
    review = reviewed(index, diff)
    assert review.bumps == ()
    (unknown,) = review.unknown
    assert unknown.name == name
    assert because in unknown.reason


def test_an_image_is_the_server_that_the_notes_are_of(index: IndexReader) -> None:
    (bump,) = reviewed(index, file_diff("Dockerfile", ["FROM redis:6.2-alpine"], ["FROM redis:7.0-alpine"])).bumps
    assert (bump.product, bump.start, bump.end) == ("Redis", "6.2", "7.0")
    assert "SLAVEOF" in bump.items[0].summary.text


def test_each_file_keeps_its_line_and_what_a_range_brings_is_told_at_the_first(index: IndexReader) -> None:
    states = [("2.5.0", "3.1.0", "a"), ("3.1.0", "2.5.0", "b"), ("2.5", "3.1.0", "c"), ("3.1.0", "2.5.0", "d")]
    diff = (bumped(start, end, path=f"{folder}/requirements.txt", line=7) for start, end, folder in states)
    bumps = reviewed(index, *diff).bumps
    assert [(bump.start, bump.end, bump.bump.file[0]) for bump in bumps] == states
    assert [bump.same_as for bump in bumps] == [None, None, 0, 1]
    assert [(len(bump.items), len(bump.security), len(bump.notes)) for bump in bumps] == [
        (3, 1, 0),
        (0, 1, 1),
        (0, 0, 0),
        (0, 0, 0),
    ]
    assert all(bump.bump.line == 7 for bump in bumps)


def test_a_malformed_diff_is_one_line_that_names_the_place(library: Callable[[str], Assistant]) -> None:
    with pytest.raises(UsageError, match=r"^[^\n]*line 4[^\n]*$"):
        library("reviews").review("--- a/x\n+++ b/x\n@@ -1 +1 @@\n?what\n")
    assert library("reviews").review(bumped("2.5.0", "3.1.0")).bumps


PROGRAM = """import turbine as t
from turbine import Rotor

t.blade_count()
Rotor().tilt_blades(3)
t.start()
rotor = t.helper(environ["TURBINE_MAX_SPEED"])
"""


def symbols(index: IndexReader, *diffs: str) -> list[tuple[str, str, int, list[str | None]]]:
    found = reviewed(index, *diffs).symbols
    return [(one.symbol, one.file, one.line, [citation.version for citation in one.citations]) for one in found]


def test_a_touched_symbol_is_cited_where_the_notes_name_it(index: IndexReader) -> None:
    found = reviewed(index, file_diff("app.py", [], PROGRAM.splitlines(), line=10), bumped("2.5.0", "3.1.0")).symbols
    told = {one.symbol: one for one in found}
    assert "TURBINE_MAX_SPEED" not in told, "the version in use has it"
    assert (told["blade_count"].file, told["blade_count"].line) == ("app.py", 13)
    (citation,) = told["blade_count"].citations
    assert citation.quote == "- The `turbine.blade_count` function was removed."
    assert citation.quote == index.document_text(citation.document_id)[citation.start : citation.end]


def test_without_a_bump_what_was_removed_or_breaks_is_cited(index: IndexReader) -> None:
    found = symbols(index, file_diff("app.py", [], PROGRAM.splitlines()))
    assert found == [("blade_count", "app.py", 4, ["3.0.0"]), ("tilt_blades", "app.py", 5, ["2.0.0"])]


def test_citations_are_counted_through_the_review(index: IndexReader) -> None:
    review = reviewed(index, bumped("2.5.0", "3.1.0"), file_diff("app.py", [], PROGRAM.splitlines()))
    # What the diff itself adds is in use.
    first = review.bumps[0].items[0]
    assert [(usage.symbol, usage.file, usage.line) for usage in first.usages] == [("turbine.blade_count", "app.py", 4)]
    items = [item.citation.n for bump in review.bumps for item in (*bump.items, *bump.security)]
    named = [citation.n for one in review.symbols for citation in one.citations]
    assert items + named == list(range(1, len(items) + len(named) + 1))


GEARBOX = file_diff("Cargo.toml", ['gearbox = "4.2"'], ['gearbox = { version = "5.0.0", features = ["oil"] }'], line=20)
"""A bump in another language's file."""


@pytest.mark.parametrize(
    ("path", "before", "name"), read_rows("retrieval-a-bump-is-looked-up-in-the-files-of-any-language")
)
def test_a_bump_is_looked_up_in_the_files_of_any_language(
    index: IndexReader, path: str, before: str, name: str
) -> None:
    review = reviewed(index, file_diff(path, [before.format("4.0.0")], [before.format("5.0.0")], line=20))

    (bump,) = review.bumps
    assert (bump.product, bump.start, bump.end) == ("gearbox", "4.0.0", "5.0.0")
    assert (bump.bump.name, bump.bump.file, bump.bump.line) == (name, path, 20)
    assert len(bump.items) == 6
    assert review.unknown == ()


@pytest.mark.parametrize(
    ("path", "line", "symbol"), read_rows("retrieval-names-of-any-language-are-cited-in-the-range-that")
)
def test_names_of_any_language_are_cited_in_the_range_that_the_diff_states(
    index: IndexReader, path: str, line: str, symbol: str | None
) -> None:
    found = symbols(index, GEARBOX, file_diff(path, [], [line]))
    assert (symbol, path, 1, ["5.0.0"]) in found if symbol else found == []


def test_thousands_of_files_with_one_bump_are_quick(index: IndexReader) -> None:
    diff = "".join(bumped("2.5.0", "3.1.0", path=f"service{n}/requirements.txt") for n in range(4_000))
    started = time.process_time()
    review = reviewed(index, diff)
    text = ReviewBody.model_validate(review).to_json()
    assert time.process_time() - started < 5
    assert (len(review.bumps), sum(len(bump.items) for bump in review.bumps)) == (4_000, 3)
    assert len(text) < 2_000_000
