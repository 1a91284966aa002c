"""Releases to passages: what every passage keeps to, on literal, generated and hostile documents."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ingest_documents import SEEDS, Ingested, ingest_parsed, ingest_text
from passage_promises import assert_passages_hold
from property_examples import examples

from corpus.model import Kind, Passage
from ingest.formats import parse_blocks
from ingest.formats.markdown import parse_markdown
from ingest.passages.splitting import MAX_FLAT_CHARACTERS

needs_seeds = pytest.mark.skipif(not SEEDS.is_dir(), reason="needs the seeds in ../shared")


def texts(document: Ingested) -> list[str]:
    return [passage.span.slice(document.parsed.text) for passage in document.passages]


def items(document: Ingested, passage: Passage) -> list[str]:
    return [item.span.slice(document.parsed.text) for item in passage.items]


# What a passage holds


def test_a_short_release_is_one_passage_with_its_heading() -> None:
    document = ingest_text("# Log\n\n## 1.1\n\n### Fixed\n\n- a crash\n- a leak\n\n## 1.0\n\n- first\n")
    assert texts(document) == ["# Log", "## 1.1\n\n### Fixed\n\n- a crash\n- a leak", "## 1.0\n\n- first"]
    assert document.passages[1].heading == ("Log", "1.1", "Fixed")
    assert document.passages[1].kind is Kind.FIX
    assert items(document, document.passages[1]) == ["- a crash", "- a leak"]


@pytest.mark.parametrize(
    "lines",
    [
        ["NEW: a parser", "CHG: keys are sorted,\n     blanks too", "DEL: XML export"],
        ["NEW:  a parser", "DEL:  XML export", "FIX:  a leak"],
        ["[NEW] a parser", "[SEC] a hole", "[DEP] the old name"],
    ],
)
@pytest.mark.parametrize("between", ["\n", "\n\n"])
def test_lines_with_the_tag_of_their_kind_are_items(lines: list[str], between: str) -> None:
    first, *older = "libmarl 2.1 (2025-03-01)", "libmarl 2.0 (2024-03-01)", "The first.\n"
    text = "\n\n".join(["NEWS for libmarl", first, between.join(lines), *older])
    document = ingest_parsed(parse_blocks("NEWS", text.encode()))
    assert items(document, document.passages[1]) == lines


def test_the_same_line_in_two_releases_is_two_passages() -> None:
    document = ingest_text("## 1.1\n\n- Fix the crash\n\n## 1.0\n\n- Fix the crash\n")
    assert [items(document, passage) for passage in document.passages] == [["- Fix the crash"]] * 2
    assert [passage.release for passage in document.passages] == [0, 1]


def test_a_heading_that_says_something_can_be_quoted_and_a_category_cannot() -> None:
    document = ingest_text(
        "## 1.1\n\n### Bug fixes\n\n### torch.cat raises IndexError on empty input\n\nIt did not before.\n"
    )
    assert [one for passage in document.passages for one in items(document, passage)] == [
        "torch.cat raises IndexError on empty input",
        "It did not before.",
    ]


def test_a_heading_alone_is_a_passage() -> None:
    assert texts(ingest_text("## 1.1\n\n### Nothing here\n\n## 1.0\n\n- x\n"))[0] == "## 1.1\n\n### Nothing here"


def entries(count: int, words: int) -> str:
    return "\n".join(f"- Entry {number} " + "has words in it " * words for number in range(count))


def test_an_entry_stays_with_its_children_where_they_fit() -> None:
    family = "- Parent entry:\n" + "\n".join(f"  - child number {number} of this one here" for number in range(12))
    document = ingest_text(f"## 1.1\n\n{entries(12, 4)}\n{family}\n{entries(12, 4)}\n")
    assert sum(family in text for text in texts(document)) == 1
    assert len(document.passages) > 1


def test_entries_are_shared_out_evenly_and_never_torn() -> None:
    document = ingest_text(f"## 1.1\n\n{entries(30, 8)}\n")
    assert all(text.count("- Entry") == text.count("Entry") for text in texts(document))
    assert min(map(len, texts(document))) > 500


def test_code_stays_with_the_line_that_introduces_it() -> None:
    code = "```python\n" + "x = torch.zeros(3)\n" * 45 + "```"
    filler = "A line of prose about something else entirely.\n\n" * 12
    document = ingest_text(f"## 1.1\n\n{filler}Now write:\n\n{code}\n\n{filler}")
    (home,) = (text for text in texts(document) if "Now write:" in text)
    assert home.count("x = torch.zeros(3)") == 45


def test_a_section_is_never_crossed() -> None:
    document = ingest_text("## 1.1\n\n### Added\n\n- a\n\n### Fixed\n\n- b\n")
    assert texts(document) == ["## 1.1\n\n### Added\n\n- a", "### Fixed\n\n- b"]


def test_symbols_references_and_other_versions_are_told() -> None:
    document = ingest_text("## 1.1\n\n- `torch.cond` works since 1.1 as in 0.9, see #123 and CVE-2024-1234\n")
    passage = document.passages[0]
    assert "torch.cond" in passage.symbols
    assert passage.references == ("#123", "CVE-2024-1234")
    assert [version.label for version in passage.versions] == ["0.9"]


def test_boilerplate_is_kept_apart_and_of_no_kind() -> None:
    article = "Foo 2.0 is out\n\n" + "It fixes many of the bugs that you all have reported to us.\n\n" * 6
    document = ingest_text(article + "Newsletter\n\nSecurity fixes every week in your box.\n", name="a.txt")
    assert [(passage.boilerplate, passage.kind) for passage in document.passages[-1:]] == [(True, Kind.OTHER)]
    assert not any(passage.boilerplate for passage in document.passages[:-1])


RETRACTED = (
    "Updated 2026-05-19: Removed the following sentence, as it was wrong: Wheels for CUDA 14 are on the index now."
)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(f"The release is out on all platforms. {RETRACTED} Users should upgrade soon.", id="in one line"),
        pytest.param(f"- {RETRACTED}\n- Another entry of the list", id="an entry"),
        pytest.param(
            "Updated: We have deleted the following statement:\n\nWheels for CUDA 14 are on the index now.\n\nMore.",
            id="a paragraph of its own",
        ),
        pytest.param(
            "- ~~Wheels for CUDA 14 are on the index now.~~ (#12)\n- Another entry of the list", id="struck out"
        ),
        pytest.param(
            "The following sentence was wrong: Wheels for CUDA 14 are on the index now.\n\nUsers should upgrade.",
            id="wrong",
        ),
        pytest.param(
            "- <del>Wheels for CUDA 14 are on the index now.</del>\n- Another entry of the list", id="deleted"
        ),
    ],
)
def test_what_a_document_takes_back_is_retracted(text: str) -> None:
    document = ingest_text(f"# Foo 2.0\n\n{text}\n", name="post.md")
    marked = {item.span.slice(document.parsed.text): item.retracted for p in document.passages for item in p.items}
    assert [retracted for one, retracted in marked.items() if "CUDA 14" in one] == [True]
    assert not any(
        retracted for one, retracted in marked.items() if "upgrade" in one or "Another" in one or "More" in one
    )


def test_a_word_struck_out_takes_back_no_entry() -> None:
    document = ingest_text("# Foo 2.0\n\n- Wheels for ~~CUDA 13~~ CUDA 14 are on the index.\n", name="post.md")
    assert not any(item.retracted for passage in document.passages for item in passage.items)


# Limits


@given(st.data())
@examples(80)
def test_generated_documents_keep_every_promise(data: st.DataObject) -> None:
    line = st.sampled_from(
        ["# 1.0", "## 2.0 (2024-01-02)", "### Fixed", "#### A heading that says something " + "more " * 40, "- entry",
         "- entry\n  - child\n    - grandchild", "  continued", "```\ncode x = 1\n```", "    indented",
         "| a | b |\n|---|---|\n| c | d |",
         "Prose of one sentence. And one more of them here.", "> quoted", "1. first", "**Bold**", "<!-- hidden -->",
         "[link]: https://example.org", "", "---", "Word " * 300, "x" * 900, "- " + "Long entry of words. " * 90,
         "```\n" + "y = 2\n" * 300 + "```", "- intro:\n\n  ```\n  z = 3\n  ```", "é\u00a0ü", "\u2028"]
    )  # fmt: skip
    lines = data.draw(st.lists(line, max_size=14))
    assert_passages_hold(ingest_parsed(parse_markdown(data.draw(st.sampled_from(["\n", "\n\n"])).join(lines))))


@pytest.mark.timeout(120)
@pytest.mark.parametrize(
    "text",
    [
        pytest.param("a" * 200_000, id="one word of 200,000 characters"),
        pytest.param("- word\n" * 20_000, id="20,000 entries of one word"),
        pytest.param("a.\n\n" * 20_000, id="20,000 paragraphs of one letter"),
        pytest.param("# " + "h" * 10_000 + "\n\ntext\n", id="a heading of one long word"),
        pytest.param("# " + "head " * 2_000 + "\n\ntext\n", id="a heading of 10,000 characters"),
        pytest.param("\n".join("  " * depth + f"- x{depth}" for depth in range(1_500)), id="1,500 nested lists"),
        pytest.param(
            "# 1.0\n\n" + " ".join(f"This is sentence number {n} of it." for n in range(4_000)), id="one long line"
        ),
        pytest.param("# 1.0\n\nUse:\n\n```\n" + "x = 1\n" * 5_000 + "```\n", id="long code"),
        pytest.param("# 1.0\n\nUse:\n\n```\n" + "x" * 20_000 + "\n```\n", id="code of one word"),
        pytest.param("|a|b|\n|-|-|\n" + "|one|two|\n" * 1_500, id="long table"),
        pytest.param(
            "\n\n".join("#" * n + " " + "words of it " * 22 for n in range(1, 7)) + "\n\ntext\n", id="tall headings"
        ),
        pytest.param("\n\n".join(f"## 1.{n}.0\n\n- Fix" for n in range(500)), id="500 releases"),
    ],
)
def test_hostile_documents_end_and_keep_every_promise(text: str) -> None:
    document = ingest_parsed(parse_markdown(text))
    assert_passages_hold(document)


def prose(paragraphs: int) -> str:
    sentence = "The river rose again over the old stone bridge that evening. "
    return "\n\n".join(f"Paragraph {number} begins here. {sentence * 6}".strip() for number in range(paragraphs))


def test_flat_prose_is_cut_shorter_at_the_ends_of_sentences() -> None:
    document = ingest_text(prose(12), name="essay.md")
    assert_passages_hold(document)
    assert max(len(passage.span) for passage in document.passages) <= MAX_FLAT_CHARACTERS
    assert all(text.endswith(".") for text in texts(document))


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(f"# Rivers\n\n{prose(12)}", id="a heading"),
        pytest.param(f"Gizmo 2.4 was released today.\n\n{prose(12)}", id="a version"),
        pytest.param("\n".join(f"- {line}" for line in prose(12).splitlines() if line), id="a list"),
    ],
)
def test_what_has_structure_or_a_release_is_not_flat_prose(text: str) -> None:
    document = ingest_text(text, name="essay.md")
    assert_passages_hold(document)
    assert max(len(passage.span) for passage in document.passages) > MAX_FLAT_CHARACTERS


def test_code_in_flat_prose_stays_with_the_line_that_introduces_it() -> None:
    document = ingest_text(f"{prose(12)}\n\nRun this:\n\n```\ngizmo --all\n```\n\n{prose(2)}", name="essay.md")
    assert_passages_hold(document)
    assert [text for text in texts(document) if "gizmo" in text] == ["Run this:\n\n```\ngizmo --all\n```"]


@needs_seeds
@pytest.mark.parametrize("seed", range(5))
def test_the_seeds_keep_every_promise(seed: int) -> None:
    (path,) = SEEDS.glob(f"00{seed}_*.txt")
    assert_passages_hold(ingest_parsed(parse_blocks(path.name, path.read_bytes()), name=path.name))


@needs_seeds
def test_the_seed_that_takes_a_statement_back_marks_all_of_it_and_nothing_else() -> None:
    (path,) = SEEDS.glob("000_*.txt")
    document = ingest_parsed(parse_blocks(path.name, path.read_bytes()), name=path.name)
    (retracted,) = (
        item.span.slice(document.parsed.text) for p in document.passages for item in p.items if item.retracted
    )
    assert "Removed the following sentence" in retracted
    assert retracted.endswith("workflow.")
    assert "loadMetallib" in retracted


@needs_seeds
def test_a_line_of_sixteen_thousand_characters_is_cut_at_the_ends_of_sentences_only() -> None:
    (path,) = SEEDS.glob("000_*.txt")
    document = ingest_parsed(parse_blocks(path.name, path.read_bytes()), name=path.name)
    assert len(document.passages) > 10
    assert [text[-40:] for text in texts(document)[:-1] if not re.search(r"[.!?:]\W{0,3}$", text)] == []


@pytest.mark.parametrize("name", ["a.adoc", "a.txt", "a.md"])
def test_marks_without_words_are_no_items(name: str) -> None:
    text = "= Demo 1.0\n\nWords.\n\n" + "".join("*" * length + " entry\n" for length in range(1_000, 1_010))
    document = ingest_text(text, name=name)
    assert_passages_hold(document)
    told = [item for passage in document.passages for item in items(document, passage)]
    assert sum(map(len, told)) < 2_500
    assert sum(item.count("entry") for item in told) == 10


def test_an_entry_of_marks_alone_is_still_an_item() -> None:
    document = ingest_text("= Demo 1.0\n\n* !!!\n* Words.\n", name="a.adoc")
    assert_passages_hold(document)
    assert [item for passage in document.passages for item in items(document, passage)] == ["* !!!", "* Words."]
