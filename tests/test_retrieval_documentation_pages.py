"""Documentation that stands in the library once a release: which page there is, since when."""

from collections.abc import Callable

import pytest

from retrieval.assistant import Assistant


@pytest.fixture
def kettle(library: Callable[[str], Assistant]) -> Assistant:
    return library("kettle-pages")


def test_since_when_is_told_by_a_mark_that_stands_above_what_was_added(kettle: Assistant) -> None:
    assert "1.4" in kettle.ask("since when does kettle have pour_angle?").answer
