"""What stands on a page beside the release notes."""

import pytest

from ingest.blocks import ParsedText
from ingest.formats.html import parse_html
from ingest.formats.markdown import parse_markdown
from ingest.formats.plain_text import parse_plain_text
from ingest.passages.boilerplate import find_boilerplate, is_boilerplate

ARTICLE = "Foo 2.0 is out\n\n" + "It has many new features that all of you will like, and it is fast.\n\n" * 6


def junk(parsed: ParsedText) -> list[str]:
    return [span.slice(parsed.text).strip() for span in find_boilerplate(parsed)]


@pytest.mark.parametrize(
    "opening",
    ["Related Articles", "Other insights from the team", "You might also like", "Newsletter", "Subscribe to our news",
     "Book a Demo", "Leave a comment", "More from Foo", "Recent posts", "Cookie settings"],
)  # fmt: skip
def test_a_tail_runs_to_the_end(opening: str) -> None:
    tail = f"{opening}\n\nSomething else entirely that has nothing to do with it."
    assert junk(parse_plain_text(ARTICLE + tail)) == [tail]


@pytest.mark.parametrize(
    ("opening", "after", "is_over"),
    [
        ("h2", "h2", True),
        ("h3", "h2", True),
        ("h2", "h3", False),
        ("p", "h3", True),
    ],
    ids=["a heading of its level", "of a higher one", "below it", "any heading after a line"],
)  # fmt: skip
def test_a_tail_ends_with_the_section_that_it_opens(opening: str, after: str, is_over: bool) -> None:
    tail = f"<{opening}>Comments</{opening}><p>Something else entirely.</p>"
    page = f"<h1>Foo 2.0</h1><p>{ARTICLE}</p>{tail}<{after}>Fixed</{after}><p>The lid shuts again.</p>"
    (found,) = junk(parse_html(page))
    assert ("The lid shuts" not in found) is is_over


@pytest.mark.parametrize(
    "line", ["on this page", "Table of Contents", "Back to top", "Read more", "Last updated: May 3"]
)
def test_navigation_is_a_line_of_its_own(line: str) -> None:
    assert junk(parse_plain_text(f"Foo 2.0 is out\n\nIt has many new features.\n\n{line}\n\nIt is fast as well.")) == [
        line
    ]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Newsletter\n\n" + ARTICLE, id="in the first half"),
        pytest.param(
            ARTICLE + "Comments in configuration files are kept now, as all of you have asked for.", id="in prose"
        ),
        pytest.param(ARTICLE + "Disclosure: a program wrote this.", id="a disclosure alone"),
        pytest.param("", id="empty"),
    ],
)
def test_release_notes_are_not_boilerplate(text: str) -> None:
    assert junk(parse_plain_text(text)) == []


def test_pages_with_markup_of_their_own_have_none() -> None:
    assert junk(parse_markdown(ARTICLE + "## Related Articles\n\nSomething else.")) == []


def test_blocks_are_in_or_out() -> None:
    parsed = parse_plain_text(ARTICLE + "Newsletter\n\nSomething else entirely.")
    spans = find_boilerplate(parsed)
    inside = [parsed.text[block.start : block.end] for block in parsed.blocks if is_boilerplate(block, spans)]
    assert inside == ["Newsletter", "Something else entirely."]
