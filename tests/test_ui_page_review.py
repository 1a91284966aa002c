"""The Review tab's values and HTML: what a text is read as, which lines are shown, and that diffs stay text."""

import pytest
from page_answers import around
from page_html import PageHtml, assert_harmless
from reviews_by_hand import HOSTILE, HOSTILE_REVIEW, PLAIN, citation

from corpus.dependencies.model import Line
from retrieval.blocks import words_of
from retrieval.claims.model import CheckedClaim, Claim, ClaimCheck, Verdict
from retrieval.reviews.diff import Diff, FileDiff, read_diff
from ui.rendering.claim import render_claims_markdown
from ui.web.review import reads_as_diff, render_claims_html, render_review_html
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


@pytest.mark.parametrize("name", [*DIFFS, *TEXTS])
def test_diffs_are_told_by_themselves(name: str) -> None:
    assert reads_as_diff((DIFFS | TEXTS)[name]) is (name in DIFFS)


def test_review_has_each_bump_and_symbol_beside_its_line() -> None:
    found = PageHtml(render_review_html(PLAIN, READ, around))
    parts = ["Names on changed lines", "Dependencies", "Widget 1.5 → 2.1", "Gadget 3.1 → 3.0", "Not looked up"]
    assert found.texts("h3") == parts
    assert "requirements.txt:3" in found.texts("p")
    # What surely bears on the code comes first, with its kind.
    assert found.texts("li")[0].startswith("Deprecatedwidget.spin is deprecated. Use widget.turn instead. 2.0")
    assert found.texts("pre")[:2] == ["- widget.spin(1)", "- widget==1.5+ widget==2.1"]
    assert "3 changes to look at, and 1 security fix that you gain. Open in Upgrade" in found.texts("p")
    assert "A downgrade." in found.texts("p")
    assert "In use here: app/wheel.py:12, app/wheel.py:30" in found.texts("p")
    assert "/upgrade?product=Widget&from=1.5&to=2.1" in found.values("href")
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
    assert found.texts("summary") == ["Widget 2.0", "Spin is deprecated."]
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


def test_claims_as_markdown() -> None:
    assert render_claims_markdown(CHECK).splitlines()[:9] == [
        "# Claims and the release notes",
        "",
        "- **Contradicted**: Widget 2.0 removed spin.",
        "",
        "  It was `deprecated`, not removed.",
        "",
        "  ```text",
        "  - `widget.spin` is deprecated.",
        "  ```",
    ]
    assert "No checkable claim" in render_claims_markdown(ClaimCheck("", (), 1.0))
