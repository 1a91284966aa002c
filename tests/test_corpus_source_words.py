"""What a range of a document refers to stands in its place: links, substitutions, attributes and macros of a format."""

import time

import pytest

from corpus.said_words import say_entry
from corpus.source_words import source_words

MARKDOWN = """
[991]: https://forge.example/o/r/pull/991/
[`Rim::spin`]: <https://docs.example/rim> "Rim"
[Hub Guide]: https://docs.example/hub
[^1]: A note.
"""
REST = """
.. |lib| replace:: Hub Library
.. |Fix| replace:: :raw-html:`<b>Fix</b>`
.. |logo| image:: logo.png
"""
ASCIIDOC = """
:hub: Hub Server
:hub-pull: https://forge.example/pull/
:rims: rims of {hub}
:endless: {endless}{rims}{rims}

[[breaking-2]]
== What breaks in 2.0

[[rim]]
.Rims are gone
[%collapsible]
====
Words.
====
"""
SAID = {
    "link by reference": ("text/markdown", "- [Remove the\n  `spin` mode.][991]", "Remove the `spin` mode."),
    "link by its words": ("text/markdown", "- [`Rim::spin`] and the [hub guide][]", "`Rim::spin` and the hub guide"),
    "tags, which nothing defines": ("text/markdown", "[Fix][hub] Rims", "[Fix][hub] Rims"),
    "brackets in code": ("text/markdown", "`a[991][991]` turns", "`a[991][991]` turns"),
    "roles of MyST": ("text/markdown", "see {ref}`the hub <hub>`, {class}`~a.Hub`", "see the hub, `a.Hub`"),
    "braces in code": ("text/markdown", "`assert {type}` and `{a}`", "`assert {type}` and `{a}`"),
    "footnotes": ("text/markdown", "Rims[^1] turn. [^1]: A note.", "Rims turn. A note."),
    "shortcodes": (
        "text/markdown",
        '{{< note >}}Rims{{% /note %}} [turn]({{< relref "a b" >}}) {% raw %}on{% endraw %} {{ site.hub }}',
        "Rims turn on site.hub",
    ),
    "attribute lists": ("text/markdown", "[Rims](a.md){ .wide } turn.\n{: .note }", "Rims turn."),
    "links without words": (
        "text/markdown",
        "see [](a/hub.md), <gh:12> and <https://a.example>",
        "see a/hub.md, #12 and https://a.example",
    ),
    "link before a colon": ("text/markdown", "turn the [Hub Guide]:", "turn the Hub Guide:"),
    "badge": ("text/x-rst", "- |Fix| :class:`~a.Hub` turns well", "`a.Hub` turns well"),
    "badge that nothing defines": ("text/x-rst", "- |MajorFeature| |Efficiency| Rims turn well", "Rims turn well"),
    "badge of MyST": ("text/markdown", "- {{ Enhancement }} Rims turn well", "Rims turn well"),
    "name of MyST": ("text/markdown", "- {{ hub }} turns rims well", "hub turns rims well"),
    "substitution": ("text/x-rst", "- |lib| drops rims; |lib|_ 2", "Hub Library drops rims; Hub Library 2"),
    "a subject that nothing defines": ("text/x-rst", "- |hub| drops rims of |rim|.", "hub drops rims of rim."),
    "pipes": ("text/x-rst", "``a|b|c`` and a|b|c", "`a|b|c` and a|b|c"),
    "notes at the foot": ("text/x-rst", "Rims [1]_ of hubs [#hub]_ turn [CIT2002]_.", "Rims of hubs turn."),
    "a note's mark": ("text/x-rst", ".. [1] Of steel.", "Of steel."),
    "admonition": ("text/x-rst", ".. admonition:: Rims turn", "Rims turn"),
    "escaped space": ("text/x-rst", "``Rim``\\ s turn", "`Rim`s turn"),
    "lines of verse": ("text/x-rst", "| Rims turn\n| and turn", "Rims turn and turn"),
    "references": ("text/x-rst", "Use psycopg_, or asyncpg__.", "Use psycopg, or asyncpg."),
    "code that ends in an underscore": ("text/x-rst", "``or_`` and `code_`", "`or_` and `code_`"),
    "a name without a role": (
        "text/x-rst",
        "see `~a.Hub`, `.Hub.turn`, `.env`, ``~a``",
        "see `a.Hub`, `Hub.turn`, `.env`, `~a`",
    ),
    "names": ("text/x-rst", "sql.or_ a_b type_(x) key_=1", "sql.or_ a_b type_(x) key_=1"),
    "attributes": ("text/asciidoc", "{hub} of C{plus}{plus}{nbsp}11 and {rim}.", "Hub Server of C++ 11 and rim."),
    "attributes of attributes": ("text/asciidoc", "{rims} turn", "rims of Hub Server turn"),
    "cells": ("text/asciidoc", "|Rims turn", "Rims turn"),
    "braces of a path": ("text/asciidoc", "HEAD@{upstream} and /{index}/doc", "HEAD@{upstream} and /{index}/doc"),
    "number behind an attribute": (
        "text/asciidoc",
        "Rims are gone {hub-pull}12[#12] (issue: {x-issue}3[#3])",
        "Rims are gone",
    ),
    "number of a macro": ("text/asciidoc", "Rims turn pull:456[]", "Rims turn"),
    "macros": (
        "text/asciidoc",
        "link:a.html[The rim^] or xref:b.adoc#c[hub,role=x] kbd:[Ctrl+C] footnote:[A note.] man:git-push[1]",
        "The rim or hub Ctrl+C git-push(1)",
    ),
    "address without words": ("text/asciidoc", "see https://a.example[]", "see https://a.example"),
    "titles of anchors": (
        "text/asciidoc",
        "see <<breaking-2>>, <<rim>>, <<a,that>>",
        "see What breaks in 2.0, Rims are gone, that",
    ),
    "signs": ("text/asciidoc", '"`Rims`" [.small]#turn# ((well)) (((a, b)))[[c]]', "Rims turn well"),
    "label": ("text/asciidoc", "*Impact* +\nRims stop.", "Impact: Rims stop."),
    "Texinfo": ("text/plain", "@code{a@var{b}} turns", "ab turns"),
    "R": ("text/plain", "\\code{spin()} of \\pkg{hub} turns", "spin() of hub turns"),
    "perldoc": ("text/plain", "C<spin> and L<hub> turn", "spin and hub turn"),
    "no typesetting": ("text/markdown", "C<int> and @media{x}", "C<int> and @media{x}"),
}
DOCUMENTS = {
    "text/markdown": MARKDOWN,
    "text/x-rst": REST,
    "text/asciidoc": ASCIIDOC,
    "text/plain": "@item\n\\item a\n=head1 A\n",
}


@pytest.mark.parametrize(("media_type", "written", "said"), SAID.values(), ids=SAID.keys())
def test_what_is_referred_to_is_said(media_type: str, written: str, said: str) -> None:
    assert say_entry(source_words(written, DOCUMENTS[media_type], media_type)) == said


@pytest.mark.parametrize(
    "piece", ["[", "[a", "{{<", "{%", "|a", "|a| ", "<<a", "{a", "a:b[", "((", "`", "\n[a]:", "\n[[a]]\n"]
)
@pytest.mark.parametrize("media_type", DOCUMENTS)
def test_hostile_markup_takes_no_time_that_grows_with_its_square(piece: str, media_type: str) -> None:
    def took(times: int) -> float:
        began = time.process_time()
        source_words(piece * times, piece * times, media_type)
        return time.process_time() - began

    assert min(took(16_000) for _ in range(3)) < 64 * min(took(1_000) for _ in range(3)) + 0.1
