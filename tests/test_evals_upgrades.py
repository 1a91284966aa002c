"""What the labelled bumps must hold."""

from collections import Counter

import pytest

from corpus.versions import Version
from evals.pages import FolderTexts, Pages
from evals.suites import Suite
from evals.upgrades.bump_set import load_bumps
from evals.upgrades.scoring import place_changes
from evals.upgrades.trial import BUMP_SETS


@pytest.fixture(scope="module", params=BUMP_SETS, ids=lambda one: one.name)
def labelled(request: pytest.FixtureRequest) -> Suite:
    bump_set: Suite = request.param
    return bump_set


def test_labels_stand_where_they_say(labelled: Suite) -> None:
    if not labelled.is_available:
        pytest.skip(f"the documents of {labelled.name} are not beside this checkout")
    pages = Pages(FolderTexts(labelled.documents))
    for bump in load_bumps(labelled.questions):
        lost = [placed.change for placed in place_changes(bump, pages) if not placed.spots]
        assert not lost, bump.id


def test_no_change_is_labelled_twice(labelled: Suite) -> None:
    for bump in load_bumps(labelled.questions):
        places = Counter((change.path, change.start, change.end) for change in bump.changes)
        assert [place for place, times in places.items() if times > 1] == [], bump.id


def test_every_label_is_of_a_release_in_the_range(labelled: Suite) -> None:
    for bump in load_bumps(labelled.questions):
        low, high = Version.parse(bump.start), Version.parse(bump.end)
        outside = [one.release for one in bump.changes if not low < Version.parse(one.release).base <= high]
        assert outside == [], bump.id
