"""Answers about versions, over pages of documentation in several releases: what is said of which release."""

from pathlib import Path

import pytest

from corpus.versions import Version
from evals.question_set import Question
from evals.suites import VERSIONS, load_suite
from retrieval.assistant import Assistant
from retrieval.model import Answer, Status
from retrieval.pages import Edit, compared_pages
from retrieval.releases.statements import read_statement

QUESTIONS = load_suite(VERSIONS)


def cited(answer: Answer) -> list[str | None]:
    return [citation.version for citation in answer.citations]


def changes(assistant: Assistant, product: str, before: str, after: str) -> dict[Edit, list[str]]:
    catalogued = next(one for one in assistant.catalogue() if one.is_called(product))
    pages = compared_pages(assistant.index, catalogued, Version.parse(before), Version.parse(after))
    return {
        kind: [
            " > ".join(line.words for line in one.lines)
            for page in pages
            for one in page.differences
            if one.change is kind
        ]
        for kind in Edit
    }


def test_lines_of_one_page_in_two_releases_are_matched(version_pages: Assistant) -> None:
    found = changes(version_pages, "sparrowgrid", "5.1", "5.2")
    assert (
        'Modals are opened with data-toggle="modal". > Modals are opened with data-sg-toggle="modal".'
        in (found[Edit.CHANGED])
    )
    assert found[Edit.ADDED] == ["| xxl | 1400px |", "Internet Explorer isn't supported."]
    assert any("Use .btn with one" in line for line in found[Edit.SAME])


def test_a_section_that_came_or_went_is_one_difference(version_pages: Assistant) -> None:
    found = changes(version_pages, "halyard", "20", "22")
    assert "check.partlyExactly(actual, expected[, message])" in found[Edit.ADDED]
    assert "Class: check.CallCounter" in found[Edit.REMOVED]
    assert not any("counter.calls" in line for line in found[Edit.REMOVED])


def test_the_releases_own_version_is_no_difference(version_pages: Assistant) -> None:
    found = changes(version_pages, "sparrowgrid", "5.2", "5.3")
    assert any("v5.2 needs no other library" in line for line in found[Edit.SAME])


def test_the_pages_of_one_release_are_compared_once(version_pages: Assistant) -> None:
    product = next(one for one in version_pages.catalogue() if one.is_called("quernel"))
    ends = Version.parse("1.4"), Version.parse("2.0")
    first = compared_pages(version_pages.index, product, *ends)
    assert compared_pages(version_pages.index, product, *ends) is first
    assert len(first) == 2


@pytest.mark.parametrize(
    ("text", "act", "version"),
    [
        ("added: v12.16.0", "ADDED", "12.16.0"),
        ("New in version 2.1.", "ADDED", "2.1"),
        (".. versionadded:: 3.2", "ADDED", "3.2"),
        ("introduced_in=v0.9.0", "ADDED", "0.9.0"),
        ("Deprecated since version 2.1: use that.", "DEPRECATED", "2.1"),
        ("removed in 4.0", "REMOVED", "4.0"),
        ("- version: v19.1.0 description: Faster.", "CHANGED", "19.1.0"),
        (".. versionchanged:: 4.0", "CHANGED", "4.0"),
    ],
)
def test_statements_that_name_their_version(text: str, act: str, version: str) -> None:
    stated = read_statement(text)
    assert stated is not None
    assert (stated[0].name, stated[1]) == (act, Version.parse(version))


@pytest.mark.parametrize(
    "text", ["Adds 3 items.", "The new way.", "Removed the tessera1 command.", "It needs 2.5x less."]
)
def test_text_that_states_no_version(text: str) -> None:
    assert read_statement(text) is None


def test_two_releases_stand_side_by_side(version_pages: Assistant) -> None:
    answer = version_pages.ask("How does the lowest TLS version differ between quernel 1.4 and 1.5?")
    assert answer.answer.splitlines()[0].startswith("- **quernel 1.4**")
    assert [citation.quote for citation in answer.citations] == [
        "| `tls.min_version` | `1.0` | Lowest TLS version that is accepted. |",
        "| `tls.min_version` | `1.2` | Lowest TLS version that is accepted. |",
    ]


def test_what_did_not_change_is_said_to_be_the_same(version_pages: Assistant) -> None:
    answer = version_pages.ask("Did the default of listen.port change between quernel 1.4 and 2.0?")
    assert answer.answer.startswith("The same in **quernel 1.4** and **quernel 2.0**")
    assert cited(answer) == ["1.4", "2.0"]


