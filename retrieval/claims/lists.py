"""Lists in a claim, entry by entry: "dropped Python 3.5 and 3.6" is true of the one and may be false of the other.

Only entries that are surely names or numbers are taken apart; two plain words may be one thing ("research and
development").
"""

import re

from corpus.everyday_words import is_everyday
from retrieval.claims.assertion import is_hard_name

_ENTRY = r"(?:`[^`]+`|[\w@.+/#-]*[\w)](?:\(\))?)"
_NUMBER = r"v?\d\w*(?:\.\w+)*\+?"
_KIND = r"(?:flag|option|argument|parameter|module|function|method|class|setting|command|backend|driver|type)s?"
_PREPOSITION = r"(?:on|in|for|to|from|with|of|by|at)"
_JOINT = re.compile(r"\s*(?:,?\s+(?:and|or|nor|as well as|plus)\s+|,\s+)", re.IGNORECASE)
_RIGHT = re.compile(
    rf"(?P<preposition>{_PREPOSITION}\s+)?(?P<article>(?:the|a|an)\s+)?"
    rf"(?P<entry>{_NUMBER}|{_ENTRY}(?:\s+{_NUMBER})?)(?=[\s,.;:)!]|$)",
    re.IGNORECASE,
)
_LEFT = re.compile(
    rf"(?P<preposition>\b{_PREPOSITION}\s+)?(?P<article>\b(?:the|a|an)\s+)?"
    rf"(?P<entry>(?<![\w.]){_ENTRY}(?:\s+{_NUMBER})?)(?:\s+{_KIND})?$",
    re.IGNORECASE,
)
_BOTH = re.compile(r"\b(?:both|either|neither)\s+", re.IGNORECASE)
_GAPPED = re.compile(
    r"(?P<subject>\S+(?:\s+\S+)?)\s+(?P<verb>(?:was|were|is|are|got|has been|have been)\s+\w+)"
    r"\s+(?P<in>in|since|by|from|to)"
    r"\s+(?P<first>\S+?)\s*,?\s+(?:and|but)\s+(?P<other>\S+(?:\s+\S+)?)\s+(?P=in)\s+(?P<second>\S+?)[.\s]*$",
    re.IGNORECASE,
)
_MOST_ENTRIES = 4
_BETWEEN = re.compile(r"\bbetween\s+$", re.IGNORECASE)


def split_list(part: str) -> tuple[str, ...]:
    """A part once for each entry of the first list of names or numbers in it; the part alone where it has none."""
    gapped = _GAPPED.match(part)
    if gapped:
        verb, preposition = gapped["verb"], gapped["in"]
        return (
            f"{gapped['subject']} {verb} {preposition} {gapped['first']}",
            f"{gapped['other']} {verb} {preposition} {gapped['second']}",
        )
    for joint in _JOINT.finditer(part):
        left = _LEFT.search(part, 0, joint.start())
        if left is None or _BETWEEN.search(part, 0, left.start("entry")) or not _is_entry(left["entry"]):
            continue
        entries, end = _entries(part, joint)
        if entries:
            before, after = _BOTH.sub("", part[: left.start()]), part[end:]
            whole = (left["entry"], *entries)
            lead = f"{left['preposition'] or ''}{left['article'] or ''}"
            return tuple(f"{before}{lead}{_named(entry, whole)}{after}" for entry in whole[:_MOST_ENTRIES])
    return (part,)


def _entries(part: str, joint: re.Match[str]) -> tuple[list[str], int]:
    """The entries after the first one, and where the list ends; none where a list of commas has no "and"."""
    entries: list[str] = []
    end = joint.start()
    closed = False
    while joint is not None:
        right = _RIGHT.match(part, joint.end())
        if right is None or not _is_entry(right["entry"]):
            break
        entries.append(right["entry"])
        end = right.end()
        closed = closed or joint[0].strip() != ","
        following = _JOINT.match(part, end)
        if closed or following is None:
            break
        joint = following
    return (entries, end) if closed else ([], end)


def _is_entry(text: str) -> bool:
    bare = text.strip("`")
    return bool(re.fullmatch(_NUMBER, bare)) or any(
        is_hard_name(word) or word[0].isdigit() or (word.isalpha() and not is_everyday(word)) for word in bare.split()
    )


def _named(entry: str, entries: tuple[str, ...]) -> str:
    """A bare number with the name that the first entry has before its own: "3.6" of "Python 3.5 and 3.6"."""
    first = entries[0].split()
    return f"{first[0]} {entry}" if re.fullmatch(_NUMBER, entry) and len(first) > 1 else entry
