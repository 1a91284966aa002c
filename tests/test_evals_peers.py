"""Peers: what they return becomes ranges and answers that our grading reads, and each library does so for real."""

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.embedding import Embedder
from corpus.errors import UsageError
from corpus.model import Span
from evals.lab.peers.__main__ import main
from evals.lab.peers.answers import AnswerRule, asked_text, compose, rank_passages
from evals.lab.peers.cutoff import MAX_OVER_ABSTENTION, best_cosines, choose_cutoff
from evals.lab.peers.placing import Places
from evals.lab.peers.protocol import LISTED, Found, SourceText
from evals.lab.peers.registry import PEERS, PeerEntry, load_peer
from evals.lab.peers.splitting import MAX_CHARACTERS, split_text
from evals.lab.peers.tables import render_comparisons, render_comparisons_json
from evals.lab.peers.trial import Comparison, Entrant, NamedQuestions, compare
from evals.question_set import Gold, Question
from evals.runner import EvalRun, run_questions
from evals.suites import Suite
from retrieval.model import Answer, Status

LIBRARIES = ("chromadb", "haystack", "llama_index", "txtai")
LOOM = "# Loom 2.1\n\nThe shuttle now reverses at the selvedge.\n\nBobbins of 40 grams are refused.\n"
KILN = "# Kiln 7.0\n\nA firing ramps by 150 degrees an hour.\n\nThe lid sensor was dropped.\n"
SOURCES = (SourceText("loom.md", LOOM), SourceText("kiln.md", KILN))

QUESTION = Question(
    id="q",
    kind="number",
    question="How fast does a firing heat up?",
    answerable=True,
    gold=(Gold("kiln.md", None, None, None, "ramps by 150 degrees"),),
    any_of=True,
    answer_key=(("150 degrees",),),
    history=(),
    product=None,
    version=None,
    note=None,
    answer_version=(),
    split="test",
    project="kiln",
)
NEAR_MISS = replace(QUESTION, id="n", kind="negative_near", answerable=False, gold=(), answer_key=())
RETURNED = (
    Found("loom.md", "The shuttle now reverses at the selvedge.", None),
    Found("kiln.md", "A firing ramps by 150 degrees an hour.", 12),
)


class MemoryTexts:
    def text(self, path: str) -> str | None:
        return next((source.text for source in SOURCES if source.path == path), None)


def run_rule(rule: AnswerRule, *questions: Question, cosine: float = 0.5) -> EvalRun:
    """A run in which every question got the passages of `RETURNED`."""
    passages = rank_passages(RETURNED, Places(SOURCES))

    def ask(question: Question) -> Answer:
        return compose(question, passages, rule, cosine=cosine)

    return run_questions(questions, ask, texts=MemoryTexts())


# Offsets


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (Found("a.md", "red fox", 20), Span(20, 27)),
        (Found("a.md", "red fox", None), Span(4, 11)),
        (Found("a.md", "red fox", 19), Span(4, 11)),
        (Found("a.md", "a red fox ran. A red", None), Span(2, 23)),
        (Found("a.md", "blue fox", None), None),
        (Found("b.md", "red fox", 4), None),
        (Found("a.md", " \n", 3), None),
    ],
    ids=["stated", "first-occurrence", "stated-wrongly", "white-space-cleaned", "other-words", "other-file", "blank"],
)
def test_a_returned_passage_gets_its_range(found: Found, expected: Span | None) -> None:
    text = "A a red fox ran.\n A red fox hid."
    places = Places([SourceText("a.md", text)])
    assert places.place(found) == expected


@given(st.text(alphabet="ab \n.", min_size=1, max_size=60), st.data())
def test_a_slice_is_found_at_a_place_with_its_words(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    words = text[start : data.draw(st.integers(start + 1, len(text)))]
    stated = data.draw(st.none() | st.integers(0, len(text)))
    span = Places([SourceText("a.md", text)]).place(Found("a.md", words, stated))
    assert span.slice(text) == words if span else not words.strip()


def test_a_passage_that_is_not_in_its_file_retrieves_and_cites_nothing() -> None:
    strange = rank_passages((Found("kiln.md", "ramps by 150 degrees, roughly", 12),), Places(SOURCES))
    run = run_questions([QUESTION], lambda _: compose(QUESTION, strange, AnswerRule(1), cosine=1), texts=MemoryTexts())
    (result,) = run.results
    assert (strange[0].start, strange[0].end) == (0, 0)
    assert result.grade.score("recall@10") == 0
    assert result.grade.score("quote_verbatim") == 0


# Splitting


@given(st.text(alphabet="word. \n", max_size=3000))
def test_split_passages_cover_the_text_in_order_and_are_short(text: str) -> None:
    spans = split_text(text)
    assert "".join(span.slice(text) for span in spans) == text
    assert all(0 < len(span) <= MAX_CHARACTERS for span in spans)


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("a" * 300 + "\n\n" + "b" * 100 + "\n" + "c" * 300, 302),
        ("a" * 300 + "\n" + "b" * 100 + ". " + "c" * 300, 301),
        ("a" * 300 + ". " + "b" * 100 + " " + "c" * 300, 302),
        ("a" * 300 + " " + "b" * 400, 301),
        ("a" * 700, 512),
        ("short\n\ntext", 11),
    ],
    ids=["paragraph", "line", "sentence", "word", "nowhere", "fits"],
)
def test_a_long_text_is_cut_at_the_best_separator_that_fits(text: str, first: int) -> None:
    assert split_text(text)[0] == Span(0, first)


