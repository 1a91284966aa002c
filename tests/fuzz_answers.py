"""Fuzz targets of questions, answers and how they are drawn, and of answers from hostile documents."""

import io
import json
import re
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from answer_contract import faults
from fuzz_bench import LIGHT, Bench
from fuzz_target import TEXT_SIGNS, Target, text_of
from page_answers import ANSWER, AROUND, CITATION
from page_html import assert_harmless
from rich.console import Console, RenderableType
from test_ui_review_formats import CONTROLS, PLAIN
from ui_small_index import ingest

from corpus.errors import UsageError
from retrieval.assistant import Assistant
from retrieval.claims.model import CheckedClaim, Claim, ClaimCheck, Verdict
from retrieval.model import MAX_QUESTION_CHARACTERS, Answer, Conflict, Interpretation
from retrieval.reviews.model import Review
from ui.rendering.answer_markdown import render_markdown
from ui.rendering.answer_terminal import render_answer
from ui.rendering.claim import render_claims_markdown
from ui.rendering.review import ReviewFormat, render_review
from ui.rendering.review.terminal import render_review_for_terminal
from ui.rendering.slack import render_slack_answer
from ui.web.ask.layout import lay_out
from ui.web.html import render
from ui.web.review import render_claims_html
from ui.web.source import Surroundings

_ESCAPES = re.compile(
    "[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|\x1b(?!\\[[0-9;]*m)"
)
"""What a terminal acts upon; the colours that rich sets are its own."""
_CODE_BLOCK = re.compile(r"^ *(`{3,})text$.*?^ *\1$", re.DOTALL | re.MULTILINE)
_ASKED_OF_DOCUMENTS = ("Was gizmo.spin removed in 2.0?", "What changed between 1.0 and 2.0 of Gizmo?", "latest Gizmo")


def _check_ask(bench: Bench, data: bytes) -> None:
    text = text_of(data)[:MAX_QUESTION_CHARACTERS]
    if not text.strip():
        return
    answer = bench.assistant.ask(text)
    assert faults(answer, bench.assistant) == ()
    _assert_renders(answer)


def _check_cite(bench: Bench, data: bytes) -> None:
    text = text_of(data)[:MAX_QUESTION_CHARACTERS]
    if not text.strip():
        return
    try:
        check = bench.assistant.cite(text)
    except UsageError:
        return
    for checked in check.claims:
        assert checked.claim.text == text[checked.claim.start : checked.claim.end]
        for citation in checked.citations:
            stored = bench.assistant.index.document_text(citation.document_id)
            assert citation.quote == stored[citation.start : citation.end]
    assert_harmless(render_claims_html(check, lambda _: AROUND[1]))
    # In a block of code a tag is shown, not run.
    assert "<script" not in _CODE_BLOCK.sub("", render_claims_markdown(check)).lower()


def _check_asked_document(folder: Path, data: bytes) -> None:
    """A hostile document ingested beside a sound one: whatever it says, questions are answered and quotes are true."""
    shutil.rmtree(folder / "index", ignore_errors=True)
    (folder / "notes").mkdir(exist_ok=True)
    (folder / "notes" / "gizmo.md").write_bytes(b"# Gizmo 2.0.0\n\n" + data[:4_000])
    (folder / "notes" / "older.md").write_bytes(b"# Gizmo 1.0.0\n\n- `gizmo.spin` was removed in 1.0.\n")
    report = ingest(folder / "notes", index=folder / "index", embedder=LIGHT)
    for failed in report.failed:
        assert "please report it" not in failed.error, failed.error
    with Assistant.open(folder / "index", embedder=LIGHT) as assistant:
        for question in _ASKED_OF_DOCUMENTS:
            answer = assistant.ask(question)
            assert faults(answer, assistant) == ()
            _assert_renders(answer)
        for item in (
            item for release in assistant.upgrade("gizmo", "0.9", "latest").releases for item in release.items
        ):
            text = assistant.index.document_text(item.citation.document_id)
            assert item.citation.quote == text[item.citation.start : item.citation.end]
        assistant.cite("gizmo.spin was removed in Gizmo 1.0.")


def _assert_renders(answer: Answer) -> None:
    """Every form of an answer is drawn, and none lets a document or a question act on its reader."""
    _assert_harmless_in_a_terminal(render_answer(answer))
    render_markdown(answer)
    for message in render_slack_answer(answer):
        json.dumps(message.blocks)
        assert len(message.blocks) <= 50
        assert not _ESCAPES.search(message.text)
        assert "<!channel>" not in message.text
        assert "<!here>" not in message.text
    assert_harmless(render("ask", "answer_text", answer=answer, layout=lay_out(answer), prefix="a"))


