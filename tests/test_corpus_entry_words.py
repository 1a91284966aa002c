"""What an answer says of an entry: the change its heading names, whole sentences or clauses as far as they fit, without
records of who and where, and nothing that leads away from it."""

import time
import timeit

import pytest
from case_files import read_rows

from corpus import entry_words
from corpus.plain_words import readable
from retrieval.quoting.wording import fit_sentences


def labelled(words: str, heading: tuple[str, ...]) -> str:
    said = entry_words.said(words)
    return ": ".join(filter(None, (entry_words.implied_change(said, heading), said)))


@pytest.mark.parametrize(("words", "heading", "said"), read_rows("retrieval-an-entry-is-said"))
def test_an_entry_is_said(words: str, heading: tuple[str, ...], said: str | None) -> None:
    assert labelled(words, heading) == (words if said is None else said)


@pytest.mark.parametrize(("title", "change"), read_rows("corpus-a-title-names-the-change-of-the-things-below-it"))
def test_a_title_names_the_change_of_the_things_below_it(title: str, change: str) -> None:
    assert entry_words.change_in_heading(("Queue 2.0", title)) == change
    said = labelled("Support for Python 3.9.", ("Queue 2.0", title))
    assert said == (f"{change}: Support for Python 3.9." if change else "Support for Python 3.9.")


@pytest.mark.parametrize(("words", "away"), read_rows("retrieval-a-pointer-is-no-change"))
def test_a_pointer_is_no_change(words: str, away: bool) -> None:
    assert entry_words.leads_away(words) is away


@pytest.mark.parametrize(("written", "said"), read_rows("corpus-tables-and-marks-are-read-out"))
def test_tables_and_marks_are_read_out(written: str, said: str) -> None:
    assert readable(written) == said


@pytest.mark.parametrize(("written", "said"), read_rows("corpus-code-is-kept-as-code"))
def test_code_is_kept_as_code(written: str, said: str) -> None:
    assert readable(written, keeps_code=True) == said


@pytest.mark.parametrize("piece", ["[", "[[a", "-.", "`#1 <", ":a:`1 <"])
def test_what_looks_like_records_takes_time_that_grows_with_it(piece: str) -> None:
    def took(times: int) -> float:
        entry = f"Fix a hang {piece * times} in the lamp"
        # Of several tries the quickest: a busy machine or a garbage collection slows one of them down.
        return min(timeit.repeat(lambda: entry_words.said(entry), timer=time.process_time, number=1, repeat=5))

    # Sixteen times as much takes 256 times as long where the time grows with the square.
    assert took(16_000) < 64 * took(1_000) + 0.05


@pytest.mark.parametrize(("entry", "said"), read_rows("retrieval-records-are-no-part-of-what-an-entry-says"))
def test_records_are_no_part_of_what_an_entry_says(entry: str, said: str) -> None:
    assert entry_words.without_metadata(entry) == said


@pytest.mark.parametrize(("entry", "said"), read_rows("retrieval-a-long-entry-is-told-in-whole-sentences-or-clauses"))
def test_a_long_entry_is_told_in_whole_sentences_or_clauses(entry: str, said: str) -> None:
    assert fit_sentences(entry, max_characters=50, longest=52) == said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("Rows are streamed https://a.example/rows now.", "Rows are streamed now."),
        ("The guide is at https://a.example/rows now.", "The guide is at https://a.example/rows now."),
    ],
)
def test_the_addresses_beside_links_words_arent_said(words: str, said: str) -> None:
    assert entry_words.said(words) == said


def test_tickets_stay_where_they_are_asked_for() -> None:
    assert entry_words.said("Rows are streamed. (gh-330)", keeps_tickets=True) == "Rows are streamed. (gh-330)"
