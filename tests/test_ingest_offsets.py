"""Every format: passages are slices of the document's text, and outside them stands nothing that could be a note.

The documents are drawn from each format's own signs; what is real is tested beside each parser.
"""

from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ingest_documents import ingest_parsed
from test_ingest_passages import assert_passages_hold

from corpus.errors import SourceError
from ingest.formats import parse_blocks

WORDS = ["word", "Gizmo 1.2.3 (2024-01-02)\n", "- entry\n", "* entry\n", "\n", "\n\n", "A sentence. And another one.\n"]
SIGNS: Mapping[str, list[str]] = {
    "notes.md": ["# ", "## [1.2]\n", "```\n", "> ", "| a |\n|---|\n| b |\n", "<div>", "</div>", "<!-- ", "-->", ":::\n",
                 "import a from 'b'\n", "{/* c */}\n", "**Bold**\n", "---\n", "[a]: b\n", "    x\n"],
    "notes.rst": ["====\n", "----\n", ".. note::\n", ".. versionchanged:: 1.2\n", "   inner\n", ":gh:`12`",
                  "::\n\n", ".. changelog::\n   :version: 1.2\n", "== ==\n", ":a: b\n", ".. _t:\n",
                  ".. made-up:: x\n   :y: z\n\n"],
    "notes.adoc": ["= ", "== ", "----\n", "|===\n", "====\n", "+\n", "[NOTE]\n", ":a: b\n", "A <a@b.c>\n", "v1.2\n",
                   "ifdef::a[]\n", "term:: ", "** "],
    "notes.html": ["<p>", "<h2>", "</h2>", "<ul>", "<li>", "</ul>", "<table>", "<tr><td>", "</table>", "<pre>",
                   "</pre>", "<p hidden>", "<script>", "</script>", "<main>", "</main>", "<nav>", "&lt;", "<br>",
                   "<!-- "],
    "notes.txt": ["=====\n", "RELEASE NOTES\n", "1.1 Introduction\n", "  indented\n", "[1]: http://a\n", "x = 1\n",
                  "Subscribe to our newsletter\n", "o  bullet\n", "Name:   value\n"],
    "changelog": ["gizmo (1.2-3) unstable; urgency=low\n\n", "  * entry\n", "  [ Ann ]\n",
                  "\n -- A B <a@b.c>  Mon, 02 Mar 2026 10:11:12 +0100\n\n"],
    "gizmo.spec": ["%changelog\n", "* Mon Mar 02 2026 A B <a@b.c> - 1.2-3\n", "%description\n", "Name: gizmo\n"],
}  # fmt: skip


@pytest.mark.parametrize("name", SIGNS)
@settings(max_examples=60)
@given(data=st.data(), encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]))
def test_passages_are_slices_that_leave_out_no_note(name: str, data: st.DataObject, encoding: str) -> None:
    text = "".join(data.draw(st.lists(st.sampled_from(SIGNS[name] + WORDS), max_size=40)))
    try:
        parsed = parse_blocks(name, text.encode(encoding))
    except SourceError:
        return
    assert_passages_hold(ingest_parsed(parsed, name=name))