def test_what_one_release_brought_is_compared_with_the_release_before(version_pages: Assistant) -> None:
    answer = version_pages.ask("Which filters were added in brindle 3.3?")
    assert "(not in 3.2)" in answer.answer
    assert "`slug`" in " ".join(citation.quote for citation in answer.citations)


def test_notes_between_both_releases_come_first(version_pages: Assistant) -> None:
    answer = version_pages.ask("What changed about list_buckets from tessera 3.2 to 4.0?")
    assert answer.citations[0].source == "tessera/CHANGES.rst"


def test_since_when_quotes_what_states_the_version(version_pages: Assistant) -> None:
    answer = version_pages.ask("Since when is check.CallCounter of halyard deprecated?")
    assert [citation.quote for citation in answer.citations] == ["deprecated: v20.2.0"]


def test_since_when_finds_the_first_page_that_says_so(version_pages: Assistant) -> None:
    answer = version_pages.ask("Since which version does brindle have a slug filter?")
    assert cited(answer) == ["3.3"]
    assert "first release in the library whose page says so" in answer.answer


def test_a_removal_is_dated_by_the_last_page_that_has_it(version_pages: Assistant) -> None:
    answer = version_pages.ask("When did sparrowgrid remove .btn-block?")
    assert cited(answer) == ["5.2"]
    assert "last release in the library" in answer.answer


def test_what_the_newest_page_still_says_was_not_removed(version_pages: Assistant) -> None:
    answer = version_pages.ask("When did brindle remove the upper filter?")
    assert answer.status is Status.NOT_FOUND
    assert "brindle 4.0" in answer.answer


def test_a_removal_that_names_its_deprecation_tells_both(version_pages: Assistant) -> None:
    answer = version_pages.ask("When was list_buckets deprecated in tessera and when was it removed?")
    assert cited(answer) == ["4.0"]
    assert answer.answer.startswith("Removed in **tessera 4.0** (2025-03-12): ")
    assert "deprecated since 3.2" in answer.answer


def test_a_life_is_told_in_order(version_pages: Assistant) -> None:
    answer = version_pages.ask("What happened to Pool.submit_later over the loomwork versions?")
    assert (cited(answer)[0], cited(answer)[-1]) == ("2.1.0", "3.0.0")


def test_every_release_that_fixes_a_cve_is_named(version_pages: Assistant) -> None:
    answer = version_pages.ask("Which loomwork releases fixed CVE-2024-70112?")
    assert cited(answer) == ["2.0.4", "2.1.2"]


def test_a_short_line_under_the_asked_heading_answers(version_pages: Assistant) -> None:
    answer = version_pages.ask("How stable is check.partlyExactly in halyard v22?")
    assert any("Release candidate" in citation.quote for citation in answer.citations)


def test_a_name_that_only_another_release_has_is_not_found_and_placed(version_pages: Assistant) -> None:
    answer = version_pages.ask("Does Pool.schedule exist in loomwork 2.0?")
    assert answer.status is Status.NOT_FOUND
    assert "2.1.0, 3.0.0 do" in answer.answer


def test_a_part_that_is_not_proven_is_said(version_pages: Assistant) -> None:
    answer = version_pages.ask("What is the default of storage.engine in quernel 1.5 and in 3.1?")
    assert answer.status is Status.PARTIAL
    assert answer.answer.startswith("No notes for quernel 3.1 are in the library")
    assert set(cited(answer)) == {"1.5"}


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Which versions of halyard are documented?", "**22**, **20**, **18**"),
        ("List all versions of quernel that are covered.", "**2.0**, **1.5**, **1.4**"),
        ("Which sparrowgrid versions came after 5.2?", "**6.0**, **5.3**"),
        ("Does halyard 19 exist?", "No: no notes for halyard 19 are in the library"),
        ("What documents do you have for quernel 1.5?", "quernel/v1.5/replication.md: Replication"),
        ("What is the oldest quernel version available?", "**quernel 1.4**"),
    ],
)
def test_the_inventory_is_told_in_full(version_pages: Assistant, question: str, said: str) -> None:
    answer = version_pages.ask(question)
    assert (answer.interpretation.intent, answer.status) == ("catalogue", Status.ANSWERED)
    assert said in answer.answer
    assert answer.confidence >= 0.9


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.id)
def test_the_documents_say_what_the_questions_take_for_right(question: Question) -> None:
    for gold in question.gold:
        path = VERSIONS.documents / gold.path
        assert isinstance(path, Path)
        assert path.is_file()
