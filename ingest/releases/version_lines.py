"""Reads lines that name one version: the version, its date, and the words around them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import dropwhile
from typing import NamedTuple

from corpus.ages import SUPPORT_END
from corpus.dates import find_dates, find_months, first_date, without_dates
from corpus.version_mentions import find_versions
from corpus.versions import DAY, Version
from ingest.releases.package_entries import read_package_entry

RELEASE_WORDS = frozenset(
    """a alpha an and announcement announcing available beta blog bugfix by candidate change changelog changelogs
    changes cran current date day dev development final for ga general guide here highlights history hotfix in
    introducing is its latest log lts maintenance major migration minor new news note notes notable noteworthy
    now of official on out overview patch point post pre preview progress public rc release released releases
    relnotes s security snapshot stable summary tag tba tbd the this to trial unknown unreleased update updates upgrade
    v version versions vom was what whats with""".split()
)
"""Words near a version that don't describe its release."""
MOVES = frozenset("upgrading updating migrating transitioning moving switching porting".split())
"""First words of guides' titles: there the version is the guide's own, elsewhere another release's."""
LOOKS_BACK = MOVES | frozenset(
    "since from until before after between through vs versus drop dropped dropping support supports supported "
    "require requires required requirement minimum bump python2".split()
)
"""Words that show that the version next to them isn't the release's own."""
OLDER = frozenset("previous older earlier prior past".split())  # Of releases before those of the document.
WITHDRAWN = r"(?:yanked|withdrawn|retracted|recalled|unpublished|pulled(?! (?:in|together|up)\b))"
_YANKED = re.compile(rf"(?i)\[?\(?\b{WITHDRAWN}\b(?:[^()\[\]]{{0,80}}[)\]]{{1,2}})?")
PARTIAL_DATE = re.compile(
    r"(?i)(?<![\d.])\d{1,2}([/.-])\d{1,2}\1(?:19|20)\d\d(?![\d.])|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?,?"
    r"\s+(?:19|20)\d\d\b|\b(?:19|20)\d\d[/.-](?:\d\d|xx|\?\?)[/.-](?:xx\b|\?\?)"
)
"""A month and its year ("January 2024"), a day written either way round, or the place for one ("2026-11-??")."""
_ASIDE = re.compile(
    r"\"[^\"]*\"|“[^”]*”|(?<!\w)'[^']+'(?!\w)|(?<![\w/])@[A-Za-z][\w-]*(?![\w/@-]|\s+v?\d)"
    r"|(?<=\d)\s+\(v?\d[\w.+-]*\)|(?<=[\w.])[,;]\s+(?!and\b|or\b)(?:[a-z]+\s+){1,3}v?\d[\w.+-]*(?=[)\]])"
)
"""Matches additions to a release's version: its nickname, its author, its other number."""
_NOT_YET = re.compile(r"(?i)\bnot (?:yet )?(?:been )?(?:released|published|out)(?: yet)?\b")
_NOT_OUT = (
    r"(?:unreleased|not (?:yet )?(?:been )?(?:released|published|out|tagged|available)(?: yet)?|future|not yet"
    r"|no(?:t| release)? date|n/a|(?:date )?to come|(?:date )?unknown|not set|none(?: yet)?|next|pending|upcoming|draft"
    r"|(?:in|under) (?:active )?development|(?:work )?in progress|tb[acd](?: [12]\d{3})?|to be (?:announced|confirmed"
    r"|decided|determined|released)|please ignore|forthcoming|coming soon|planned|wip|yet to (?:be released|come)"
    r"|[\dxy?]{4}[/.-](?:\d\d|xx|mm|\?\?)[/.-](?:xx|dd|\?\?)|(?:xx|dd|\?\?)[/.-](?:\d\d|xx|mm|\?\?)[/.-][\dxy?]{4}"
    r"|(?:xx|\?\?)(?:th)?[ -](?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\??(?:,? [\dxy]{4})?|xx+)"
)
_SOON = r"(?:coming|due|expected|planned|scheduled|slated|targeted|to (?:be released|come)|will (?:be released|come))"
_PENDING = re.compile(
    r"(?i)\A\W*(?:draft|unreleased|not (?:yet )?released|[\dxy?]{4}[/.-](?:xx|mm|\?\?)[/.-](?:xx|dd|\?\?))\b"
    rf"|[(\[](?>(?:\W{{0,9}}(?:{_NOT_OUT}|ignore))+)\s*(?:[,;:–—-][^()\[\]]*)?[)\]]|[(\[,:–—-]\s*{_SOON}"
    r"(?= (?:in|on|for|by|around|with|early|late|later|mid|this|next|soon|q[1-4]|spring|summer|autumn|fall|winter)\b)"
    rf"|(?:[\s-]|^\W*){_NOT_OUT}(?: yet)?\W*\Z|\?\?|\bmonth (?:xx|dd)\b|\d-(?:dev|SNAPSHOT)\W*(?:\(\D*\))?\Z"
)
_UPCOMING = re.compile(
    rf"(?i)\A\W*(?:{_NOT_OUT}|next (?:release|version)|dev(?:elopment)? version|coming)"
    r"(?:\W+(?:changes|for|in|release|version))*\W*"
)
"""Matches the whole text before the version of a release that isn't out ("Upcoming release: 2.3.0")."""
_PLANNED = re.compile(rf"(?i)\b(?:estimated|eta|target|{_SOON})(?:\W+(?:around|by|early|for|in|late|on|release))*\W*\Z")
"""Matches the words before a day that is still to come."""
PENDING_LINE = re.compile(
    r"(?i)\A\W*(?:(?:(?:release[ -])?(?:date|status|state)|released(?: on)?|this (?:release|version)|it)\W+)?"
    rf"(?:(?:is|are|has|was|still|currently)\W+)*{_NOT_OUT}(?: yet)?\W*"
)
"""Matches a line below a heading that states that its release isn't out ("Release date: TBA")."""
_STAGE = re.compile(r"(?i)\brelease[ -](?P<rc>candidate)\b|\bpre-?release(?= \d)")
_TRIAL = re.compile(r"(?i)\btrial(?: release)?\W*\Z")
"""Matches the end of a line on a Perl release that PAUSE doesn't index."""
_OUTLINE_NUMBER = re.compile(r"^[A-Z]\.\d+(?:\.\d+)*\.?\s+(?=[A-Z])")
_PACKAGE = re.compile(
    r"^\W*?(?:(@[\w.-]+/[\w.-]*\w)[@\s/-]+|([A-Za-z][\w.-]*(?:/[\w.-]+)?)@|([A-Za-z][\w.-]*)/(?=v\d))(?=v?\d)"
)
FROM_ANOTHER = re.compile(
    r"(?i)\bchange[sd]\s+(?:(?:from|between)\s+)?(?:[A-Za-z][\w-]*[\s-])?v?\d[\w.+-]*\s+(?:to|and|->)\s+"
    r"(?=(?:[A-Za-z][\w-]*[\s-])?v?\d)|^\W*v?\d+\.[\w.]+ to (?=v?\d+\.[\w.]+\W.*(?:19|20)\d\d)"
)
_MOVE = re.compile(
    r"(?i)(?P<moves>(?:upgrad|updat|migrat|transition|mov)\w*(?:\s+(?:guide|notes?))?\W+(?:from\s+)?(?:[A-Za-z][\w.-]*\s+){0,3}"
    r"|from\s+(?:[A-Za-z][\w.-]*\s+){0,3})?"
    r"(?:v?(?P<low>\d[\w.-]*)\s+)?(?:to|→|->)\s+(?=(?:[A-Za-z][\w.-]*\s+){0,3}v?(?P<high>\d(?:[\w.-]*\w)?)\W*\Z)"
)
_ANY_PATCH = re.compile(r"(?i)(?<=\d)\.x\b")
AGAINST_ANOTHER = re.compile(
    r"(?i)(?<=\d)\s+(?:(?:relative|compared)\s+(?:to|with)|since)\s+(?:[A-Za-z]\w*[\s-])?v?\d[\w.+-]*+\W*\Z"
)
"""Matches the release that changes are counted from: "Changes in 1.2 since 1.1" are those of 1.2."""
_LONGER_VERSION = re.compile(r"(?i)[\w.+~-]*\w(?:\s+(?:alpha|beta|rc|preview)(?:\s*\d+)?\b)?")
_DOTTED = re.compile(r"(?<![\w.])v?([0-9]+(?:(?:\.[0-9]+)+(?:rc|alpha|beta|[a-z])?|u[0-9]+))(?![\w%]|\.\w)")
"""Matches a dotted number that isn't part of an address, a percentage or a word."""
_COMPACT_DAY = re.compile(r"(?<![\w.-])((?:19|20)\d\d)([01]\d)([0-3]\d)(?![\w.-])")
_NAMED_BY_DAY = re.compile(rf"(?i)(?<![\w.-])v?({DAY.pattern}(?:-\d{{1,3}})?)(?![\w-]|\.\w)")
_BETWEEN_VERSIONS = re.compile(r"(?:[\s/&,]|\band\b)+")
_BARE_MAJOR = re.compile(r"(?i)(?:\b(?:version|release|v|r|changes (?:in|with))\s*|^\W*)([0-9]{1,4})\b(?![\w.])")
_CALENDAR_VERSION = re.compile(r"(?i)\d{4}\.\d{1,2}\.\d{1,2}\Z|(?<![A-Za-z0-9])v\d{4}-\d\d?-\d\d?\Z")
_CALENDAR_DAY = re.compile(r"\d{4}\.\d{2}\.\d{2}|\d{4}-\d\d?-\d\d?")
_YEAR = re.compile(r"(?:19|20)\d\d")
_WORD = re.compile(r"[^\W\d_][\w+#.-]*|\d[\w.]*")