# Answers


def test_a_hand_made_run_is_graded_by_our_measures() -> None:
    (first,) = run_rule(AnswerRule(1), QUESTION).results
    (both,) = run_rule(AnswerRule(3), QUESTION).results
    expected = {"recall@1": 0, "recall@5": 1, "mrr@10": 0.5, "over_abstention_rate": 0, "quote_verbatim": 1}
    for result in (first, both):
        assert {metric: result.grade.score(metric) for metric in expected} == expected
    assert (first.grade.score("answer_key"), both.grade.score("answer_key")) == (0, 1)
    assert (first.grade.score("citation_precision"), both.grade.score("citation_precision")) == (0, 0.5)


@pytest.mark.parametrize(
    ("rule", "false_answers"),
    [(AnswerRule(1), 1), (AnswerRule(1, min_cosine=0.5), 1), (AnswerRule(1, min_cosine=0.51), 0)],
    ids=["always", "at-the-cut-off", "below"],
)
def test_a_peer_abstains_only_below_a_cutoff(rule: AnswerRule, false_answers: int) -> None:
    (result,) = run_rule(rule, NEAR_MISS, cosine=0.5).results
    assert result.grade.score("false_answer_rate") == false_answers


def test_a_refusal_cites_nothing_and_still_lists_its_passages() -> None:
    (result,) = run_rule(AnswerRule(3, min_cosine=0.9), QUESTION, cosine=0.5).results
    assert result.answer is not None
    assert (result.answer.status, result.answer.citations, result.answer.answer) == (Status.NOT_FOUND, (), "")
    assert (result.grade.score("recall@5"), result.grade.score("answer_key")) == (1, 0)


def test_earlier_questions_and_the_product_stand_before_the_question() -> None:
    asked = replace(QUESTION, product="kiln", history=("What is new in 7.0?", "And the lid?"))
    assert asked_text(asked) == "kiln\nWhat is new in 7.0?\nAnd the lid?\nHow fast does a firing heat up?"
    assert asked_text(QUESTION) == QUESTION.question


def test_the_cutoff_refuses_few_of_the_answerable_development_half() -> None:
    development = [replace(QUESTION, id=str(number), split="dev") for number in range(25)]
    others = [replace(NEAR_MISS, split="dev"), QUESTION]
    cosines = np.array([*np.arange(25) / 100, 0.0, 0.0])
    assert choose_cutoff([*development, *others], cosines) == pytest.approx(int(25 * MAX_OVER_ABSTENTION) / 100)
    assert choose_cutoff(others, np.array([0.5, 0.5])) is None


def test_the_best_cosine_is_that_of_the_nearest_returned_passage(default_embedder: Embedder) -> None:
    passages = rank_passages(RETURNED, Places(SOURCES))
    asked = default_embedder.embed([QUESTION.question, RETURNED[0].text, "Nothing was returned for this."])
    heat, same, nothing = best_cosines(asked, [passages, passages, ()], documents=default_embedder)
    alone = best_cosines(asked[:1], [passages[:1]], documents=default_embedder)
    assert alone[0] < heat < same
    assert same == pytest.approx(1, abs=1e-3)
    assert nothing == -1


# Tables


def entrant(system: str, rule: str, run: EvalRun) -> Entrant:
    return Entrant(system, rule, run, ingest_seconds=2.0, p50_ms=10.0, passage_chars=40.0, unplaced=0)


