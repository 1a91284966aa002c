"""What's new, what breaks, whether to upgrade and what the latest is: which releases are meant, what comes first."""

import re
from collections.abc import Callable
from datetime import date

import pytest
from answer_contract import faults
from case_files import read_rows

from corpus.catalogue import CatalogueRelease, newest_by_day, stable_releases
from corpus.versions import Version
from retrieval.assistant import Assistant
from retrieval.model import Form, Status

LANGUAGES = ("Basque", "Czech", "Danish", "French", "German", "Greek", "Irish", "Welsh")
OPTIONS = ("amber", "basil", "cedar", "delta", "ember", "flint", "grove", "heath", "ivory", "jolly", "kelpy")


@pytest.fixture
def birds(library: Callable[[str], Assistant]) -> Assistant:
    return library("news")


def released(*versions: tuple[str, str]) -> tuple[CatalogueRelease, ...]:
    return tuple(
        CatalogueRelease(
            Version.parse(label),
            date.fromisoformat(day) if day and day != "pending" else None,
            ("a.md",),
            pending=day == "pending",
        )
        for label, day in versions
    )


@pytest.mark.parametrize(("releases", "newest"), read_rows("retrieval-the-newest-stable-release"))
def test_the_newest_stable_release_is_one_that_is_out(releases: tuple[tuple[str, str], ...], newest: str) -> None:
    assert str(stable_releases(released(*releases))[0].version) == newest


@pytest.mark.parametrize(("releases", "last"), read_rows("retrieval-days-and-numbers-may-tell-of-different-newest"))
def test_days_and_numbers_may_tell_of_different_newest_releases(
    releases: tuple[tuple[str, str], ...], last: str
) -> None:
    assert " ".join(str(found.version) for found in newest_by_day(released(*releases))) == last


def test_whats_new_tells_the_gravest_first_and_how_many_there_are(birds: Assistant) -> None:
    answer = birds.ask("What is new in Pelican 3.2?")
    quotes = [one.quote for one in answer.citations]
    first = [next(n for n, quote in enumerate(quotes) if word in quote) for word in ("Python 3.8", "CVE-2025", "Added")]
    assert first == sorted(first)
    assert "\n\nBreaking: Removed support for Python 3.8. [1]" in answer.answer
    assert "\n\nSecurity: CVE-2025-11111: a crafted export" in answer.answer
    assert answer.answer.endswith("\n\n2 more in `pelican/CHANGELOG.md`.")
    assert len(quotes) == 7
    assert not any("typo" in quote for quote in quotes)


@pytest.mark.parametrize("question", ["What is new in Pelican 3.2?", "what breaks in pelican 3.2"])
def test_more_goes_on_where_the_list_ended_until_there_is_no_more(birds: Assistant, question: str) -> None:
    answers, asked = [birds.ask(question)], [question]
    for more in ("more", "anything else?", "and the rest?"):
        answers.append(birds.ask(more, history=asked))
        asked.append(more)
    told = [answer for answer in answers if answer.citations]
    quotes = [citation.quote for answer in told for citation in answer.citations]
    assert len(quotes) == len(set(quotes))
    assert all("Also in **pelican 3.2.0** (2025-05-01)" in answer.answer for answer in told[1:])
    assert len(told) < len(answers)
    assert answers[-1].answer.endswith("is left to tell: that was all.")


@pytest.mark.parametrize(
    ("question", "told", "untold"), read_rows("retrieval-news-are-what-is-asked-for-and-nothing-else")
)
def test_news_are_what_is_asked_for_and_nothing_else(
    birds: Assistant, question: str, told: tuple[str, ...], untold: str
) -> None:
    answer = birds.ask(question).answer
    assert all(word in answer for word in told)
    assert untold not in answer