@dataclass(frozen=True, slots=True)
class Subject:
    """The release that a piece of text is about; fields that it doesn't state are empty."""

    version: Version | None = None
    label: str = ""
    product: str = ""
    day: date | None = None
    yanked: bool = False
    pending: bool = False


class VersionLine(NamedTuple):
    """The release of a line, and the text before and after its version, without dates."""

    subject: Subject
    before: str
    after: str


def read_version_line(title: str, products: Sequence[str]) -> VersionLine | None:
    """Return the release of a line and the text around its version; None if it names none, or several in a sentence.

    Of several alone it is the first. `products` are names after which a number is a version: `Gizmo 4` is version 4.
    """
    if entry := read_package_entry(title):
        subject = Subject(entry.version, entry.label, entry.product, entry.day, pending=entry.is_pending)
        return VersionLine(subject, "", "")
    title = AGAINST_ANOTHER.sub("", FROM_ANOTHER.sub(" ", title))
    package = _PACKAGE.match(title)
    product = next((name for name in package.groups() if name), "") if package else ""
    rest = _OUTLINE_NUMBER.sub("", title[package.end() :] if package else title)
    rest = without_support_end(rest)
    dates = find_dates(rest) or find_months(rest)
    compact = None if dates else _COMPACT_DAY.search(rest)
    day_of_compact = first_date("-".join(compact.groups())) if compact and _DOTTED.search(rest) else None
    if compact and day_of_compact:
        rest = rest[: compact.start()] + rest[compact.end() :]
    dated, rest = rest, without_dates(rest, dates)
    is_yanked, states_pending = bool(_YANKED.search(rest)), bool(_PENDING.search(rest))
    for pattern in (_YANKED, _NOT_YET, PARTIAL_DATE, _ASIDE):
        rest = pattern.sub(" ", rest)
    rest = _STAGE.sub(lambda stage: "rc" if stage["rc"] else "preview", rest)
    # Releases of one day may share their notes ("4.3.1 and 3.12.2"); a dash between two versions is a range.
    names = _BETWEEN_VERSIONS.split(without_names(rest, products).strip(" -\u2013\u2014"))
    named = filter(None, (name.strip("[](),:") for name in names))
    shared = [*dropwhile(lambda name: name.casefold() in RELEASE_WORDS, named)]
    if len(shared) > 1 and all("." in name and Version.try_parse(name) for name in shared):
        rest = max((name for name in shared if name.count(".") == shared[0].count(".")), key=Version.parse)
    hit = _find_one_version(rest, products)
    # Calendar versions are dates ("2024.05.27") with full stops or a "v", unlike days in the log.
    may_be_calendar = (
        day for day in dates if _CALENDAR_VERSION.search(dated[: day.span.end], max(0, day.span.start - 1))
    )
    calendar = next(may_be_calendar, None) if hit is None and not any(map(str.isdecimal, rest)) else None
    days = [mention for mention in dates if mention is not calendar]
    is_planned = bool(days) and _PLANNED.search(dated[: days[0].span.start]) is not None
    day = day_of_compact or (days[0].date if days and not is_planned else None)
    pending = is_planned or (states_pending and not days)
    if calendar:
        rest = without_dates(dated, days)
        hit = None if "date" in folded_words(dated[: calendar.span.start]) else _find_one_version(rest, products)
        # The last number of "2024.8.2" may count the releases of a month, so such a version has no day.
        if not days and _CALENDAR_DAY.fullmatch(calendar.span.slice(dated)):
            day = calendar.date
    if hit is None:
        return None
    version, start, end = hit
    label = rest[start:end]
    day = day or version.day
    before, after = rest[:start].removesuffix("v"), rest[end:].replace(label, " ")
    if _TRIAL.search(after) and not version.is_prerelease:
        label = f"{label}-TRIAL"
        version = Version.try_parse(label) or version
    if not days:
        pending = pending or any(_UPCOMING.fullmatch(text) for text in (before, without_names(before, products)))
    return VersionLine(Subject(version, label, product, day, is_yanked, pending), before, after)