def test_tables_show_the_test_half_all_questions_and_kinds() -> None:
    development = replace(QUESTION, id="d", split="dev", answer_key=(("no such fact",),))
    questions = (QUESTION, NEAR_MISS, development)
    found = Comparison(
        "kiln", (entrant("relnotes", "as it is", run_rule(AnswerRule(3), *questions)),
                 entrant("other", "top 1", run_rule(AnswerRule(1), *questions)),
                 entrant("other", "top 3", run_rule(AnswerRule(1), *questions)))
    )  # fmt: skip
    lines = render_comparisons([found]).splitlines()
    half, everything = lines.index("## kiln, test half"), lines.index("## kiln, all questions")
    assert lines[half + 2] == "2 questions, 1 of them without an answer."
    assert lines[half + 6] == "| relnotes | as it is | 1.000 | 0.500 | 1.000 | 0.500 | 1.000 | 0.000 | 0.500 | 81 |"
    assert lines[everything + 6].startswith("| relnotes | as it is | 1.000 | 0.500 | 0.500 |")
    assert "| number | 1 | 1.000 | 1.000 |" in lines[half:everything]
    same, better = "+0.000 (+0.00 to +0.00)", "+0.500 (+0.00 to +1.00)"
    assert f"| other | top 3 | {same} | {same} | {better} | {same} |" in lines[everything:]
    assert "| other | 2.0 | 1.00 | 10.0 | 1.00 | 40 | 0 |" in lines
    (ours, other, _) = json.loads(render_comparisons_json([found]))["kiln"]
    assert (ours["system"], ours["test"]["answer_key"], ours["all"]["answer_key"]) == ("relnotes", 1.0, 0.5)
    assert other["by_kind"]["number"]["mrr@10"] == 0.5


def test_questions_without_halves_have_no_test_table() -> None:
    run = run_rule(AnswerRule(1), replace(QUESTION, split=""))
    table = render_comparisons([Comparison("kiln", (entrant("relnotes", "as it is", run),))])
    assert "test half" not in table
    assert "## kiln, all questions" in table


# Trials


class WordOverlap:
    """A peer of the simplest kind: whole paragraphs by shared words."""

    def __init__(self, embedder: Embedder) -> None:
        self._paragraphs: list[Found] = []

    def ingest(self, sources: Sequence[SourceText]) -> None:
        self._paragraphs = [
            Found(source.path, paragraph, None) for source in sources for paragraph in source.text.strip().split("\n\n")
        ]

    def search(self, question: str) -> tuple[Found, ...]:
        words = set(question.lower().split())
        return tuple(sorted(self._paragraphs, key=lambda found: -len(words & set(found.text.lower().split()))))[:LISTED]


def test_a_trial_asks_relnotes_and_peers_the_same_questions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, default_embedder: Embedder
) -> None:
    monkeypatch.setattr("evals.lab.peers.trial.open_embedder", lambda cache_dir: default_embedder)
    monkeypatch.setenv("RELNOTES_CACHE_DIR", str(tmp_path / "cache"))
    documents = tmp_path / "documents"
    documents.mkdir()
    for source in SOURCES:
        (documents / source.path).write_text(source.text, encoding="utf-8")
    own = NamedQuestions("kiln", (replace(QUESTION, split="dev"), NEAR_MISS))
    further = NamedQuestions("kiln, more", (replace(QUESTION, split=""),))
    suite = Suite("kiln", tmp_path / "unused.jsonl", documents)
    first, second = compare(suite, (own, further), [("overlap", WordOverlap)])
    assert [found.system for found in first.entrants] == ["relnotes", "overlap", "overlap", "overlap"]
    assert [found.rule for found in first.entrants] == [found.rule for found in second.entrants]
    for comparison, file in ((first, own), (second, further)):
        asked = [[result.question for result in found.run.results] for found in comparison.entrants]
        assert asked == [list(file.questions)] * 4
    overlap = second.entrants[1]
    assert overlap.run.results[0].grade.score("recall@1") == 1
    assert (overlap.unplaced, second.entrants[0].run.results[0].grade.score("recall@5")) == (0, 1)


# The command and the libraries


@pytest.mark.slow
def test_importing_the_command_loads_no_peer() -> None:
    script = f"import sys, evals.lab.peers.__main__; print(sorted(set({LIBRARIES}) & set(sys.modules)))"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


def test_a_peer_that_is_not_installed_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "chromadb", None)
    monkeypatch.delitem(sys.modules, "evals.lab.peers.chroma", raising=False)
    with pytest.raises(UsageError, match=r"'chroma': the module 'chromadb'.*pip install 'relnotes\[peers\]'"):
        main(["--suite", "corpus", "--peer", "chroma"])


@pytest.mark.parametrize("argument", ["questions.jsonl", "nowhere=questions.jsonl", "corpus="])
def test_a_further_question_file_names_its_suite(argument: str) -> None:
    with pytest.raises(UsageError, match="must be SUITE=FILE"):
        main(["--suite", "corpus", "--questions", argument])


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("entry", PEERS, ids=[entry.name for entry in PEERS])
def test_a_library_finds_the_passage_and_it_stands_in_its_file(entry: PeerEntry, default_embedder: Embedder) -> None:
    try:
        factory = load_peer(entry)
    except UsageError as absent:
        pytest.skip(str(absent))
    peer = factory(default_embedder)
    peer.ingest(SOURCES)
    found = peer.search("How fast does a firing of the kiln heat up?")
    assert found[0].path == "kiln.md"
    assert "150 degrees" in found[0].text
    assert len(found) <= LISTED
    assert [passage for passage in found if Places(SOURCES).place(passage) is None] == []
