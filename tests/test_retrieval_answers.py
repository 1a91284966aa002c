"""The shapes of answers, over hand-made documents with the real model: who is quoted, in which order, what is said."""

from collections.abc import Callable

import pytest
from case_files import read_rows

from retrieval.answers import draft_answer
from retrieval.answers.not_found import draft_not_found
from retrieval.assistant import Assistant
from retrieval.blocks import markdown_of
from retrieval.model import Answer, Status
from retrieval.question.query import parse_query
from retrieval.quoting.composing import compose_answer
from retrieval.quoting.findings import Findings


def versions(answer: Answer) -> list[str | None]:
    return [citation.version for citation in answer.citations]


def findings(assistant: Assistant, question: str) -> Findings:
    return assistant.find(parse_query(question, catalogue=assistant.catalogue()), limit=10)


def test_a_plain_answer_quotes_the_entry_of_the_product_that_is_named(handmade: Assistant) -> None:
    lamp, desk = (handmade.ask(f"What does night mode do in {product}?") for product in ("Lamp", "Desk"))
    assert lamp.citations[0].quote == "- Night mode turns every bulb amber after sunset."
    assert {citation.product for citation in lamp.citations} == {"lamp"}
    assert {citation.product for citation in desk.citations} == {"desk"}
    assert "millimetres" not in lamp.answer


def test_a_version_filter_that_overrules_the_question_is_told(handmade: Assistant) -> None:
    answer = handmade.ask("What was added to Lamp in 2.0?", version="1.2")
    assert "The version filter was kept: this is about 1.2, not 2.0." in answer.notes
    assert handmade.ask("What was added to Lamp in 1.2?", version="1.2").notes == ()


def test_a_line_of_two_releases_is_quoted_from_the_release_that_is_asked(handmade: Assistant) -> None:
    for version in ("1.4.0", "2.1.0"):
        answer = handmade.ask(f"Was the dimmer flicker fixed in Lamp {version}?")
        assert versions(answer) == [version]


def test_since_when_names_the_earliest_release_that_says_so(handmade: Assistant) -> None:
    answer = handmade.ask("Since when does the lamp dimmer no longer flicker?")
    assert answer.interpretation.intent == "since_when"
    assert versions(answer)[0] == "1.4.0"
    assert "(2023-12-01)" in answer.answer.splitlines()[0]
    shine = handmade.ask("Since when does Lamp have lamp.shine()?")
    assert versions(shine)[0] == "1.2.0"


@pytest.mark.parametrize(
    "question",
    [
        "Does the Kettle spout never drip?",
        "Since when does the new Kettle spout never drip?",
    ],
    ids=["fact", "since when"],
)
def test_what_the_source_takes_back_is_said_to_be_taken_back(handmade: Assistant, question: str) -> None:
    answer = handmade.ask(question)
    line = next(line for line in answer.answer.splitlines() if "never drips" in line)
    assert "taken back by the source itself" in line


def test_an_answer_over_releases_keeps_to_the_range_and_tells_the_gravest_first(handmade: Assistant) -> None:
    answer = handmade.ask("What breaks from Lamp 1.3 to 2.1?")
    assert versions(answer) == ["2.0.0", "1.4.0"], "removed, then deprecated; nothing of 1.3, which is left"


def test_a_record_is_answered_from_the_passage_that_names_it(handmade: Assistant) -> None:
    answer = handmade.ask("What was CVE-2023-77001 in Lamp?")
    assert versions(answer) == ["1.3.0"]
    assert versions(handmade.ask("What did #412 change in Lamp?")) == ["2.0.0"]


CATALOGUE = {
    "which versions": (
        "Which versions of Lamp do you have?",
        Status.ANSWERED,
        "6 releases from 1.2.0 to 2.1.0",
        "2.1.0 2.0.0 1.4.0 1.3.0 1.2.0",
    ),
    "how many": ("How many releases of Desk are there?", Status.ANSWERED, "2 releases of desk are", "3.2.0 3.1.0"),
    "oldest": ("What is the oldest version of Lamp?", Status.ANSWERED, "**lamp 1.2.0**", "1.2.0"),
    "after": ("Which versions of Lamp came after 1.4?", Status.ANSWERED, "**2.1.0** (2024-09-02)", "2.1.0 2.0.0"),
    "first of a year": ("What was the first Lamp release of 2023?", Status.ANSWERED, "**lamp 1.2.0**", "1.2.0"),
    "when the latest": ("When was the latest Lamp released?", Status.ANSWERED, "**lamp 2.1.0**, 2024-09-02", "2.1.0"),
    "right before": ("What came right before Lamp 1.4?", Status.ANSWERED, "**lamp 1.3.0**", "1.3.0"),
    "latest": ("What is the latest version of Lamp?", Status.ANSWERED, "**lamp 2.1.0**, 2024-09-02", "2.1.0"),
    "exists": ("Does Lamp 2.0 exist?", Status.ANSWERED, "Yes. **lamp 2.0.0**, 2024-06-11", "2.0.0"),
    "a pre-release exists": ("Does Lamp 2.0.0rc1 exist?", Status.ANSWERED, "**lamp 2.0.0rc1**", "2.0.0rc1"),
    "doesn't exist": ("Does Lamp 7.0 exist?", Status.ANSWERED, "No: no notes for lamp 7.0 are in the library", "2.1.0"),
    "when": ("When was Lamp 1.4.0 released?", Status.ANSWERED, "**lamp 1.4.0**, 2023-12-01", "1.4.0"),
    "no versions": ("What is the latest version of Workshop?", Status.NOT_FOUND, "documents without a version", None),
}


