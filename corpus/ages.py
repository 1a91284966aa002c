"""Days as people write them, and in words how long ago a day or a moment was."""

import re
from calendar import month_name
from datetime import date, datetime

_UNTIL = r"until|till?|through|thru|up to|to|after|beyond|past|end(?:s|ed|ing)?|expire[sd]?|stop(?:s|ped)?"
SUPPORT_END = re.compile(
    r"(?:[(\[,;|/–—-]\s*)?(?<![\w-])(?:(?:security|bug ?fix(?:es)?|active|standard|full|extended|long[- ]term)\W+){0,4}"
    rf"(?:(?:support(?:ed)?|maint(?:ained|enance)|lts|patche[sd]|updates|fixes)(?:\W+(?:{_UNTIL}))+(?:\W+(?:on|in))?"
    r"|(?:end[- ]of[- ](?:\w+[- ])?(?:life|support|maintenance|service|updates)|eo[lsm]|unsupported|retire[sd]|sunset"
    rf"|discontinued)(?:\W+(?:{_UNTIL}|on|in|since|from|as of|date|is|was|reached))*)\b\W{{0,3}}",
    re.IGNORECASE,
)
"""Words before the date until which a release is supported ("end of life: ")."""
_UNITS = ((731, 365.25, "years"), (61, 30.44, "months"), (14, 7, "weeks"), (2, 1, "days"))
"""For ages of at least so many days: the unit's length in days and its name."""


class Month(date):
    """A month without a known day, written "2025-04"; it compares as its first day."""

    def isoformat(self) -> str:
        """Return year and month, "2025-04"."""
        return super().isoformat()[:7]

    def __str__(self) -> str:
        return day_words(self)


def parse_day(text: str) -> date:
    """Parse a day or month that `isoformat` wrote.

    Raises:
        ValueError: `text` is neither a day nor a month.
    """
    return Month.fromisoformat(f"{text}-01") if len(text) == len("2025-04") else date.fromisoformat(text)


def day_words(day: date) -> str:
    """Return `day` as people write it, "8 April 2025"; for a month alone "April 2025"."""
    return f"{'' if isinstance(day, Month) else f'{day.day} '}{month_name[day.month]} {day.year}"


def age_words(day: date, *, today: date) -> str:
    """Return how long before `today` a day was: "today", "yesterday", "3 weeks ago"; "in the future" if later."""
    days = (today - day).days
    if days < 2:
        return "in the future" if days < 0 else ("today", "yesterday")[days]
    length, name = next((length, name) for least, length, name in _UNITS if days >= least)
    return f"{int(days / length)} {name} ago"


def time_since(moment: str, *, now: datetime) -> str:
    """Return how long ago an ISO 8601 moment was: "just now" (also for a future moment, if a clock was put back), "3
    hours ago", or from a day on what `age_words` returns."""
    then = datetime.fromisoformat(moment)
    minutes = int((now - then).total_seconds() // 60)
    if minutes >= 24 * 60:
        return age_words(then.astimezone(now.tzinfo).date(), today=now.date())
    if minutes < 1:
        return "just now"
    count, name = (minutes // 60, "hour") if minutes >= 60 else (minutes, "minute")
    return f"{count} {name}{'' if count == 1 else 's'} ago"
