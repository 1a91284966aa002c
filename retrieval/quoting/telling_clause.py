"""What of an entry's words tells its change: whole sentences as far as they fit, without the records at their ends."""

import re

from retrieval.drafting import shorten
from retrieval.quoting.commit_records import without_records

_COMMIT_TYPE = re.compile(
    r"(?:feat|fix|chore|refactor|perf|docs|build|ci|test|style)(?:\((?P<scope>[^()\s]+)\))?!?:\s+"
)
_SENTENCE_ENDS = re.compile(r"(?<![.\s]\w)(?<!\bvs)[.!?](?=\s+[^\sa-z])")
_CLAUSE_ENDS = re.compile(r"[;:,](?=\s)|\s(?=[(–—])")
_LEAST_SHARE = 0.4
"""A clause that holds less of what fits says too little."""


def telling_clause(words: str, *, max_characters: int) -> str:
    """The first sentences that fit; of a longer one its first clauses, and an ellipsis. Never empty where `words`
    aren't."""
    said = said_words(words)
    if len(said) <= max_characters:
        return said
    ends = [at for found in _SENTENCE_ENDS.finditer(said, 0, max_characters) if _is_whole(said[: (at := found.end())])]
    if ends and ends[-1] >= _LEAST_SHARE * max_characters:
        return said[: ends[-1]]
    ends = [found.start() for found in _CLAUSE_ENDS.finditer(said, 0, max_characters)]
    cut = said[: ends[-1]] if ends and ends[-1] >= _LEAST_SHARE * max_characters else ""
    is_whole = _is_whole(cut) and cut.count("(") == cut.count(")")
    return f"{cut} …" if cut and is_whole else shorten(said, max_characters=max_characters)


def _is_whole(cut: str) -> bool:
    return cut.count("`") % 2 == 0


def said_words(words: str) -> str:
    """An entry's words without tickets, commits, authors and the commit's type around them; never empty where `words`
    aren't."""
    said = without_records(words).strip()
    if found := _COMMIT_TYPE.match(said):
        return (f"{found['scope']}: " if found["scope"] else "") + without_records(said[found.end() :])
    return said
