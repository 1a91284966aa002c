"""Nothing that answers is lost to brevity: what only looks like a repetition is told."""

from collections.abc import Callable

import pytest

from retrieval.assistant import Assistant


@pytest.fixture(scope="module")
def gadwall(library: Callable[[str], Assistant]) -> Assistant:
    return library("whole")


def test_all_changes_that_name_a_required_version_are_told(gadwall: Assistant) -> None:
    answer = gadwall.ask("What breaks in Gadwall 3.0?").answer
    assert all(words in answer for words in ("Python 3.10", "workaround", "database is now", "`export`"))


def test_no_loss_of_data_is_told_to_be_nothing_urgent(gadwall: Assistant) -> None:
    assert "urgent" not in gadwall.ask("Should I upgrade to Gadwall 2.5.1?").answer
