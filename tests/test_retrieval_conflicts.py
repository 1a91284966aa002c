"""Conflicts, corrections and voices in answers: both sides, the reverted change, the opinion left to who holds it."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from indexes_by_hand import findings, note, open_index
from ui_small_index import ingest

from corpus.embedding import Embedder
from corpus.lexicon import split_tokens
from corpus.model import Authority, ParsedDocument
from retrieval.answers.conflict import append_conflict
from retrieval.answers.sources import append_corrections, prefer_official
from retrieval.assistant import Assistant
from retrieval.blocks import markdown_of
from retrieval.model import Status
from retrieval.question.words import QuestionWord
from retrieval.quoting.composing import Composition, Draft, compose_answer, not_found, statement_of
from retrieval.quoting.findings import Findings
from retrieval.quoting.quotes import Quote

SEEDS = Path(__file__).parents[2] / "shared" / "seeds"
OFFICIAL = note("Telemetry is off by default.", source="notes.md", version="2.0")
NEWS = note("Telemetry is enabled by default.", source="news.md", version="2.0", authority=Authority.NEWS)


def draft(found: Findings, *places: int) -> Draft:
    """An answer that quotes these items as they stand."""
    quotes = [(one.hit.passage, one.item) for one in (found.scored[place] for place in places)]
    statements = []
    for passage, item in quotes:
        quote = Quote(passage, item.span, item.span, item.retracted)
        statements.append(statement_of(quote, found.index.document_text(passage.document.id)))
    return Draft(Status.ANSWERED, statements=tuple(statements))


def text_of(answer: Composition) -> str:
    return markdown_of(answer.blocks)


def composed(folder: Path, documents: Sequence[ParsedDocument], *places: int, question: str = "Is it?") -> Composition:
    """The answer that quotes these items, after all that this module is about."""
    index = open_index(folder, *documents)
    found = findings(index, question)
    told = append_conflict(append_corrections(prefer_official(draft(found, *places), found), found), found)
    return compose_answer(told, index)


@pytest.mark.parametrize("quoted", [0, 1], ids=["the official side is quoted", "the other side is quoted"])
def test_both_sides_of_a_conflict_are_cited_the_official_one_first(tmp_path: Path, quoted: int) -> None:
    answer = composed(tmp_path, [OFFICIAL, NEWS], quoted)
    assert [one.authority for one in answer.citations] == [Authority.OFFICIAL, Authority.NEWS]
    (conflict,) = answer.conflicts
    assert conflict.citations == (1, 2)
    assert conflict.about == "Telemetry"
    first, second = text_of(answer).splitlines()
    assert first == "- **demo 2.0**: Telemetry is off by default. [1]"
    assert second.startswith(
        "- Sources disagree about Telemetry. Against it, according to “demo 2.0” (news): Telemetry"
    )
    assert answer.notes == ()


@pytest.mark.parametrize(
    "other",
    [
        replace(NEWS, document=replace(NEWS.document, product="lamp")),
        note("Telemetry is enabled by default.", source="old.md", version="1.9"),
        note("Telemetry isn't enabled by default.", source="news.md", version="2.0"),
        note("Compression is enabled by default.", source="news.md", version="2.0"),
        note("Telemetry is enabled by default.", source="news.md", version="2.0", retracted=[0]),
    ],
    ids=["another product", "another release", "the same said otherwise", "another subject", "taken back"],
)
def test_what_is_no_conflict_leaves_the_answer_as_it_was(tmp_path: Path, other: ParsedDocument) -> None:
    answer = composed(tmp_path, [OFFICIAL, other], 0)
    assert not answer.conflicts
    assert text_of(answer) == "**demo 2.0**: Telemetry is off by default. [1]"


def test_notes_that_contradict_themselves_say_so(tmp_path: Path) -> None:
    both = note("`glow()` is deprecated. Removed `glow()`.", "`glow()` is deprecated.", "Removed `glow()`.")
    answer = composed(tmp_path, [both], 0)
    told, against = text_of(answer).splitlines()
    assert told == "- **demo 1.0**: `glow()` is deprecated. [1]"
    assert against.startswith("- The notes disagree with themselves about glow: deprecated or removed. Against it, ")
    assert [one.quote for one in answer.citations] == ["`glow()` is deprecated.", "Removed `glow()`."]
    assert answer.notes == ()


def word(text: str, *, is_name: bool = False) -> QuestionWord:
    return QuestionWord(text, split_tokens(text), 1.0, is_name, is_generic=False)


@pytest.mark.parametrize(
    ("words", "is_told"),
    [
        ([word("telemetry")], True),
        ([word("workshop")], False),
        ([word("telemetry"), word("Windows", is_name=True)], False),
    ],
    ids=["about what is asked", "about something else", "without an asked name"],
)
def test_a_conflict_beside_the_answer_is_told_after_it_where_it_is_about_the_question(
    tmp_path: Path, words: list[QuestionWord], is_told: bool
) -> None:
    about = note("Three carpenters run the workshop.", source="about.md", version="2.0")
    index = open_index(tmp_path, OFFICIAL, NEWS, about)
    found = findings(index, "What runs?", *words)
    answer = compose_answer(append_conflict(draft(found, 2), found), index)
    assert [one.citations for one in answer.conflicts] == ([(2, 3)] if is_told else [])
    assert answer.citations[0].quote == "Three carpenters run the workshop."


@pytest.mark.parametrize(
    ("says", "about"),
    [
        ("Pumps, the headline of this release, run up to 10× faster now.", "Pumps faster: up to 100x or up to 10×"),
        ("All of our pumps stay experimental, says nobody but us.", None),
        ("Valves, the headline of this release, are up to 10× faster now.", None),
        ("Pumps, the headline of this release, run on 7 machines now.", None),
    ],
    ids=["a figure", "another kind", "another subject", "a figure of something else"],
)
def test_a_figure_of_what_both_sides_answer_is_told_in_whatever_words(
    tmp_path: Path, says: str, about: str | None
) -> None:
    official = note("Pumps are up to 100x faster due to a new motor.", source="notes.md", version="2.0")
    press = note(says, source="news.md", version="2.0", authority=Authority.NEWS)
    index = open_index(tmp_path, official, press)
    found = findings(index, "How much faster are the pumps?", word("pumps"))
    answer = compose_answer(append_conflict(draft(found, 0), found), index)
    assert [one.about for one in answer.conflicts] == ([about] if about else [])


@pytest.mark.parametrize("was_found", [True, False])
def test_the_sides_of_a_conflict_answer_who_asks_for_it(tmp_path: Path, was_found: bool) -> None:
    index = open_index(tmp_path, OFFICIAL, NEWS, note("Three carpenters.", source="about.md", version="2.0"))
    found = findings(index, "The two pages contradict each other. Which is it?")
    answered = draft(found, 2) if was_found else replace(not_found("Not found."), by_confidence=True)
    answer = compose_answer(append_conflict(answered, found), index)
    assert answer.status is Status.ANSWERED
    assert [one.authority for one in answer.citations] == [Authority.OFFICIAL, Authority.NEWS]
    assert answer.conflicts[0].citations == (1, 2)


@pytest.mark.parametrize(
    ("change", "undone"),
    [
        ("Sockets are shared by all workers.", "This change was reverted in 2.0.1."),
        ("Sockets are shared by all workers.", "NOTE: This behavior has since been rolled back."),
    ],
)
def test_a_note_that_a_change_was_reverted_is_told_with_it(tmp_path: Path, change: str, undone: str) -> None:
    answer = composed(tmp_path, [note(f"{change}\n\n{undone}", change, undone)], 0)
    assert [one.quote for one in answer.citations] == [change, undone]
    assert text_of(answer).splitlines()[1] == f"- Taken back: **demo 1.0**: {undone} [2]"


@pytest.mark.parametrize(
    ("revert", "version", "told"),
    [
        ("Revert #4711, it broke mirrors.", "2.1", True),
        ('Revert "feat: share sockets between all workers (#4711)".', "2.1", True),
        ('Revert "feat: Share the pool (#4711)" (#4712)', "2.1", True),
        ('Revert "feat: Share the pool (#4712)" (#4711)', "2.1", False),
        ("Fix races that came with #815; partially reverts #4711 (#816)", "2.1", True),
        ("Fix races that came with #4711; partially reverts #815 (#816)", "2.1", False),
        ("Revert the change introduced in #4711, it broke mirrors.", "2.1", True),
        ("Revert #4711, it broke mirrors.", "2.0", True),
        ("Revert #4711, it broke mirrors.", "1.9", False),
        ("Revert #815, it broke mirrors.", "2.1", False),
        ("`git revert` shares sockets between all workers.", "2.1", False),
    ],
    ids=[
        "by number",
        "by title",
        "as GitHub writes",
        "another with its number",
        "beside another",
        "another beside",
        "by origin",
        "the same release",
        "an earlier release",
        "another number",
        "only the word",
    ],
)
def test_an_entry_that_reverts_the_change_is_told_with_it(
    tmp_path: Path, revert: str, version: str, told: bool
) -> None:
    change = note("Share sockets between all workers (#4711).", version="2.0", source="2.0.md")
    answer = composed(tmp_path, [change, note(revert, version=version, source="next.md")], 0)
    assert [one.version for one in answer.citations] == (["2.0", version] if told else ["2.0"])


def test_a_retracted_statement_is_cited_with_what_takes_it_back(tmp_path: Path) -> None:
    lines = ("Removed the following sentence:", "Sockets are shared by all workers.")
    answer = composed(tmp_path, [note("\n\n".join(lines), *lines, retracted=[0, 1])], 1)
    assert [one.quote for one in answer.citations] == [lines[1], lines[0]]
    assert text_of(answer).startswith("- **demo 1.0**: (taken back by the source itself) Sockets are shared")


def test_what_the_project_says_itself_goes_before_the_same_from_others(tmp_path: Path) -> None:
    says = "The release adds Microscaling export for compressed models."
    official = note(says, source="notes.md", version="2.0")
    press = note(
        "Microscaling export for compressed models is a critical advance.",
        source="news.md",
        version="2.0",
        authority=Authority.NEWS,
    )
    both = composed(tmp_path / "a", [official, press], 1, 0)
    assert [one.authority for one in both.citations] == [Authority.OFFICIAL, Authority.NEWS]
    found = composed(tmp_path / "b", [official, press], 1)
    assert found.citations[0].quote == says
    asked = composed(tmp_path / "c", [official, press], 1, question="What does the news say?")
    assert [one.authority for one in asked.citations] == [Authority.NEWS]


def test_a_piece_that_a_machine_wrote_is_quoted_with_its_disclosure(tmp_path: Path) -> None:
    text = "Sockets are shared. This content is written by a commercial language model and was not reviewed."
    piece = note(text, "Sockets are shared.", authority=Authority.ANALYST)
    answer = composed(tmp_path / "a", [piece], 0)
    assert answer.notes == ("“demo 1.0” says that it was written by a machine.",)
    own = replace(piece, document=replace(piece.document, authority=Authority.OFFICIAL))
    assert composed(tmp_path / "b", [own], 0).notes == ()


@pytest.fixture(scope="session")
def seeds(
    default_embedder: Embedder, document_embedder: Embedder, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Assistant]:
    """Answers from a release post, a news item and an analyst's note about the same release, among others."""
    if not SEEDS.is_dir():
        pytest.skip("needs ../shared/seeds beside the checkout")
    index = tmp_path_factory.mktemp("seeds") / "index"
    assert not ingest(SEEDS, index=index, embedder=document_embedder).failed
    with Assistant.open(index, embedder=default_embedder) as assistant:
        yield assistant


