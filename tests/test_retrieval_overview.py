"""Which questions name no subject, and what a release puts first."""

from dataclasses import replace
from pathlib import Path

import pytest
from indexes_by_hand import every_passage, note, open_index
from small_corpus import HashedEmbedder

from corpus.catalogue import CatalogueProduct, CatalogueRelease
from corpus.lexicon import question_tokens
from corpus.model import Kind, ParsedDocument
from corpus.versions import Version
from retrieval.assistant import Assistant
from retrieval.evidence import load_calibration
from retrieval.overview import asks_overview, overview_priority
from retrieval.query import parse_query

CATALOGUE = (
    CatalogueProduct(
        name="Tern",
        aliases=("tern-js",),
        releases=tuple(CatalogueRelease(Version.parse(label), None, ("a.md",)) for label in ("3.0", "2.9", "2.8")),
        documents=1,
        passages=9,
    ),
)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What is new in Tern 2.9?", True),
        ("what's new in 3.0", True),
        ("What breaks when I upgrade Tern from 2.8 to 3.0?", True),
        ("breaking changes in 2.9", True),
        ("Highlights of 2.9?", True),
        ("What is new in Tern 2.9 for Windows?", False),
        ("What breaks in the parser from 2.8 to 2.9?", False),
        ("Does upgrading to 3.0 break `tern.load`?", False),
        ("What is new in Tern?", False),
        ("Which release dropped Python 2?", False),
    ],
)
def test_a_question_without_a_subject_asks_for_an_overview(question: str, expected: bool) -> None:
    assert asks_overview(parse_query(question, catalogue=CATALOGUE), CATALOGUE) is expected


def with_heading(document: ParsedDocument, *heading: str) -> ParsedDocument:
    return replace(document, passages=(replace(document.passages[0], heading=heading),))


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What breaks when I upgrade Tern from 2.8 to 3.0?", [Kind.BREAKING, Kind.REMOVAL, Kind.DEPRECATION]),
        ("What was deprecated on the way from 2.8 to 3.0?", [Kind.DEPRECATION, Kind.BREAKING, Kind.REMOVAL]),
        ("What is removed from 2.8 to 3.0?", [Kind.REMOVAL, Kind.BREAKING, Kind.DEPRECATION]),
    ],
)
def test_the_kind_that_a_question_names_comes_first(question: str, expected: list[Kind], tmp_path: Path) -> None:
    index = open_index(
        tmp_path,
        *(
            with_heading(note("The lamp went.", source=kind, kind=kind), "Notes", "Section")
            for kind in sorted(expected)
        ),
    )
    query = parse_query(question, catalogue=CATALOGUE)
    ranked = sorted(
        every_passage(index), key=lambda passage: -overview_priority(query, question_tokens(question), passage)
    )
    assert [passage.kind for passage in ranked] == expected


def test_a_range_is_not_told_by_one_release_alone(tmp_path: Path) -> None:
    """Three passages about breaks each: the releases take turns, and scores still never rise."""
    documents = (
        with_heading(
            note(f"Break {n} of {version}.", source=f"{version}-{n}.md", product="Tern", version=version,
                 kind=Kind.BREAKING),
            f"Tern {version}", "Breaking changes",
        )
        for version in ("3.0", "2.9")
        for n in range(3)
    )  # fmt: skip
    with Assistant(open_index(tmp_path, *documents), HashedEmbedder(), load_calibration()) as assistant:
        found = assistant.search("What breaks when I upgrade Tern from 2.8 to 3.0?", limit=6).passages
    assert [one.version for one in found][:2] != [found[0].version] * 2
    assert {one.version for one in found[2:4]} == {"3.0", "2.9"}
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
