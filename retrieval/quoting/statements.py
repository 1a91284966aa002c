"""Statements that name the version of a change: "Added in: v13.9.0", `versionadded:: 3.2`, "Deprecated since 2.10".

Reference pages put them below the heading of the thing added, so the heading belongs to the statement. In release notes
such words refer to an earlier release; the notes' own changes belong to the notes' release.
"""

import re

from corpus.model import Act
from corpus.version_mentions import find_versions
from corpus.versions import Version

_LINK = r"(?:_in)?\s*(?:(?:[:=-]|in|since|as of|with|from|version|release)\s*)*"
_VERSION = r"v?\d+(?:\.\d+)*(?![\w%])"
_FIRST = (Act.REMOVED, Act.DEPRECATED, Act.ADDED, Act.CHANGED)
_ACTS = {act.value: act for act in _FIRST} | {"introduced": Act.ADDED, "new": Act.ADDED}
_STATED = re.compile(
    rf"(?:\b(?:version)?(?P<word>{'|'.join(_ACTS)}){_LINK}|^\W*version\s*:[\s-]*){_VERSION}", re.IGNORECASE
)


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
