"""What's new, what breaks, whether to upgrade and what the latest is: which releases are meant, what comes first."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from answer_contract import faults
from ui_small_index import ingest

from corpus.catalogue import CatalogueRelease, stable_releases
from corpus.embedding import Embedder
from corpus.versions import Version
from retrieval.answers import draft_answer
from retrieval.assistant import Assistant
from retrieval.drafting import verify_quotes
from retrieval.model import Answer, Form, Relative, Status
from retrieval.releases.relative import find_latest

PELICAN = """# Pelican changelog

## 4.0.0

### Added

- Added a scheduler for nightly exports.

## 3.2.0 (2025-05-01)

### Fixed

- Fixed a crash when the queue is empty.
- Fixed a typo in the name of a metric.
- Fixed the order of log lines.

### Performance

- Exports are twice as fast.

### Added

- Added the option `--dry-run` to the export command.
- Added support for Parquet files.

### Deprecated

- The option `--quiet` is deprecated; use `--log-level` instead.

### Removed

- Removed support for Python 3.8.

### Security

- CVE-2025-11111: a crafted export could overwrite any file; paths are now checked.

## 3.1.2 (2025-03-01)

### Removed

- Removed the command `pelican-admin`.

## 3.1.0 (2025-02-01)

### Removed

- Removed the class `LegacyQueue`.

## 3.0.0 (2024-12-01)

### Removed

- Removed the class `OldWorker`.

## 2.9.0 (2024-01-01)

### Added

- Added the class `Worker`.

Thanks to everybody who contributed to this release!
"""
PETREL = """# Petrel changelog

## 2.0.0b1 (2025-06-01)

- Added plugins.

## 1.1.0 (2025-04-01)

- Added themes.

## 1.0.0 (2025-01-01) [YANKED]

- Added pages.
"""
SNIPE = """# Snipe changelog

## 2.0.0 (2025-05-01)

### Security

- The password hasher iterates 900,000 times by default, up from 600,000.

### Breaking changes

- Feathers are counted from one, no longer from zero.

### Highlights

- Nests are kept over the winter.
- Flocks can be merged.

## 1.0.0 (2024-05-01)

- Added nests.
"""
PUFFIN = """# Puffin changelog

## 2.0.0

### Removed

- Removed the command `puffin-dive`.

## 2.0.0rc1

### Removed

- Removed the option `--feather` from all commands.

## 1.9.0

- Added burrows.
- Burrows end in no open redirect any more.

## 1.8.0

- Added eggs.
"""
PLOVER = """# Plover changelog

## 5.0.1 (2025-09-01)

- Restored the shape of reports.
- Sort the keys of a report, whatever their type.

## 5.0.0 (2025-08-01)

### Console

- Added colours to tables.
- Added a progress bar for long exports.

### Scheduler

- Added schedules that follow the sun, so that a nightly export starts when it is dark wherever the machine stands, on
  both sides of the equator and beyond both polar circles, where it waits for the shortest day of the year to come.
- scheduler: added a way to have jobs paused and resumed.
- Fixed a crash when two jobs share a name.

### Breaking changes

- Dropped support for Python 3.8.
- The option `--quiet` was removed from the export command.

### Deprecated

- The class `NightlyQueue` is deprecated in favour of the class `Queue`, which does all that it did.

## 4.5.0 (2025-07-01)

### Removed

- Dropped support for Python 3.7.
- Removed the option `--quiet` from the export command.
"""
SANDERLING = """# Sanderling changelog

## 3.0.0 (2025-06-01)

Sanderling can now run its jobs in parallel.

### Added

