"""Pages beside the notes that say which release they speak of: a guide's heading names the one it leads to, an entry
of a list of removals the one that removed it.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from corpus.plain_words import one_line
from corpus.versions import Version

_NUMBER = r"v?(?P<{}>\d+(?:\.(?:\d+|x))*(?:[-.]?(?:a|b|rc|alpha|beta)\.?\d+)?)(?![\w.]*\d)"
_TO = re.compile(
    rf"(?:\bto|->|\u2192)\s+(?:the\s+)?(?:[A-Za-z][\w.-]*\s+){{0,3}}?{_NUMBER.format('end')}", re.IGNORECASE
)
_FROM = re.compile(
    r"\A(?=.*(?:\b(?:upgrad|migrat|updat|mov|port|transition)|->|\u2192|\bto\b)).*?"
    rf"\bfrom\s+(?:[A-Za-z][\w.-]*\s+){{0,3}}?{_NUMBER.format('start')}",
    re.IGNORECASE,
)
_STATED = re.compile(
    r"\b(?:removed|dropped|deleted|discontinued|deprecated|disabled|renamed|replaced|changed|became|made)\b"
    r"[\w ,-]{0,40}?\b(?:in|with|as of|since) (?:(?:release|version) )?v?(?P<version>\d+(?:\.\d+)+)\W*$",
    re.IGNORECASE,
)


def stated_release(words: str) -> Version | None:
    """The release that an entry ends with as the one that made its change: 8.2 of "The old parser (removed in 8.2)"."""
    found = _STATED.search(words)
    return Version.try_parse(found["version"]) if found else None


def guided_release(heading: Sequence[str]) -> Version | None:
    """The release that the innermost telling heading leads to: 13.0 of "Upgrading to 13.0 from 12.x", 8 of "Migration
    from v7"; None where none tells.
    """
    return next((version for title in reversed(heading) if (version := _release_of(title)) is not None), None)


@lru_cache(maxsize=4096)
def _release_of(title: str) -> Version | None:
    plain = one_line(title)
    if leads := _TO.search(plain):
        return Version.try_parse(leads["end"].replace(".x", ""))
    starts = _FROM.match(plain)
    before = Version.try_parse(starts["start"].replace(".x", "")) if starts else None
    # "Migration from v7" leads to the next one; from 1.4 it could be 1.5 as well as 2.0.
    return Version.try_parse(str(before.release[0] + 1)) if before is not None and len(before.release) == 1 else None
