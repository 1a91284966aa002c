"""What a range of a document refers to stands in its place: links, substitutions, attributes and macros of a format."""

import time

import pytest
from case_files import read_rows

from corpus import entry_words
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
DOCUMENTS = {
    "text/markdown": MARKDOWN,
    "text/x-rst": REST,
    "text/asciidoc": ASCIIDOC,
    "text/plain": "@item\n\\item a\n",
}


@pytest.mark.parametrize(("media_type", "written", "said"), read_rows("corpus-what-is-referred-to-is-said"))
def test_what_is_referred_to_is_said(media_type: str, written: str, said: str) -> None:
    assert entry_words.said(source_words(written, DOCUMENTS[media_type], media_type)) == said


@pytest.mark.parametrize(
    "piece", ["[", "[a", "{{<", "{%", "|a", "|a| ", "<<a", "{a", "a:b[", "((", "`", "\n[a]:", "\n[[a]]\n", "C<< "]
)
@pytest.mark.parametrize("media_type", DOCUMENTS)
def test_hostile_markup_takes_no_time_that_grows_with_its_square(piece: str, media_type: str) -> None:
    def took(times: int) -> float:
        began = time.process_time()
        source_words(piece * times, piece * times, media_type)
        return time.process_time() - began

    assert min(took(16_000) for _ in range(3)) < 64 * min(took(1_000) for _ in range(3)) + 0.1
