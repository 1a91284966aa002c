"""Days as people write them, and how long ago something was, as they say it."""

from datetime import date, datetime

import pytest

from corpus.ages import day_words, time_since

MOMENTS = {
    "2026-01-10T12:00:00+00:00": "just now",
    "2026-01-10T11:59:30+00:00": "just now",
    "2026-01-10T11:59:00+00:00": "1 minute ago",
    "2026-01-10T09:00:00+00:00": "3 hours ago",
    "2026-01-09T12:00:01+00:00": "23 hours ago",
    "2026-01-09T12:00:00+00:00": "yesterday",
    "2026-01-08T23:00:00+00:00": "2 days ago",
    "2026-01-07T11:00:00+00:00": "3 days ago",
    "2025-12-01T12:00:00+00:00": "5 weeks ago",
    "2026-01-11T12:00:00+00:00": "just now",
}


def test_a_day_has_its_month_in_full_and_no_zeros() -> None:
    assert day_words(date(2025, 4, 8)) == "8 April 2025"
    assert day_words(date(1999, 12, 31)) == "31 December 1999"


@pytest.mark.parametrize(("moment", "words"), MOMENTS.items(), ids=MOMENTS.keys())
def test_a_moment_is_told_by_how_long_ago_it_was(moment: str, words: str) -> None:
    assert time_since(moment, now=datetime.fromisoformat("2026-01-10T12:00:00+00:00")) == words
