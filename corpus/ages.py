"""Days as people write them, and how long ago a day or a moment was, in words."""

from calendar import month_name
from datetime import date, datetime

_UNITS = ((731, 365.25, "years"), (61, 30.44, "months"), (14, 7, "weeks"), (2, 1, "days"))
"""From how many days on they are counted in what unit, and how long that is."""


def day_words(day: date) -> str:
    """`day` as people write it: "8 April 2025"."""
    return f"{day.day} {month_name[day.month]} {day.year}"


def age_words(day: date, *, today: date) -> str:
    """`day` as seen from `today`: "yesterday", "3 weeks ago", "5 months ago", "in the future"."""
    days = (today - day).days
    if days < 2:
        return "in the future" if days < 0 else ("today", "yesterday")[days]
    length, name = next((length, name) for least, length, name in _UNITS if days >= least)
    return f"{int(days / length)} {name} ago"


def time_since(moment: str, *, now: datetime) -> str:
    """How long ago an ISO 8601 moment was: "just now", "3 hours ago", and from a day on in days as `age_words` has it.

    A moment to come, by a clock that was put back, is "just now".
    """
    then = datetime.fromisoformat(moment)
    minutes = int((now - then).total_seconds() // 60)
    if minutes >= 24 * 60:
        return age_words(then.astimezone(now.tzinfo).date(), today=now.date())
    if minutes < 1:
        return "just now"
    count, name = (minutes // 60, "hour") if minutes >= 60 else (minutes, "minute")
    return f"{count} {name}{'' if count == 1 else 's'} ago"
