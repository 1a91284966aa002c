"""The Review tab's values and HTML: what a text is read as, which lines are shown, and that diffs stay text."""

import pytest
from fastapi.testclient import TestClient
from page_answers import around, product
from page_html import PageHtml, assert_harmless
from reviews_by_hand import HOSTILE, HOSTILE_REVIEW, PLAIN, citation
from starlette.responses import PlainTextResponse

from corpus.dependencies.model import Line
from corpus.errors import UsageError
from retrieval.blocks import NO_WORDS, words_of
from retrieval.claims.checking import MAX_TEXT_CHARACTERS
from retrieval.claims.model import CheckedClaim, Claim, ClaimCheck, Verdict
from retrieval.reviews.diff import Diff, FileDiff, read_diff
from ui.http.guards import BodyLimit
from ui.rendering.claim import render_claims_markdown
from ui.web.review import (
    MAX_DIFF_CHARACTERS,
    ExampleBump,
    ReadAs,
    ShownLines,
    choose_reading,
    example_bump,
    lines_at,
    reads_as_diff,
    render_claims_html,
    render_review_html,
)
from ui.web.source import Surroundings

DIFF = """\
diff --git a/requirements.txt b/requirements.txt
--- a/requirements.txt
+++ b/requirements.txt
@@ -1,4 +1,4 @@
 left-pad==1
-gadget==3.1
-widget==1.5
+gadget==3.0
+widget==2.1
 last
--- a/app/wheel.py
+++ b/app/wheel.py
@@ -12 +12 @@
-widget.spin(1)
+widget.turn(1)
"""
READ = read_diff(DIFF)
DIFFS = {
    "git": DIFF,
    "plain": "--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n",
    "a hunk alone": "@@ -1 +1 @@\n-x\n+y\n",
    "in a mail": f"From: someone\nSubject: a bump\n\n---\n{DIFF}",
    "with a mark": f"\ufeff{DIFF}",
    "lines of Windows": DIFF.replace("\n", "\r\n"),
}
TEXTS = {
    "a claim": "Widget 2.0 removed spin.",
    "entries": "- one\n- two\n+ three\n",
    "a rule and a heading": "Notes\n---\n\n+++ not a file\n",
    "a conflict's words": "We saw @@ in it.",
}
TEXT = "Hello.\n\nWidget 2.0 removed spin. Widget needs Python 3.8. See you."
CLAIMS = tuple(
    CheckedClaim(Claim(words, TEXT.index(words), TEXT.index(words) + len(words)), verdict, words_of(because), cited)
    for words, verdict, because, cited in (
        (
            "Widget 2.0 removed spin.",
            Verdict.CONTRADICTED,
            "It was `deprecated`, not removed.",
            (citation("- `widget.spin` is deprecated."), citation("Spin is deprecated.")),
        ),
        ("Widget needs Python 3.8.", Verdict.NOT_FOUND, "The notes don't say.", ()),
    )
)
CHECK = ClaimCheck(TEXT, CLAIMS, 1.0)


@pytest.mark.parametrize("text", DIFFS.values(), ids=DIFFS.keys())
def test_diffs_are_told_by_themselves(text: str) -> None:
    assert reads_as_diff(text)
    assert choose_reading(text, ReadAs.DETECT) is ReadAs.DIFF


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
def test_other_texts_are_no_diffs(text: str) -> None:
    assert choose_reading(text, ReadAs.DETECT) is ReadAs.TEXT


