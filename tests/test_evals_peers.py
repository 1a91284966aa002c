"""Peers: what they return becomes ranges and answers that our grading reads, and each library does so for real."""

import json
import subprocess
import sys
from argparse import Namespace
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.embedding import Embedder
from corpus.embedding.default_model import default_model_folder
from corpus.errors import UsageError
from corpus.model import Span
from evals.lab.peers import quality
from evals.lab.peers.answers import (
    MAX_OVER_ABSTENTION,
    Places,
    asked_text,
    best_cosines,
    choose_cutoff,
    compose,
    rank_passages,
)
from evals.lab.peers.libraries import LISTED, PEERS, PeerPassage, SourceText, open_peers
from evals.lab.peers.splitting import MAX_CHARACTERS, split_text
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
    split="test",
    project="kiln",
)
NEAR_MISS = replace(QUESTION, id="n", kind="negative_near", answerable=False, gold=(), answer_key=())
RETURNED = (
    PeerPassage("loom.md", "The shuttle now reverses at the selvedge.", None),
    PeerPassage("kiln.md", "A firing ramps by 150 degrees an hour.", 12),
)


class MemoryTexts:
    def text(self, path: str) -> str | None:
        return next((source.text for source in SOURCES if source.path == path), None)


def run_at(min_cosine: float | None, *questions: Question, cosine: float = 0.5) -> EvalRun:
    """A run in which every question got the passages of `RETURNED`."""
    passages = rank_passages(RETURNED, Places(SOURCES))

    def ask(question: Question) -> Answer:
        return compose(question, passages, cosine=cosine, min_cosine=min_cosine)

    return run_questions(questions, ask, texts=MemoryTexts())


# Offsets


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (PeerPassage("a.md", "red fox", 20), Span(20, 27)),
        (PeerPassage("a.md", "red fox", None), Span(4, 11)),
        (PeerPassage("a.md", "red fox", 19), Span(4, 11)),
        (PeerPassage("a.md", "a red fox ran. A red", None), Span(2, 23)),
        (PeerPassage("a.md", "blue fox", None), None),
        (PeerPassage("b.md", "red fox", 4), None),
        (PeerPassage("a.md", " \n", 3), None),
    ],
    ids=["stated", "first-occurrence", "stated-wrongly", "white-space-cleaned", "other-words", "other-file", "blank"],
)
def test_a_returned_passage_gets_its_range(found: PeerPassage, expected: Span | None) -> None:
    text = "A a red fox ran.\n A red fox hid."
    places = Places([SourceText("a.md", text)])
    assert places.place(found) == expected


