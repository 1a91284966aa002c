"""Runs: asking, grading and averaging, and agreement with the outside scorer on the same answers."""

import json
import random
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from page_answers import ANSWER, CITATION, PASSAGE

from corpus.errors import UsageError
from evals.pages import FolderTexts
from evals.question_set import Gold, Question, load_questions
from evals.runner import EvalRun, evaluate, run_questions
from retrieval.blocks import Blocks, words_of
from retrieval.model import Answer, Citation, RankedPassage, Status

SHARED = Path(__file__).parents[2] / "shared"
SCORER = SHARED / "tools" / "score.py"

QUESTION = Question(
    id="q",
    kind="paraphrase",
    question="?",
    answerable=True,
    gold=(Gold("notes.txt", quote="fused Adagrad is new"),),
    any_of=True,
    answer_key=(("Adagrad",),),
    split="dev",
    project="p",
)
NEGATIVE = replace(QUESTION, id="n", kind="negative_near", answerable=False, gold=(), answer_key=(), split="test")
NOTES = "Preface.\nThe fused Adagrad\nis new. Nothing else."
PAGE = """<html><head><title>Notes</title></head><body><h1>Widget 3.0</h1>
<p>The <code>spin()</code> call now <a href="x">takes a &quot;speed&quot;</a> between 1&ndash;9.</p>
<p>Every gear of the old train was cast again in <a href="y">softer brass</a>, which keeps it quiet at high load
and lets a worn tooth be filed by hand instead of being replaced at once.</p>
<ul><li>Removed <b>wobble</b> for good</li><li>Fixed a leak in the tray icon</li></ul></body></html>"""
PAGE_TEXT = """# Widget 3.0
The spin() call now takes a "speed" between 1\N{EN DASH}9.
Every gear of the old train was cast again in softer brass (y), which keeps it quiet at high load
and lets a worn tooth be filed by hand instead of being replaced at once.
- Removed wobble for good
- Fixed a leak in the tray icon
"""


def passage(source: str, start: int, text: str, rank: int = 1) -> RankedPassage:
    return replace(PASSAGE, source=source, start=start, end=start + len(text), text=text, score=1 / rank)


def citation(source: str, start: int, quote: str, n: int = 1) -> Citation:
    return replace(CITATION, n=n, quote=quote, source=source, start=start, end=start + len(quote))


def answer(
    text: str = "",
    *,
    status: Status = Status.ANSWERED,
    confidence: float = 0.5,
    passages: tuple[RankedPassage, ...] = (),
    citations: tuple[Citation, ...] = (),
) -> Answer:
    return replace(
        ANSWER,
        status=status,
        confidence=confidence,
        blocks=Blocks(words_of(text)),
        citations=citations,
        passages=passages,
    )


def run(questions: Sequence[Question], answers: Mapping[str, Answer], texts: Callable[[str], str | None]) -> EvalRun:
    """Ask recorded answers; a question without one fails."""

    def ask(question: Question) -> Answer:
        if question.id not in answers:
            raise UsageError("no answer was recorded")
        return answers[question.id]

    return run_questions(questions, ask, texts=texts)


def test_a_right_answer_in_figures() -> None:
    quote = NOTES[13:38]
    right = answer(
        "New: fused Adagrad",
        passages=(passage("notes.txt", 0, "Preface."), passage("notes.txt", 9, NOTES[9:39], 2)),
        citations=(citation("notes.txt", 13, quote),),
    )
    done = run([QUESTION], {"q": right}, {"notes.txt": NOTES}.get)
    (result,) = done.results
    assert {metric: round(value, 4) for metric, value in result.grade.scores.items()} == {
        "recall@1": 0.0,
        "recall@3": 1.0,
        "recall@5": 1.0,
        "recall@10": 1.0,
        "mrr@10": 0.5,
        "ndcg@10": 0.6309,
        "citation_precision": 1.0,
        "citation_recall": 1.0,
        "answer_key": 1.0,
        "quote_verbatim": 1.0,
        "over_abstention_rate": 0.0,
        "end_to_end": 1.0,
    }
    assert (result.grade.answer_chars, result.grade.quote_chars) == (18, (25,))
    assert evaluate(done).overall.figures["median_with_quotes_chars"] == 18 + 25


def test_failures_count_and_changed_documents_are_skipped() -> None:
    gone = replace(QUESTION, id="gone", gold=(Gold("none.txt", quote="x"),))
    done = run([QUESTION, gone, NEGATIVE], {"n": answer(status=Status.NOT_FOUND)}, {"notes.txt": NOTES}.get)
    report = evaluate(done)
    assert done.failed == {"q": "no answer was recorded"}
    assert done.skipped == {"gone": "'none.txt' is absent"}
    assert report.overall.questions == 2
    assert report.overall.figures["over_abstention_rate"] == 1.0
    assert report.overall.figures["recall@10"] == 0.0
    assert [(group.name, group.questions) for group in report.by_kind] == [("negative_near", 1), ("paraphrase", 1)]
    assert [(group.name, group.questions) for group in report.by_split] == [("dev", 1), ("test", 1)]


# Agreement with the outside scorer.

