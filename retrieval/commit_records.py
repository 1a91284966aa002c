"""The records of a commit in an entry of a generated changelog: its hash before or after the words, and who wrote it.

They are no part of what the entry says, nor names of code.
"""

import re

_HASH = r"[0-9a-f]{7,40}"
_LINK = r"(?:\([^()\s]*\))"
_THANKS = r"(?:Thanks\s[^!\n]{1,200}!\s+-\s+)?"
_TICKET = rf"(?:\[?#\d{{1,6}}\]?{_LINK}?\s+)?"
_BEFORE = re.compile(
    rf"\W{{0,4}}{_TICKET}(?:\[{{1,2}}`?{_HASH}`?\]{_LINK}?\]?|`{_HASH}`|(?=\d*[a-f])(?=[a-f]*\d){_HASH}(?![\w.])"
    r"|\d{7,40}(?=\s\w+(?:\([^()]*\))?!?:))"
    rf"(?:\s*[:\u2013\u2014-])?\s+{_THANKS}(?=\S)"
)
_AFTER = re.compile(
    rf"(?:\s?(?:\(\s*(?:\[`?{_HASH}`?\]{_LINK}?|`?(?=\d*[a-f])(?=[a-f]*\d){_HASH}`?)\s*\)"
    r"|\(?(?:\bby|\bthanks(?: to)?)\s\[?@[\w-]+\]?(?:\([^()\s]*\))?!?\)?(?:\s+in\s+(?:https?://\S+|\[?#\d+\]?\S*))?"
    r"))+\.?\s?$",
    re.IGNORECASE,
)
_AUTHOR = re.compile(r"\s?\([^\W\d_a-z][^()`\d:]{1,40}\)\s*$")
_ONE_AUTHOR = r"\[?@[\w-]+(?:\]\([^()\s]*\))?"
_AUTHORS = re.compile(rf"\b(?:by|thanks(?: to)?) {_ONE_AUTHOR}(?:(?:,| and|, and) {_ONE_AUTHOR})*")


def without_commit(words: str) -> str:
    """An entry's words, as written or made readable, without its commit's hash and author; never empty where `words`
    aren't."""
    said = _BEFORE.sub("", words, count=1) if (found := _BEFORE.match(words)) else words
    if found:
        # Only lists of commits close with a bare name in parentheses; elsewhere it may be "(Windows)".
        said = _AUTHOR.sub("", said)
    said = _AFTER.sub("", said)
    return said if any(c.isalpha() for c in said) else words


def without_authors(words: str) -> str:
    """`words` without those who are named after "by" with an at sign, whose names may look like code."""
    return _AUTHORS.sub(" ", words)


def is_commit(symbol: str) -> bool:
    """Whether what looks like a name of code is a commit's hash."""
    return bool(re.fullmatch(_HASH, symbol)) and any(c.isdigit() for c in symbol)
