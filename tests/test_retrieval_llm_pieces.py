"""Words that a model says stand in a passage: looked up, and told as whole sentences."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from property_examples import examples
from ui_small_index import ingest

from corpus.embedding import Embedder
from corpus.index.reader import IndexReader
from corpus.index.stored import StoredPassage
from retrieval.llm.pieces import locate
from retrieval.quoting.quotes import MAX_QUOTE_CHARACTERS, Quote

NOTES = """\
# Lamp 2.0

The lamp glows twice as bright. It needs 40 watts for that, e.g. Two old bulbs' worth. Cold rooms – those below
5 degrees – are “not supported”.

## Removed

The following are gone:

- `lamp.dim()`. Use `lamp.fade()` in its place. It takes seconds.
- The `--flicker` option

| Old | New |
| --- | --- |
| `lamp.on` | `lamp.switch(True)` |
| `lamp.off` | `lamp.switch(False)` |

## Example

```python
lamp = Lamp()
lamp.fade(3)  # seconds
```
"""


@pytest.fixture(scope="module")
def index(default_embedder: Embedder, tmp_path_factory: pytest.TempPathFactory) -> IndexReader:
    folder = tmp_path_factory.mktemp("pieces")
    (folder / "lamp.md").write_text(NOTES, encoding="utf-8")
    assert not ingest(folder / "lamp.md", index=folder / "index", embedder=default_embedder).failed
    return IndexReader.open(folder / "index")


def passages(index: IndexReader) -> tuple[StoredPassage, ...]:
    return tuple(index.load_passages(list(range(len(index.passages.ids)))))


def look_up(index: IndexReader, words: str) -> Quote | None:
    found = (locate(words, passage, index.text_of(passage)) for passage in passages(index))
    return next((quote for quote in found if quote is not None), None)


TOLD = {
    "a sentence": ("The lamp glows twice as bright.", "The lamp glows twice as bright."),
    "a part of one": ("glows twice", "The lamp glows twice as bright."),
    "one with an abbreviation": ("It needs 40", "It needs 40 watts for that, e.g. Two old bulbs' worth."),
    "typographic signs and line ends": (
        'those below 5 degrees - are "not supported"',
        "Cold rooms – those below\n5 degrees – are “not supported”.",
    ),
    "a sentence of an entry": ("Use `lamp.fade()` in", "Use `lamp.fade()` in its place."),
    "one of an entry that leans on the one before": (
        "takes seconds",
        "Use `lamp.fade()` in its place. It takes seconds.",
    ),
    "an entry": ("`--flicker`", "- The `--flicker` option"),
    "a row": ("| `lamp.off` | `lamp.switch(False)` |", "| `lamp.off` | `lamp.switch(False)` |"),
    "a line of code": ("lamp.fade(3)", "lamp.fade(3)  # seconds"),
}


@pytest.mark.parametrize(("words", "told"), TOLD.values(), ids=TOLD.keys())
def test_words_are_told_as_whole_sentences(index: IndexReader, words: str, told: str) -> None:
    quote = look_up(index, words)
    assert quote is not None
    assert quote.core.slice(NOTES) == told


@pytest.mark.parametrize(
    "words",
    ["", " ", "…", "- ", "The lamp glows thrice as bright.", "glows bright", "THE LAMP", "lamp.dim() was removed"],
)
def test_what_does_not_stand_there_is_not_told(index: IndexReader, words: str) -> None:
    assert look_up(index, words) is None


@pytest.mark.parametrize(
    ("words", "begins"),
    [("The `--flicker` option", "The following are gone:"), ("It needs 40 watts", "The lamp glows twice as bright.")],
    ids=["the line that a list stands under", "the sentence before"],
)
def test_it_is_quoted_with_what_it_cannot_be_read_without(index: IndexReader, words: str, begins: str) -> None:
    quote = look_up(index, words)
    assert quote is not None
    assert quote.span.slice(NOTES).startswith(begins)


@examples(200)
@given(data=st.data())
def test_all_of_what_is_looked_up_is_told(index: IndexReader, data: st.DataObject) -> None:
    passage = data.draw(st.sampled_from(passages(index)))
    item = data.draw(st.sampled_from(passage.items))
    start = data.draw(st.integers(item.span.start, item.span.end - 1))
    words = NOTES[start : data.draw(st.integers(start + 1, item.span.end))].strip()
    quote = locate(words, passage, NOTES)
    assert quote is not None or not any(map(str.isalnum, words))
    if quote is not None:
        assert passage.span.holds(quote.span)
        assert quote.span.holds(quote.core)
        assert len(quote.span) <= MAX_QUOTE_CHARACTERS
        assert " ".join(words.split()) in " ".join(quote.core.slice(NOTES).split())