@pytest.mark.parametrize(("question", "status", "said", "cited"), CATALOGUE.values(), ids=CATALOGUE.keys())
def test_the_catalogue_answers_for_itself(
    handmade: Assistant, question: str, status: Status, said: str, cited: str | None
) -> None:
    answer = handmade.ask(question)
    assert (answer.interpretation.intent, answer.status) == ("catalogue", status)
    assert said in answer.answer
    assert "None" not in answer.answer
    assert versions(answer) == ([] if cited is None else cited.split())
    for citation in answer.citations:
        assert str(citation.version) in citation.quote


@pytest.mark.parametrize(
    "question",
    [
        "Which CVEs were fixed in Lamp?",
        "any vulnerability in Lamp 1.3.0",
        "security fixes of lamp 1.3.x",
        "Which CVEs were fixed between Lamp 1.2 and 1.4?",
    ],
)
def test_the_security_fixes_of_a_release_are_listed(handmade: Assistant, question: str) -> None:
    answer = handmade.ask(question)
    assert (answer.status, versions(answer)) == (Status.ANSWERED, ["1.3.0"])
    assert "1 security fix" in answer.answer
    assert "CVE-2023-77001" in answer.answer


@pytest.mark.parametrize(
    ("question", "said", "version"), read_rows("retrieval-the-first-line-tells-the-change-that-is-asked")
)
def test_the_first_line_tells_the_change_that_is_asked_about(
    library: Callable[[str], Assistant], question: str, said: str, version: str | None
) -> None:
    answer = library("sluices").ask(question)
    assert said in answer.answer.partition("\n")[0]
    assert answer.citations[0].version == version


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Does a siren sound before a lock of sluice closes?", "**sluice 5.0.0** (unreleased): Added a siren"),
        ("Was the depth option of open_gate removed in sluice?", "To be removed in **sluice 5.0.0** (unreleased): "),
        ("Is the depth option of open_gate still there in sluice?", "**sluice 5.0.0** (unreleased): Removed the"),
    ],
)
def test_what_is_not_out_decides_neither_yes_nor_no(
    library: Callable[[str], Assistant], question: str, said: str
) -> None:
    assert library("sluices-to-come").ask(question).answer.startswith(said)


@pytest.mark.parametrize(("question", "said"), read_rows("retrieval-whether-a-release-has-something"))
def test_whether_a_release_has_something_is_told_by_when_it_came_or_went(
    library: Callable[[str], Assistant], question: str, said: str
) -> None:
    assert library("sluices").ask(question).answer.startswith(said)


@pytest.mark.parametrize(("question", "said"), read_rows("retrieval-not-found-says-what-is-lacking-and-what-is"))
def test_not_found_says_what_is_lacking_and_what_is_covered(handmade: Assistant, question: str, said: str) -> None:
    told = markdown_of(compose_answer(draft_not_found(findings(handmade, question)), handmade.index).blocks)
    assert said in told
    assert len(told) < 1_000
    answer = handmade.ask(question)
    assert (answer.status, answer.answer) == (Status.NOT_FOUND, told)
    assert answer.confidence < 0.5


@pytest.mark.parametrize("question", ["how do i center a div", "what is the best queue library", "react 19 use hook"])
def test_what_is_about_something_else_is_not_found(bundled: Assistant, question: str) -> None:
    assert bundled.ask(question).status is Status.NOT_FOUND


@pytest.mark.parametrize("question", ["the", ".", "a b c", "1", "#99999", "???"])
def test_a_question_with_nothing_to_look_for_is_not_answered(handmade: Assistant, question: str) -> None:
    assert draft_answer(findings(handmade, question), confident=True).status is Status.NOT_FOUND