OURS_BY_THEIRS = {
    "r@1": "recall@1",
    "r@3": "recall@3",
    "r@5": "recall@5",
    "r@10": "recall@10",
    "mrr@10": "mrr@10",
    "key_all": "answer_key",
    "cit_prec": "citation_precision",
    "cit_rec": "citation_recall",
    "verbatim": "quote_verbatim",
    "abst_p": "abstention_precision",
    "abst_r": "abstention_recall",
    "abst_f1": "abstention_f1",
    "false_answer": "false_answer_rate",
    "over_abstain": "over_abstention_rate",
    "e2e": "end_to_end",
}
PAGE_QUESTIONS: tuple[dict[str, object], ...] = (
    {"gold": [{"path": "page.html", "quote": '<a href="x">takes a &quot;speed&quot;</a>'}], "answer_key": ["speed"]},
    {"gold": [{"path": "page.html", "quote": "Removed <b>wobble</b> for good"}], "answer_key": [["wobble", "spin"]]},
    {"gold": [{"path": "page.html", "quote": "keeps it quiet at high load"}], "answer_key": ["brass"]},
    {"gold": [{"path": "page.html", "quote": "Fixed a leak in the tray icon"}], "answer_key": []},
)


def random_answer(question: Question, texts: Mapping[str, str], chance: random.Random) -> Answer:
    """An answer with passages and quotes around the gold and elsewhere, some at wrong ranges, some not verbatim."""
    pieces: list[tuple[str, int, str]] = []
    for _ in range(chance.randrange(12)):
        path = chance.choice([*(gold.path for gold in question.gold), *sorted(texts)])
        text = texts[path]
        near = [text.find(gold.quote) for gold in question.gold if gold.path == path and gold.quote]
        middle = chance.choice([*near, chance.randrange(len(text))])
        start = max(0, middle - chance.randrange(120))
        pieces.append((path, start, text[start : start + chance.randrange(1, 500)]))
    passages = tuple(
        passage(path, max(0, start + chance.choice([0, 0, 3])), text, rank)
        for rank, (path, start, text) in enumerate(pieces[:10], start=1)
    )
    cited = chance.sample(pieces, k=min(len(pieces), chance.randrange(4)))
    citations = tuple(
        citation(path, start, text[:300] + chance.choice(["", "", " and more"]), n)
        for n, (path, start, text) in enumerate(cited, start=1)
    )
    status = chance.choice([Status.ANSWERED, Status.ANSWERED, Status.PARTIAL, Status.NOT_FOUND])
    words = " ".join(wordings[0] for wordings in question.answer_key if chance.random() < 0.5)
    return answer(words, status=status, confidence=chance.random(), passages=passages, citations=citations)


def neutral_line(question_id: str, given: Answer) -> str:
    """An answer as the outside scorer reads it."""
    passages = [{"path": p.source, "start": p.start, "end": p.end, "text": p.text} for p in given.passages]
    citations = [{"path": c.source, "start": c.start, "end": c.end, "quote": c.quote} for c in given.citations]
    shape = {"id": question_id, "status": given.status, "answer": given.answer}
    return json.dumps({**shape, "passages": passages, "citations": citations}) + "\n"


@pytest.mark.parametrize("seed", range(4))
def test_figures_agree_with_the_outside_scorer(tmp_path: Path, seed: int) -> None:
    if not SCORER.is_file():
        pytest.skip("../shared isn't beside this checkout")
    root = tmp_path / "documents"
    root.mkdir()
    texts = {path.name: path.read_bytes().decode() for path in sorted((SHARED / "seeds").glob("*.txt"))}
    for name, text in {**texts, "page.html": PAGE}.items():
        (root / name).write_bytes(text.encode())
    added = [
        json.dumps({"id": f"page-{n}", "kind": "html", "question": "?", "answerable": True, "any_of": True, **question})
        for n, question in enumerate(PAGE_QUESTIONS)
    ]
    question_file, run_file, scores_file = tmp_path / "q.jsonl", tmp_path / "run.jsonl", tmp_path / "scores.json"
    practice = (SHARED / "questions" / "seeds.jsonl").read_text(encoding="utf-8")
    question_file.write_text("\n".join([practice.rstrip("\n"), *added, ""]), encoding="utf-8")
    questions = load_questions(question_file)

    chance = random.Random(seed)
    spoken = {**texts, "page.html": PAGE_TEXT}
    given = {question.id: random_answer(question, spoken, chance) for question in questions if chance.random() < 0.9}
    run_file.write_text("".join(neutral_line(*pair) for pair in given.items()), encoding="utf-8")
    arguments = [str(question_file), str(run_file), "--root", str(root), "--json", str(scores_file), "--quiet"]
    subprocess.run([sys.executable, str(SCORER), *arguments], check=True, capture_output=True)
    theirs = json.loads(scores_file.read_text(encoding="utf-8"))["run"]

    report = evaluate(run(questions, given, FolderTexts(root)))
    assert len(report.failed) > 0
    groups = {"all": report.overall, **{group.name: group for group in report.by_kind}}
    assert groups.keys() == theirs.keys()
    for name, group in groups.items():
        expected = {ours: theirs[name].get(their) for their, ours in OURS_BY_THEIRS.items()}
        measured = {ours: group.figures.get(ours) for ours in expected}
        assert measured == pytest.approx(expected, abs=1e-9), name
    assert 0 < report.overall.figures["recall@5"] < 1
    assert 0 < report.overall.figures["citation_precision"] < 1
    assert 0 < report.overall.figures["quote_verbatim"] < 1
