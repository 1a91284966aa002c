"""A question of the page: its link, and what was seen of its answer."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.model import Facet
from ui.web.ask.conversation import Asking, parse_address


@given(
    st.builds(
        Asking,
        question=st.text(min_size=1, max_size=40).map(str.strip).filter(bool),
        history=st.lists(st.text(max_size=20).map(str.strip).filter(bool), max_size=3).map(tuple),
        product=st.none() | st.text(min_size=1, max_size=20).map(str.strip).filter(bool),
        version=st.none() | st.sampled_from(["2.0", "v1 & 2=3"]),
        without=st.frozensets(st.sampled_from(Facet)),
    )
)
def test_a_link_holds_all_that_a_question_is_asked_with(asking: Asking) -> None:
    from starlette.datastructures import QueryParams

    pairs = QueryParams(asking.address.removeprefix("/?")).multi_items()
    assert parse_address(pairs) == asking


@pytest.mark.parametrize(
    "pairs",
    [[], [("q", " ")], [("product", "x")], [("q", "x" * 4_001)], [("q", "x"), ("version", "1" * 201)]],
    ids=["nothing", "blank", "no question", "too long", "long filter"],
)
def test_a_link_without_a_question_asks_nothing(pairs: list[tuple[str, str]]) -> None:
    assert parse_address(pairs) is None