def states_pending(line: str) -> bool:
    """Return whether a line says that its release isn't out ("(unreleased)", "2026-10-??")."""
    return _PENDING.search(line) is not None


def without_support_end(text: str) -> str:
    """Return a line without the date on which its release's support ends ("(EOL 2025-11-30)")."""
    for phrase in reversed([*SUPPORT_END.finditer(text)]):
        tail = text[phrase.end() :]
        ends = (mention.span.end for mention in (*find_dates(tail), *find_months(tail)) if not mention.span.start)
        year = _YEAR.match(tail)
        end = next(ends, year.end() if year else 0)
        if end or not tail or phrase[0][-1] in ")]":
            text = f"{text[: phrase.start()]} {tail[end:].removeprefix(')').removeprefix(']')}"
    return text


def without_names(text: str, products: Sequence[str]) -> str:
    """Return the words of `text`, as written there, joined by blanks, without those of these names in any case."""
    names = name_words(products)
    return " ".join(word for word in text.split() if names.isdisjoint(folded_words(word)))


def move_target(title: str) -> str:
    """Return where a guide leads: "4" for "Upgrading from 3.x to 4.x", "7.0" for "6.0 to 7.0", "Gizmo 2" for "Migrating
    to Gizmo 2"; empty for any other line. Inside a changelog such a line opens no release."""
    move = _MOVE.match(title.strip())
    if move is None:
        return ""
    low, high = (Version.try_parse(_ANY_PATCH.sub("", move[name] or "")) for name in ("low", "high"))
    is_forward = low < high if low and high else bool(high and move["moves"] and not move["low"])
    return _ANY_PATCH.sub("", title.strip()[move.end() :]) if is_forward else ""


