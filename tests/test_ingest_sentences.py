"""Sentences with exact ranges, in the prose that release notes are made of."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.model import Span
from ingest.passages.sentences import cut, split_sentences, trim


def sentences(text: str, limit: int = 680) -> list[str]:
    return [span.slice(text) for span in split_sentences(text, Span(0, len(text)), max_characters=limit)]


ONE = [
    "The flag is new in 2.8.1 and later releases.",
    "Call torch.cond or torch.compile on the graph.",
    "Some back ends, e.g. Triton and cuDNN, are faster.",
    "This affects i.e. everything that runs on the CPU.",
    "Thanks to J. Doe and A. B. Smith for this one.",
    "It ships on Oct. 15 for all of the platforms.",
    "1. Install the newest version of the package.",
    "Edit setup.cfg, pyproject.toml and foo.c before use.",
    "See Fig. 3 and no. 4 of the table for the figures.",
    "The range is 3.9...3.12 for all of the platforms.",
    "Foo Inc. and Bar Ltd. have contributed to the release.",
]


@pytest.mark.parametrize("text", ONE)
def test_a_full_stop_that_ends_no_sentence(text: str) -> None:
    assert sentences(text) == [text]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "First sentence is right here. Second sentence follows it.",
            ["First sentence is right here.", "Second sentence follows it."],
            id="two",
        ),
        pytest.param(
            "pytorch 2.9 was released in october. key improvements include wheels. more will come to it later.",
            ["pytorch 2.9 was released in october.", "key improvements include wheels.", "more will come to it later."],
            id="lower-case prose",
        ),
        pytest.param(
            "Is this one really safe? Yes, it is quite safe to use! Then it all goes on and on…  And so forth.",
            [
                "Is this one really safe?",
                "Yes, it is quite safe to use!",
                "Then it all goes on and on…  And so forth.",
            ],
            id="other marks, and a short one at the end joins",
        ),
        pytest.param(
            'He said "it is done for good now." (It was really not done.) The next one came right after.',
            ['He said "it is done for good now."', "(It was really not done.)", "The next one came right after."],
            id="closing marks belong to the sentence",
        ),
        pytest.param(
            "Highlights of this release: - Support for many more devices - Export of the whole models"
            " • Faster start of all of it",
            [
                "Highlights of this release:",
                "- Support for many more devices",
                "- Export of the whole models",
                "• Faster start of all of it",
            ],
            id="bullets in a flattened line",
        ),
        pytest.param(
            "A paragraph without a stop\n\nAnother paragraph of words",
            ["A paragraph without a stop", "Another paragraph of words"],
            id="a blank line",
        ),
        pytest.param(
            "It was removed in version 2.8. Use the other one instead.",
            ["It was removed in version 2.8.", "Use the other one instead."],
            id="a version ends a sentence",
        ),
        pytest.param("  \n\t ", [], id="blank"),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


def test_a_dotted_name_that_lost_its_shape_ends_no_sentence() -> None:
    known = "Use torch.cond, torch.export and torch.compile from now on."
    lost = "The new torch. Stream class exposes torch. C. mps to you."
    assert sentences(f"{known} {lost}") == [known, lost]
    assert sentences("All of it is made for torch. Stream is quite another class.") == [
        "All of it is made for torch.",
        "Stream is quite another class.",
    ]


def test_a_short_fragment_joins_its_predecessor() -> None:
    assert sentences("The operator is available now. See #12. It works on every device.") == [
        "The operator is available now. See #12.",
        "It works on every device.",
    ]


def test_an_endless_sentence_is_cut_at_white_space() -> None:
    text = "word " * 400
    assert all(len(one) <= 100 and set(one.split()) == {"word"} for one in sentences(text, 100))


def test_a_range_inside_a_text_is_taken_alone() -> None:
    text = "Before it all. The middle part of the text. After it all."
    span = Span(15, 43)
    assert [one.slice(text) for one in split_sentences(text, span, max_characters=680)] == [
        "The middle part of the text."
    ]


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


@given(st.text(max_size=40))
def test_trim_is_strip(text: str) -> None:
    span = trim(text, Span(0, len(text)))
    assert (span.slice(text) if span else "") == text.strip()


def test_two_hundred_thousand_characters_without_a_stop_are_cut_in_no_time() -> None:
    text = "a" * 200_000
    assert sum(len(span) for span in split_sentences(text, Span(0, len(text)), max_characters=680)) == len(text)
