"""What an item says by itself: whether it can be read alone, whether it may be about a vulnerability."""

import re
from itertools import islice

_STATING_WORDS = 4
_WORDS = re.compile(r"[^\W\d_][\w.-]*")
_MONTHS = frozenset("jan feb mar apr may jun jul aug sep oct nov dec".split())
_LEANS_BACK = frozenset(
    "this these it its they them that those he she such both also however instead previously".split()
)
_MONTH_ENDS = "".join(
    rf"(?<!\b{month}\.)"
    for month in ("Jan", "Feb", "Mar", "Apr", "Jun", "Jul", "Aug", "Sep", "Sept", "Oct", "Nov", "Dec")
)
SENTENCE_END = re.compile(
    r"(?:(?<=[.!?])|(?<=[.!?][\"'`)”’*]))(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\bvs\.)(?<!\betc\.)(?<!\bcf\.)(?<!\bv\.)"
    r"(?<!\bNo\.)(?<!\bresp\.)(?<!\bapprox\.)(?<!\bincl\.)(?<!\besp\.)(?<!\bFig\.)(?<!\bSec\.)"
    rf"(?:{_MONTH_ENDS}|(?=\s+\D))\s+(?=[^\W\d_a-z]|[`'\"“(*\[]|--?\w|\d|[a-z]\w*(?:[._(]|(?:-\w+)* v?\d))"
)
"""The white space between two sentences."""
_SPEAKS = re.compile(
    r"secur|vulnerab|exploit|attack|malicious|(?<!dependency )inject|crafted|\b(?:CVE|GHSA|RUSTSEC)\b|\bXSS\b|\bSSRF\b"
    r"|traversal|overflow|denial.of.service|bypass|open.redirect|use.after.free|out.of.bounds",
    re.IGNORECASE,
)


def states_something(words: str) -> bool:
    """Whether an item says something by itself: four words that aren't all a date's, and no question."""
    plain = words.strip().strip("*_ ")
    if plain.endswith("?"):
        return False
    names = (word for word in _WORDS.finditer(plain) if word[0].casefold()[:3] not in _MONTHS)
    return sum(1 for _ in islice(names, _STATING_WORDS)) == _STATING_WORDS


def leans_back(words: str) -> bool:
    """Whether a sentence begins with a word that only what stands before it explains ("It", "This")."""
    first = words.split(maxsplit=1)[:1]
    return bool(first) and first[0].casefold().strip(",.") in _LEANS_BACK


def speaks_of_security(words: str) -> bool:
    """Whether words may be about a vulnerability, whatever it is called: that there is none can't be said of them."""
    return bool(_SPEAKS.search(words))
