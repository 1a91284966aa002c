"""Fuzz targets of corpus and retrieval: versions, dependency files, diffs, questions, claims, a model's reply."""

import itertools
from datetime import date
from functools import partial
from unicodedata import normalize

from asked_catalogue import CATALOGUE
from dependency_files import FILES, lines_of
from fuzz_target import JSON_SIGNS, Target, real_files, text_of

from corpus.dependencies.faults import MAX_LINE_CHARACTERS
from corpus.dependencies.reading import find_fault, read_dependencies
from corpus.errors import UsageError
from corpus.lexicon import question_tokens, split_tokens
from corpus.plain_words import one_line, plain_words, readable
from corpus.repository_links import parse_repository_link
from corpus.symbols import find_references, find_symbols
from corpus.versions import Version, VersionConstraint, find_versions
from retrieval.claims.checking import MAX_TEXT_CHARACTERS
from retrieval.claims.splitting import split_claims
from retrieval.llm.chat import CompletionError
from retrieval.llm.client import parse_completion
from retrieval.llm.reply import parse_reply
from retrieval.model import MAX_QUESTION_CHARACTERS
from retrieval.question.query import parse_query
from retrieval.quoting.safe_text import safe
from retrieval.reviews.bumps import find_bumps, find_unread, find_unreadable
from retrieval.reviews.diff import read_diff
from retrieval.reviews.touched import find_touched

TODAY = date(2026, 6, 15)


def _check_version(data: bytes) -> None:
    text = text_of(data)
    parsed = [version for word in text.split()[:200] if (version := Version.try_parse(word)) is not None]
    for version in parsed:
        assert Version.parse(version.label) == version
        assert hash(Version.parse(version.label)) == hash(version)
        assert VersionConstraint.exactly(version).contains(version)
        assert version.base.base == version.base
        str(version.series)
    ordered = sorted(parsed)
    for low, high in itertools.pairwise(ordered):
        assert low <= high
        assert not high < low
        if low < high:
            assert VersionConstraint.between(low, high).contains(high)
    at = 0
    for mention in find_versions(text, names=("Gizmo", "gz")):
        assert at <= mention.start < mention.end <= len(text)
        at = mention.end


def _check_dependencies(path: str, data: bytes) -> None:
    """Nothing raises, and a line that is named holds the version that is read from it."""
    text = text_of(data)
    lines = lines_of(text)
    for dependency in read_dependencies(path, lines):
        assert dependency.file == path
        assert dependency.name
        line = lines[dependency.line - 1].text
        assert len(line) <= MAX_LINE_CHARACTERS + 1
        assert (dependency.version or "") in line or "$" in line
    for is_whole in (True, False):
        find_fault(path, lines, is_whole=is_whole)


def _check_diff(data: bytes) -> None:
    text = text_of(data)
    try:
        diff = read_diff(text)
    except UsageError as error:
        assert "line " in str(error) or "too long" in str(error)
        return
    for file in diff.files:
        for line in (*file.removed, *file.added):
            assert line.text in text
    find_bumps(diff)
    find_unreadable(diff)
    find_unread(diff)
    find_touched(diff.files)


def _check_question(data: bytes) -> None:
    *history, question = text_of(data)[:MAX_QUESTION_CHARACTERS].split("\f")
    query = parse_query(question, history=history[-3:], catalogue=CATALOGUE, today=TODAY, is_framed=True)
    assert query.text in normalize("NFKC", question)
    names = {product.name for product in CATALOGUE}
    assert names.issuperset(query.products)


def _check_filters(data: bytes) -> None:
    product, _, version = text_of(data)[:2_000].partition("\n")
    try:
        query = parse_query("What changed?", catalogue=CATALOGUE, product=product, version=version, today=TODAY)
    except UsageError as error:
        assert str(error).strip()
        return
    assert query.products


def _check_claims(data: bytes) -> None:
    text = text_of(data)[:MAX_TEXT_CHARACTERS]
    at = 0
    for claim in split_claims(text):
        assert claim.text == text[claim.start : claim.end]
        assert at <= claim.start < claim.end
        at = claim.end


