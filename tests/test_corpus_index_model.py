"""The index against a plain dictionary: whatever is done to it in whatever order, it holds what the dictionary holds.

Documents are put, replaced, removed and renamed, commits break off half-way, files are lost and made anew, the whole
is rebuilt; after each step the index is read as a reader would and compared with one built at once from the
dictionary: the same texts, passages, vectors and scores, and no fault.
"""

import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from property_examples import examples
from small_corpus import STAMP, encoded, parsed

from corpus.index import commit, deriving
from corpus.index.commit import EncodedDocument, commit_changes, remove_documents
from corpus.index.layout import write_lock
from corpus.index.reader import IndexReader
from corpus.index.repair import restore_derived, verify_index
from corpus.stores.protocol import PassageFilter

WORDS = ("lever", "crank", "wheel", "sprocket", "v1.2.3", "`a.b()`", "ünï", "gear\u0301", "𝟘", "lever lever")
SOURCES = st.sampled_from([f"{name}.md" for name in ("a", "b", "c", "d/e", "ü")])
TEXTS = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join), min_size=1, max_size=4).map(
    "\n\n".join
)
BREAKING = st.sampled_from(["write_item_vectors", "write_manifest", "write_derived"])
"""Steps of a commit, at each of which it may break off."""


class BrokenOffError(BaseException):
    """A writer that ends in the middle."""


class IndexModel(RuleBasedStateMachine):
    """An index and the dictionary from source to text that it must be like."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="index-model-"))
        self.index = self.folder / "index"
        self.held: dict[str, str] = {}
        self.generation = 0

    @initialize(held=st.dictionaries(SOURCES, TEXTS, max_size=3))
    def begin(self, held: dict[str, str]) -> None:
        self._commit(held, fresh=True)

    @rule(given=st.dictionaries(SOURCES, TEXTS, min_size=1, max_size=3))
    def put(self, given: dict[str, str]) -> None:
        self._commit(given)

    @rule(source=SOURCES)
    def remove(self, source: str) -> None:
        if source in self.held:
            assert remove_documents(self.index, ids=[self._ids()[source]]) == 1
            del self.held[source]
            self.generation += 1

    @precondition(lambda self: self.held)
    @rule(source=SOURCES, name=SOURCES)
    def rename(self, source: str, name: str) -> None:
        """What a folder that is read again does with a file of another name: one goes, the other comes."""
        if source in self.held and name != source:
            text = self.held[source]
            self._commit({name: text}, gone=[source])

    @rule(given=st.dictionaries(SOURCES, TEXTS, min_size=1, max_size=3), step=BREAKING)
    def break_off(self, given: dict[str, str], step: str) -> None:
        """Nothing of it is there afterwards."""
        with _breaking(step):
            try:
                self._commit(given)
            except BrokenOffError:
                return
        raise AssertionError(f"{step} isn't a step of a commit")

    @rule()
    def lose_derived(self) -> None:
        """The files that searching needs are made anew from the tables."""
        for path in (*self.index.glob("vectors-*"), *self.index.glob("columns-*")):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        with write_lock(self.index):
            assert restore_derived(self.index)
            assert not restore_derived(self.index)
        self.generation += 1

    @rule()
    def rebuild(self) -> None:
        self._commit(dict(self.held), fresh=True)

    @invariant()
    def is_like_the_dictionary(self) -> None:
        if not self.index.exists():
            return
        with tempfile.TemporaryDirectory() as made, IndexReader.open(self.index, model=STAMP) as reader:
            assert {one.source: reader.document_text(one.id) for one in reader.documents} == self.held
            assert reader.manifest.documents == len(self.held)
            assert reader.manifest.generation == self.generation
            at_once = Path(made) / "index"
            with write_lock(at_once):
                commit_changes(at_once, model=STAMP, add=_documents(self.held), fresh=True)
            with IndexReader.open(at_once, model=STAMP) as other:
                assert _content(reader) == _content(other)
                for word in WORDS:
                    assert _found(reader, word) == _found(other, word)
        assert verify_index(self.index) == ()
        assert not [path.name for path in self.index.iterdir() if path.name.startswith("draft")]

    def teardown(self) -> None:
        shutil.rmtree(self.folder)

    def _commit(self, given: dict[str, str], *, gone: tuple[str, ...] | list[str] = (), fresh: bool = False) -> None:
        held = self._ids() if not fresh else {}
        out = [held[source] for source in (*given, *gone) if source in held]
        with write_lock(self.index):
            commit_changes(self.index, model=STAMP, remove=out, add=_documents(given), fresh=fresh)
        if fresh:
            self.held.clear()
        for source in gone:
            del self.held[source]
        self.held |= given
        self.generation += 1

    def _ids(self) -> dict[str, int]:
        with IndexReader.open(self.index, model=STAMP) as reader:
            return {one.source: one.id for one in reader.documents}


def _documents(held: dict[str, str]) -> Iterator[EncodedDocument]:
    for source in sorted(held):
        product = "gizmo" if source < "c" else "other"
        yield encoded(parsed(held[source], source=source, product=product))


@contextmanager
def _breaking(step: str) -> Iterator[None]:
    def end(*_: object, **__: object) -> None:
        raise BrokenOffError

    with patch.object(deriving if hasattr(deriving, step) else commit, step, end):
        yield


def _content(reader: IndexReader) -> list[tuple[object, ...]]:
    """Passages with all that searching and quoting use, whatever their order and ids."""
    positions = range(len(reader.passages.ids))
    vectors = reader.load_vectors(positions)
    return sorted(
        (
            one.document.source,
            one.span.start,
            one.span.end,
            reader.text_of(one),
            one.release,
            one.document.product,
            str([(item.span.start, item.span.end) for item in one.items]),
            np.round(vectors[one.position], 5).tobytes(),
        )
        for one in reader.load_passages(positions)
    )


def _found(reader: IndexReader, word: str) -> list[tuple[str, int, float]]:
    """What exact words find, best first, within one product and without: the same scores whatever came before."""
    tokens = encoded(parsed(word)).tokens[0].split()
    everywhere = PassageFilter()
    found = []
    for wanted in (everywhere, *(PassageFilter(products=(place,)) for place in range(len(reader.products)))):
        scored = reader.store.lexical_scores(Counter(tokens), wanted)
        for one, score in zip(reader.load_passages(scored.positions.tolist()), scored.scores.tolist(), strict=True):
            assert wanted is everywhere or reader.products[wanted.products[0]].is_called(one.document.product)
            found.append((one.document.source, one.span.start, round(score, 4)))
    return sorted(found)


IndexModel.TestCase.settings = settings(examples(4), stateful_step_count=8)
TestIndexIsLikeADictionary = IndexModel.TestCase
