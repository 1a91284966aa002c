"""Links from quotes to their originals: text fragments on pages, lines at a commit in repositories, never a branch."""

import pytest

from corpus.index.stored import DocumentSummary
from corpus.model import Authority, Span
from retrieval.quoting.links import quote_link

COMMIT = "0123456789abcdef0123456789abcdef01234567"


def document(url: str | None, *, media_type: str = "text/markdown", authority: str = "official") -> DocumentSummary:
    """A document at `url`."""
    return DocumentSummary(
        id=1,
        root="/notes",
        source="n.md",
        title="Notes",
        product="widget",
        aliases=(),
        version=None,
        date=None,
        authority=Authority(authority),
        url=url,
        media_type=media_type,
        sha256="",
        releases=1,
        passages=1,
    )


PAGES: dict[str, tuple[str | None, str, str | None]] = {
    "short quote": ("https://a.example/n", "Use it now", "https://a.example/n#:~:text=Use%20it%20now"),
    "syntax of a directive": (
        "https://a.example/n",
        "re-do a, b & c",
        "https://a.example/n#:~:text=re%2Ddo%20a%2C%20b%20%26%20c",
    ),
    "address with a fragment": ("https://a.example/n#v2", "Use it", "https://a.example/n#v2:~:text=Use%20it"),
    "marks of Markdown": ("https://a.example/n", "**Use** `it`", "https://a.example/n#:~:text=Use%20it"),
    "long quote": (
        "https://a.example/n",
        " ".join(f"word{n:02}" for n in range(30)),
        "https://a.example/n#:~:text=word00%20word01%20word02%20word03%20word04%20word05%20word06%20word07",
    ),
    "bullet": ("https://a.example/n", "- `spin` is **gone**.", "https://a.example/n#:~:text=spin%20is%20gone."),
    "numbered entry": ("https://a.example/n", "2. Use it", "https://a.example/n#:~:text=Use%20it"),
    "heading": ("https://a.example/n", "### Fused Adagrad\n\n- It is.", "https://a.example/n#:~:text=Fused%20Adagrad"),
    "heading with its text": ("https://a.example/n", "## New\nIt is.", "https://a.example/n#:~:text=New"),
    "second entry": ("https://a.example/n", "* one\n* two", "https://a.example/n#:~:text=one"),
    "code block": ("https://a.example/n", "```python\nspin()\n```", "https://a.example/n#:~:text=spin%28%29"),
    "row of a table": ("https://a.example/n", "| a b | c |", "https://a.example/n#:~:text=a%20b"),
    "link": (
        "https://a.example/n",
        "See [the notes](https://b.example)",
        "https://a.example/n#:~:text=See%20the%20notes",
    ),
    "marks alone": ("https://a.example/n", "```", "https://a.example/n"),
    "no address": (None, "Use it", None),
    "script": ("javascript:alert(1)", "Use it", None),
    "file": ("file:///etc/passwd", "Use it", None),
    "no host": ("https:///n", "Use it", None),
    "a password": ("https://me:secret@a.example/n", "Use it", None),
    "malformed": ("https://[a", "Use it", None),
}


@pytest.mark.parametrize(("url", "quote", "link"), PAGES.values(), ids=PAGES.keys())
def test_a_page_is_linked_with_the_first_words_of_the_quote(url: str | None, quote: str, link: str | None) -> None:
    assert quote_link(document(url), quote, Span(0, len(quote))) == link


