"""Numbers with a unit in a clause. What can't be read for certain (two numbers of one unit) isn't read."""

import re

from retrieval.disagreement.values import Amount, Bound, Value

_NUMBER = r"\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?"
_AMOUNT = re.compile(
    rf"(?<![\w.#/=<>:@$'\"-])(?P<low>{_NUMBER})(?:\s?(?:-|–|to)\s?(?P<high>{_NUMBER}))?"
    r"(?:\s?(?P<ratio>[x×%])(?!\w)|\s(?P<unit>percent|times|[A-Za-z]{3,}))"
)
_NUMBERED = re.compile(
    r"\b(?P<kind>port|opset|level|priority)\s(?:number\s)?(?P<number>\d+)(?![\w.]*\d)", re.IGNORECASE
)
"""Kinds whose numbers are names: another number is another one."""
_BOUND = re.compile(
    r"(?:\b(?P<most>up to|at most|no more than|as many as|maximum of)|\b(?P<least>at least|more than|over|minimum of)"
    r"|\b(?P<about>about|around|nearly|almost|roughly|approximately|some)|(?P<tilde>~))\s*$",
    re.IGNORECASE,
)
_BOUND_CHARACTERS = 16
_CHANGE = re.compile(rf"\bfrom (?:{_NUMBER})\s?(?:[x×%]|[A-Za-z]{{3,}})? (?=to (?:{_NUMBER}))")
_YEAR = re.compile(r"(?:19|20)\d\d")
_NO_UNIT = frozenset(
    """and the for with from but are was were has had can may will new old not now more less also only than that this
    which when where after before later newer above higher lower using via per each support release version january
    february march april may june july august september october november december jan feb mar apr jun jul aug sep sept
    oct nov dec due redirect response error status code page line bit instead rather unless until while because since
    again already both either""".split()
)
_MEASURES = frozenset("x % second sec minute hour day week month ms mb gb tb kb mib gib kib million billion".split())
"""Units of a number with a point; before anything else it is a version ("3.9 maintenance")."""


def read_amounts(clause: str) -> tuple[Value, ...]:
    """The numbers with a unit, by unit; of "from 18 to 20 seconds" the second. "Port 8080" counts nothing and is a
    number of its kind all the same."""
    text = _CHANGE.sub(lambda match: " " * len(match.group()), clause)
    found: dict[str, list[Value]] = {}
    for match in _NUMBERED.finditer(text):
        number = float(match["number"])
        told = Value(match["kind"].casefold(), Amount(number, number, Bound.EXACT), match.group(), *match.span())
        found.setdefault(told.key, []).append(told)
    for match in _AMOUNT.finditer(text):
        unit = _unit(match)
        low, high = (float(number.replace(",", "")) for number in (match["low"], match["high"] or match["low"]))
        if unit and low <= high:
            before = _BOUND.search(text, max(0, match.start() - _BOUND_CHARACTERS), match.start())
            start = before.start() if before else match.start()
            shown = text[start : match.end()].strip()
            found.setdefault(unit, []).append(Value(unit, Amount(low, high, _bound(before)), shown, start, match.end()))
    return tuple(alike[0] for alike in found.values() if len(alike) == 1)


def _unit(match: re.Match[str]) -> str:
    """The unit in the singular; empty where the number counts nothing: a year, a version, part of a name."""
    written = match["ratio"] or match["unit"]
    unit = written.casefold().replace("×", "x")
    unit = {"percent": "%", "times": "x"}.get(unit, unit).removesuffix("s")
    is_name = written[0].isupper() and not written[:-1].isupper()
    is_version = "." in match["low"] and unit not in _MEASURES
    is_year = _YEAR.fullmatch(match["low"]) and not match["high"]
    return "" if is_name or is_version or is_year or unit in _NO_UNIT else unit


def _bound(before: re.Match[str] | None) -> Bound:
    if before is None:
        return Bound.EXACT
    if before["most"]:
        return Bound.AT_MOST
    return Bound.AT_LEAST if before["least"] else Bound.ABOUT
