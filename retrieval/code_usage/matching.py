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


_BY_ORIGIN = {Origin.IMPORTED: Strength.EXACT, Origin.DERIVED: Strength.MADE_BY_IT}


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
        roots: of the product.
        beside: the last parts of all symbols that the notes name together.
        owned: whether the code itself defines that name.
        is_argument: whether the notes call it an argument or an option, so that any call into the product may take it.
    """
    spelt = range(len(mention.path) - 1, max(len(mention.path) - mention.written, 0) - 1, -1)
    at = next((at for at in spelt if mention.path[at] == wanted.last), None)
    if at is None or (not wanted.qualifiers and plain(wanted.last) in roots):
        return None
    before, is_last = mention.path[:at], at == len(mention.path) - 1
    several_words = has_several_words(wanted.last.lstrip("-"))
    match mention.kind:
        case MentionKind.FLAG:
            if any(plain(word) in roots for word in before):
                return Strength.EXACT
            return Strength.NEAR if several_words else None
        case MentionKind.SETTING | MentionKind.ENVIRONMENT:
            if wanted.is_upper:
                return Strength.EXACT
            return Strength.NEAR if mention.kind is MentionKind.SETTING and not wanted.qualifiers else None
        case MentionKind.KEY:
            return Strength.NEAR if several_words and _ends_with(wanted.qualifiers, before, roots) else None
        case MentionKind.KEYWORD:
            # An argument is told by its function, else only by a name that few others have.
            by_function = before[-1:] and before[-1] in {*beside, *wanted.qualifiers[-1:]}
            if is_last and is_argument and not wanted.qualifiers and (by_function or not beside):
                leads_there = not hold_many_packages(roots) and comes_from(before, roots)
                return _BY_ORIGIN.get(mention.origin) if leads_there else None
            if not is_last or (not by_function and (wanted.qualifiers or not several_words)):
                return None
        case MentionKind.DEFINITION if not before:
            # A hook is found by its name, which begins with its product's.
            hook = not hold_many_packages(roots) and any(plain(wanted.last).startswith(root) for root in roots)
            return Strength.MADE_BY_IT if hook and several_words else None
    if not before or (wanted.keyword and mention.kind is not MentionKind.KEYWORD):
        return None
    if mention.origin is Origin.UNKNOWN:
        return _unknown(wanted, before, roots=roots, owned=owned)
    if not comes_from(mention.path, roots):
        return None
    if mention.origin is Origin.IMPORTED:
        return Strength.EXACT if _is_imported(wanted, before, roots, is_last=is_last) else None
    return Strength.MADE_BY_IT if _is_derived(wanted, before, roots) else None


def _is_imported(wanted: WantedName, before: Sequence[str], roots: frozenset[str], *, is_last: bool) -> bool:
    if wanted.qualifiers:
        return agrees(wanted.qualifiers, before, roots)
    is_export = wanted.last[:1].isupper()
    if hold_many_packages(roots) and not (has_several_words(wanted.last) or is_export):
        # Modules of one library share short names: `json.loads` isn't `pickle.loads`.
        return False
    return wanted.is_distinctive or (is_last and (is_export or len(before) == 1))


def _is_derived(wanted: WantedName, before: Sequence[str], roots: frozenset[str]) -> bool:
    if not wanted.qualifiers:
        return wanted.is_distinctive
    if _ends_with(wanted.qualifiers, before, roots):
        return True
    if _is_product(wanted.qualifiers, roots):
        return False
    # Where the code shows another class, only a name of several words is likely to be inherited from the one meant.
    return has_several_words(wanted.last) if before[-1][:1].isupper() else wanted.is_distinctive


def _unknown(wanted: WantedName, before: Sequence[str], *, roots: frozenset[str], owned: bool) -> Strength | None:
    if _is_product(wanted.qualifiers, roots):
        return None
    # A variable is named for its class: `queryset.iterator` for `QuerySet.iterator`.
    is_named_so = wanted.qualifiers and plain(wanted.qualifiers[-1]) == plain(before[-1]) != ""
    return Strength.NEAR if is_named_so or (wanted.is_distinctive and not owned) else None


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
