"""What is told of a release from its notes (`tests/data/notes`): what was deprecated, removed, broken or secured in it,
or that they tell of none; when it came out, that it was taken back; which release is meant by none or the latest.
"""

import re
from collections.abc import Callable

import pytest
from case_files import read_rows

from retrieval.assistant import Assistant
from retrieval.model import Status

Library = Callable[[str], Assistant]


@pytest.mark.parametrize(("question", "said"), read_rows("retrieval-a-release-whose-notes-tell-of-none-is-said-to"))
def test_a_release_whose_notes_tell_of_none_is_said_to(library: Library, question: str, said: str) -> None:
    answer = library("changes").ask(question)
    assert (answer.status, answer.answer) == (Status.NOT_FOUND, f"Not found: {said}")
    assert not answer.citations
    assert answer.passages, "what was looked at is listed all the same"


@pytest.mark.parametrize(("question", "told"), read_rows("retrieval-changes-are-told-as-an-upgrade-lists-them", list))
def test_changes_are_told_as_an_upgrade_lists_them(library: Library, question: str, told: list[str]) -> None:
    answer = library("changes").ask(question)
    assert answer.status is Status.ANSWERED
    listed = re.sub(r"^(?:The notes of .+?: )?\*\*.+?\)(?:, the newest release)?: ", "", answer.answer)
    said = re.findall(r"(?m)^(?:- )?(?:\*\*[^*]+\*\*: )?(.+?) (?:\[\d+\])+$", listed)
    assert sorted(said) == sorted(told)
    assert {one.authority.value for one in answer.citations} == {"official"}, "news of a release tell nothing beside it"


@pytest.mark.parametrize(
    ("question", "status", "said", "version"),
    [
        ("When was --legacy-nests removed?", Status.ANSWERED, "", "3.0.0"),
        ("When was the INI configuration format removed?", Status.ANSWERED, "", "3.0.0"),
        (
            "When was Nest.prefetch removed?",
            Status.NOT_FOUND,
            "Not found",
            None,
        ),
        ("When was limits.burst removed?", Status.PARTIAL, " was removed, only the plan for it.\n", "3.2.0"),
        ("When was limits.burst removed?", Status.PARTIAL, "it will be removed in 4.0. [1]", "3.2.0"),
    ],
)
def test_a_removal_is_told_by_the_release_that_removed_and_no_deprecation_or_plan_is_one(
    library: Library, question: str, status: Status, said: str, version: str | None
) -> None:
    answer = library("removals").ask(question)
    assert answer.status is status
    assert said in answer.answer
    assert next((one.version for one in answer.citations), None) == version
    assert {one.authority.value for one in answer.citations} <= {"official"}


@pytest.mark.parametrize(
    ("question", "said", "versions"), read_rows("retrieval-security-of-a-release-is-what-later-ones-fixed", list)
)
def test_security_of_a_release_is_what_later_ones_fixed_else_what_it_fixed(
    library: Library, question: str, said: str, versions: list[str]
) -> None:
    answer = library("security").ask(question)
    assert said in answer.answer
    assert [one.version for one in answer.citations] == versions


@pytest.mark.parametrize(
    ("question", "newer"),
    [
        ("latest security fix in Dunlin", ["dunlin 3.4.1"]),
        ("most recent Teal CVE", ["Teal 5.2.0"]),
        ("latest security fix in Teal before 5", []),
    ],
)
def test_the_newest_security_fix_is_told_with_the_newer_releases_that_have_none(
    library: Library, question: str, newer: list[str]
) -> None:
    notes = [note for note in library("security").ask(question).notes if "newer" in note]
    assert notes == [f"The notes of {one}, which are newer, mark no security fix that stands." for one in newer]
