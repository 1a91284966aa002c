"""The versions mentioned in prose: never a date, an address, a measure or an issue's number."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from corpus.versions import MAX_CHARACTERS, STAMPED, Version


@dataclass(frozen=True, slots=True)
class VersionMention:
    """A version mentioned at `[start, end)`, without a `v` or name before it but with a `.x` after it."""

    start: int
    end: int
    version: Version


_STAGE_IN_PROSE = (
    r"(?:[.\-_]?(?:dev|alpha|beta|rc|pre|post|preview|snapshot|nightly|a|b|c|p|u)[.\-_]?[0-9]+"
    r"|\ (?:dev|alpha|beta|rc|pre|preview)\ ?[0-9]+|[.\-](?:dev|alpha|beta|rc|snapshot|nightly))(?![0-9A-Za-z])"
)
_CANDIDATE = re.compile(
    rf"(?=[0-9])(?:(?P<alone>(?:(?<![\w.-])|(?<=\bv)){STAMPED.pattern}|(?<=\br)20[0-9]{{2}}[a-z])(?![\w-])"
    rf"|(?P<release>[0-9]+(?:\.[0-9]+)*)(?:(?P<wild>\.[x*](?![0-9A-Za-z]))|(?:{_STAGE_IN_PROSE}"
    rf"|(?:(?<=[0-9]\.[0-9])[a-z]{{1,2}}|(?<=-[0-9]\.[0-9]{{2}})[a-z]|(?<=\b20[0-9][0-9])[a-r])(?![0-9A-Za-z]))?(?:\+(?=[a-z])[0-9A-Za-z.]*[0-9A-Za-z])?))",
    re.IGNORECASE,
)
_PACKAGE = re.compile(r"(?:[0-9]{1,3}:(?=[0-9]+[.a-z~+]))?[0-9][\w.+~^-]*[0-9a-z](?![\w:])", re.IGNORECASE)
_REVISION = re.compile(r"[0-9]|r[0-9]")
_BUILD = re.compile(r"[0-9]+|.*~.*")
_QUANTITY = (
    r"(?:[%\u00d7‰°]|\s?(?:percent|per\s?cent|pp)\b|[-\s]?(?:x|fold|times)\b(?!-)|[kKMG]?s\b|\s?"
    r"(?:[kmgtp]i?b(?:/s|ps)?|bytes?|[mnµu]s|sec(?:ond)?s?|min(?:ute)?s?|hours?|days?|weeks?|months?|years?|[mgk]hz"
    r"|(?:k|m|b|tr)illion|thousand|[kmgt]?flops?|points?|pts|(?:kilo|mega|giga|tera)bytes?|lines|pixels?|px|em)\b)"
)
_MEASURE = re.compile(rf"(?:\s?(?:[-\u2013\u2014]|to)\s?[0-9]+(?:[.,][0-9]+)*)?{_QUANTITY}", re.IGNORECASE)
_MAY_BE_MEASURE = re.compile(r"[0-9]+\.[0-9]+[d-y]", re.IGNORECASE)
"""Forms as frequent in code and figures as in versions ("1.5f")."""
_VERSION_WORD = re.compile(
    r"(?:\bversions?|\breleases?|\bver\.?|\bv\.?)[\s\-_]*[<>=~^]*\s*$|(?<![0-9A-Za-z_])v$", re.IGNORECASE
)
_IN_PATH = re.compile(r"[A-Za-z][A-Za-z.-]+/v?$")  # A path's version (`apps/v1beta2`) is an API's.
_TICKET, _SHORTEST_TICKET = re.compile(r"(?<![0-9A-Za-z])[A-Z][A-Z0-9]+-$"), 3
_LONG_NUMBER = re.compile(r"(?!(?:19|20)\d{6}$)\d{5,}")  # A ticket's number, unless it is a day ("20240501").
# "V100" and "H100" are names of hardware; people write the version "v100", or "V2" after the product's name.
_CAPITAL_V = re.compile(r"(?<![0-9A-Za-z_])V$")
_NOT_A_VERSION_WORD = re.compile(
    r"(?:\b(?:section|chapter|figure|fig\.?|table|step|part|page|appendix|rfc|pep|issue|pr|bug|ticket)s?|§)\s*$",
    re.IGNORECASE,
)
_CONTINUES = re.compile(r"(?<!\s)\s*+(?:[,/→\u2013-]|->|\b(?:or|and|to|through)\b|\bvs\.?)\s*v?", re.IGNORECASE)
_CLAUSE_END = re.compile(
    r"\s*(?:$|[?.!,;:)/]|->|→|(?:and|or|to|in|is|are|do|does|for|on|line|releases?|versions?|series)\b)"
)


def find_versions(text: str, *, names: Sequence[str] = ()) -> tuple[VersionMention, ...]:
    """Find the versions that prose mentions, in order; never a date, an address, a measure or an issue's number.

    A number without a dot ("5", "v14") counts only after a version word, after one of `names` (a product's name or
    alias, whole words, any case), or in a list that such a number began ("Django 4 and 5").
    """
    if not any(map(str.isdecimal, text)):
        return ()
    any_name = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    after_name = rf"(?<![0-9A-Za-z])(?:{any_name})(?:[\s@=<>~^-]*|\sv)$"
    return tuple(_iter_mentions(text, re.compile(after_name, re.IGNORECASE) if names else None))


def _iter_mentions(text: str, after_name: re.Pattern[str] | None) -> Iterator[VersionMention]:
    """Yield the versions in `text`; the pattern `after_name` matches a product's name at the end of the text before."""
    last_end = -1
    for match in _CANDIDATE.finditer(text):
        start, end = match.span()
        if end - start > MAX_CHARACTERS or start < last_end:
            continue
        before = text[max(0, start - 64) : start]
        if match["alone"]:
            last_end = end
            yield VersionMention(start, end, Version.parse(match[0]))
            continue
        if (package := _read_package(match, before)) is not None:
            last_end = package.end
            yield package
            continue
        number = match["release"]
        is_bare = number.isdecimal() and not match["wild"]
        is_ticket = len(number) >= _SHORTEST_TICKET and _TICKET.search(before)
        if is_bare and (is_ticket or _IN_PATH.search(before) or _LONG_NUMBER.fullmatch(number)):
            continue
        named = bool(_VERSION_WORD.search(before)) and not (is_bare and _CAPITAL_V.search(before))
        named = named or bool(after_name and after_name.search(before))
        is_near = last_end >= 0 and start - last_end <= len(before)
        continues_list = is_near and bool(_CONTINUES.fullmatch(text, last_end, start))
        if is_bare and not (named or (continues_list and _CLAUSE_END.match(text, end))):
            continue
        if not _may_follow(before, is_named=named, is_bare=is_bare) or _is_other_number(match, before, is_named=named):
            continue
        version = Version.try_parse(number if match["wild"] else match[0])
        if version is not None and (named or not _MAY_BE_MEASURE.fullmatch(match[0])):
            last_end = end
            yield VersionMention(start, end, version)


