"""Whether a name that code uses is the one that release notes speak of, and how sure that is.

The last parts must be equal. What comes before must agree as far as the code shows where its name comes from; where it
doesn't, only a name that nobody uses by chance counts, and only in a file that imports the product.
"""

from collections.abc import Sequence
from enum import IntEnum

from retrieval.code_usage.model import Mention, MentionKind, Origin
from retrieval.code_usage.product_roots import comes_from, hold_many_packages, plain
from retrieval.code_usage.wanted import WantedName, has_several_words

_LONGEST_ABBREVIATION = 3


class Strength(IntEnum):
    """How sure it is that a mention is the symbol, surest first."""

    EXACT = 0
    """Imported from the product under that path, or a flag or variable of that very name."""
    MADE_BY_IT = 1
    """A method or argument of something that the product made."""
    NEAR = 2
    """A distinctive name of unknown origin in a file that imports the product: holds for such files only."""


def strength(
    wanted: WantedName,
    mention: Mention,
    *,
    roots: frozenset[str],
    beside: frozenset[str],
    owned: bool,
    is_argument: bool = False,
) -> Strength | None:
    """How sure `mention` is `wanted`; None where it isn't.

    Args:
        roots: of the product; empty where nobody said which product the notes are of.
        beside: the last parts of all symbols that the notes name together.
        owned: whether the code itself defines that name.
        is_argument: whether the notes call it an argument or an option, so that any call into the product may take it.
    """
    at = _position(wanted, mention)
    if at is None or (not wanted.qualifiers and plain(wanted.last) in roots):
        return None
    before = mention.path[:at]
    match mention.kind:
        case MentionKind.FLAG:
            return _flag(wanted, before, roots)
        case MentionKind.SETTING | MentionKind.ENVIRONMENT:
            if wanted.is_upper:
                return Strength.EXACT
            return Strength.NEAR if roots and mention.kind is MentionKind.SETTING and not wanted.qualifiers else None
        case MentionKind.KEY:
            near = roots and has_several_words(wanted.last) and _ends_with(wanted.qualifiers, before, roots)
            return Strength.NEAR if near else None
        case MentionKind.KEYWORD if at == len(mention.path) - 1:
            # An argument is told by its function, else only by a name that few others have.
            by_function = before[-1:] and before[-1] in {*beside, *wanted.qualifiers[-1:]}
            if is_argument and not wanted.qualifiers and (by_function or not beside):
                return _argument(mention, roots)
            if not by_function and (wanted.qualifiers or not has_several_words(wanted.last)):
                return None
        case MentionKind.KEYWORD:
            return None
        case MentionKind.DEFINITION if not before:
            # A hook is found by its name, which begins with its product's.
            hook = not hold_many_packages(roots) and any(plain(wanted.last).startswith(root) for root in roots)
            return Strength.MADE_BY_IT if hook and has_several_words(wanted.last) else None
    if wanted.keyword and mention.kind is not MentionKind.KEYWORD:
        return None
    match mention.origin:
        case Origin.IMPORTED:
            return _imported(wanted, mention, at, roots)
        case Origin.DERIVED:
            return _derived(wanted, before, roots)
        case Origin.UNKNOWN:
            return _unknown(wanted, before, roots=roots, owned=owned)


def _position(wanted: WantedName, mention: Mention) -> int | None:
    """Where in the path the wanted last part stands, among those that the line spells."""
    spelt = range(len(mention.path) - 1, max(len(mention.path) - mention.written, 0) - 1, -1)
    return next((at for at in spelt if mention.path[at] == wanted.last), None)


def _flag(wanted: WantedName, context: Sequence[str], roots: frozenset[str]) -> Strength | None:
    if any(plain(word) in roots for word in context):
        return Strength.EXACT
    several_words = "-" in wanted.last.lstrip("-")
    if not several_words:
        return None
    return Strength.NEAR if roots else Strength.EXACT


def _argument(mention: Mention, roots: frozenset[str]) -> Strength | None:
    """An argument that the notes tell of without more: of any call that is seen to lead into the product."""
    if not roots or hold_many_packages(roots) or not comes_from(mention.path[:-1], roots):
        return None
    match mention.origin:
        case Origin.IMPORTED:
            return Strength.EXACT
        case Origin.DERIVED:
            return Strength.MADE_BY_IT
        case Origin.UNKNOWN:
            return None


