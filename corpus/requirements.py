"""Reads an entry about versions of a runtime or library: a minimum, an end of support, or support."""

import re

from corpus.versions import Version

LEAST = r"\b(?:min|oldest|lowest|msrv)"
FLOOR = re.compile(rf"{LEAST}|\b(?:need|requir|at least)|>=|\d\+|\b(?:or|and) (?:above|newer|later|higher)", re.I)
DROPS = re.compile(
    r"(?i)\b(?:(?<!\d )drop|dropped(?! \w{5})|remov|end(?:s|ed|ing)?\b|discontinu|no longer|not\b|unsupported|without)"
)
BACKS = re.compile(r"\b(?:support|compat|official|add|announc|declar|run|work|updat|upgrad)", re.I)
GONE = re.compile(r"(?:support )?(?:(?:has|have|was|were|is|are) )?(?:been |now )?(?:dropped|removed)", re.I)
_ALL = re.compile(r"\bsupport(?:s|ed)\b|\bofficial|\bworks\b|compatib", re.I)  # An added version isn't the whole range.
UPSTREAM = re.compile(r"\bupstream\b[^.;]*\bend", re.I)  # Support that ended in another project.
_BELOW = re.compile(r"<|\b(?:below|before|under|than|(?:and|or) (?:older|earlier|lower|prior))\b", re.I)
ASIDE = re.compile(
    r"\b(?!support|compat|end )\w+ (?:for|of|from|on)\b|\b(?:in|under|when|using|from)\s*$|\b(?:until|which)\b", re.I
)
_CLAUSES = re.compile(r"[.;:]\s+|,\s+(?![v\d]|and \d)")
_NUMBER = re.compile(r"(?<![\w.])v?(\d+(?:\.\d+)*)")
_COUNT = r"\d+(?:\.\d+)*(?:\.x)?\+?(?:\s*(?:,|/|&|and|or|to|through|-|\u2013))*\s*"
NUMBERS = rf"(?:\b[^\d;#]{{0,40}}?\b(?:from {_COUNT})?[vr]?(?<![\s\"'`]-)|(?=\d))({_COUNT}(?:[<>=~^\s]*\bv?{_COUNT})*)"


def decide_support(words: str, names: str, number: Version, *, is_required: bool) -> tuple[bool, bool | None]:
    """Return (whether an entry decides, its verdict) on support for version `number` of the thing that `names` matches.
    None is a yes only implied by a minimum (read if `is_required`) or by the end of lower versions."""
    for clause in _CLAUSES.split(words):
        match = re.search(names + NUMBERS, clause, re.I)
        versions = [Version.parse(version) for version in _NUMBER.findall(match[1])] if match else []
        if not match or not versions:
            continue
        low, high = min(versions), max(versions)
        is_named = any(number.release[: len(version.release)] == version.release for version in versions)
        is_near = any(version.release[: len(number.release)] == number.release for version in versions)
        if DROPS.search(clause):
            is_over = is_named or (_BELOW.search(clause) and number < high and not is_near)
            if (is_over or high < number) and not ASIDE.search(clause[: match.start()]):
                return True, False if is_over else None
        elif is_required and FLOOR.search(clause):
            return True, None if number >= low or is_near else False
        elif BACKS.search(clause):
            is_range = re.search(r"\d\s*(?:-|\u2013|to|through)", match[1])
            is_among = is_named or is_near or (is_range and low <= number <= high)
            if is_among or (versions[1:] and number < low and _ALL.search(clause)):
                return True, is_near or number >= low
    return False, None