def _read_package(match: re.Match[str], before: str) -> VersionMention | None:
    """Return the mention of a whole package version ("1:2.3-4~deb12u1"), or of one with a build number ("17.0.9+9"),
    that begins at a candidate's match; None if there is none."""
    text, start = match.string, match.start()
    package = _PACKAGE.match(text, start, start + MAX_CHARACTERS)
    if package is None or package.end() <= match.end() or not _may_follow(before, is_named=False, is_bare=False):
        return None
    version = Version.try_parse(package[0])
    if (
        version is None
        or version.may_be_range
        or _MEASURE.match(text, match.end())
        or _NOT_A_VERSION_WORD.search(before)
    ):
        return None
    build, revision = version.extras
    is_trial = version.is_prerelease and "_" in package[0]
    is_package = (
        is_trial
        or (_REVISION.match(revision) and "." in package[0])
        or (version.epoch is None and not revision and _BUILD.fullmatch(build))
    )
    return VersionMention(start, package.end(), version) if is_package else None


def _may_follow(before: str, *, is_named: bool, is_bare: bool) -> bool:
    """Return whether a version may come right after the text `before`."""
    if not before or is_named or before[-1].isspace() or before[-1] in "([{\"'`“\u2018«@<>≤≥~^→*|:;":
        return not re.search(r"[0-9]:$", before)
    if is_bare:
        return bool(_CONTINUES.search(before))
    if before[-1] in "=":
        return before[-2:] in ("==", ">=", "<=", "~=", "!=")
    if before[-1] in "-\u2013\u2014/,":
        return bool(re.search(r"[A-Za-z0-9)][-/]$|[0-9](?:\u2013|\u2014)$|[A-Za-z],$|\.[0-9]+,$", before))
    # Glued to a name of two letters or more ("py3.9", "cuda12.8"): shorter ones are units and variables.
    return bool(re.search(r"(?<![0-9A-Za-z_.])[A-Za-z]{2,}$", before))


def _is_address(numbers: Sequence[str]) -> bool:
    """Return whether a number is an IP address rather than a four-part version ("7.0.8.1"), by its first octet."""
    if len(numbers) != 4 or max(octets := [int(number) for number in numbers]) > 255:
        return False
    return octets[0] in (0, 10) or octets[0] >= 100 or len(set(octets)) == 1


def _is_other_number(match: re.Match[str], before: str, *, is_named: bool) -> bool:
    """Return whether a candidate is a date, an address, a measure, a section or a decimal."""
    text, end, numbers = match.string, match.end(), match["release"].split(".")
    if re.match(r"[0-9A-Za-z_]|[.,][0-9]|[-/:][0-9]{1,2}[-/:][0-9]", text[end : end + 8]) or _MEASURE.match(text, end):
        return not (match["wild"] or (is_named and re.match(r"[xX]\b", text[end : end + 2])))
    if not is_named and (_NOT_A_VERSION_WORD.search(before) or _is_address(numbers)):
        return True
    if re.search(r"[$€£#±]\s?$|[0-9]-[0-9]{1,2}-$|[0-9]{4}-$", before):
        return True
    if len(numbers) == 3 and len(numbers[2]) == 4 and len(numbers[0]) <= 2 and 1900 <= int(numbers[2]) < 2100:
        return int(numbers[1]) <= 31
    return len(numbers) == 2 and numbers[0] == "0" and len(numbers[1]) > 1 and numbers[1].startswith("0")
