"""Release headings without markup, below the title of their series, and what only looks like them."""

from datetime import date
from itertools import pairwise

import pytest
from case_files import read_cases, read_rows
from hypothesis import given
from hypothesis import strategies as st
from ingest_documents import ingest_text

from corpus.dates import find_dates
from ingest.releases.identity import Hints


@pytest.mark.parametrize("product", ["Ket.tle", "kettle", "pot"])
def test_releases_below_their_series_need_no_product_spelled_right(product: str) -> None:
    case = next(case for case in read_cases("releases") if case.name == "releases below the title of their series")
    assert ingest_text(case.text, name=case.subject, hints=Hints(product=product)).told == case.gives


@pytest.mark.parametrize("inner", read_rows("ingest-what-only-looks-like-release-lines"))
def test_what_only_looks_like_release_lines(inner: str) -> None:
    document = ingest_text(f"# Kettle 2.0 is out\n\nWe are happy.\n\n{inner}", hints=Hints(product="Kettle"))
    assert document.labels == ["2.0"]


@pytest.mark.parametrize(
    "number",
    ["\u0660", "\U0001d7d8.\U0001d7d8.\U0001d7d8.\U0001d7d8", "1.2.3.9999999999999999999", "9999999999999999999"],
)
def test_a_number_that_is_no_version_opens_no_release(number: str) -> None:
    assert ingest_text(f"# Gizmo\n\n## Version {number}\n\n- x\n\n## {number}\n\n- y\n").versions == []


DAY = date(2024, 1, 9)


@pytest.mark.parametrize("written", read_rows("ingest-a-date-is-found-whole-with-its-weekday-and-time"))
def test_a_date_is_found_whole_with_its_weekday_and_time(written: str) -> None:
    line = f"1.2.3 ({written})"
    (mention,) = find_dates(line)
    assert mention.date == DAY
    assert mention.span.slice(line) == written


@given(
    st.dates(date(1990, 1, 1), date(2099, 12, 31)),
    st.sampled_from(["%Y-%m-%d", "%B %d, %Y", "%d %b %Y", "%Y.%m.%d", "%d.%m.%Y"]),
)
def test_every_day_is_read_back(day: date, form: str) -> None:
    assert [mention.date for mention in find_dates(f"x {day.strftime(form)} y")] == [day]


@given(
    st.lists(st.sampled_from(["2024-01-09", "Jan 9, 2024", "9 Jan 2024", " ", "-", "10:20", "Tue", "2024"]), max_size=8)
)
def test_mentions_are_in_order_and_disjoint(parts: list[str]) -> None:
    spans = [mention.span for mention in find_dates(" ".join(parts))]
    assert all(one.end <= other.start for one, other in pairwise(spans))
