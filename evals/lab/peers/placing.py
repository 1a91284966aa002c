"""Where a passage that a peer returned stands in its document."""

from collections.abc import Sequence

from corpus.model import Span
from evals.lab.peers.libraries import PeerPassage, SourceText
from evals.matching import squash


class Places:
    """Finds returned passages in `sources`, the documents that the peers were given."""

    def __init__(self, sources: Sequence[SourceText]) -> None:
        self.sources = tuple(sources)
        self._texts = {source.path: source.text for source in sources}

    def place(self, found: PeerPassage) -> Span | None:
        """The passage's range in its document, None where its words aren't there.

        An offset that the library keeps counts when the document has the passage there. Else the first occurrence
        is taken, white space and typography aside: gold that recurs in a file is accepted at each of its places,
        so a passage that recurs is graded alike at all of its own.
        """
        text = self._texts.get(found.path)
        if text is None or not found.text.strip():
            return None
        if found.start is not None and text.startswith(found.text, found.start):
            return Span(found.start, found.start + len(found.text))
        start = text.find(found.text)
        return Span(start, start + len(found.text)) if start >= 0 else _place_squashed(found.text, text)


def _place_squashed(passage: str, text: str) -> Span | None:
    document, sought = squash(text), squash(passage).text
    first = document.text.find(sought)
    if first < 0 or not sought:
        return None
    return Span(document.positions[first], document.positions[first + len(sought) - 1] + 1)
