"""Releases to passages: what every passage keeps to, on generated and hostile documents."""

from itertools import pairwise

import pytest
from case_files import Case, read_cases, read_rows
from hypothesis import given
from hypothesis import strategies as st
from ingest_documents import SEEDS, Ingested, ingest_parsed, ingest_text
from passage_promises import assert_passages_hold
from property_examples import examples

from corpus.model import Passage, Span
from ingest.formats import parse_blocks
from ingest.formats.markdown import parse_markdown
from ingest.passages.sentences import cut, split_sentences

needs_seeds = pytest.mark.skipif(not SEEDS.is_dir(), reason="needs the seeds in ../shared")


def items(document: Ingested, passage: Passage) -> list[str]:
    return [item.span.slice(document.parsed.text) for item in passage.items]


RETRACTED = (
    "Updated 2026-05-19: Removed the following sentence, as it was wrong: Wheels for CUDA 14 are on the index now."
)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(f"The release is out on all platforms. {RETRACTED} Users should upgrade soon.", id="in one line"),
        pytest.param(f"- {RETRACTED}\n- Another entry of the list", id="an entry"),
        pytest.param("Updated: We have deleted the following statement:\n\nWheels for CUDA 14 are on the index now.\n"
                     "\nMore.", id="a paragraph of its own"),
        pytest.param("- ~~Wheels for CUDA 14 are on the index now.~~ (#12)\n- Another entry of the list",
                     id="struck out"),
        pytest.param("The following sentence was wrong: Wheels for CUDA 14 are on the index now.\n\nUsers should "
                     "upgrade.", id="wrong"),
        pytest.param("- <del>Wheels for CUDA 14 are on the index now.</del>\n- Another entry of the list",
                     id="deleted"),
    ],
)  # fmt: skip
def test_what_a_document_takes_back_is_retracted(text: str) -> None:
    document = ingest_text(f"# Foo 2.0\n\n{text}\n", name="post.md")
    marked = {item.span.slice(document.parsed.text): item.retracted for p in document.passages for item in p.items}
    assert [retracted for one, retracted in marked.items() if "CUDA 14" in one] == [True]
    assert not any(marked[one] for one in marked if "upgrade" in one or "Another" in one or "More" in one)


# Limits


@given(st.data())
@examples(40)
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
        pytest.param("a" * 100_000, id="one word of 100,000 characters"),
        pytest.param("- word\n" * 5_000, id="5,000 entries of one word"),
        pytest.param("a.\n\n" * 5_000, id="5,000 paragraphs of one letter"),
        pytest.param("# " + "h" * 10_000 + "\n\ntext\n", id="a heading of one long word"),
        pytest.param("# " + "head " * 2_000 + "\n\ntext\n", id="a heading of 10,000 characters"),
        pytest.param("\n".join("  " * depth + f"- x{depth}" for depth in range(500)), id="500 nested lists"),
        pytest.param("# 1.0\n\n" + " ".join(f"This is sentence number {n} of it." for n in range(1_500)),
                     id="one long line"),
        pytest.param("# 1.0\n\nUse:\n\n```\n" + "x = 1\n" * 5_000 + "```\n", id="long code"),
        pytest.param("# 1.0\n\nUse:\n\n```\n" + "x" * 20_000 + "\n```\n", id="code of one word"),
        pytest.param("|a|b|\n|-|-|\n" + "|one|two|\n" * 1_500, id="long table"),
        pytest.param("\n\n".join("#" * n + " " + "words of it " * 22 for n in range(1, 7)) + "\n\ntext\n",
                     id="tall headings"),
        pytest.param("\n\n".join(f"## 1.{n}.0\n\n- Fix" for n in range(500)), id="500 releases"),
    ],
)  # fmt: skip
def test_hostile_documents_end_and_keep_every_promise(text: str) -> None:
    document = ingest_parsed(parse_markdown(text))
    assert_passages_hold(document)


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


@pytest.mark.parametrize("name", ["a.adoc", "a.txt", "a.md"])
def test_marks_without_words_are_no_items(name: str) -> None:
    text = "= Demo 1.0\n\nWords.\n\n" + "".join("*" * length + " entry\n" for length in range(1_000, 1_010))
    document = ingest_text(text, name=name)
    assert_passages_hold(document)
    told = [item for passage in document.passages for item in items(document, passage)]
    assert sum(map(len, told)) < 2_500
    assert sum(item.count("entry") for item in told) == 10
    # Where it has nothing else, an entry is still one.
    document = ingest_text("= Demo 1.0\n\n* !!!\n* Words.\n", name="a.adoc")
    assert [item for passage in document.passages for item in items(document, passage)] == ["* !!!", "* Words."]


def sentences(text: str) -> list[str]:
    return [span.slice(text) for span in split_sentences(text, Span(0, len(text)), max_characters=680)]


@pytest.mark.parametrize("text", read_rows("ingest-a-full-stop-that-ends-no-sentence"))
def test_a_full_stop_that_ends_no_sentence(text: str) -> None:
    assert sentences(text) == [text]


@pytest.mark.parametrize("case", read_cases("sentences"), ids=lambda case: case.name)
def test_sentences(case: Case) -> None:
    assert sentences(case.text) == case.gives
    assert sentences("  \n\t ") == []


PROSE = st.lists(
    st.sampled_from(["Foo.", "e.g.", "2.8.", "bar", "\n", "\n\n", " ", "- Baz", "•", "!", '"', "…", "J.",
                     "x" * 90, "1.", "é", "\u00a0"])
    | st.text(max_size=6),
    max_size=60,
)  # fmt: skip


@given(PROSE, st.integers(1, 120), st.sampled_from(["", " "]))
def test_sentences_are_trimmed_disjoint_and_leave_nothing_out(parts: list[str], limit: int, glue: str) -> None:
    text = glue.join(parts)
    spans = split_sentences(text, Span(0, len(text)), max_characters=limit)
    assert all(0 < len(span) <= limit and span.slice(text) == span.slice(text).strip() for span in spans)
    assert all(one.end <= other.start for one, other in pairwise(spans))
    covered = {position for span in spans for position in range(span.start, span.end)}
    assert all(character.isspace() for position, character in enumerate(text) if position not in covered)


@given(st.text(max_size=300), st.integers(1, 50))
def test_cut_keeps_all_that_is_not_space(text: str, limit: int) -> None:
    pieces = cut(text, Span(0, len(text)), max_characters=limit)
    assert all(0 < len(piece) <= limit for piece in pieces)
    assert "".join("".join(piece.slice(text).split()) for piece in pieces) == "".join(text.split())
