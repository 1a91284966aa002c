"""What of an entry's words tells its change: without the records at their ends, in whole sentences as far as they fit.

Only what an answer says is shortened so; quotes aren't touched.
"""

import re

from retrieval.drafting import shorten

_RECORD = re.compile(
    r"\W*(?:(?:#|gh-|bpo-|PR-|!)\d+|@\w[\w-]*|https?://\S+|(?=\d*[a-f])[0-9a-f]{7,40})\W*", re.IGNORECASE
)
"""A ticket, an address, a commit or who made it."""
_BESIDE_RECORDS = frozenset(
    "by in and to see ref refs fixes fixed closes issue issues pr via thanks patch reported from github context".split()
)
_COMMIT_TYPE = re.compile(
    r"(?:feat|fix|chore|refactor|perf|docs|build|ci|test|style)(?:\((?P<scope>[^()\s]+)\))?!?:\s+"
)
_SENTENCE_ENDS = re.compile(r"(?<![.\s]\w)(?<!\bvs)[.!?](?=\s+[^\sa-z])")
_CLAUSE_ENDS = re.compile(r"[;:,](?=\s)|\s(?=[(–—])")
_NAME_WORDS = 2
_LEAST_SHARE = 0.4
"""A clause that holds less of what fits says too little."""


def telling_clause(words: str, *, max_characters: int) -> str:
    """The first sentences that fit; of a longer one its first clauses, and an ellipsis. Never empty where `words`
    aren't."""
    said = without_records(words)
    if len(said) <= max_characters:
        return said
    ends = [found.end() for found in _SENTENCE_ENDS.finditer(said, 0, max_characters)]
    if ends and ends[-1] >= _LEAST_SHARE * max_characters:
        return said[: ends[-1]]
    ends = [found.start() for found in _CLAUSE_ENDS.finditer(said, 0, max_characters)]
    cut = said[: ends[-1]] if ends and ends[-1] >= _LEAST_SHARE * max_characters else ""
    # What opens a code span or an aside is cut with it.
    whole = cut.count("`") % 2 == 0 and cut.count("(") == cut.count(")")
    return f"{cut} …" if cut and whole else shorten(said, max_characters=max_characters)


def without_records(words: str) -> str:
    """An entry's words without tickets, commits and authors at both ends; never empty where `words` aren't."""
    said = words.strip()
    kind, _, rest = said.partition(" ")
    # "bug #58198 ..." of a generated list, whose entries close with who made them.
    is_listed = bool(_RECORD.fullmatch(rest.partition(" ")[0])) and kind.islower()
    said = rest if is_listed else said
    while _RECORD.fullmatch(said.partition(" ")[0]) and " " in said and not said.startswith("@"):
        said = said.partition(" ")[2].lstrip(":-– ")
        is_listed = True
    said = _COMMIT_TYPE.sub(lambda found: f"{found['scope']}: " if found["scope"] else "", said, count=1)
    while (shorter := _without_last(said, is_listed=is_listed)) != said:
        said = shorter
    ends = [found.end() for found in _SENTENCE_ENDS.finditer(said)]
    if ends and _are_records(said[ends[-1] :].rstrip(".:").split()):
        said = said[: ends[-1]]
    return said if any(map(str.isalpha, said)) else words


def _without_last(said: str, *, is_listed: bool) -> str:
    """Without the record that closes it, bare or in parentheses."""
    bare = said.rstrip(". ")
    opened = bare.rfind(" (")
    if bare.endswith(")") and opened > 0:
        inner = bare[opened + 2 : -1].replace(",", " ").split()
        is_author = len(inner) <= _NAME_WORDS and (
            is_listed or _without_last(bare[:opened], is_listed=False) != bare[:opened]
        )
        return bare[:opened] if _are_records(inner) or is_author else said
    before, _, last = bare.rpartition(" ")
    is_ticket = last.isdecimal() and before.endswith(".")
    if before and (_RECORD.fullmatch(last) or is_ticket):
        while before.rpartition(" ")[2].casefold() in _BESIDE_RECORDS:
            before = before.rpartition(" ")[0]
        return before.rstrip(" ,;(")
    return said


def _are_records(inner: list[str]) -> bool:
    """Whether words in parentheses are only records: tickets, and who reported or wrote it."""
    records = [bool(_RECORD.fullmatch(word)) for word in inner]
    beside = [word.casefold() in _BESIDE_RECORDS for word in inner]
    names = [word.isdecimal() or word[:1].isupper() for word in inner]
    is_told = any(records) or any(beside[:1])
    return is_told and all(map(any, zip(records, beside, names, strict=True)))
