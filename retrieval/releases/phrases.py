"""From the versions of a question and their roles to one constraint.

What each version is there was learned (`retrieval.question.version_roles`) and whose it is was decided before; here
is the table of what the roles mean together: a course from one release to another, a bound or two, or the releases
named.
"""

from collections.abc import Callable, Sequence

from corpus.versions import Version, VersionConstraint
from retrieval.model import Form
from retrieval.question.tokens import Token
from retrieval.question.version_roles import Role

_BOUNDS: dict[Role, Callable[[Version], VersionConstraint]] = {
    Role.SINCE: VersionConstraint.since,
    Role.AFTER: VersionConstraint.after,
    Role.BEFORE: VersionConstraint.before,
    Role.UP_TO: VersionConstraint.up_to,
}
_MOVES = frozenset({Form.SHOULD_UPGRADE, Form.BREAKS})
"""What is asked about in such a question is where somebody goes."""
_FROM_THERE_ON = _MOVES | {Form.WHATS_NEW}
_OF_THE_WHOLE = frozenset({Form.LATEST, Form.SINCE_WHEN})
"""What somebody runs doesn't narrow these."""
_COMPATIBLE = ("~=", "^")


def build_constraint(
    tokens: Sequence[Token], owned: Sequence[int], roles: Sequence[Role], *, form: Form
) -> VersionConstraint | None:
    """What the versions at the positions `owned`, in their `roles`, say together; None when they say nothing."""
    # "To 3.20 from 3.21" may be read as two targets.
    roles = [
        Role.LEFT if role is Role.TARGET and i and tokens[i - 1].word == "from" else role
        for i, role in zip(owned, roles, strict=True)
    ]
    stated = [(role, version) for i, role in zip(owned, roles, strict=True) if (version := tokens[i].version)]

    def having(*wanted: Role) -> list[Version]:
        return [version for role, version in stated if role in wanted]

    asked, start, target = having(Role.ASKED), having(Role.NOW, Role.LEFT), having(Role.TARGET)
    if form is not Form.LATEST:
        # "We run 5.6.7, any fixes in 5.6?": the line of where somebody is says nothing more.
        lines = {number.release[:length] for number in (*start, *target) for length in range(1, len(number.release))}
        asked = [number for number in asked if number.release not in lines]
    if form is Form.COMPARE and start and len(asked) == 1:
        # "Did it change between 1.4 and 2.0?": the one that somebody may be on is set beside the other.
        target = target or asked
    if not target and start and (form in _MOVES or having(Role.LEFT)):
        target = [number for number in asked or having(Role.NOW) if number > min(start)]
    if form is Form.SHOULD_UPGRADE and start and target and min(start) > max(target):
        # A step back passes no release: the interval is empty, and only its ends tell what is asked.
        return VersionConstraint(low=min(start), high=max(target), includes_high=True)
    if start and target and min(start) != max(target):
        low, high = sorted((min(start), max(target)))
        is_course = form is Form.COMPARE
        return VersionConstraint.through(low, high) if is_course else VersionConstraint.between(low, high)
    if named := asked or target:
        return VersionConstraint.exactly(*named)
    bounds = [_bound(tokens, i, role) for i, role in zip(owned, roles, strict=True) if role in _BOUNDS]
    if bounds:
        return _together(bounds)
    if not start or form in _OF_THE_WHOLE:
        return None
    if form in _FROM_THERE_ON and (having(Role.LEFT) or form is not Form.WHATS_NEW):
        return VersionConstraint.after(max(start))
    if having(Role.NOW):
        return VersionConstraint.exactly(*having(Role.NOW))
    return VersionConstraint.since(max(start))


def _bound(tokens: Sequence[Token], i: int, role: Role) -> VersionConstraint:
    version = tokens[i].version
    assert version is not None
    operator = tokens[i - 1].word if i else ""
    if operator in _COMPATIBLE:
        return VersionConstraint((), version, _first_incompatible(version, operator), includes_low=True)
    return _BOUNDS[role](version)


def _together(bounds: Sequence[VersionConstraint]) -> VersionConstraint:
    """The interval that two bounds leave, else the first."""
    low = next((bound for bound in bounds if bound.low), None)
    high = next((bound for bound in bounds if bound.high), None)
    if low and high and low.low and high.high and low.low < high.high:
        return VersionConstraint((), low.low, high.high, low.includes_low, high.includes_high)
    return bounds[0]


def _first_incompatible(version: Version, operator: str) -> Version | None:
    """The version that a requirement stops before: `~=` keeps all components but the last (PEP 440), `^` the first
    that isn't zero (npm, Cargo). None where its number is longer than versions are."""
    kept = len(version.release) - 1 if operator == "~=" else 1
    while operator == "^" and kept < len(version.release) and not any(version.release[:kept]):
        kept += 1
    head = version.release[: max(kept, 1)]
    return Version.try_parse(".".join(map(str, (*head[:-1], head[-1] + 1))))
