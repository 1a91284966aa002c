"""What keeps a sentence from bearing a claim although it holds all of the claim's words.

Notes say much in passing: what was so before, what a change was taken back to, what stays as it is, what needs a flag.
A claim that is silent on that isn't borne by them, nor one that names what the notes don't. Only a release refutes:
the one that a sentence puts its event into of its own accord.
"""

import re
from collections.abc import Iterable

from corpus.plain_words import one_line

_WORDS = (
    r"\brevert(?:s|ed|ing)?\b",
    r"\bwithout\b|\b(?:under|behind) (?:a|the) (?:\w+ )?(?:flag|gate)\b",
    r"\bmaintenance mode\b",
    r"\b(?:last|final) (?:release|version)\b",
)
_SILENCE = tuple(re.compile(words, re.IGNORECASE) for words in _WORDS)
_STAYS = re.compile(r"\b(?:unchanged|remains?|stays?|still|as before)\b", re.IGNORECASE)
_CHANGES = re.compile(
    r"\b(?:change[sd]?|becomes?|became|switch\w*|renam\w+|mov(?:es?|ed)|remov\w+|dropp?(?:s|ed)?)\b", re.I
)
_PIECE_END = re.compile(r"[,;:()]\s+|\s[–—]\s|\.\s+")
_FORMER = re.compile(
    r"\b(?:it was|was (?:previously|formerly|originally)|previously|formerly|originally|used to)\b", re.IGNORECASE
)
_NUMBER = re.compile(r"(?<![\w.])v?\d+(?:[.,]\d+)*(?![\w]|\.\d)")
_LIMIT = re.compile(
    r"\b(?:up to|at most|no more than|below|less than)\s+(?:[A-Za-z]+\s+)?(v?\d+(?:[.,]\d+)*)", re.IGNORECASE
)
_REQUIRES = re.compile(r"\b(?:require[sd]?|needs?|minimum)\b", re.IGNORECASE)
_RELEASE = re.compile(r"(?<![\w.])v?(\d+\.\d+(?:\.\d+)*)(?![\w])")
_NAMED_RELEASE = re.compile(
    r"\b(?:[A-Z][\w-]*|[Ii]n|[Ss]ince|until|by|version|with) v?(\d+\.\d+(?:\.\d+)*)(?![\w%])(?! times)"
)
_OWN_RELEASE = re.compile(
    r"^\W*(?:In )?[A-Z][\w-]* v?(\d+\.\d+(?:\.\d+)*)(?![\w])"
    r"|\b(?:since|as of|starting (?:with|in))\s+(?:(?:version|[A-Z]\w*) )?v?(\d+\.\d+(?:\.\d+)*)(?![\w])"
)
_EVENT = re.compile(
    r"\b(?:deprecat(?:ed|es|ion)|remov(?:ed|es|al)|dropp?(?:ed|s)|add(?:ed|s)|introduc(?:ed|es))\b", re.IGNORECASE
)
_DENIES = re.compile(r"\b\w+n['’]t\b|\bcannot\b|\bnot\b|\bno longer\b", re.IGNORECASE)
_ENDS = re.compile(
    r"\b(?:remov\w+|dropp?(?:s|ed|ing)?|deprecat\w+|un\w+|dis\w+|without|no|only|rais\w+|errors?|reject\w*|refus\w+|fail\w*"
    r"|prevent\w*|avoid\w*|instead|rather|ignor\w+|hid\w+|stop\w*|exclud\w+|block\w*|forb\w+|prohibit\w*|lack\w*"
    r"|private|skip\w*|delet\w+|gone|replac\w+|must|until|before)\b",
    re.IGNORECASE,
)
_TURNS = re.compile(
    r"\b(?:rais(?:es?|ed|ing)|now|no longer|remov\w+|dropp?(?:s|ed)|deprecat\w+|reduc\w+|preserv\w+|fix(?:es|ed)?)\b",
    re.I,
)
_GOES = re.compile(r"\b(?:remov\w+|delet\w+|dropp?(?:s|ed)|gone|breaks?)\b", re.IGNORECASE)
_REMAINS = re.compile(r"\bremains?\b", re.IGNORECASE)
_OFF = re.compile(
    r"\bopt[- ]in\b|\b(?:not|isn['’]t|aren['’]t) (?:enabled|on|active) by default\b|\bdisabled by default\b", re.I
)
_ON = re.compile(
    r"\bby default\b|\bopts? out\b|\bwithout any\b|\bdefaults? to\b|\bis (?:now )?(?:on|enabled)\b", re.IGNORECASE
)
_UNIT = re.compile(
    r"\b(?:\d+|an?|one|two|five|ten|thirty|sixty|half an?)[ -](millisecond|second|minute|hour|day|week|month|year)s?\b",
    re.I,
)
_CODE_NAME = re.compile(r"(?<![\w.])--?[a-z][\w-]+|[A-Za-z][\w-]*(?:[._]\w[\w-]*)+|\b[a-z]+[A-Z]\w+")
_PARTS = re.compile(r"[./,;:()\[\]=]+")
_BEFORE = re.compile(r"\b(?:before|prior to|older|earlier|up to|below|than)\b", re.IGNORECASE)
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_MONTH = r"(?P<{}>(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*)\.?"
_DATE = re.compile(
    r"\b(?P<year>(?:19|20)\d\d)-(?P<month>\d\d)-(?P<day>\d\d)\b"
    rf"|\b{_MONTH.format('name')} (?P<day2>\d{{1,2}}),? (?P<year2>(?:19|20)\d\d)\b"
    rf"|\b(?P<day3>\d{{1,2}}) {_MONTH.format('name2')} (?P<year3>(?:19|20)\d\d)\b",
    re.IGNORECASE,
)
_SEVERITY = re.compile(
    r"\b(?:critical|high|moderate|medium|low)\b(?=.{0,20}\b(?:sever|risk|impact)|\W*$)", re.IGNORECASE
)