def _imported(wanted: WantedName, mention: Mention, at: int, roots: frozenset[str]) -> Strength | None:
    before = mention.path[:at]
    if roots and not comes_from(mention.path, roots):
        return None
    if wanted.qualifiers:
        return Strength.EXACT if agrees(wanted.qualifiers, before, roots) else None
    if not before:
        return None
    if hold_many_packages(roots) and not (has_several_words(wanted.last) or wanted.last[:1].isupper()):
        # Modules of one library share short names: `json.loads` isn't `pickle.loads`.
        return None
    if wanted.is_distinctive:
        # Without the product's name, only what stands right below a module can be told from its namesakes.
        return Strength.EXACT if roots or len(before) == 1 else None
    is_export = len(before) == 1 or wanted.last[:1].isupper()
    return Strength.EXACT if roots and is_export and at == len(mention.path) - 1 else None


def _derived(wanted: WantedName, before: Sequence[str], roots: frozenset[str]) -> Strength | None:
    if not before or (roots and not comes_from(before, roots)):
        return None
    if not wanted.qualifiers:
        return Strength.MADE_BY_IT if roots and wanted.is_distinctive else None
    if _ends_with(wanted.qualifiers, before, roots):
        return Strength.MADE_BY_IT
    if not roots or _is_product(wanted.qualifiers, roots):
        return None
    # Where the code shows another class, only a name of several words is likely to be inherited from the one meant.
    is_of_other_class = before[-1][:1].isupper()
    sure = has_several_words(wanted.last) if is_of_other_class else wanted.is_distinctive
    return Strength.MADE_BY_IT if sure else None


def _unknown(wanted: WantedName, before: Sequence[str], *, roots: frozenset[str], owned: bool) -> Strength | None:
    if not roots or not before or _is_product(wanted.qualifiers, roots):
        return None
    # A variable is named for its class: `queryset.iterator` for `QuerySet.iterator`.
    if wanted.qualifiers and plain(wanted.qualifiers[-1]) == plain(before[-1]) != "":
        return Strength.NEAR
    return Strength.NEAR if wanted.is_distinctive and not owned else None


def _is_product(qualifiers: Sequence[str], roots: frozenset[str]) -> bool:
    """Whether all that qualifies a name is the product: then it is a function of the package, no method."""
    return len(qualifiers) == 1 and (comes_from(qualifiers, roots) or _abbreviates(qualifiers[0], roots))


def agrees(qualifiers: Sequence[str], before: Sequence[str], roots: frozenset[str]) -> bool:
    """Whether a qualifier as the notes write it may be the path in front: its end, or longer by modules in between.

    `Model` is `django.db.models.Model`; `pydantic.main` is `pydantic`, which passes its names on; `np.linalg` is
    `numpy.linalg`. But `numpy` isn't `numpy.ma`.
    """
    if _ends_with(qualifiers, before, roots):
        return True
    if not before or not _is_root(qualifiers[0], before[0], roots):
        return False
    rest = iter(qualifiers[1:])
    return all(part in rest for part in before[1:])


def _ends_with(qualifiers: Sequence[str], before: Sequence[str], roots: frozenset[str]) -> bool:
    if not qualifiers:
        return True
    if len(qualifiers) > len(before):
        return False
    tail = before[len(before) - len(qualifiers) :]
    if tail[1:] != tuple(qualifiers[1:]):
        return False
    first = tail[0].rsplit("/", 1)[-1]
    return qualifiers[0] == first or (len(tail) == len(before) and _is_root(qualifiers[0], tail[0], roots))


def _is_root(qualifier: str, root: str, roots: frozenset[str]) -> bool:
    """Whether a qualifier names the imported package, in full or shortened as in `np`."""
    if plain(qualifier) == plain(root):
        return True
    if not hold_many_packages(roots) and {plain(qualifier), plain(root)} <= roots:
        return True
    return _abbreviates(qualifier, frozenset((plain(root),)))


def _abbreviates(qualifier: str, roots: frozenset[str]) -> bool:
    short = plain(qualifier)
    if not short or len(short) > _LONGEST_ABBREVIATION or qualifier != qualifier.lower():
        return False
    for root in roots:
        letters = iter(root)
        if short[0] == root[0] and len(short) < len(root) and all(letter in letters for letter in short):
            return True
    return False