def test_what_breaks_is_told_once_and_a_deprecation_after_it(birds: Assistant) -> None:
    answer = birds.ask("What breaks when I upgrade Plover from 4.0 to 5.0.0?").answer
    assert answer.count("--quiet") == 1
    assert all(version in answer for version in ("Python 3.7", "Python 3.8")), "other versions, another change"
    assert answer.index("NightlyQueue") > max(map(answer.index, ("--quiet", "3.7", "3.8")))


@pytest.mark.parametrize(("question", "advice"), read_rows("retrieval-an-upgrade-is-advised-for-what-its-notes-tell"))
def test_an_upgrade_is_advised_for_what_its_notes_tell(birds: Assistant, question: str, advice: str) -> None:
    answer = birds.ask(question)
    assert answer.answer.startswith(advice)
    assert faults(answer, birds) == ()


@pytest.mark.parametrize("release", ["1.1.0", "1.2.0", "1.3.0", "1.3.0 from 1.2.0"])
def test_no_upgrade_is_advised_for_a_security_fix_that_is_denied_or_taken_back(birds: Assistant, release: str) -> None:
    assert "for its security" not in birds.ask(f"Should I upgrade to Redpoll {release}?").answer


@pytest.mark.parametrize(
    ("question", "told"),
    [
        pytest.param("What is new in Siskin 1.0.0?", LANGUAGES, id="names"),
        pytest.param("What breaks in Siskin 2.0.0?", OPTIONS, id="code"),
    ],
)
def test_more_tells_the_entries_that_differ_in_a_name_from_those_told(
    birds: Assistant, question: str, told: tuple[str, ...]
) -> None:
    first = birds.ask(question)
    assert re.search(r"\n\n\d more", first.answer)
    more = birds.ask("more", history=[question])
    quotes = " ".join(one.quote for answer in (first, more) for one in answer.citations)
    assert [quotes.count(name) for name in told] == [1] * len(told)
    assert birds.ask("more", history=[question, "more"]).answer.endswith("that was all.")


@pytest.mark.parametrize(("question", "said"), read_rows("retrieval-the-latest-is-told-of-the-product-or-the-line"))
def test_the_latest_is_told_of_the_product_or_the_line(birds: Assistant, question: str, said: str) -> None:
    answer = birds.ask(question)
    assert (answer.status, answer.interpretation.intent) == (Status.ANSWERED, "catalogue")
    assert said in answer.answer


@pytest.mark.parametrize(
    "question",
    [
        "thanks!", "hello there", "who are you?", "thanks, that helped!", "great, got it",
        "ok perfect ty", "thanks a lot, that fixed my finch",
    ],
)  # fmt: skip
def test_chit_chat_is_told_what_can_be_asked(birds: Assistant, question: str) -> None:
    answer = birds.ask(question)
    assert birds.understand(question).form is Form.CHAT
    assert (answer.status, answer.citations) == (Status.NOT_FOUND, ())
    assert answer.answer.startswith("Not found, but happy to tell")
    after = birds.ask(question, history=["what is new in pelican?"])
    assert all("Ask me about pelican" in each.answer for each in (answer, after))


@pytest.mark.parametrize(
    "question", ["does finch work with pelican now", "thanks, what now", "ok is that fixed", "cheers, and for pelican"]
)
def test_what_is_asked_beside_thanks_is_no_chit_chat(birds: Assistant, question: str) -> None:
    assert birds.understand(question, history=["what is new in finch 2.0.0?"]).form is not Form.CHAT


@pytest.mark.parametrize(
    ("question", "told", "untold"),
    [
        pytest.param("What is new in finch 2.0.0?", "along the line", "…", id="nothing cut"),
        pytest.param("What is new in finch 2.0.0 on macOS?", "to the dock", "bell", id="of a platform"),
        pytest.param("What is new in finch 2.0.0? Two lines please.", "", "We plan", id="plans after what is there"),
    ],
)
def test_news_are_told_whole_and_once(
    question: str, told: str, untold: str, library: Callable[[str], Assistant]
) -> None:
    answer = library("whistles").ask(question).answer
    assert told in answer
    assert untold not in answer
