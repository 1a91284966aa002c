"""Answers about versions, over pages of documentation in several releases: what is said of which release."""

from collections.abc import Callable

import pytest
from case_files import read_rows

from retrieval.assistant import Assistant
from retrieval.model import Answer, Status


def cited(answer: Answer) -> list[str | None]:
    return [citation.version for citation in answer.citations]


def test_two_releases_stand_side_by_side(version_pages: Assistant) -> None:
    answer = version_pages.ask("How does the lowest TLS version differ between quernel 1.4 and 1.5?")
    assert answer.answer.splitlines()[0].startswith("- **quernel 1.4**")
    assert [citation.quote for citation in answer.citations] == [
        "| `tls.min_version` | `1.0` | Lowest TLS version that is accepted. |",
        "| `tls.min_version` | `1.2` | Lowest TLS version that is accepted. |",
    ]


@pytest.mark.parametrize(
    ("question", "status", "said", "versions"),
    [
        pytest.param(
            "Did the default of listen.port change between quernel 1.4 and 2.0?",
            Status.ANSWERED, "The same in **quernel 1.4** and **quernel 2.0**", ["1.4", "2.0"],
            id="what did not change",
        ),
        pytest.param(
            "When did brindle remove the upper filter?", Status.NOT_FOUND, "brindle 4.0", [],
            id="what the newest page still says was not removed",
            marks=pytest.mark.xfail(strict=True, reason="a removal that a newer page contradicts is answered"),
        ),
        pytest.param(
            "When was list_buckets deprecated in tessera and when was it removed?",
            Status.ANSWERED, "Deprecated in 3.2", ["3.2", "4.0"], id="a deprecation and a removal",
            marks=pytest.mark.xfail(strict=True, reason="a question for two things is answered as one"),
        ),
        pytest.param("newest quernel 3?", Status.NOT_FOUND, "no notes for quernel 3", [], id="a series without notes"),
        pytest.param("Which loomwork releases fixed CVE-2024-70112?", Status.ANSWERED, "", ["2.0.4", "2.1.2"],
            id="every release that fixes a CVE"),
        pytest.param(
            "What is the default of storage.engine in quernel 1.5 and in 3.1?",
            Status.PARTIAL, "No notes for quernel 3.1 are in the library", ["1.5"], id="a part that is not proven",
        ),
    ],
)  # fmt: skip
def test_what_pages_say_of_releases(
    version_pages: Assistant, question: str, status: Status, said: str, versions: list[str]
) -> None:
    answer = version_pages.ask(question)
    assert (answer.status, sorted(set(map(str, cited(answer))))) == (status, versions)
    assert said in answer.answer.partition("\n")[0]


@pytest.mark.parametrize(("question", "source", "quote"), read_rows("retrieval-what-is-quoted-of-pages"))
def test_what_is_quoted_of_pages(version_pages: Assistant, question: str, source: str, quote: str) -> None:
    citations = version_pages.ask(question).citations
    assert source in citations[0].source
    assert any(quote in one.quote for one in citations)


def test_notes_of_the_earlier_release_are_no_difference(version_pages: Assistant) -> None:
    answer = version_pages.ask("What changed about Pool.submit_later from loomwork 2.1 to 3.0?")
    assert answer.citations[0].version == "3.0.0"


@pytest.fixture
def lids(library: Callable[[str], Assistant]) -> Assistant:
    """The same page in three releases."""
    return library("lids")


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("what does --rim do in gizmo?", "Puts a ring of steel around the opening."),
        pytest.param(
            "what does GZ01 mean in gizmo?",
            "GZ01: no lid",
            marks=pytest.mark.xfail(strict=True, reason="the judge puts what mentions a code before what it means"),
        ),
    ],
)
def test_a_page_is_answered_by_what_its_heading_or_its_entry_names(lids: Assistant, question: str, told: str) -> None:
    answer = lids.ask(question)
    assert answer.status is Status.ANSWERED
    assert told in answer.answer
    assert cited(answer)[0] == "2.0"