def test_the_page_of_a_digest_is_linked_without_its_words() -> None:
    told = document("https://a.example/n", authority="digest")
    assert quote_link(told, "Our words", Span(0, 9)) == "https://a.example/n"


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
        "text/plain",
        f"https://github.com/o/r/blob/{COMMIT}/docs/n.txt#L1",
    ),
    "GitLab, in a subgroup": (
        f"https://gitlab.example/g/sub/r/-/blob/{COMMIT}/n.rst",
        "text/x-rst",
        f"https://gitlab.example/g/sub/r/-/blob/{COMMIT}/n.rst?plain=1#L1",
    ),
    "Gitea": (
        f"https://git.example/o/r/src/commit/{COMMIT}/n.md",
        "text/markdown",
        f"https://git.example/o/r/src/commit/{COMMIT}/n.md?display=source#L1",
    ),
    "Bitbucket": (
        f"https://bitbucket.org/o/r/src/{COMMIT}/n.md",
        "text/markdown",
        f"https://bitbucket.org/o/r/src/{COMMIT}/n.md#lines-1",
    ),
    "a text that isn't the file's": (
        f"https://github.com/o/r/blob/{COMMIT}/n.pdf",
        "application/pdf",
        f"https://github.com/o/r/blob/{COMMIT}/n.pdf",
    ),
    "branch": ("https://github.com/o/r/blob/main/n.md", "text/markdown", None),
    "branch with a slash": ("https://github.com/o/r/blob/stable/4.2.x/n.txt", "text/plain", None),
    "raw branch": ("https://raw.githubusercontent.com/o/r/refs/heads/main/n.md", "text/markdown", None),
    "abbreviated commit, which may be a branch's name": (
        "https://github.com/o/r/blob/0123456/n.md",
        "text/markdown",
        None,
    ),
    "GitLab branch": ("https://gitlab.com/g/r/-/blob/main/n.md", "text/markdown", None),
    "Gitea branch": ("https://codeberg.org/o/r/src/branch/main/n.md", "text/markdown", None),
    "Bitbucket branch": ("https://bitbucket.org/o/r/src/main/n.md", "text/markdown", None),
    "folder of a branch": ("https://github.com/o/r/tree/main/docs", "text/markdown", None),
    "a branch itself": ("https://github.com/o/r/tree/main", "text/markdown", None),
    "a branch itself, with a slash": ("https://github.com/o/r/tree/main/", "text/markdown", None),
    "a commit itself": (
        f"https://github.com/o/r/tree/{COMMIT}",
        "text/markdown",
        f"https://github.com/o/r/tree/{COMMIT}",
    ),
    "GitLab branch itself": ("https://gitlab.example/o/r/-/tree/main", "text/markdown", None),
    "Gitea branch itself": ("https://git.example/o/r/src/branch/main", "text/markdown", None),
    "a file's history": ("https://github.com/o/r/commits/main/a.md", "text/markdown", None),
    "a file's history up to a commit": (
        f"https://github.com/o/r/commits/{COMMIT}/a.md",
        "text/markdown",
        f"https://github.com/o/r/blob/{COMMIT}/a.md?plain=1#L1",
    ),
    "raw branch, by its old host": ("https://raw.github.com/o/r/master/x.md", "text/markdown", None),
    "jsDelivr": ("https://cdn.jsdelivr.net/gh/o/r@main/x.md", "text/markdown", None),
    "jsDelivr, the default branch": ("https://cdn.jsdelivr.net/gh/o/r/x.md", "text/markdown", None),
    "jsDelivr at a commit": (
        f"https://cdn.jsdelivr.net/gh/o/r@{COMMIT}/x.md",
        "text/markdown",
        f"https://github.com/o/r/blob/{COMMIT}/x.md?plain=1#L1",
    ),
    "a package on jsDelivr": (
        "https://cdn.jsdelivr.net/npm/r@1.0.0/x.md",
        "text/markdown",
        "https://cdn.jsdelivr.net/npm/r@1.0.0/x.md#:~:text=one",
    ),
    "cgit branch": ("https://git.example/r.git/tree/NEWS?h=master", "text/markdown", None),
    "cgit commit": (
        f"https://git.example/r.git/tree/NEWS?h=master&id={COMMIT}",
        "text/markdown",
        f"https://git.example/r.git/tree/NEWS?h=master&id={COMMIT}#:~:text=one",
    ),
    "gitweb branch": ("https://git.example/?p=r.git;a=blob;f=NEWS;hb=HEAD", "text/markdown", None),
    "gitweb commit": (
        f"https://git.example/?p=r.git;a=blob;f=NEWS;hb={COMMIT}",
        "text/markdown",
        f"https://git.example/?p=r.git;a=blob;f=NEWS;hb={COMMIT}#:~:text=one",
    ),
    "a page with a query": (
        "https://docs.example/news?h=master",
        "text/markdown",
        "https://docs.example/news?h=master#:~:text=one",
    ),
    "two slashes": ("https://github.com/o/r//blob/main/x.md", "text/markdown", None),
    "a published page": (
        "https://o.github.io/a/b/tree/main",
        "text/markdown",
        "https://o.github.io/a/b/tree/main#:~:text=one",
    ),
    "a release's page": (
        "https://github.com/o/r/releases/tag/v1",
        "text/markdown",
        "https://github.com/o/r/releases/tag/v1#:~:text=one",
    ),
    "a page whose path says src": (
        "https://docs.example/en/src/n/x.html",
        "text/markdown",
        "https://docs.example/en/src/n/x.html#:~:text=one",
    ),
}


@pytest.mark.parametrize(("url", "media_type", "link"), FILES.values(), ids=FILES.keys())
def test_a_repository_is_linked_at_a_commit_or_not_at_all(url: str, media_type: str, link: str | None) -> None:
    assert quote_link(document(url, media_type=media_type), "one", Span(0, 3)) == link
