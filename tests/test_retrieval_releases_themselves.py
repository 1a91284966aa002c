"""What headings tell of releases themselves: which were taken back, when they came out, whose they are."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from case_files import read_rows
from ui_small_index import index_notes, open_notes

from corpus.embedding import Embedder
from retrieval.assistant import Assistant
from retrieval.claims.model import Verdict

Library = Callable[[str], Assistant]
_NAMED_AS_WORDS = ("falcon", "rocket", "hypothesis", "glue")


@pytest.mark.parametrize(
    ("claim", "verdict", "quote"),
    [
        pytest.param("Rill 1.5.1 was yanked.", Verdict.SUPPORTED, "## 1.5.1 - 2024-09-18 [YANKED]", id="yanked"),
        pytest.param("Rill 1.3.1 has been withdrawn", Verdict.SUPPORTED, "1.3.1", id="in another word"),
        pytest.param("Rill 1.5.1 was never yanked.", Verdict.CONTRADICTED, "[YANKED]", id="denied"),
        pytest.param("Rill 1.6.0 was yanked.", Verdict.NOT_FOUND, "", id="not marked"),
        pytest.param("Rill 1.6.0 came out on 3 December 2024.", Verdict.SUPPORTED, "2024-12-03", id="its day"),
        pytest.param(
            "Rill 1.6.0 came out on 2 December 2024.", Verdict.CONTRADICTED, "2024-12-03", id="the day before"
        ),
    ],
)
def test_a_claim_about_a_release_itself_is_told_by_its_heading(
    library: Library, claim: str, verdict: Verdict, quote: str
) -> None:
    (checked,) = library("plain").cite(claim).claims
    assert checked.verdict is verdict
    assert [quote in citation.quote for citation in checked.citations] == [True] * bool(quote)


@pytest.mark.parametrize(
    ("start", "end", "notes"),
    [
        ("1.3.0", "latest", ["rill 1.3.1 and 1.5.1 were yanked."]),
        ("1.5.0", "1.5.1", ["rill 1.5.1 was yanked."]),
        ("1.5.1", "1.6.0", []),
    ],
)
def test_an_upgrade_says_which_releases_of_its_range_were_yanked(
    library: Library, start: str, end: str, notes: list[str]
) -> None:
    upgrade = library("plain").upgrade("rill", start, end)
    assert [note for note in upgrade.notes if "yanked" in note] == notes


@pytest.mark.parametrize("question", read_rows("retrieval-a-question-about-releases-is-about-the-product"))
@pytest.mark.parametrize("name", _NAMED_AS_WORDS)
def test_a_question_about_releases_is_about_the_product_called_by_a_word(
    named_as_words: Assistant, question: str, name: str
) -> None:
    answer = named_as_words.ask(question.format(name))
    major = _NAMED_AS_WORDS.index(name) + 1
    first, *_ = answer.answer.splitlines()
    assert f"{name} {major}.1.0" in first
    assert f"2026-02-0{major}" in first


def test_a_word_of_another_question_names_no_product(named_as_words: Assistant) -> None:
    assert not named_as_words.understand("Which release sticks the parts like glue?").products


SPELLINGS = {"finch": ("2.8", "2.8.0"), "heron": ("v2.8.0", "2.8"), "raven": ("2.8.0.0", "v2.8"), "stork": ("2.8rc1",)}


@pytest.fixture(scope="module")
def spelt_twice(default_embedder: Embedder, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Assistant]:
    """Answers about products whose changelog and post spell a release in two ways."""
    changes = "- Removed the `--crest` option.\n- Fixed CVE-2025-1234, a heap overflow in the parser.\n"
    texts = {"CHANGELOG": "# Changelog\n\n## {}\n\n{}\n## 1.0\n\n- Added the `--crest` option.\n", "post": "# {}\n\n{}"}
    written = (
        (name, text, one) for name, each in SPELLINGS.items() for text, one in zip(texts, (each * 2)[:2], strict=True)
    )
    notes = {f"{name}/{text}.md": texts[text].format(one, changes) for name, text, one in written}
    with Assistant.open(index_notes(tmp_path_factory.mktemp("s"), default_embedder, notes)) as assistant:
        yield assistant


@pytest.mark.parametrize("product", SPELLINGS)
def test_one_release_in_two_spellings_is_one(spelt_twice: Assistant, product: str) -> None:
    assert [len(known.releases) for known in spelt_twice.catalogue() if known.name == product] == [2]
    for spelling in SPELLINGS[product]:
        (release,) = spelt_twice.upgrade(product, "1.0", spelling).releases
        assert [item.repeated_in for item in release.items] == [()]
        assert spelt_twice.ask(f"What was removed in {product} {spelling}?").answer.count("`--crest`") == 1
    assert len(spelt_twice.ask(f"Which {product} releases fix CVE-2025-1234?").citations) == 1


@pytest.fixture(scope="module")
def named_as_words(default_embedder: Embedder, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Assistant]:
    """Answers about products whose names are everyday words."""
    notes = {
        name: f"# Changelog\n\n## {major}.1.0 (2026-02-0{major})\n\n- Removed the old parser.\n\n"
        f"## {major}.0.0 (2025-02-01)\n\n- Added a {name} to the docs.\n"
        for major, name in enumerate(_NAMED_AS_WORDS, start=1)
    }
    with open_notes(tmp_path_factory.mktemp("words"), default_embedder, **notes) as assistant:
        yield assistant


@pytest.mark.parametrize(("notes", "question", "first"), read_rows("retrieval-an-answer-is-about-the-very-release"))
def test_an_answer_is_about_the_very_release_and_name(
    default_embedder: Embedder, tmp_path: Path, notes: str, question: str, first: str
) -> None:
    with Assistant.open(index_notes(tmp_path, default_embedder, {"cog.md": f"# Cog\n\n{notes}\n"})) as assistant:
        assert assistant.ask(question, product="cog").answer.replace("*", "").startswith(first)
