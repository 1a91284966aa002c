"""Statements that name the version of a change: "Added in: v13.9.0", `versionadded:: 3.2`, "Deprecated since 2.10".

Reference pages put them below the heading of the thing added, so the heading belongs to the statement. In release notes
such words refer to an earlier release; the notes' own changes belong to the notes' release.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from corpus.index.reader import IndexReader
from corpus.index.release_matching import is_page
from corpus.lexicon import split_tokens
from corpus.model import Act
from corpus.version_mentions import find_versions
from corpus.versions import Version
from retrieval.question.token_weights import TokenWeights
from retrieval.quoting.quotes import ItemScore

_LINK = r"(?:_in)?\s*(?:(?:[:=-]|in|since|as of|with|from|version|release)\s*)*"
_VERSION = r"v?\d+(?:\.\d+)*(?![\w%])"
_FIRST = (Act.REMOVED, Act.DEPRECATED, Act.ADDED, Act.CHANGED)
_ACTS = {act.value: act for act in _FIRST} | {"introduced": Act.ADDED, "new": Act.ADDED}
_STATED = re.compile(
    rf"(?:\b(?:version)?(?P<word>{'|'.join(_ACTS)}){_LINK}|^\W*version\s*:[\s-]*){_VERSION}", re.IGNORECASE
)
_MIN_COVERAGE = 0.75  # Chosen by hand, never fitted.


@dataclass(frozen=True, slots=True)
class VersionStatement:
    """An item that states in which version its subject was added, changed, deprecated or removed."""

    scored: ItemScore
    act: Act
    version: Version
    coverage: float  # The share of the question's subject that the statement and its headings name, 0 to 1.


def read_statement(words: str) -> tuple[Act, Version] | None:
    """Return the act and the version that a text states together ("Added in v3.2"), or None."""
    # A bare "version: 3.2" states a change.
    stated = [(_ACTS[(match["word"] or "changed").casefold()], match[0]) for match in _STATED.finditer(words)]
    for act, written in sorted(stated, key=lambda statement: _FIRST.index(statement[0])):
        mentions = find_versions(written, names=("", "in", "since"))
        number = re.search(_VERSION, written)
        version = mentions[0].version if mentions else Version.try_parse(number.group()) if number else None
        if version is not None:
            return act, version
    return None


def find_statements(
    scored: Sequence[ItemScore], subject: TokenWeights, index: IndexReader
) -> tuple[VersionStatement, ...]:
    """Return the version statements about the subject among items: those that cover most of it, best first."""
    ranked = sorted(_statements(scored, subject, index), key=lambda statement: -statement.coverage)
    return tuple(each for each in ranked if each.coverage >= max(_MIN_COVERAGE, 0.95 * ranked[0].coverage))


def _statements(scored: Sequence[ItemScore], subject: TokenWeights, index: IndexReader) -> Iterator[VersionStatement]:
    """Yield the version statements among items of reference pages and of documents without a release."""
    for item in scored:
        passage = item.hit.passage
        if passage.release is not None and not is_page(passage):
            continue
        text = index.text_of(passage)
        words = item.item.span.slice(text)
        stated = read_statement(words) if len(words) <= 400 else None
        if stated is not None:
            titles = (title.partition("(")[0] or title for title in passage.heading)
            yield VersionStatement(item, *stated, subject.coverage(frozenset(split_tokens(" ".join((words, *titles))))))