@given(st.text(alphabet="ab \n.", min_size=1, max_size=60), st.data())
def test_a_slice_is_found_at_a_place_with_its_words(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    words = text[start : data.draw(st.integers(start + 1, len(text)))]
    stated = data.draw(st.none() | st.integers(0, len(text)))
    span = Places([SourceText("a.md", text)]).place(PeerPassage("a.md", words, stated))
    assert span.slice(text) == words if span else not words.strip()


def test_a_passage_that_is_not_in_its_file_retrieves_and_cites_nothing() -> None:
    strange = rank_passages((PeerPassage("kiln.md", "ramps by 150 degrees, roughly", 12),), Places(SOURCES))
    run = run_questions([QUESTION], lambda _: compose(QUESTION, strange, cosine=1), texts=MemoryTexts())
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
    (result,) = run_at(None, QUESTION).results
    expected = {
        "recall@1": 0, "recall@5": 1, "mrr@10": 0.5, "over_abstention_rate": 0, "quote_verbatim": 1, "answer_key": 1,
        "citation_precision": 0.5,
    }  # fmt: skip
    assert {metric: result.grade.score(metric) for metric in expected} == expected


@pytest.mark.parametrize(
    ("min_cosine", "false_answers"),
    [(None, 1), (0.5, 1), (0.51, 0)],
    ids=["always", "at-the-cut-off", "below"],
)
def test_a_peer_abstains_only_below_a_cutoff(min_cosine: float | None, false_answers: int) -> None:
    (result,) = run_at(min_cosine, NEAR_MISS, cosine=0.5).results
    assert result.grade.score("false_answer_rate") == false_answers


def test_a_refusal_cites_nothing_and_still_lists_its_passages() -> None:
    (result,) = run_at(0.9, QUESTION, cosine=0.5).results
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


# Trials


class WordOverlap:
    """A peer of the simplest kind: whole paragraphs by shared words."""

    def __init__(self, model: Path, folder: Path, *, hybrid: bool) -> None:
        self._paragraphs: list[PeerPassage] = []

    def split(self, sources: Sequence[SourceText]) -> Sequence[PeerPassage]:
        return [
            PeerPassage(source.path, paragraph) for source in sources for paragraph in source.text.strip().split("\n\n")
        ]

    def store(self, passages: Iterable[PeerPassage]) -> None:
        self._paragraphs = list(passages)

    def open(self) -> None:
        assert self._paragraphs

    def search(self, question: str) -> tuple[PeerPassage, ...]:
        words = set(question.lower().split())
        return tuple(sorted(self._paragraphs, key=lambda found: -len(words & set(found.text.lower().split()))))[:LISTED]


def test_a_trial_asks_relnotes_and_peers_the_same_questions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, default_embedder: Embedder
) -> None:
    documents, questions = tmp_path / "documents", tmp_path / "questions.jsonl"
    documents.mkdir()
    for source in SOURCES:
        (documents / source.path).write_text(source.text, encoding="utf-8")
    gold = [{"path": "kiln.md", "quote": "ramps by 150 degrees"}]
    lines = [
        {"id": "a", "kind": "number", "question": QUESTION.question, "answerable": True, "gold": gold, "split": "dev"},
        {"id": "b", "kind": "negative", "question": "Who invented the loom?", "answerable": False, "split": "test"},
    ]
    questions.write_text("\n".join(map(json.dumps, lines)))
    suite = Suite("kiln", questions, documents)
    monkeypatch.setattr(quality, "GATE_SUITES", (suite,))
    monkeypatch.setattr(quality, "open_peers", lambda names: {"overlap": WordOverlap})
    monkeypatch.setattr(quality, "versions", lambda names: "overlap 1.0")
    monkeypatch.setattr(quality, "open_embedder", lambda cache_dir: default_embedder)
    monkeypatch.setenv("RELNOTES_CACHE_DIR", str(tmp_path / "cache"))
    found = quality.run(Namespace(suite=None, peer=None))
    figures, differences = found.tables
    assert [row[0] for row in figures.rows] == ["relnotes", "overlap", "overlap"]
    always, refusing = (dict(zip(figures.header, row, strict=True)) for row in figures.rows[1:])
    assert (always["recall@5"], always["false_answer_rate"], always["passages not in their file"]) == (
        "1.000",
        "1.000",
        "0",
    )
    assert refusing["answers"].startswith("from cosine ")
    assert [row[:2] for row in differences.rows] == [row[:2] for row in figures.rows[1:]]
    assert [row[:2] for row in found.summary] == [("recall@5 on kiln", "≥ 1.000, the best peer's")]


# The libraries


@pytest.mark.slow
def test_importing_the_trial_loads_no_peer() -> None:
    script = f"import sys, evals.lab.peers.quality; print(sorted(set({LIBRARIES}) & set(sys.modules)))"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


def test_a_peer_that_is_not_installed_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evals.lab.peers.libraries.find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"chroma: not installed.*pip install '\.\[peers\]'"):
        open_peers(["chroma"])


def test_a_passage_comes_back_from_the_place_that_a_library_keeps_of_it() -> None:
    for one in (PeerPassage("a.md", "red", 4), PeerPassage("a.md", "red"), PeerPassage("", "red")):
        assert PeerPassage.at(one.place, one.text) == one


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("hybrid", [False, True], ids=["dense", "hybrid"])
@pytest.mark.parametrize("name", PEERS)
def test_a_library_finds_the_passage_and_it_stands_in_its_file(name: str, hybrid: bool, tmp_path: Path) -> None:
    try:
        factory = open_peers([name])[name]
    except UsageError as absent:
        pytest.skip(str(absent))
    peer = factory(default_model_folder(), tmp_path, hybrid=hybrid)
    peer.store(peer.split(SOURCES))
    peer.open()
    found = peer.search("How fast does a firing of the kiln heat up?")
    assert found[0].path == "kiln.md"
    assert "150 degrees" in found[0].text
    assert len(found) <= LISTED
    assert [passage for passage in found if Places(SOURCES).place(passage) is None] == []
