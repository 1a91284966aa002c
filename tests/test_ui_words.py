"""What people read of an answer beside its text: how the question was read, how certain it is, what to know of it."""

from dataclasses import replace

import pytest
from page_answers import ANSWER, CITATION

from corpus.versions import Version, VersionConstraint
from retrieval.model import Status
from retrieval.question.interpretation import versions_words
from ui.rendering.words import caveats, document_name, reading_words

ONE, TWO = Version.parse("1.4"), Version.parse("2")
CONSTRAINTS = {
    "2": VersionConstraint.exactly(TWO),
    "after 1.4, up to 2": VersionConstraint.between(ONE, TWO),
    "from 1.4 to 2": VersionConstraint.through(ONE, TWO),
    "after 1.4, before 2": VersionConstraint((), ONE, TWO),
    "from 2 back to 1.4": VersionConstraint((), TWO, ONE, includes_high=True),
    "before 2": VersionConstraint.before(TWO),
    "up to 2": VersionConstraint.up_to(TWO),
}


@pytest.mark.parametrize(("words", "constraint"), CONSTRAINTS.items(), ids=CONSTRAINTS.keys())
def test_a_constraint_is_told_without_signs(words: str, constraint: VersionConstraint) -> None:
    assert versions_words(constraint) == words


TITLES = {
    "Widget 2.0 released": "Widget 2.0 released",
    "Deprecations": "widget, deprecations",
    "Moving to the new turn": "widget, Moving to the new turn",
    "TBD": "widget, changelog",
    "0.11.x": "widget, changelog",
    "": "widget/2.0.md",
}


@pytest.mark.parametrize(("title", "name"), TITLES.items(), ids=str)
def test_a_document_is_called_by_a_name_that_tells_its_product(title: str, name: str) -> None:
    assert document_name(replace(CITATION, title=title)) == name


def test_the_reading_is_one_line_of_what_was_named() -> None:
    unknown = replace(
        ANSWER.interpretation, products=(), unknown_products=("frob",), versions_words="", symbols=(), intent="fact"
    )
    assert reading_words(unknown) == "frob (no notes here)"


def test_only_low_confidence_is_told_and_never_as_a_figure() -> None:
    assert caveats(replace(ANSWER, confidence=0.45)) == ("Not certain: read the quotes before you rely on this.",)
    assert caveats(replace(ANSWER, confidence=0.6)) == ()
    assert caveats(replace(ANSWER, confidence=0.45, status=Status.NOT_FOUND)) == ()