def is_withheld(statement: str, claim: str) -> bool:
    """Whether a statement of the notes turns what it tells in a way that the claim is silent on.

    The statement says what was taken back, stays, or holds only so; tells the claim's numbers of former times alone, or
    as a bound; or the claim denies what the statement doesn't, or names a date, a severity or a unit of time that it
    doesn't name.
    """
    told, claimed = one_line(statement), one_line(claim)
    if any(words.search(told) and not words.search(claimed) for words in _SILENCE):
        return True
    if _STAYS.search(told) and not _CHANGES.search(told) and _CHANGES.search(claimed) and not _STAYS.search(claimed):
        return True
    if _STAYS.search(claimed) and _TURNS.search(told) and not _STAYS.search(told):
        return True
    if _GOES.search(claimed) and _REMAINS.search(told) and not _STAYS.search(claimed):
        return True
    if _OFF.search(told) and not _OFF.search(claimed) and _ON.search(claimed):
        return True
    if _DENIES.search(claimed) and not (_DENIES.search(told) or _ENDS.search(told)):
        return True
    if not (_dates(claimed) <= _dates(told) and _severities(claimed) <= _severities(told)):
        return True
    if (units := _units(claimed)) and _units(told) and not units <= _units(told):
        return True
    return _only_former(told, claimed) or _only_bound(told, claimed)


def names_another(claim: str, told: str, *, releases: Iterable[str]) -> bool:
    """Whether a claim names code or a release that nothing around the statement names.

    `told` is the quote with its headings; `releases` are those that it stands for without naming them.
    """
    words = one_line(told).casefold()
    held = {_letters(part) for word in words.split() for part in (word, *_PARTS.split(word))}
    for name in _CODE_NAME.findall(claim):
        # The package that a name stands in has nicknames; what it is called in there hasn't.
        parts = [_letters(part) for part in _PARTS.split(name.casefold())]
        if not held.issuperset(part for part in parts[1:] or parts if len(part) > 1):
            return True
    if _BEFORE.search(claim):
        return False
    known = {*_RELEASE.findall(words), *releases}
    return any(not any(_same_series(one, other) for other in known) for one in _NAMED_RELEASE.findall(claim))


def _letters(text: str) -> str:
    return re.sub(r"[\W_]+", "", text)


def _units(text: str) -> set[str]:
    return {unit.lower() for unit in _UNIT.findall(text)}


def _only_former(told: str, claimed: str) -> bool:
    """Whether a number of the claim stands in the statement only where it tells of former times."""
    if _FORMER.search(claimed):
        return False
    pieces = _PIECE_END.split(told)
    former = {number for piece in pieces if _FORMER.search(piece) for number in _NUMBER.findall(piece)}
    present = {number for piece in pieces if not _FORMER.search(piece) for number in _NUMBER.findall(piece)}
    return bool((former - present) & set(_NUMBER.findall(claimed)))


def _only_bound(told: str, claimed: str) -> bool:
    """Whether the claim requires a number that the statement tells as a limit alone ("supports up to 22")."""
    if not _REQUIRES.search(claimed):
        return False
    limits = set(_LIMIT.findall(told)) - set(_LIMIT.findall(claimed))
    return bool(limits & set(_NUMBER.findall(claimed)) - set(_NUMBER.findall(_LIMIT.sub("", told))))


def release_of_its_own(statement: str, claim: str) -> tuple[str, str] | None:
    """The claim's release and the statement's, where the claim puts an event into the one, and the statement puts it
    into the other of its own accord ("has been since 2.10"); None where it doesn't."""
    told, claimed = one_line(statement), one_line(claim)
    releases = _RELEASE.findall(claimed)
    own = [release for match in _OWN_RELEASE.finditer(told) for release in match.groups() if release]
    if not releases or not own or not _EVENT.search(claimed) or set(releases) & set(_RELEASE.findall(told)):
        return None
    return None if any(_same_series(one, other) for one in own for other in releases) else (releases[0], own[0])


def _same_series(one: str, other: str) -> bool:
    return f"{one}.".startswith(f"{other}.") or f"{other}.".startswith(f"{one}.")


def _dates(text: str) -> set[tuple[int, int, int]]:
    found = set()
    for match in _DATE.finditer(text):
        year, day = match["year"] or match["year2"] or match["year3"], match["day"] or match["day2"] or match["day3"]
        name = match["name"] or match["name2"]
        month = _MONTHS.index(name[:3].lower()) + 1 if name else int(match["month"])
        found.add((int(year), month, int(day)))
    return found


def _severities(text: str) -> set[str]:
    return {match.group().lower() for match in _SEVERITY.finditer(text)}
