"""Whether a text has a name, however it is written there."""

import re
from functools import lru_cache

from corpus.everyday_words import is_everyday

_SHORT_MEMBER = 4
_SUFFIX = re.compile(
    r"-(?:only|based|like|style|specific|compatible|aware|related|side|free|safe|enabled)$", re.IGNORECASE
)
_DENYING = r"\b(?:not|no|without|except|instead of|rather than)\s+(?:\w+\s+)?"


def stands_in(name: str, text: str) -> bool:
    """Whether a text has a name: whole, with blanks for its marks ("is capturing"), or by the member that it names
    last, where that is no everyday word."""
    return any(pattern.search(text) for pattern in _patterns(name))


def find_name(name: str, text: str) -> tuple[tuple[int, int], ...]:
    """Where a text has a name."""
    return tuple(match.span() for pattern in _patterns(name) for match in pattern.finditer(text))


def is_denied(name: str, text: str) -> bool:
    """Whether a text has a name under a "not" of its own: "'main', not 'master'"."""
    return _denied_pattern(name).search(text) is not None


@lru_cache(maxsize=2048)
def _patterns(name: str) -> tuple[re.Pattern[str], ...]:
    bare = name.removesuffix("()").removesuffix("'s").removesuffix("’s").lstrip("#")
    bare = _SUFFIX.sub("", bare) or bare
    parts = [part for part in re.split(r"[._:\s-]+", bare) if part]
    whole = r"[._:\s-]{0,2}".join(map(re.escape, parts))
    patterns = [re.compile(rf"(?<!\w){whole}(?:e?s)?(?!\w)", re.IGNORECASE)]
    member = re.split(r"\.|::", bare)[-1]
    if member != bare and len(member) > _SHORT_MEMBER:
        before = r"(?<=\.)" if is_everyday(member) else r"(?<!\w)"
        patterns.append(re.compile(rf"{before}{re.escape(member)}(?!\w)"))
    if bare.isalnum() and len(bare) > _SHORT_MEMBER:
        # "Scrypt" of `ScryptPasswordHasher`.
        patterns.append(re.compile(rf"{re.escape(bare)}(?![a-z])"))
    if bare.isalpha():
        # "Mac" of "macOS".
        patterns.append(re.compile(rf"(?<!\w)(?i:{re.escape(bare)})(?=[A-Z])"))
    return tuple(patterns)


@lru_cache(maxsize=2048)
def _denied_pattern(name: str) -> re.Pattern[str]:
    return re.compile(rf"{_DENYING}['`\"]?{re.escape(name)}(?!\w)", re.IGNORECASE)
