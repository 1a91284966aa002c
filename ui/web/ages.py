"""How long ago a day was, in words."""

from datetime import date

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
