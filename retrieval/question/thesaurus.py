"""What release notes call the things that people ask for: "killed" and "stop supporting" are "dropped", "removed".

A small, closed vocabulary of how software changes, the same for every product. A related word counts for less than the
one that was asked.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from corpus.lexicon import split_tokens

_CHANGES = (
    "dropped drop removed removal remove unsupported gone killed discontinued ended eliminated disappear vanish "
    "stop stopped supporting expired",
    "deprecated deprecation deprecate obsolete discouraged legacy",
    "added add new introduced introduce support supports arrive arrived appear appeared first initial landed gained "
    "implemented available",
)
"""What comes and goes."""
_GROUPS = (
    *_CHANGES,
    "minimum minimal oldest lowest required requires require requirement needs need least supported",
    "faster speed speedup speedups performance quicker optimized optimised improved latency",
    "default defaults",
    "fixed fix fixes bug bugfix crash crashes regression broken repaired",
    "breaking break breaks broke incompatible incompatibility",
    "renamed rename moved replaced replace replacement replaces instead favor favour alternative successor",
    "experimental beta prototype preview unstable provisional",
    "security vulnerability vulnerable exploit cve",
    "python py cpython interpreter",
    "database db",
    "argument arg parameter param option keyword kwarg",
    "setting settings configuration config option",
    "environment env variable",
    "postgresql postgres pg",
    "javascript js",
    "typescript ts",
    "kubernetes k8s",
    "windows win",
    "macos mac osx darwin",
)

_OF_ANY_RELEASE = """version versions release releases released new newer newest change changed changes possible exist
    exists available long much many number happen happened happens mean work works working feature features want run
    runs running built build come comes yet already go officially official natively native directly current currently
    actually first last finally more rest other others anything everything"""
"""What questions about any release are made of."""


def expand(tokens: Sequence[str]) -> tuple[str, ...]:
    """The related tokens of a question's, without its own, in a stable order; none for a question of plain words."""
    related = {other for token in tokens for other in _related().get(token, frozenset())}
    return tuple(sorted(related - set(tokens)))


def is_generic(token: str) -> bool:
    """Whether a token says how software changes, or is of any release, but not what the change is about."""
    return token in _related() or token in _generic()


def is_change(token: str) -> bool:
    """Whether a token says that something came, went or changed, or is of any release."""
    return token in _changes() or token in _generic()


@lru_cache(maxsize=1)
def _changes() -> frozenset[str]:
    return frozenset(split_tokens(" ".join(_CHANGES)))


@lru_cache(maxsize=1)
def _generic() -> frozenset[str]:
    return frozenset(split_tokens(_OF_ANY_RELEASE))


@lru_cache(maxsize=1)
def _related() -> Mapping[str, frozenset[str]]:
    table: dict[str, frozenset[str]] = {}
    for group in _GROUPS:
        stems = frozenset(split_tokens(group))
        for stem in stems:
            table[stem] = table.get(stem, frozenset()) | stems
    return table
