"""How long ago a day or a moment was, in words."""

from datetime import date, datetime

_DAY_S, _HOUR_S, _MINUTE_S = 86_400, 3_600, 60
_WEEKS_FROM, _MONTHS_FROM, _YEARS_FROM = 14, 61, 731


def age_words(day: date, *, today: date) -> str:
    """`day` as seen from `today`: "yesterday", "3 weeks ago", "5 months ago", "in the future"."""
    days = (today - day).days
    if days < 0:
        return "in the future"
    if days < 2:
        return ("today", "yesterday")[days]
    if days < _WEEKS_FROM:
        return f"{days} days ago"
    if days < _MONTHS_FROM:
        return f"{days // 7} weeks ago"
    if days < _YEARS_FROM:
        return f"{int(days / 30.44)} months ago"
    return f"{int(days / 365.25)} years ago"


def time_since(moment: str, *, now: datetime) -> str:
    """How long ago an ISO 8601 moment was: "just now", "3 hours ago", and from a day on in days as `age_words` has it.

    A moment to come, by a clock that was put back, is "just now".
    """
    then = datetime.fromisoformat(moment)
    seconds = (now - then).total_seconds()
    if seconds >= _DAY_S:
        return age_words(then.astimezone(now.tzinfo).date(), today=now.date())
    for name, length in (("hour", _HOUR_S), ("minute", _MINUTE_S)):
        if seconds >= length:
            count = int(seconds // length)
            return f"{count} {name}{'' if count == 1 else 's'} ago"
    return "just now"