- Added support for tide tables ([#40](https://birds.example/sanderling/pull/40)) ([@knot](https://birds.example/knot)).
- Added a dark theme ([#44](https://birds.example/sanderling/pull/44)) ([@knot](https://birds.example/knot)).

### Removed

- Removed the almanac ([#41](https://birds.example/sanderling/pull/41)) ([@knot](https://birds.example/knot)).
- Removed shell bars ([#42](https://birds.example/sanderling/pull/42)) ([@knot](https://birds.example/knot)).
- Removed the option `--wing` ([#43](https://birds.example/sanderling/pull/43)) ([@knot](https://birds.example/knot)).

## 2.0.0 (2025-01-01)

- Added flocks.
"""

REDPOLL = """# Redpoll changelog

## 1.3.0

- Reverted the fix of CVE-2025-22222, which is open again.

## 1.2.0

- Nothing in it is a security fix, so take your time.

## 1.1.0

- No security fixes are in this release.

## 1.0.0

- Added ponds.
"""
LANGUAGES = ("Basque", "Czech", "Danish", "French", "German", "Greek", "Irish", "Welsh")
OPTIONS = ("amber", "basil", "cedar", "delta", "ember", "flint", "grove", "heath")
SISKIN = "\n".join(
    (
        "# Siskin changelog\n\n## 2.0.0\n\n### Changed\n",
        *(f"- The default value of the option `--{name}` of exports has changed to `{name[:2]}`." for name in OPTIONS),
        "\n## 1.0.0\n\n### Added\n",
        *(f"- Added a {name} translation of the interface and of the manual." for name in LANGUAGES),
    )
)


@pytest.fixture(scope="module")
def birds(default_embedder: Embedder, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Assistant]:
    folder = tmp_path_factory.mktemp("news")
    pages = {
        "pelican": PELICAN,
        "petrel": PETREL,
        "plover": PLOVER,
        "puffin": PUFFIN,
        "snipe": SNIPE,
        "sanderling": SANDERLING,
    }
    pages |= {"redpoll": REDPOLL, "siskin": SISKIN}
    for name, text in pages.items():
        (folder / "documents" / name).mkdir(parents=True)
        (folder / "documents" / name / "CHANGELOG.md").write_text(text, encoding="utf-8")
    assert not ingest(folder / "documents", index=folder / "index", embedder=default_embedder).failed
    with Assistant.open(folder / "index", embedder=default_embedder) as assistant:
        yield assistant


def cited(answer: Answer) -> set[str | None]:
    return {citation.version for citation in answer.citations}


def released(*versions: tuple[str, str]) -> tuple[CatalogueRelease, ...]:
    return tuple(
        CatalogueRelease(Version.parse(label), date.fromisoformat(day) if day else None, ("a.md",))
        for label, day in versions
    )


def test_a_release_that_is_told_as_pending_is_not_the_newest() -> None:
    listed = (
        CatalogueRelease(Version.parse("2.0"), None, ("a.md",), pending=True),
        *released(("1.1", ""), ("1.0", "")),
    )
    assert str(stable_releases(listed)[0].version) == "1.1"
    assert str(stable_releases(listed[:1])[0].version) == "2.0", "where nothing is out, what there is"


@pytest.mark.parametrize(
    ("releases", "newest"),
    [
        pytest.param((("2.0", ""), ("1.1", "2025-02-01"), ("1.0", "2025-01-01")), "1.1", id="undated above dated"),
        pytest.param((("2.0b1", "2025-03-01"), ("1.1", "2025-02-01")), "1.1", id="a pre-release"),
        pytest.param(
            (("2.1", ""), ("2.0b2", "2025-03-01"), ("2.0b1", "2025-02-01")), "2.0b2", id="undated above pre-releases"
        ),
        pytest.param((("2.0b2", ""), ("2.0b1", "")), "2.0b2", id="nothing but pre-releases"),
        pytest.param((("2.0", ""), ("1.1", ""), ("1.0", "2025-01-01")), "2.0", id="dates are rare"),
        pytest.param((("2.0", ""), ("1.1", "")), "2.0", id="no dates"),
        pytest.param(
            (("2.0", ""), *((f"1.{n}", "2025-01-01") for n in (8, 7, 6)), *((f"1.{n}", "") for n in range(5))),
            "1.8",
            id="undated above dated ones, older ones undated",
        ),
    ],
)
def test_the_newest_stable_release_is_one_that_is_out(releases: tuple[tuple[str, str], ...], newest: str) -> None:
    assert str(stable_releases(released(*releases))[0].version) == newest


@pytest.mark.parametrize(
    ("words", "relative", "newest"),
    [
        ("what is in the latest release", Relative.NEWEST, "2.4.1"),
        ("what is in the latest minor", Relative.NEWEST, "2.4.0"),
        ("big things of the most recent minor so not the bugfixes", None, "2.4.0"),
        ("what broke in the last major release", Relative.NEWEST, "2.0.0"),
        ("what is in it", None, None),
    ],
)
def test_the_latest_of_a_branch_is_its_first_release(words: str, relative: Relative | None, newest: str | None) -> None:
    listed = released(*((label, "") for label in "2.4.1 2.4.0 2.3.0 2.0.0 1.9.0".split()))
    found = find_latest(words, relative, listed)
    assert (str(found.constraint) if found else None) == newest


def test_whats_new_without_a_version_is_told_of_the_newest_stable_release(birds: Assistant) -> None:
    pelican, petrel = birds.ask("What is new in Pelican?"), birds.ask("what's new in petrel")
    assert pelican.answer.startswith("**pelican 3.2.0** (2025-05-01), the newest release. ")
    assert (cited(pelican), cited(petrel)) == ({"3.2.0"}, {"1.1.0"})


def test_whats_new_tells_the_gravest_first_and_how_many_there_are(birds: Assistant) -> None:
    answer = birds.ask("What is new in Pelican 3.2?")
    quotes = [one.quote for one in answer.citations]
    first = [next(n for n, quote in enumerate(quotes) if word in quote) for word in ("Python 3.8", "CVE-2025", "Added")]
    assert first == sorted(first)
    assert answer.answer.startswith("**pelican 3.2.0** (2025-05-01). Removed: Removed support for Python 3.8. [1]")
    assert "\n\nSecurity: CVE-2025-11111: a crafted export" in answer.answer
    assert answer.answer.endswith("\n\n3 more in `pelican/CHANGELOG.md`.")
    assert len(quotes) == 6
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


def test_one_kind_of_news_may_be_asked_for(birds: Assistant) -> None:
    answer = birds.ask("What was removed in Pelican 3.2?")
    assert "Python 3.8" in answer.citations[0].quote
    assert not any("Added" in one.quote for one in answer.citations)


def test_thanks_are_no_news(birds: Assistant) -> None:
    assert "Thanks" not in birds.ask("What is new in Pelican 2.9?").answer


@pytest.mark.parametrize(
    ("question", "told", "untold"),
    [
        pytest.param("What's new in Plover 5.0.0 for the console?", ("colours", "progress"), "paused", id="a heading"),
        pytest.param("anything new in plover 5.0.0's scheduler?", ("sun", "paused"), "colours", id="or a name before"),
        pytest.param("anything nice in plover 5.0.0?", ("paused", "Python 3.8"), "nice", id="nothing stands under it"),
    ],
)
def test_news_of_a_part_is_what_stands_under_its_name(
    birds: Assistant, question: str, told: tuple[str, str], untold: str
) -> None:
    answer = birds.ask(question).answer
    assert all(word in answer for word in told)
    assert untold not in answer


def test_a_small_release_is_told_whole(birds: Assistant) -> None:
    assert len(birds.ask("Should I upgrade from Plover 5.0.0 to 5.0.1?").citations) == 2


def test_what_breaks_is_told_once_and_a_deprecation_after_it(birds: Assistant) -> None:
    answer = birds.ask("What breaks when I upgrade Plover from 4.0 to 5.0.0?").answer
    assert answer.count("--quiet") == 1
    assert all(version in answer for version in ("Python 3.7", "Python 3.8")), "other versions, another change"
    assert answer.index("NightlyQueue") > max(map(answer.index, ("--quiet", "3.7", "3.8")))


def test_a_long_statement_takes_the_room_that_short_ones_leave(birds: Assistant) -> None:
    answer = birds.ask("What's new in Plover 5.0.0 for the scheduler?").answer
    assert "polar circles" in answer


@pytest.mark.parametrize(
    ("question", "releases"),
    [
        ("What breaks from Pelican 3.0 to 3.2?", {"3.1.0", "3.1.2", "3.2.0"}),
        ("What breaks from Pelican 3.1 to 3.2?", {"3.2.0"}),
        ("What breaks from Pelican 3.1.0 to 3.2?", {"3.1.2", "3.2.0"}),
        ("What breaks when I upgrade Pelican from 2.9 to 3.0?", {"3.0.0"}),
    ],
)
def test_an_upgrade_leaves_out_what_it_leaves(birds: Assistant, question: str, releases: set[str]) -> None:
    answer = birds.ask(question)
    assert answer.interpretation.intent == "upgrade"
    assert cited(answer) == releases


def test_an_upgrade_is_advised_for_its_security_fixes(birds: Assistant) -> None:
    answer = birds.ask("Should I upgrade from Pelican 3.1.2 to 3.2.0?")
    assert answer.answer.startswith("Upgrade, for its security fixes: **pelican 3.2.0** (2025-05-01). Security: ")
    assert "CVE-2025-11111" in answer.citations[0].quote
    none = birds.ask("Should I upgrade from Pelican 3.0 to 3.1.2?")
    assert none.answer.startswith("No security fix, but something that may break: **pelican 3.1.0** to **3.1.2**")


@pytest.mark.parametrize("release", ["1.1.0", "1.2.0", "1.3.0"])
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
    assert "\n\n2 more" in first.answer
    more = birds.ask("more", history=[question])
    quotes = " ".join(one.quote for answer in (first, more) for one in answer.citations)
    assert [quotes.count(name) for name in told] == [1] * len(told)
    assert birds.ask("more", history=[question, "more"]).answer.endswith("that was all.")


def test_a_vulnerability_is_told_whatever_the_upgrade_is_about(birds: Assistant) -> None:
    answer = birds.ask("Should I upgrade Pelican from 3.1.2 to 3.2.0? We live by --dry-run.")
    assert "CVE-2025-11111" in answer.citations[0].quote
    assert "--dry-run" in answer.citations[-1].quote


def test_what_notes_say_before_their_sections_comes_first(birds: Assistant) -> None:
    answer = birds.ask("what's new in sanderling 3.0.0?")
    assert answer.citations[0].quote == "Sanderling can now run its jobs in parallel."


def test_highlights_come_before_what_breaks_and_a_safer_default_is_no_security_fix(birds: Assistant) -> None:
    answer = birds.ask("what's new in snipe 2.0?")
    assert [line.partition(". [")[0] for line in answer.answer.splitlines() if "[" in line] == [
        "**snipe 2.0.0** (2025-05-01). Highlights: Nests are kept over the winter",
        "- Flocks can be merged",
        "Breaking: Feathers are counted from one, no longer from zero",
        "Changed: The password hasher iterates 900,000 times by default, up from 600,000",
    ]
    assert "security fix" not in birds.ask("should I upgrade snipe to 2.0?").answer.partition(":")[0].replace("No ", "")
    assert faults(answer, birds) == ()


def test_entries_are_not_the_same_for_their_links_nor_set_aside_for_a_name_beside_them(birds: Assistant) -> None:
    answer = birds.ask("what breaks from sanderling 2.0.0 to 3.0.0? we call it with `--wing`")
    assert {"almanac", "shell bars", "--wing"} == {
        word for word in ("almanac", "shell bars", "--wing") if any(word in one.quote for one in answer.citations)
    }


def test_an_upgrade_is_advised_for_crashes_that_it_ends_and_not_for_nothing(birds: Assistant) -> None:
    steady, idle = birds.ask("Should I upgrade Plover from 4.0 to 5.0.0?"), birds.ask("plover 5.0.0, do I need 5.0.1?")
    assert steady.answer.startswith("Worth it for stability, not for security: **plover 4.5.0** to **5.0.0**")
    assert "a crash when two jobs" in steady.answer
    assert idle.answer.startswith("Nothing in the notes reads as urgent: ")


@pytest.mark.parametrize(
    "question",
    [
        "Should I upgrade Pelican to 3.1 from 3.2?",
        "Should I upgrade Pelican from 3.2 to 3.1?",
        "We run Pelican 3.2, should we move to 3.1?",
    ],
)
def test_a_step_back_gains_nothing(birds: Assistant, question: str) -> None:
    answer = birds.ask(question)
    assert answer.answer == "That is a step back: **pelican 3.1** is older than 3.2. [1][2]"
    assert faults(answer, birds) == ()


@pytest.mark.parametrize(
    ("question", "begun"),
    [
        ("Should I upgrade Pelican from 3.2.0 to 4.0.0?", "pelican 4.0.0 isn't released yet. "),
        ("Should I upgrade Petrel from 1.1.0 to 2.0.0b1?", "petrel 2.0.0b1 is a pre-release. "),
        ("Should I upgrade Puffin from 1.9.0 to 2.0.0rc1?", "puffin 2.0.0rc1 is a pre-release. "),
    ],
)
def test_advice_over_what_is_not_out_begins_with_that(birds: Assistant, question: str, begun: str) -> None:
    assert birds.ask(question).answer.startswith(begun)


def test_what_may_be_a_vulnerability_is_not_denied(birds: Assistant) -> None:
    answer = birds.ask("Should I upgrade Puffin from 1.8.0 to 1.9.0?").answer
    assert answer.startswith("Worth a look: **puffin 1.9.0**")
    assert "redirect" in answer


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What is new in Pelican 3.2? Two lines please.", 2),
        ("pelican 3.2 news, just the gist", 3),
        ("What is new in Pelican 3.2? short pls", 3),
        ("short summary of Pelican 3.2 news", 3),
        ("What is new in Pelican 3.2 for its summary pages?", 6),
        ("What is new in Pelican 3.2 for the brief mode?", 6),
    ],
)
def test_no_more_is_told_than_the_question_has_room_for(birds: Assistant, question: str, told: int) -> None:
    assert len(birds.ask(question).citations) == told


def test_a_candidate_is_told_as_the_release_that_it_became(birds: Assistant) -> None:
    answer = birds.ask("What breaks from Puffin 1.9 to 2.0?").answer
    assert answer.startswith("**puffin 2.0.0**: ")
    assert "rc1" not in answer


def test_what_breaks_says_where_the_rest_is(birds: Assistant) -> None:
    answer = birds.ask("What breaks from Puffin 1.9 to 2.0, one line").answer
    assert answer.endswith("\n\n1 more: `relnotes upgrade puffin 1.9.0 2.0.0`")


def test_a_withdrawn_release_is_left_and_not_gone_to(birds: Assistant) -> None:
    assert birds.ask("Should I upgrade Petrel from 1.0.0 to 1.1.0?").answer.startswith("Upgrade, 1.0.0 was withdrawn: ")
    assert birds.ask("Should I upgrade to Petrel 1.0.0?").answer.startswith("Not this one, it was withdrawn: ")


def test_of_a_range_the_entries_that_name_the_asked_symbol_are_told(birds: Assistant) -> None:
    answer = birds.ask("What changed in `LegacyQueue` from Pelican 2.9 to 3.2?")
    assert answer.citations
    assert all("LegacyQueue" in one.quote for one in answer.citations)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("latest pelican", "**pelican 3.2.0**, 2025-05-01, is the newest stable release in the notes."),
        ("newest pelican 3.1.x", "**pelican 3.1.2**, 2025-03-01, is the newest stable release of 3.1 in the notes."),
        (
            "latest pelican 3.0, latest pelican 3.1",
            "is the newest stable release of 3.0 in the notes. [1]\n- **pelican 3.1.2**",
        ),
        ("newest pelican before 3.1", "**pelican 3.0.0**, 2024-12-01, is the newest stable release before 3.1 in"),
        ("What is the latest version of Petrel?", "**petrel 2.0.0b1**, 2025-06-01, is a pre-release."),
        (
            "newest petrel 1.0",
            "**petrel 1.0.0**, 2025-01-01, yanked, is the newest stable release of 1.0 in the notes.",
        ),
        ("we still have pelican 3.0.0, what is the latest release?", "**pelican 3.2.0**, 2025-05-01, is the newest"),
        ("Is there a pelican 3.1?", "Yes: 2 releases of 3.1 are in the library. The newest and the oldest of them:"),
        ("Is 1.1.0 the latest Petrel?", "Yes, of those in the library."),
        ("Is 4.0.0 the latest Pelican?", "No. The newest:\n\n**pelican 3.2.0**"),
        ("What is the oldest version of Petrel?", "**petrel 1.0.0**, 2025-01-01"),
    ],
)
def test_the_latest_is_told_of_the_product_or_the_line(birds: Assistant, question: str, said: str) -> None:
    answer = birds.ask(question)
    assert (answer.status, answer.interpretation.intent) == (Status.ANSWERED, "catalogue")
    assert said in answer.answer


QUESTIONS = (
    "What is new in Pelican?",
    "What is new in Pelican 3.2?",
    "What breaks from Pelican 3.0 to 3.2?",
    "Should I upgrade from Pelican 3.1.2 to 3.2.0?",
    "latest pelican",
    "latest petrel",
)


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_statement_carries_a_verified_quote(birds: Assistant, question: str) -> None:
    answer = birds.ask(question)
    assert faults(answer, birds) == ()
    draft = draft_answer(birds.find(birds.understand(question), limit=10), confident=True)
    assert draft.statements
    assert len(verify_quotes(draft, birds.index)) == len(draft.statements)


@pytest.mark.parametrize("question", ["thanks!", "hello there", "who are you?"])
def test_chit_chat_is_told_what_can_be_asked(birds: Assistant, question: str) -> None:
    answer = birds.ask(question)
    assert birds.understand(question).form is Form.CHAT
    assert (answer.status, answer.citations) == (Status.NOT_FOUND, ())
    assert answer.answer.startswith("Not found")
    assert "Ask me about pelican" in answer.answer


@pytest.mark.parametrize(
    ("heading", "is_told"),
    [("*Console* tables", True), ("[Console](https://example.org) tables", False), ("Console <b>tables</b>", False)],
)
def test_a_heading_that_lost_links_or_tags_is_no_title(
    heading: str, is_told: bool, default_embedder: Embedder, tmp_path: Path
) -> None:
    notes = tmp_path / "documents" / "finch"
    notes.mkdir(parents=True)
    told = "- Added colours to the rows.\n- Added a progress bar for long exports.\n"
    (notes / "CHANGELOG.md").write_text(
        f"# Finch changelog\n\n## 1.0.0 (2025-05-01)\n\n### {heading}\n\n{told}", "utf-8"
    )
    assert not ingest(tmp_path / "documents", index=tmp_path / "index", embedder=default_embedder).failed
    with Assistant.open(tmp_path / "index", embedder=default_embedder) as assistant:
        answer = assistant.ask("What is new in finch 1.0.0?").answer
    assert "Added colours to the rows" in answer
    assert ("Console tables: " in answer) is is_told