def _find_one_version(text: str, products: Sequence[str]) -> tuple[Version, int, int] | None:
    """Return the only version in `text` and its range, extended as far as it parses ("4.3-1", "8 Beta"), else None."""
    named_by_day = _NAMED_BY_DAY.search(text)
    all_mentions = () if named_by_day else find_versions(text, names=products)
    # "2.5.1 (build 20240203-110809)" is 2.5.1.
    mentions = [mention for mention in all_mentions if not mention.version.is_stamp] or all_mentions
    version: Version | None
    if mentions:
        start, end, version = mentions[0].start, mentions[0].end, mentions[0].version
    elif (number := named_by_day or _DOTTED.search(text) or _BARE_MAJOR.search(text)) and not _YEAR.fullmatch(
        number[1]
    ):
        start, end = number.span(1)
        version = Version.try_parse(number[1])
    else:
        return None
    if version is None:  # too long for one
        return None
    longer = _LONGER_VERSION.match(text, start)
    extended = Version.try_parse(longer.group()) if longer and longer.end() > end else None
    if longer and extended and not extended.may_be_range:
        end, version = longer.end(), extended
    later = {mention.version for mention in mentions if mention.start >= end}
    return (version, start, end) if later <= {version} else None


def words_as_written(text: str) -> list[str]:
    """Return the words and numbers of `text`, in order, without the full stops and dashes at their ends."""
    return [match.group().rstrip(".-") for match in _WORD.finditer(text)]


def folded_words(text: str) -> list[str]:
    """Return the words and numbers of `text`, in order, case-folded like `RELEASE_WORDS` and `LOOKS_BACK`."""
    return [word.casefold() for word in words_as_written(text)]


def name_words(names: Sequence[str]) -> frozenset[str]:
    """Return the words of some names, case-folded."""
    return frozenset(word for name in names for word in folded_words(name))
