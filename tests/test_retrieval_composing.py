"""Drafting: only what is verified is said, numbered in order of first use, with the document's own markup disarmed."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from answer_contract import markers
from indexes_by_hand import every_passage, note, open_index, scored
from small_corpus import parsed

from corpus.index.reader import IndexReader
from corpus.model import Authority, Span
from retrieval.blocks import NO_WORDS, Words, markdown_of, markdown_words, words_of
from retrieval.model import Status
from retrieval.quoting.composing import (
    Composition,
    Draft,
    Statement,
    attribution,
    compose_answer,
    statement_of,
    verify_quotes,
)
from retrieval.quoting.quote_ranges import quote_item
from retrieval.quoting.quotes import Quote

WORDS = ("- Pumps are new.", "- Taps are old.", "- Valves are odd.")
TEXT = "\n".join(WORDS)


@pytest.fixture
def index(tmp_path: Path) -> IndexReader:
    return open_index(tmp_path, note(TEXT, *WORDS, version="2.0"))


def quote(index: IndexReader, number: int) -> Quote:
    passage = every_passage(index)[0]
    span = passage.items[number].span
    return Quote(passage, span, span, retracted=False)


def whole(folder: Path, text: str = "Pumps.", *, authority: Authority = Authority.OFFICIAL) -> Quote:
    """All of a document of one passage."""
    passage = every_passage(open_index(folder, note(text, authority=authority)))[0]
    return Quote(passage, passage.span, passage.span)


def draft(*statements: Statement, status: Status = Status.ANSWERED, lead: str = "") -> Draft:
    return Draft(status, words_of(lead), statements, ("a note",))


def said(text: str, *quotes: Quote, speaker: Words = NO_WORDS) -> Statement:
    return Statement(words_of(text), quotes, speaker)


def text_of(composed: Composition) -> str:
    return markdown_of(composed.blocks)


def test_whom_all_statements_have_in_common_is_named_once(index: IndexReader) -> None:
    taps, pumps = quote(index, 1), quote(index, 0)
    speaker = attribution(taps)
    both = said("Taps", taps, speaker=speaker), said("Pumps", pumps, speaker=speaker)
    assert text_of(compose_answer(draft(*both), index)) == "**demo 2.0**:\n\n- Taps [1]\n- Pumps [2]"
    assert text_of(compose_answer(draft(*both, lead="Two:"), index)).startswith("Two:\n\n**demo 2.0**:\n\n- Taps")
    mixed = (both[0], said("Pumps", pumps))
    assert text_of(compose_answer(draft(*mixed), index)) == "- **demo 2.0**: Taps [1]\n- Pumps [2]"
    assert text_of(compose_answer(draft(both[0]), index)) == "**demo 2.0**: Taps [1]"


UNPROVEN = {
    "outside its passage": Span(0, len(TEXT) + 5),
    "before its passage": Span(-3, 5),
    "empty": Span(4, 4),
    "backwards": Span(9, 4),
    "blank": Span(len(WORDS[0]), len(WORDS[0]) + 1),
}


@pytest.mark.parametrize("span", UNPROVEN.values(), ids=UNPROVEN.keys())
def test_a_quote_that_is_no_slice_is_dropped_with_its_statement(index: IndexReader, span: Span) -> None:
    good = quote(index, 0)
    bad = replace(good, span=span)
    composed = compose_answer(draft(said("Lies", bad), said("Pumps", bad, good), said("More lies", bad)), index)
    assert text_of(composed) == "Pumps [1]"
    assert [citation.quote for citation in composed.citations] == [WORDS[0]]


def test_what_only_leads_to_more_is_no_statement(index: IndexReader) -> None:
    first, second = said("Set it so:", quote(index, 0)), said("Taps are old.", quote(index, 2))
    composed = compose_answer(draft(first, said("For example:", quote(index, 1)), second), index)
    assert text_of(composed) == "- Set it so … [1]\n- Taps are old. [2]"
    assert [citation.quote for citation in composed.citations] == [WORDS[0], WORDS[2]]


def test_what_was_said_before_is_not_said_again(index: IndexReader, tmp_path: Path) -> None:
    whole_list, taps, pumps = (quote(index, number) for number in range(3))
    speaker = attribution(taps)
    both = said("Taps are old. Pumps are new.", whole_list, speaker=speaker + " (2026-01-02)")
    again, new = said("Taps are old.", taps, speaker=speaker), said("Valves are odd.", pumps, speaker=speaker)
    composed = compose_answer(draft(both, again, new), index)
    assert text_of(composed) == (
        "- **demo 2.0** (2026-01-02): Taps are old. Pumps are new. [1]\n- **demo 2.0**: Valves are odd. [2]"
    )
    elsewhere = replace(again, quotes=(replace(taps, passage=replace(taps.passage, release=None)),))
    assert "- **demo 2.0**: Taps are old. [2]" in text_of(compose_answer(draft(both, elsewhere, new), index))


SHOWN = {
    "a line beside its words": ("x = `1`", "Set it: `x = '1'` [1]"),
    "several lines below it": ("# `x`\nif x:\n    y = [1]", "Set it: [1]\n\n```\n# 'x'\nif x:\n    y = [1]\n```"),
    "the first twelve of many": (
        "\n".join("abcdefghijklmn"),
        f"Set it: [1]\n\n```\n{chr(10).join('abcdefghijkl')}\n…\n```",
    ),
    "none where they are too long": ("\n".join(("x" * 500,) * 2), "Set it … [1]"),
}


@pytest.mark.parametrize(("code", "said"), SHOWN.values(), ids=SHOWN.keys())
def test_code_that_a_quote_introduces_is_shown(tmp_path: Path, code: str, said: str) -> None:
    text = f"Set it:\n\n```sh\n{code}\n```"
    index = open_index(tmp_path, note(text, "Set it:", text[9:]))
    stated = statement_of(quote_item(scored(every_passage(index)[0], 0), text), text)
    assert text_of(compose_answer(draft(stated), index)) == f"**demo 1.0**: {said}"


def test_a_quote_from_another_passage_of_its_document_is_dropped(tmp_path: Path) -> None:
    index = open_index(tmp_path, parsed("Pumps are new.\n\nTaps are old."))
    first, second = every_passage(index)
    lent = Quote(first, second.span, second.span, retracted=False)
    assert verify_quotes([said("Taps", lent)], index) == ()


def test_a_quote_over_the_longest_is_dropped(tmp_path: Path) -> None:
    text = "x" * 1601
    index = open_index(tmp_path, note(text))
    passage = every_passage(index)[0]
    whole = Quote(passage, Span(0, 1601), Span(0, 1601), retracted=False)
    assert verify_quotes([said("Long", whole)], index) == ()
    fits = replace(whole, span=Span(0, 1600))
    assert [one.quote for _, cited in verify_quotes([said("Long", fits)], index) for one in cited] == [text[:1600]]


@pytest.mark.parametrize(
    ("status", "lead", "span", "by_catalogue", "says"),
    [
        pytest.param(Status.ANSWERED, "Two:", Span(0, 10_000), True, "Not found: no quote", id="without a proof left"),
        pytest.param(Status.NOT_FOUND, "Not found.", Span(0, 4), True, "Not found.", id="whatever its statements"),
        pytest.param(Status.ANSWERED, "", None, True, "Not found: no quote", id="nothing said"),
        pytest.param(Status.ANSWERED, "Two are there.", None, True, "Two are there.", id="the catalogue's words"),
        pytest.param(Status.ANSWERED, "Nothing urgent:", None, False, "Not found: no quote", id="anything else's"),
    ],
)
def test_what_proves_nothing_cites_nothing(
    index: IndexReader, status: Status, lead: str, span: Span | None, by_catalogue: bool, says: str
) -> None:
    statements = () if span is None else (said("Lies", replace(quote(index, 0), span=span)),)
    composed = compose_answer(draft(*statements, status=status, lead=lead), index, by_catalogue=by_catalogue)
    assert text_of(composed).startswith(says)
    assert (composed.status is Status.NOT_FOUND) is says.startswith("Not found")
    assert (composed.citations, markers(text_of(composed))) == ((), ())


@pytest.mark.parametrize(
    ("authority", "expected"),
    [
        (Authority.OFFICIAL, "**demo 1.0**"),
        (Authority.PROJECT, "**demo 1.0**"),
        (Authority.ANALYST, "According to “demo 1.0” (analyst)"),
        (Authority.NEWS, "According to “demo 1.0” (news)"),
        (Authority.UNKNOWN, "**demo 1.0**"),
        (Authority.DIGEST, "**demo 1.0** (digest)"),
    ],
)
def test_who_speaks_is_said_where_that_is_known_and_not_the_project(
    tmp_path: Path, authority: Authority, expected: str
) -> None:
    assert markdown_words(attribution(whole(tmp_path, authority=authority))) == expected


def test_a_yanked_release_is_called_so_in_one_pair_of_brackets_with_its_day(tmp_path: Path) -> None:
    one = whole(tmp_path, authority=Authority.DIGEST)
    passage = replace(one.passage, is_yanked=True, release_date=date(2024, 1, 2))
    told = attribution(replace(one, passage=passage), tells_day=True)
    assert markdown_words(told) == "**demo 1.0** (yanked, digest, 2024-01-02)"


def test_notes_below_a_day_alone_are_out(tmp_path: Path) -> None:
    noted = note("Pumps run.", "Pumps run.")
    release = replace(noted.releases[0], version=None, label="2025-03-01", date=date(2025, 3, 1))
    index = open_index(tmp_path, replace(noted, releases=(release,)))
    assert not every_passage(index)[0].is_unreleased