def _assert_harmless_in_a_terminal(drawn: RenderableType) -> None:
    console = Console(file=io.StringIO(), width=80, force_terminal=True, color_system="truecolor", legacy_windows=False)
    with console.capture() as captured:
        console.print(drawn)
    assert not _ESCAPES.search(re.sub("\x1b]8;[^\x1b\x07]*\x1b\\\\", "", captured.get()))


def _answer_of(data: bytes) -> Answer:
    text = text_of(data)[:6_000]
    parts = (text.split("\f") + [text] * 4)[:5]
    citation = replace(
        CITATION,
        quote=parts[0] or "-",
        title=parts[1],
        source=parts[2],
        product=parts[3],
        version=parts[4],
        heading=(parts[1],),
    )
    return replace(
        ANSWER,
        question=parts[0],
        answer=f"{parts[1]} [1]\n\n{parts[2]}",
        citations=(citation,),
        conflicts=(Conflict(parts[3], (1, 1)),),
        interpretation=Interpretation((parts[3],), parts[4], (parts[0],), "since_when"),
        notes=(parts[4],),
    )


def _check_rendering(data: bytes) -> None:
    answer = _answer_of(data)
    _assert_renders(answer)
    text = text_of(data)[:6_000]
    claim = CheckedClaim(Claim(text, 0, len(text)), Verdict.CONTRADICTED, text, answer.citations)
    check = ClaimCheck(text, (claim,), 1.0)
    assert_harmless(render_claims_html(check, lambda _: Surroundings(text, text, True, False)))
    render_claims_markdown(check)


def _review_of(text: str) -> Review:
    bump = PLAIN.bumps[0]
    items = tuple(
        replace(
            item,
            summary=text,
            citation=replace(item.citation, quote=text or "-", title=text, version=text, heading=(text,)),
        )
        for item in bump.items
    )
    symbol = replace(PLAIN.symbols[0], symbol=text, file=text)
    hostile = replace(bump, product=text, bump=replace(bump.bump, name=text, file=text), items=items, notes=(text,))
    return replace(PLAIN, bumps=(hostile,), symbols=(symbol,))


def _check_review_formats(data: bytes) -> None:
    review = _review_of(text_of(data)[:4_000])
    for name in ReviewFormat:
        drawn = render_review(review, name)
        assert not CONTROLS.search(drawn.replace("\n", "").replace("\t", "")), name
        if name in (ReviewFormat.SARIF, ReviewFormat.JSON):
            json.loads(drawn)
        if name is ReviewFormat.RDJSONL:
            for line in drawn.splitlines():
                json.loads(line)
    _assert_harmless_in_a_terminal(render_review_for_terminal(review))


def answer_targets(bench: Callable[[], Bench]) -> tuple[Target, ...]:
    """What is asked, and every form of an answer and a review."""
    questions = (
        b"Is widget.spin deprecated? [1] <b>",
        b"What changed between 1.5 and 2.0 of Widget?",
        b"latest gadget",
        b"Which versions do you have? It is gone. ",
        b"Was Python 3.7 removed in 2.0 since `widget.spin`? And in 1.5?",
    )
    notes = (
        b"- `gizmo.spin` is removed; it needs Python 3.9 or newer.\n- Deprecated in 1.5: `turn`, CVE-2024-1.\n",
        b"## 2.1.0 (2024-01-02)\n\n- 1. The cache is on by default since 1.9.\n\n| a | b |\n|---|---|\n| c | 1.2 |\n",
    )
    note_signs = (*TEXT_SIGNS, "removed in ", "requires Python ", "9" * 20, "\u0661.\u0662", "## ", "- ")
    folder = Path(tempfile.mkdtemp(prefix="fuzz-"))
    most = MAX_QUESTION_CHARACTERS
    parts = (b"Spin is gone. [1]\f**Title**\fa/b.md\fWidget\f2.0", b"- one [1]\n- two\n\n```\ncode\n```")
    return (
        Target("ask", lambda data: _check_ask(bench(), data), questions, TEXT_SIGNS, most),
        Target("cite", lambda data: _check_cite(bench(), data), questions, TEXT_SIGNS, most),
        Target("asked-document", partial(_check_asked_document, folder), notes, note_signs, most),
        Target("rendering", _check_rendering, parts, TEXT_SIGNS, 6_000),
        Target("review-formats", _check_review_formats, (b"`widget.spin` is removed", b"a|b\nc"), TEXT_SIGNS, most),
    )
