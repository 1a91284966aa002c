"""Links from quotes to their originals: text fragments on pages, lines at a commit in repositories, never a branch."""

from dataclasses import replace

import pytest
from case_files import read_rows
from page_answers import DOCUMENT

from corpus.index.stored import DocumentSummary
from corpus.model import Span
from retrieval.quoting.links import quote_link

COMMIT = "0123456789abcdef0123456789abcdef01234567"


def document(url: str | None, *, media_type: str = "text/markdown") -> DocumentSummary:
    """A document at `url`."""
    return replace(DOCUMENT, url=url, media_type=media_type)


PAGE = "https://a.example/n"
# name: the quote, the words that its page is asked to show


@pytest.mark.parametrize(("quote", "words"), read_rows("retrieval-a-page-is-linked-with-the-first-words-of-the-quote"))
def test_a_page_is_linked_with_the_first_words_of_the_quote(quote: str, words: str) -> None:
    for url, joint in ((PAGE, "#:~:text="), (f"{PAGE}#v2", ":~:text=")):
        assert quote_link(document(url), quote, Span(0, len(quote))) == url + (joint + words if words else "")


@pytest.mark.parametrize(
    "url",
    [None, "javascript:alert(1)", "file:///etc/passwd", "https:///n", "https://me:secret@a.example/n", "https://[a"],
)
def test_what_is_no_page_of_the_web_is_not_linked(url: str | None) -> None:
    assert quote_link(document(url), "Use it", Span(0, 6)) is None


TEXT = "# 1.1\n\n- one\n- two\n  goes on\n"
QUOTES = {"- one": "L3", "- two\n  goes on": "L4-L5", "- two\n  goes on\n": "L4-L5", "# 1.1": "L1"}


@pytest.mark.parametrize(("quote", "lines"), QUOTES.items())
def test_a_file_at_a_commit_is_linked_by_its_lines(quote: str, lines: str) -> None:
    start = TEXT.index(quote)
    link = quote_link(document(f"https://github.com/o/r/blob/{COMMIT}/n.md"), TEXT, Span(start, start + len(quote)))
    assert link == f"https://github.com/o/r/blob/{COMMIT}/n.md?plain=1#{lines}"


FILES = {
    "raw file": (
        f"https://raw.githubusercontent.com/o/r/{COMMIT}/docs/n.txt",
        f"https://github.com/o/r/blob/{COMMIT}/docs/n.txt#L1",
    ),
    "GitLab, in a subgroup": (
        f"https://gitlab.example/g/sub/r/-/blob/{COMMIT}/n.rst",
        f"https://gitlab.example/g/sub/r/-/blob/{COMMIT}/n.rst?plain=1#L1",
    ),
    "a page with a query": ("https://docs.example/news?h=master", "https://docs.example/news?h=master#:~:text=one"),
    "a published page": ("https://o.github.io/a/b/tree/main", "https://o.github.io/a/b/tree/main#:~:text=one"),
}
BRANCHES = {
    "branch": "https://github.com/o/r/blob/main/n.md",
    "raw branch": "https://raw.githubusercontent.com/o/r/refs/heads/main/n.md",
    "abbreviated commit, which may be a branch's name": "https://github.com/o/r/blob/0123456/n.md",
    "GitLab branch": "https://gitlab.com/g/r/-/blob/main/n.md",
    "folder of a branch": "https://github.com/o/r/tree/main/docs",
}
TYPES = {"txt": "text/plain", "rst": "text/x-rst", "html": "text/html"}
"""Of files that aren't Markdown."""


@pytest.mark.parametrize(
    ("url", "link"), [*FILES.values(), *((url, None) for url in BRANCHES.values())], ids=[*FILES, *BRANCHES]
)
def test_a_repository_is_linked_at_a_commit_or_not_at_all(url: str, link: str | None) -> None:
    told = document(url, media_type=TYPES.get(url.rpartition(".")[2], "text/markdown"))
    assert quote_link(told, "one", Span(0, 3)) == link