@pytest.mark.slow
@pytest.mark.parametrize(
    "question",
    [
        "Which hardware does the new graph API support first? The official post and the news disagree.",
        "The official post and the news disagree about which hardware the new graph API supports first.",
    ],
)
def test_news_that_says_more_than_the_release_post_is_in_conflict_with_it(seeds: Assistant, question: str) -> None:
    answer = seeds.ask(question)
    (conflict,) = answer.conflicts
    official, news = (answer.citations[n - 1] for n in conflict.citations)
    assert (official.authority, news.authority) == (Authority.OFFICIAL, Authority.NEWS)
    assert "initial support for the XPU backend" in official.quote
    assert "Initial support covers CUDA and XPU" in news.quote


@pytest.mark.slow
def test_a_statement_that_the_post_took_back_is_answered_as_taken_back(seeds: Assistant) -> None:
    answer = seeds.ask("Can torch._C._mps_loadMetallib load a precompiled .metallib in 2.12?")
    assert "(taken back by the source itself)" in answer.answer
    assert "did not land in the 2.12 release" in answer.citations[0].quote


def test_a_note_under_the_next_entry_is_not_about_this_one(tmp_path: Path) -> None:
    text = "- Sockets are shared.\n- Pumps are doubled.\n\n  This change was reverted in 2.0.1."
    entries = ("- Sockets are shared.", "- Pumps are doubled.", "This change was reverted in 2.0.1.")
    assert len(composed(tmp_path / "a", [note(text, *entries)], 0).citations) == 1
    assert len(composed(tmp_path / "b", [note(text, *entries)], 1).citations) == 2


def test_a_number_behind_an_entry_is_its_own(tmp_path: Path) -> None:
    change = note("Kernels are linked without quadmath (#4711).", version="2.0", source="a.md")
    own = note("Thread counts of the solver were reverted (#4711).", version="2.1", source="b.md")
    assert len(composed(tmp_path, [change, own], 0).citations) == 1
