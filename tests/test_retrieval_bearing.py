"""Releases that bear on the one asked about: what somebody is on, what a later or an earlier release tells of it."""

import pytest
from test_retrieval_query import CATALOGUE

from corpus.index.release_matching import match_release
from corpus.model import Act
from corpus.versions import Version, VersionConstraint, VersionMatch
from retrieval.model import Form, Query
from retrieval.question.forms import FormReading
from retrieval.question.query import parse_query


def asked(question: str, form: Form, act: Act | None = None, *, version: str | None = None) -> Query:
    return parse_query(
        question, catalogue=CATALOGUE, version=version, read=lambda _, __: FormReading(form, 1.0, act, 0.0)
    )


@pytest.mark.parametrize(
    ("form", "question", "bearing"),
    [
        (Form.SYMPTOM, "Django 4.2 hangs on migrate", None),
        (Form.ERROR, "TypeError in Django 4.2", "4.2 or later"),
        (Form.SECURITY, "Is Django 4.2.14 affected?", "4.2.14 or later"),
        (Form.MIGRATE, "assertFormsetError is gone in Django 5.0, what now?", "5.0 or later"),
        (Form.YES_NO, "Does Django 5.0 run on Python 3.9?", "5.0 or earlier"),
        (Form.WHATS_NEW, "What is new in Django 5.0?", None),
        (Form.VALUE, "minimum Python for Django 9.0?", None),
    ],
)
def test_which_releases_bear_on_the_asked_one_follows_from_the_form(
    form: Form, question: str, bearing: str | None
) -> None:
    found = asked(question, form).bearing
    expected = None
    if bearing is not None:
        number, _, side = bearing.split()
        version = Version.parse(number)
        expected = VersionConstraint.since(version) if side == "later" else VersionConstraint.up_to(version)
    assert found == expected


def test_a_filter_by_version_lets_no_other_release_in() -> None:
    assert asked("Django hangs", Form.SYMPTOM, version="4.2").bearing is None


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        ("4.2", VersionMatch.EXACT),
        ("4.2.14", VersionMatch.SERIES),
        ("5.0", VersionMatch.BEARING),
        ("3.2", VersionMatch.OUTSIDE),
    ],
)
def test_what_bears_on_a_release_comes_after_its_own_notes(version: str, expected: VersionMatch) -> None:
    constraint, later = VersionConstraint.exactly(Version.parse("4.2")), VersionConstraint.since(Version.parse("4.2"))
    assert match_release(constraint, Version.parse(version), bearing=later) is expected


@pytest.mark.parametrize(
    "question", ["we run Django 4.2, do I need 5.0", "Django 4.2 in prod with bridges + tenants. 5.0 urgent?"]
)
def test_two_versions_of_a_move_are_its_ends(question: str) -> None:
    found = asked(question, Form.SHOULD_UPGRADE).constraint
    assert found == VersionConstraint.between(Version.parse("4.2"), Version.parse("5.0"))
