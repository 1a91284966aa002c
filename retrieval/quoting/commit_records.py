"""The records of a commit in an entry of a change log: tickets, hashes and authors before or after its words.

An entry is read as a row of signs, one for each word, so that what is a record follows from where it stands.
"""

import re
from functools import lru_cache

from corpus.lexicon import STOP_WORDS

_HASH = r"[0-9a-f]{7,40}"
_TICKET = r"(?:(?<![\w./-])[\w.-]+/[\w./-]+\#|\#|!|\b(?:gh|bpo|pr|issues?)(?:[ -]?\#|[ -]))\d{1,7}(?![.,]?\w)"
_PAGE = r"/(?:pulls?|issues?|commits?|merge_requests|browse)/"
_KEY = r"(?-i:[A-Z][A-Z\d]+-\d{2,6})"
"""An issue of a tracker, where brackets tell it from a standard's name."""
_SIGN = re.compile(
    rf"""(?P<r>
      \[{{1,3}}`?(?:(?:\w+[ ])?{_TICKET}|{_KEY}|{_HASH}|@[\w-]+)`?\]+(?:\([^()\s]*\)|\[[^\]\n]*\])?
    | \[[^\[\]\s]{{0,99}}\]\([^()\s]{{0,300}}{_PAGE}[^()\s]*\)
    | `(?:{_TICKET}\s*<[^>\n]{{1,300}}>`_{{1,2}}|{_HASH}`)
    | :(?!(?:pep|rfc):)[\w-]+:`(?:[^`\n]{{0,99}}\#)?\d{{1,7}}(?:\s*<[^>\n]{{0,300}}>)?`
    | https?://\S{{1,300}}{_PAGE}[\w-]+
    | {_TICKET}
    | \b(?=\d*[a-f])(?=[a-f]*\d){_HASH}(?![\w.]*\w)
    )
    | (?P<a>(?<![\w/])@[\w-]+(?:\[bot\])?(?![/.]?\w)|:user:`[^`\n]*`|`[^`\n]*`_
        |\[(?P<who>[\w-]+)\]\((?:https?://[^/\s()]+/)?(?P=who)/?\))
    | (?P<c>`[^`\n]*`|\[[^\[\]\n]{{0,300}}\](?:\([^()\s]{{0,300}}\)|\[[^\]\n]{{0,99}}\])|https?://\S+)
    | (?P<n>\d{{2,7}}(?![.,]?\w))
    | (?P<b>\b(?:by|thanks)\b)
    | (?P<w>[^\W_](?:[\w'’./+-]*\w)?)
    | (?P<o>\S)""",
    re.IGNORECASE | re.VERBOSE,
)
"""Records, who is named, code and links, numbers, "by", words, and other signs as they are."""
_PEOPLE = r"wb(?-i:W{1,3}(?:s?W{1,3})?)"
_RUN = rf"(?:(?>(?:a[,&]?)*)r(?>(?:[,&]?[ra])*)|bs?[ra](?>(?:[,&s]?[ra])*)|(?<=-)bw|(?<=[.)]){_PEOPLE}|(?<=\.)n)"
_AFTER = re.compile(
    rf"(?>(?:[,;]?(?:[(\[]+(?=[^()\[\]]*[ra])[wsbnra,;:&.-]{{1,14}}[)\]]+|\(n(?:,n)*\)|\({_PEOPLE}\)"
    rf"|(?<=[.,;)-])(?:[ws]{{1,3}}:|s?[ws])?{_RUN}|(?<!s){_RUN})[.!]?)+)(?:(?:\([ws.]{{1,5}}\)|a(?:,?s?a)*)\.?)?$",
    re.IGNORECASE,
)
_BEFORE = re.compile(r"[*+-]*(?:w(?=r\[))?(?>(?:[(\[]*r[)\]]*[,;:&-]*)+)(?:b[ra]!-)?(?:(?<!r)|(?!s))", re.IGNORECASE)
_AUTHOR_AFTER = re.compile(r"\([ws.]{1,5}\)$", re.IGNORECASE)
_ASIDE = re.compile(r"\((?:[ra][,;&]?)+\)")
_LEAST_WORDS = 2
_MOST_SIGNS = 100
"""Of the records after an entry: whatever begins further from its end is part of what it says."""
_ONE_AUTHOR = r"\[?@[\w-]+(?:\]\([^()\s]*\))?"
_AUTHORS = re.compile(rf"\b(?:by|thanks(?: to)?) {_ONE_AUTHOR}(?:(?:,| and|, and) {_ONE_AUTHOR})*")


# What breaks and what is new look at the same entry several times in one answer.
@lru_cache(maxsize=4096)
def without_records(words: str) -> str:
    """An entry's words, as written or made readable, without tickets, hashes and authors around them and in
    parentheses; as they are where hardly a word would be left."""
    signs = list(_SIGN.finditer(words))
    row = "".join(map(_sign, signs))
    before = _BEFORE.match(row)
    first = before.end() if before else 0
    # Only lists of commits close with a bare name in parentheses; elsewhere it may be "(Windows)".
    after = _AFTER.search(row, max(first, len(row) - _MOST_SIGNS)) or (
        _AUTHOR_AFTER.search(row, first) if row[:first].endswith("r") else None
    )
    last = after.start() if after else len(row)
    if row.count("c", first, last) == 0 and row.casefold().count("w", first, last) < _LEAST_WORDS:
        return words
    at = signs[first].start()
    end = signs[last].start() if after else len(words)
    said = ""
    for aside in _ASIDE.finditer(row, first, last):
        said += words[at : signs[aside.start()].start()].rstrip()
        at = signs[aside.end() - 1].end()
        # A title over its paragraph, which only the tickets kept apart.
        following = words[at:].lstrip()
        said += "." * (words[at : at + 1] == "\n" and following[:1].isupper() and said[-1:].isalnum())
    said += words[at:end]
    if not after:
        return said
    said = said.rstrip(" \n,;:-–—")
    return f"{said}." if words.rstrip().endswith(".") and said[-1] not in ".!?" else said


def _sign(found: re.Match[str]) -> str:
    """One letter for a word; another parenthesis than an aside's for that of a call ("numeric(19,4)")."""
    if found.lastgroup == "w" and found[0].casefold() in STOP_WORDS:
        return "s"
    if found.lastgroup != "o":
        # A name in a link is no group of its own.
        sign = "a" if found.lastgroup == "who" else found.lastgroup or ""
        return "W" if sign == "w" and found[0][0].isupper() else sign
    is_call = found[0] == "(" and found.start() > 0 and found.string[found.start() - 1].isalnum()
    return "{" if is_call else "-" if found[0] in "–—" else found[0]


def without_authors(words: str) -> str:
    """`words` without those who are named after "by" with an at sign, whose names may look like code."""
    return _AUTHORS.sub(" ", words)


def is_commit(symbol: str) -> bool:
    """Whether what looks like a name of code is a commit's hash."""
    return bool(re.fullmatch(_HASH, symbol)) and any(c.isdigit() for c in symbol)
