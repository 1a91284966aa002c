"""Whether an item can be read alone, may be about a vulnerability, or reports a vulnerability fixed in its release: the
only test of that, for answers, upgrades and offers."""

import re
from itertools import islice

from corpus.plain_words import one_line, without_names
from corpus.symbols import ADVISORY

_BARE_NAME = re.compile(
    r"(?:[-*+•]\s+)?(?:[`*]*+(?=\S*[`/._:])[^\s`*]{1,200}[^\s`*.:][`*]*|\*\*[a-z][^\s`*:]{1,60}\*\*:?)"
)
_STATING_WORDS = 4  # Chosen by hand, never fitted.
_WORDS = re.compile(r"[^\W\d_][\w.-]*")
_MONTHS = frozenset("jan feb mar apr may jun jul aug sep oct nov dec".split())
_LEANS_BACK = re.compile(
    r"\W*(?:(?:\w+ )?(?:this|these)\b(?![.(]| (?:release|version)\b)"
    r"|(?:its?|they|them|that|those|he|she|such|both|also|however|instead|previously)\b)",
    re.IGNORECASE,
)
_MONTH_ENDS = "".join(rf"(?<!\b{month.title()}\.)" for month in (*sorted(_MONTHS), "sept"))
_NO_END = "".join(rf"(?<!\b{word}\.)" for word in r"e\.g i\.e vs etc cf v No resp approx incl esp Fig Sec".split())
SENTENCE_END = re.compile(
    rf"(?:(?<=[.!?])|(?<=[.!?][\"'`)”’*])){_NO_END}(?:{_MONTH_ENDS}|(?=\s+\D))\s+"
    r"(?=[^\W\d_a-z]|[`'\"“(*\[]|--?\w|\d|[a-z]\w*(?:[._(]|(?:-\w+)* v?\d))"
)
"""The white space between two sentences."""
_SECURITY_WORDS = re.compile(
    r"secur|vulnerab|\bCVEs?\b|exploit|attack|malicious|(?<!dependency )inject|crafted|cross.site|\bXSS\b|\bSSRF\b"
    r"|traversal|overflow|denial.of.service|bypass|open.redirect|use.after.free|out.of.bounds",
    re.IGNORECASE,
)
_ADVICE = re.compile(
    r"\W*+(?:(?:see|refer to|make sure|remember to|check out|configure|please)\b(?!-)"
    r"|(?:read|visit|review|follow|consult) (?:the|our|this|these)\b|consider \w+ing\b"
    r"|(?:we|users|you) (?:\w+ )?(?:recommend|advise|suggest|should)\b)"
    r"|[^.]*\b(?:is|are)(?: strongly)? (?:not recommended|recommended|encouraged|discouraged)\b"
    r"|\W*(?:\S+ ){0,2}?(?:alpha|beta|rc|release candidate|preview|version|v?\d[\w.]*)\b[^.]{0,30}?\b(?:is|are) "
    r"(?:now )?(?:available|out|released)\b",
    re.IGNORECASE,
)
_TAKEN_BACK = re.compile(r"\b(?:revert|retract|revok|yank|withdr)|\bnothing\b", re.IGNORECASE)
_DENIED = re.compile(
    r"(?:\b(?:not?|never|none|nor|without|cannot|fail(?:s|ed)?(?= to))|n['’]t)\b(?:\s+[\w-]+){0,3}?"
    r"\s+(?:security|vulnerab\w+|fix\w*|resolv\w+)",
    re.IGNORECASE,
)
"""A vulnerability or its fix, at most three words after a negation."""


def is_statement(words: str) -> bool:
    """Return whether an item states something: no question, with four words that don't begin like a month ("Jan")."""
    plain = words.strip().strip("*_ ")
    if plain.endswith("?"):
        return False
    names = (word for word in _WORDS.finditer(plain) if word[0].casefold()[:3] not in _MONTHS)
    return sum(1 for _ in islice(names, _STATING_WORDS)) == _STATING_WORDS


def is_bare_name(words: str) -> bool:
    """Return whether words are only a name of a file or of code, which often introduces a list of changes to it."""
    return bool(_BARE_NAME.fullmatch(words.strip()))


def leans_back(words: str) -> bool:
    """Return whether a sentence begins with a word that refers to the one before it ("It", "Use this"), except for
    "This release" and "This version"."""
    return bool(_LEANS_BACK.match(words))


def is_advice(words: str) -> bool:
    """Return whether words begin as advice, a pointer to look elsewhere, or the news that a release is out."""
    return bool(_ADVICE.match(without_names(words)))


def speaks_of_security(words: str) -> bool:
    """Return whether words mention security in any way: no answer may claim that they concern no vulnerability."""
    return bool(_SECURITY_WORDS.search(words) or ADVISORY.search(words))


def unsecured(words: str) -> bool:
    """Return whether words revert or deny a security fix: in doubt, no answer advises to upgrade for it."""
    # "No longer vulnerable" reports a fix; "Windows users are not affected" denies none.
    plain = one_line(without_names(words)).casefold().replace("no longer", "")
    return bool(_TAKEN_BACK.search(plain) or _DENIED.search(plain))