def _check_words(data: bytes) -> None:
    text = text_of(data)
    split_tokens(text)
    question_tokens(text[:MAX_QUESTION_CHARACTERS])
    for symbol in find_symbols(text):
        assert symbol
    find_references(text)
    plain_words(text)
    readable(text)
    assert "\n" not in one_line(text)
    parse_repository_link(text[:MAX_QUESTION_CHARACTERS])
    disarmed = safe(text)
    assert "](" not in disarmed


def _check_reply(data: bytes) -> None:
    try:
        words = parse_completion(data).text
    except CompletionError:
        words = text_of(data)[:8_000]
    try:
        parse_reply(words)
    except CompletionError:
        return


_DIFF = b"""diff --git a/requirements.txt b/requirements.txt
index 1..2 100644
--- a/requirements.txt
+++ b/requirements.txt
@@ -1,2 +1,2 @@ def f():
 a==1
-torch==2.8
+torch==2.9
diff --git "a/\\303\\244.py" b/x.py
similarity index 90%
rename from "\\303\\244.py"
rename to x.py
--- "a/\\303\\244.py"
+++ b/x.py
@@ -3 +3,2 @@
-import torch
+import torch.nn as nn
+nn.Linear(bias=False)
\\ No newline at end of file
Binary files a and b differ
"""
_REPLY = b'{"choices": [{"message": {"content": "`spin` is deprecated [1]. It may go [1, 2]."}}]}'
_QUESTIONS = (
    b"What changed between PyTorch 2.8 and v2.9 (5.x)?",
    b"since when is torch.cond stable\fand in 2.9.1?",
    b"Is Adagrad not faster in ~=2.12 than in ^2.8? CVE-2024-1 --flag #12",
    b"latest pip before 26.0; what breaks upgrading 23.1 -> 25.3",
    b"which releases came out last year or since March 2025? And in the last 3 months, two versions ago?",
    "Hi all, sorry for the noise — why does `torch.cond` still exist…? Compare a-a vs removed 99. Thanks!".encode(),
)
_QUESTION_SIGNS = (
    *(f"{word} " for word in "PyTorch torch 2.8 to between and since before latest in compare vs why removed".split()),
    *("two versions ago ", "the last 3 months ", "9" * 18),
)
_CLAIMS = b"""Adagrad has a fused variant since 2.12. It isn't slow; see [1] (http://a.b).

- One.
> `x`
| a | b |
```
"""
_WORDS = b"""`torch.cond` a.b(c) --x-y A_B CVE-2024-1 [a](b) <b> **a** | a | https://github.com/a/b/blob/c/d [<b>1] a-a-a ::"""


def text_targets() -> tuple[Target, ...]:
    """Those of corpus and retrieval."""
    notes = real_files("corpus/documents/**/*.md", "corpora/*/*.md", most=4)
    versions = b"1.2.3 v2.9.0rc1 1!2 REL_15_4 8.0.0.RELEASE 4.3-1 1.1.1w 2024b 1.dev0+cu128 1-alpha.1 2.x to \xe2\x89\xa52.post1"
    dependency_signs = (*"\"'[]{}()=<>~^!@:#,;|&\\/$-+.*\n\t ", "==1.2", "\r\n", "${A:-1}", "\\\n", "&a", "*a")
    return (
        Target("versions", _check_version, (versions, *notes[:1])),
        *(
            Target(f"dependencies:{path}", partial(_check_dependencies, path), (text.encode(),), dependency_signs)
            for path, text in sorted(FILES.items())
        ),
        Target("diff", _check_diff, (_DIFF,), ("@@@ -1 -1 +1 @@@\n", "GIT binary patch\n", "/dev/null")),
        Target("question", _check_question, _QUESTIONS, _QUESTION_SIGNS, MAX_QUESTION_CHARACTERS),
        Target("filters", _check_filters, (b"pytorch\n2.9", b"torch\n2.x"), tuple(versions.decode().split()), 2_000),
        Target("claims", _check_claims, (_CLAIMS, *notes[:2]), (". ", "; ", "not ", "2.12"), MAX_TEXT_CHARACTERS),
        Target("words", _check_words, (_WORDS, *notes), ("\u202e", "](")),
        Target("model-reply", _check_reply, (_REPLY,), (*JSON_SIGNS, "[1]", "not ")),
    )
