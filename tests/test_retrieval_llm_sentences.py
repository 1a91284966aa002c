"""A language model's reply, taken apart: only what cites something is a sentence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.llm.sentences import MAX_SENTENCES, Clause, Sentence, parse_reply


def one(*clauses: tuple[str, tuple[int, ...]]) -> Sentence:
    return Sentence(tuple(Clause(text, numbers) for text, numbers in clauses))


HUMS = one(("It hums", (1,)))
GLOWS = one(("It glows", (2,)))
REPLIES = {
    "one sentence": ("It hums [1].", (HUMS,)),
    "a line each": ("It hums [1].\nIt glows [2].", (HUMS, GLOWS)),
    "one line": ("It hums [1]. It glows [2].", (HUMS, GLOWS)),
    "markers after the full stop": ("It hums. [1] It glows.[2]", (HUMS, GLOWS)),
    "bullets": ("- It hums [1]\n2. It glows [2]\n", (HUMS, GLOWS)),
    "a lower-case name begins": ("It hums [1]. lamp.glow() shines [2].", (HUMS, one(("lamp.glow() shines", (2,))))),
    "two quotes": ("It hums [1][3].", (one(("It hums", (1, 3))),)),
    "two quotes in one bracket": ("It hums [1, 3].", (one(("It hums", (1, 3))),)),
    "other brackets": ("It hums 【1】.", (HUMS,)),
    "two clauses": ("It hums [1], and it glows [2].", (one(("It hums", (1,)), (", and it glows", (2,))),)),
    "words after the marker": ("It hums [1] at night.", (one(("It hums at night", (1,))),)),
    "an abbreviation": ("It hums, e.g. At night [1].", (one(("It hums, e.g. At night", (1,))),)),
    "a verdict": ("Yes, it hums [1].", (one(("it hums", (1,))),)),
    "another verdict": ("No: It hums [1].", (HUMS,)),
    "thoughts": ("<think>It burns [4].\nMaybe.</think>\nIt hums [1].", (HUMS,)),
    "thoughts without end": ("It hums [1].\n<think>It burns [4].", (HUMS,)),
    "white space": ("  It \t hums   [ 1 ] . ", (HUMS,)),
}


@pytest.mark.parametrize(("text", "sentences"), REPLIES.values(), ids=REPLIES.keys())
def test_a_reply_is_read_as_sentences_with_their_numbers(text: str, sentences: tuple[Sentence, ...]) -> None:
    assert parse_reply(text).sentences == sentences


@pytest.mark.parametrize(
    ("text", "uncited"),
    [("", 0), ("...", 0), ("It hums.", 1), ("It hums. It glows [2].", 1), ("It hums [1](http://evil.example).", 1)],
)
def test_what_cites_nothing_is_only_counted(text: str, uncited: int) -> None:
    assert parse_reply(text).uncited == uncited


def test_a_reply_without_end_is_read_to_a_point() -> None:
    reply = parse_reply("It hums [1].\n" * 5_000)
    assert len(reply.sentences) == MAX_SENTENCES
    assert parse_reply(f"It {'really ' * 200}hums [1].").sentences == ()


@given(st.text(alphabet="ab .[]1,2\n【】()<think>/!?*-", max_size=300))
def test_any_text_is_a_reply(text: str) -> None:
    for sentence in parse_reply(text).sentences:
        assert sentence.clauses
        assert any(clause.numbers for clause in sentence.clauses)