def test_the_reader_has_the_last_word() -> None:
    assert choose_reading(DIFF, ReadAs.TEXT) is ReadAs.TEXT
    assert choose_reading("a claim", ReadAs.DIFF) is ReadAs.DIFF


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (" \n", "Paste a diff or a text first"),
        ("x" * (MAX_TEXT_CHARACTERS + 1), "A text may have 20,000 characters here; this one has 20,001."),
        (DIFF + " " * MAX_DIFF_CHARACTERS, "A diff may have 1,000,000 characters here"),
    ],
    ids=["nothing", "long text", "long diff"],
)
def test_limits_are_told(text: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        choose_reading(text, ReadAs.DETECT)


def test_longest_diff_fits_into_the_form() -> None:
    client = TestClient(BodyLimit(PlainTextResponse("taken")))
    form = {"text": (None, "+\n" * (MAX_DIFF_CHARACTERS // 2)), "read_as": (None, ReadAs.DETECT)}
    assert client.post("/review", files=form).status_code == 200
    assert client.post("/page/follow-ups", files=form).status_code == 413


def test_review_has_each_bump_and_symbol_beside_its_line() -> None:
    found = PageHtml(render_review_html(PLAIN, READ, around))
    assert found.texts("h3") == ["Widget 1.5 → 2.1", "Gadget 3.1 → 3.0", "Names on changed lines", "Not looked up"]
    assert "requirements.txt:3" in found.texts("p")
    assert found.texts("pre")[0] == "- widget==1.5+ widget==2.1"
    assert found.texts("pre")[-1] == "- widget.spin(1)"
    assert "3 changes to look at, and 1 security fix that you gain. Open in Upgrade" in found.texts("p")
    assert "A downgrade." in found.texts("p")
    assert "In use here: app/wheel.py:12, app/wheel.py:30" in found.texts("p")
    assert "/upgrade?product=Widget&from=1.5&to=2.1" in found.values("href")
    assert "left-pad: There are no release notes of it here. See the Library" in found.texts("li")
    assert "/library" in found.values("href")
    assert found.values("data-announce") == [
        "The notes speak of 2 dependencies and 1 name on changed lines. Nothing could be looked up for 1 name."
    ]


def test_claims_stand_in_the_text_beside_their_verdicts() -> None:
    found = PageHtml(render_claims_html(CHECK, around))
    assert "Read as a text. 2 claims: 1 contradicted, 1 not found." in found.texts("p")
    assert found.texts("mark") == [
        "Widget 2.0 removed spin.",
        "- `widget.spin` is deprecated.",
        "Spin is deprecated.",
        "Widget needs Python 3.8.",
    ]
    assert found.texts("summary") == ["Widget 2.0", "Widget 2.0"]
    verdicts = [text for text in found.texts("strong") if text in ("Contradicted", "Not found")]
    assert verdicts == ["Contradicted", "Not found"]
    assert "Hello. Widget 2.0 removed spin." in found.texts("p")
    assert "Widget needs Python 3.8. See you." in found.texts("p")


def test_hostile_diffs_stay_text() -> None:
    line = Line(1, HOSTILE)
    hostile = Diff((FileDiff("a b/ü:,%[x](y).txt", "a b/ü:,%[x](y).txt", (line,), (line,), (line,), (line,)),))
    found = assert_harmless(
        render_review_html(HOSTILE_REVIEW, hostile, lambda _: Surroundings("<b>{", "${x}", False, False))
    )
    assert "[x](javascript:alert(1))" in found.text


def test_example_is_a_bump_that_the_review_knows() -> None:
    known = (
        product("Spaced Name", "2.0", "1.0", passages=9),
        product("postgres", "15.1", "14.1", passages=8),
        product("Widget", "2.0", "1.5", aliases=("widget-py",), passages=5),
        product("gadget", "3.1"),
    )
    example = example_bump(known)
    assert example == ExampleBump("Widget", "widget-py", "1.5", "2.0")
    (file,) = read_diff(example.diff).files
    assert [line.text for line in (*file.removed, *file.added)] == ["widget-py==1.5", "widget-py==2.0"]
    assert example_bump(()) is None


LINES = {
    "replaced": (("requirements.txt", 3, "2.1"), (Line(3, "widget==1.5"), Line(3, "widget==2.1"))),
    "removed line that names it": (("app/wheel.py", 12, "spin"), (Line(12, "widget.spin(1)"), None)),
    "added line that names it": (
        ("app/wheel.py", 12, "turn"),
        (Line(12, "widget.spin(1)"), Line(12, "widget.turn(1)")),
    ),
    "no such line": (("app/wheel.py", 99, "turn"), (None, None)),
    "no such file": (("elsewhere.py", 12, "turn"), (None, None)),
}


@pytest.mark.parametrize(("asked", "expected"), LINES.values(), ids=LINES.keys())
def test_lines_of_a_finding(asked: tuple[str, int, str], expected: tuple[Line | None, Line | None]) -> None:
    file, number, naming = asked
    assert lines_at(READ, file, number, naming=naming) == ShownLines(file, number, *expected)


def test_a_claim_says_what_it_is_read_as_and_keeps_the_end_of_its_line() -> None:
    text = "Widget 2.0 removes:\n| a | `spin` was cut |\n| b | c |"
    stated = "`spin` was cut"
    claim = Claim(stated, text.index(stated), text.index(stated) + len(stated), "a `spin` was cut")
    found = PageHtml(
        render_claims_html(ClaimCheck(text, (CheckedClaim(claim, Verdict.NOT_FOUND, NO_WORDS, ()),), 1.0), around)
    )
    assert "Widget 2.0 removes: | a | spin was cut | | b | c |Read as “a spin was cut”" in found.texts("p")
    assert found.texts("code") == ["spin", "spin"]


def test_claims_as_markdown() -> None:
    assert render_claims_markdown(CHECK).splitlines()[:9] == [
        "# Claims and the release notes",
        "",
        "- **Contradicted**: Widget 2.0 removed spin.",
        "",
        "  It was <code>deprecated</code>, not removed.",
        "",
        "  ```text",
        "  - `widget.spin` is deprecated.",
        "  ```",
    ]
    assert "No checkable claim" in render_claims_markdown(ClaimCheck("", (), 1.0))
