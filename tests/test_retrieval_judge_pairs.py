"""What each word of a claim is to an item of the notes, and the other way round."""

import timeit
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.embedding.default_model import default_model_folder, load_tokenizer
from corpus.versions import Version
from retrieval.judge.model import pair_tokens
from retrieval.judge.pairs import JudgedItem, Side, Sign, read_pair

ITEM = JudgedItem(
    "Drop Python 3.8; `lamp.shine()` and --dim-slowly need 3.10",
    "Lamp",
    "Lamp changelog",
    ("2.0.1", "Removed"),
    Version.parse("2.0.1"),
)


def signs_of(side: Side) -> list[tuple[str, Sign]]:
    return [(side.text[start:end], sign) for start, end, sign in side.signs if sign is not Sign.NONE]


@pytest.mark.parametrize(
    ("claim", "releases", "signs"),
    [
        ("Drops Java", (), [("Drops", Sign.WORD_MET), ("Java", Sign.WORD)]),
        ("Python 3.8, 3.9", (), [("Python", Sign.WORD_MET), ("3.8", Sign.NUMBER_MET), ("3.9", Sign.LOWER_NUMBER)]),
        ("shine", (), [("shine", Sign.WORD_MET)]),
        ("`lamp.glow()`", (), [("lamp.glow", Sign.NAME_MET)]),
        ("bulb.glow --dim-fast", (), [("bulb.glow", Sign.NAME), ("--dim-fast", Sign.NAME)]),
        ("in 2.0", ("2.0",), [("this release", Sign.SAME_RELEASE)]),
        ("v1.9", ("1.9",), [("an earlier release", Sign.EARLIER_RELEASE)]),
        ("2.0.2", ("2.0.2",), [("a later release", Sign.LATER_RELEASE)]),
        ("in 2.x", ("2",), [("this release", Sign.SAME_RELEASE)]),
        ("3.10", ("3.10",), [("3.10", Sign.NUMBER_MET)]),
    ],
)
def test_each_word_is_told_whether_the_item_has_it(
    claim: str, releases: tuple[str, ...], signs: list[tuple[str, Sign]]
) -> None:
    side, _ = read_pair(claim, [Version.parse(one) for one in releases], ITEM)
    assert signs_of(side)[: len(signs)] == signs


def test_a_release_stands_in_words_so_that_no_digits_have_to_be_compared() -> None:
    side, item = read_pair("Gone between 1.9 and 2.1", [Version.parse("1.9"), Version.parse("2.1")], ITEM)
    assert side.text == "Gone between an earlier release and a later release"
    assert item.text.startswith("Lamp. this release > Removed: Drop Python 3.8")


def test_marks_between_thousands_make_no_other_number() -> None:
    for claim, told in (("4096", "4,096"), ("4,096", "4096")):
        side, _ = read_pair(claim, (), JudgedItem(f"Keeps {told} sockets", "Lamp", "Lamp", (), Version.parse("2.0")))
        assert signs_of(side) == [(claim, Sign.NUMBER_MET)]


@given(st.text(max_size=60), st.text(max_size=60))
def test_signs_are_in_order_and_within_the_text(claim: str, words: str) -> None:
    for side in read_pair(claim, (), JudgedItem(words, "Lamp", "Lamp", (), Version.parse("2.0"))):
        places = [place for start, end, _ in side.signs for place in (start, end)]
        assert places == sorted(places)
        assert not places or (places[0] >= 0 and places[-1] <= len(side.text))


def test_every_token_has_the_sign_of_its_word() -> None:
    tokenizer = load_tokenizer(default_model_folder())
    side, _ = read_pair("unshinable in 3.10", (), ITEM)
    ids, signs = pair_tokens(tokenizer, side, limit=20)
    words = [tokenizer.decode([one]) for one in ids]
    assert [sign for word, sign in zip(words, signs, strict=True) if word in {"3", ".", "10"}] == [Sign.NUMBER_MET] * 3
    assert signs[0] == Sign.WORD


def numbers(count: int, *, first: int = 0) -> str:
    return " ".join(str(number) for number in range(first, 2 * count, 2))


@pytest.mark.parametrize("piece", ["1.0.0.0", "a.b", "-a", "v1.0", "1,0,", "numbers on both sides"])
def test_a_hostile_claim_takes_time_that_grows_with_it(piece: str) -> None:
    def took(times: int) -> float:
        claim, item = piece * times, ITEM
        if "numbers" in piece:
            claim, item = numbers(times), JudgedItem(numbers(times, first=1), "Lamp", "Lamp", (), None)
        # Of several tries the quickest: a busy machine slows one of them down.
        return min(timeit.repeat(lambda: read_pair(claim, (), item), timer=process_time, number=1, repeat=5))

    # Sixteen times as much takes 256 times as long where the time grows with the square.
    assert took(3_200) < 64 * took(200) + 0.05
