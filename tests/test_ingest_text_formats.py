"""What holds of every format that is text: words lie in blocks, line ends don't matter, and nothing takes for ever."""

from collections.abc import Callable

import pytest
from block_promises import assert_blocks_hold, assert_line_ends_change_offsets_only, told_blocks
from case_files import Case, read_cases
from hypothesis import given
from hypothesis import strategies as st

from ingest.blocks import ParsedText
from ingest.formats.asciidoc import parse_asciidoc
from ingest.formats.front_matter import split_front_matter
from ingest.formats.markdown import parse_markdown
from ingest.formats.plain_text import parse_plain_text
from ingest.formats.restructuredtext import parse_restructuredtext

Parser = Callable[[str], ParsedText]
WITH_FRONT_MATTER = (parse_markdown, parse_plain_text)
FORMATS: dict[str, Parser] = {
    "asciidoc": parse_asciidoc,
    "markdown": parse_markdown,
    "plain-text": parse_plain_text,
    "restructuredtext": parse_restructuredtext,
}
each_format = pytest.mark.parametrize("parse", FORMATS.values())
PIECES = st.sampled_from(
    [
        "", "\n", "\n\n", "  ", "    ", "\t", "\x0b", "\x0c", "a\u2028b", "é 漢字", "Word", "A sentence. ",
        "prose, wrapped", "long " * 40, "TITLE IN CAPITALS", "key benefits:", "1.2.3 (2024-01-02)",
        "v1.2, 2024-05-02", "A <a@b.c>", "# 1.0", "## [2.0](u)", "= ", "== ", "====", "----", "____", "---", "+++",
        "+", "--", "::", ":::", "...", "- a", "  - b", "    * c", "* ", "** ", " o d", "• a", "1. one", "1.1 Sub",
        "2)", ". ", "term:: ", "> quote", "> - q", "```", "    code", ">>> x", "x = 1", "import lib", "// c", "////",
        ")", "# comment", ".T", "| a | b |", "|---|---|", "|===", "=== ===", "+---+", "Key:    value", "<table>",
        "</table>", "<p>", "</p>", "<!-- c", "-->", "{/* c */}", "{/* d", "import a from 'b'", "export const a = 1",
        "[r]: u", "[1] = https://a.org", "**Bold**:", "::: info", "!!! note", "endif::[]", "[[a]]", "[a]", ":a: b",
        ":version: 1", ".. ", "__", ".. note::", ".. code::", ".. change::", "`a`_", "title: T", "\n\n=head1 T",
        "\n\n=item *\n\n", "\n\n=over", "=back", "\n\n=begin", "\n\n=end", "C<a>", "E<gt>",
    ]
)  # fmt: skip
TEXTS = st.builds(str.join, st.sampled_from(["", "\n"]), st.lists(PIECES, max_size=40))


def assert_parses(parse: Parser, text: str) -> None:
    """`text` is what was parsed, and its blocks hold from its front matter on."""
    parsed = parse(text)
    assert parsed.text == text
    assert_blocks_hold(parsed, begin=split_front_matter(text)[1] if parse in WITH_FRONT_MATTER else 0)


@pytest.mark.parametrize(
    ("parse", "case"),
    [
        pytest.param(parse, case, id=f"{name}: {case.name}")
        for name, parse in FORMATS.items()
        for case in read_cases(f"blocks-{name}")
    ],
)
def test_blocks(parse: Parser, case: Case) -> None:
    assert told_blocks(parse(case.text)) == case.gives
    assert_parses(parse, case.text)


@each_format
@pytest.mark.parametrize("text", ["", "\n \n\t\n"])
def test_white_space_has_no_blocks(parse: Parser, text: str) -> None:
    assert parse(text).blocks == ()


@each_format
@given(TEXTS | st.text(max_size=200) | st.text("#-=>*`|<>!. \n\r\t[]:(){}1aAox_\ufeff", max_size=120))
def test_every_word_is_in_one_block_whatever_the_text(parse: Parser, text: str) -> None:
    assert_parses(parse, text)


@each_format
@given(TEXTS, st.sampled_from(["\r\n", "\r"]))
def test_line_ends_change_offsets_only(parse: Parser, text: str, line_end: str) -> None:
    assert_line_ends_change_offsets_only(parse, text, line_end=line_end)


@each_format
@pytest.mark.parametrize(
    "pattern",
    [
        "[", ">", "[[[[\n", ">>>>\n", "- ", "<!--", "{% a %}", "**", "# [[[[[[[[\n", "{/* ", "import a, ", "A", "a, ",
        "# a\n\n", "[1] = x\n", "a:  b\n", ":a: b\n", " ", "x = f(1)\n\n", "Title\n\n", "** Bug fixes\n",
        "%changelog\n", "gizmo (1.2-3) unstable; urgency=low\n", "----\nx = f(1)\na b\n",
    ],
)  # fmt: skip
def test_hostile_repetition_stays_linear(parse: Parser, pattern: str) -> None:
    # A quadratic parser needs minutes for this; pytest's own patience is the limit.
    assert_parses(parse, pattern * (40_000 // len(pattern)))
