"""Fuzz targets of corpus and retrieval: versions, dependency files, diffs, questions, claims, a model's reply."""

import itertools
from datetime import date
from functools import partial
from unicodedata import normalize

from asked_catalogue import CATALOGUE
from dependency_lines import lines_of
from fuzz_target import Target, real_files, text_of
from page_answers import CITATION
from test_corpus_dependencies_reading import FILES

from corpus.dependencies.faults import MAX_LINE_CHARACTERS
from corpus.dependencies.reading import find_fault, read_dependencies
from corpus.errors import UsageError
from corpus.lexicon import question_tokens, split_tokens
from corpus.plain_words import one_line, plain_words, readable
from corpus.repository_links import parse_repository_link
from corpus.symbols import find_references, find_symbols
from corpus.versions import Version, VersionConstraint, find_versions
from retrieval.claims.splitting import split_claims
from retrieval.llm.client import parse_completion
from retrieval.llm.sentences import parse_reply
from retrieval.llm.writer import WriterError
from retrieval.question.framing import without_framing
from retrieval.question.query import parse_query
from retrieval.quoting.safe_text import safe
from retrieval.reviews.bumps import find_bumps, find_unread, find_unreadable
from retrieval.reviews.diff import read_diff
from retrieval.reviews.touched import find_touched
from retrieval.verification.support import is_supported

TODAY = date(2026, 6, 15)
MAX_QUESTION = 4_000
"""What entrances take: `ui.question_limits`."""
_PATHS = sorted(FILES)


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


def check_dependencies(path: str, data: bytes) -> None:
    """Nothing raises, and a line that is named holds the version that is told of it."""
    text = text_of(data)
    lines = lines_of(text)
    for each in read_dependencies(path, lines):
        assert each.file == path
        assert each.name
        held = lines[each.line - 1].text
        assert len(held) <= MAX_LINE_CHARACTERS + 1
        assert (each.version or "") in held or "$" in held
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
    *history, question = text_of(data)[:MAX_QUESTION].split("\f")
    query = parse_query(question, history=history[-3:], catalogue=CATALOGUE, today=TODAY, strip=without_framing)
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
    text = text_of(data)[: 4 * MAX_QUESTION]
    at = 0
    for claim in split_claims(text):
        assert claim.text == text[claim.start : claim.end]
        assert at <= claim.start < claim.end
        at = claim.end


def _check_words(data: bytes) -> None:
    text = text_of(data)
    split_tokens(text)
    question_tokens(text[:MAX_QUESTION])
    for symbol in find_symbols(text):
        assert symbol
    find_references(text)
    plain_words(text)
    readable(text)
    assert "\n" not in one_line(text)
    parse_repository_link(text[:MAX_QUESTION])
    disarmed = safe(text)
    assert "](" not in disarmed


def _check_reply(data: bytes) -> None:
    try:
        words = parse_completion(data)
    except WriterError:
        words = text_of(data)[:8_000]
    reply = parse_reply(words)
    for sentence in reply.sentences:
        for clause in sentence.clauses:
            is_supported(clause.text, (CITATION,))


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
"""
_REPLY = b'{"choices": [{"message": {"content": "`spin` is deprecated [1]. It may go [2]."}}]}'
_QUESTION = (
    "What changed between PyTorch 2.8 and 2.9?",
    "since when is torch.cond stable\fand in 2.9.1?",
    "Is Adagrad faster in 2.12 than in 2.8?",
    "latest pip before 26.0; what breaks upgrading 23.1 -> 25.3",
    "which releases came out last year or since March 2025?",
    "Hi all, sorry for the noise — does torch.cond still exist? Thanks!",
)
_QUESTION_SIGNS = (
    "PyTorch ",
    "torch ",
    "2.8",
    " -> ",
    " to ",
    "between ",
    " and ",
    "since ",
    "before ",
    "v",
    "5.x",
    "latest ",
    "last year",
    "in March 2025",
    "`torch.cond`",
    "CVE-2024-1",
    "#12",
    "?",
    "not ",
    "--flag",
    "\f",
    "…",
    "a-a",
    "why ",
    "compare ",
    "vs ",
    "(",
    ")",
    "removed ",
    "deprecated ",
    "~=",
    "^",
    "the last 3 months ",
    "9" * 18,
    "two versions ago ",
    "99 ",
)


def text_targets() -> tuple[Target, ...]:
    """Those of corpus and retrieval."""
    version_signs = (
        "1.2.3",
        "v",
        "rc1",
        ".dev0",
        "+cu128",
        "-alpha.1",
        ".post1",
        "2024b",
        "REL_15_4",
        " to ",
        "≥",
        ".x",
        "-",
    )
    dependency_signs = (
        *"\"'[]{}()=<>~^!@:#,;|&\\/$-+.*\n\t ",
        "==1.2",
        "\r\n",
        "${A:-1}",
        "\\\n",
        '"""',
        "'''",
        "&a",
        "*a",
    )
    notes = real_files("corpus/documents/**/*.md", "corpora/*/*.md", most=4)
    return (
        Target(
            "versions",
            _check_version,
            (b"1.2.3 v2.9.0rc1 1!2 REL_15_4 8.0.0.RELEASE 4.3-1 1.1.1w 2024b", *notes[:1]),
            version_signs,
        ),
        *(
            Target(f"dependencies:{path}", partial(check_dependencies, path), (FILES[path].encode(),), dependency_signs)
            for path in _PATHS
        ),
        Target(
            "diff",
            _check_diff,
            (_DIFF,),
            (
                "diff --git a/x b/x\n",
                "--- a/x\n",
                "+++ b/x\n",
                "@@ -1 +1 @@\n",
                "@@@ -1 -1 +1 @@@\n",
                "\n-",
                "\n+",
                "\n ",
                "rename from ",
                "GIT binary patch\n",
                "Binary files a and b differ\n",
                "\\ No newline",
                "/dev/null",
                '"',
            ),
        ),
        Target("question", _check_question, tuple(one.encode() for one in _QUESTION), _QUESTION_SIGNS),
        Target("filters", _check_filters, (b"pytorch\n2.9", b"torch\n2.x"), version_signs),
        Target(
            "claims",
            _check_claims,
            (b"Adagrad has a fused variant since 2.12. It isn't slow; see [1].\n\n- One.\n", *notes[:2]),
            (". ", "; ", "\n\n", "- ", "```\n", "> ", "| a | b |\n", "not ", "2.12", "`x`", "(", "http://a.b "),
        ),
        Target(
            "words",
            _check_words,
            notes or (b"`torch.cond` was added",),
            (
                "`",
                "a.b(c)",
                "--x-y",
                "A_B",
                "CVE-2024-1",
                "[a](b)",
                "<b>",
                "**",
                "| a |",
                "](",
                "https://github.com/a/b/blob/c/d",
                "[<b>1]",
                "a-a-a",
                "\u202e",
                "::",
            ),
        ),
        Target(
            "model-reply",
            _check_reply,
            (_REPLY,),
            (
                "[1]",
                "[1, 2]",
                '"content": "',
                "\\n",
                ". ",
                "not ",
                "`",
                "\\ud800",
                "{",
                "}",
                "[",
                "]",
            ),
        ),
    )
