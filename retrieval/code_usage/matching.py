"""Whether a name that code uses is the one that release notes speak of, and how sure that is.

The last parts must be equal. What comes before must agree as far as the code shows where its name comes from; where it
doesn't, only a name that nobody uses by chance counts, and only in a file that imports the product.
"""

from collections.abc import Sequence, Set

from retrieval.code_usage.model import Mention, MentionKind, Origin
from retrieval.code_usage.product_roots import comes_from, hold_many_packages, plain
from retrieval.code_usage.wanted import WantedName, has_several_words


def origin_of_use(
    wanted: WantedName,
    mention: Mention,
    *,
    roots: frozenset[str],
    beside: Set[str],
    owned: bool,
    is_argument: bool = False,
) -> Origin | None:
    """How surely `mention` is `wanted` of the product of `roots`; None where it isn't. One of unknown origin holds in
    files that import the product only.

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
    before, is_last, is_library = mention.path[:at], at == len(mention.path) - 1, hold_many_packages(roots)
    near = Origin.UNKNOWN if has_several_words(wanted.last.lstrip("-")) else None
    match mention.kind:
        case MentionKind.FLAG:
            return Origin.IMPORTED if any(plain(word) in roots for word in before) else near
        case MentionKind.SETTING:
            return Origin.IMPORTED if wanted.is_upper else None if wanted.qualifiers else Origin.UNKNOWN
        case MentionKind.KEY:
            return near if _ends_with(wanted.qualifiers, before, roots) else None
        case MentionKind.KEYWORD:
            # An argument is told by its function, else only by a name that few others have.
            by_function = before[-1:] and before[-1] in {*beside, *wanted.qualifiers[-1:]}
            if is_last and is_argument and not wanted.qualifiers and (by_function or not beside):
                leads_there = mention.origin is not Origin.UNKNOWN and not is_library and comes_from(before, roots)
                return mention.origin if leads_there else None
            if not is_last or (not by_function and (wanted.qualifiers or near is None)):
                return None
        case MentionKind.DEFINITION if not before:
            # A hook is found by its name, which begins with its product's.
            is_hook = not is_library and any(plain(wanted.last).startswith(root) for root in roots)
            return Origin.DERIVED if is_hook and near else None
    if not before or (wanted.keyword and mention.kind is not MentionKind.KEYWORD):
        return None
    match mention.origin:
        case Origin.UNKNOWN:
            # A variable is named for its class: `queryset.iterator` for `QuerySet.iterator`.
            is_named_so = wanted.qualifiers and plain(wanted.qualifiers[-1]) == plain(before[-1]) != ""
            is_its = is_named_so or (wanted.is_distinctive and not owned)
            return Origin.UNKNOWN if is_its and not _is_product(wanted.qualifiers, roots) else None
        case _ if not comes_from(mention.path, roots):
            return None
        case _ if not wanted.qualifiers:
            # Modules of one library share short names: `json.loads` isn't `pickle.loads`.
            is_shared = is_library and near is None and not wanted.last[:1].isupper()
            is_export = (
                mention.origin is Origin.IMPORTED and is_last and (wanted.last[:1].isupper() or len(before) == 1)
            )
            is_its = not is_shared and (wanted.is_distinctive or is_export)
        case Origin.IMPORTED:
            is_its = agrees(wanted.qualifiers, before, roots)
        case _:
            # Where the code shows another class, only a name of several words is likely to be inherited.
            is_odd = near is not None if before[-1][:1].isupper() else wanted.is_distinctive
            is_inherited = is_odd and not _is_product(wanted.qualifiers, roots)
            is_its = is_inherited or _ends_with(wanted.qualifiers, before, roots)
    return mention.origin if is_its else None


def agrees(qualifiers: Sequence[str], before: Sequence[str], roots: frozenset[str]) -> bool:
    """Whether a qualifier as the notes write it may be the path in front: its end, or longer by modules in between.

    `Model` is `django.db.models.Model`; `pydantic.main` is `pydantic`, which passes its names on; `np.linalg` is
    `numpy.linalg`. But `numpy` isn't `numpy.ma`.
    """
    if _ends_with(qualifiers, before, roots):
        return True
    rest = iter(qualifiers[1:])
    return bool(before) and _is_root(qualifiers[0], before[0], roots) and all(part in rest for part in before[1:])


def _is_product(qualifiers: Sequence[str], roots: frozenset[str]) -> bool:
    """Whether all that qualifies a name is the product: then it is a function of the package, no method."""
    return len(qualifiers) == 1 and comes_from(qualifiers, roots)


def _ends_with(qualifiers: Sequence[str], before: Sequence[str], roots: frozenset[str]) -> bool:
    if not qualifiers or len(qualifiers) > len(before):
        return not qualifiers
    first, *rest = before[-len(qualifiers) :]
    is_root = len(qualifiers) == len(before) and _is_root(qualifiers[0], first, roots)
    return rest == [*qualifiers[1:]] and (is_root or qualifiers[0] == first.rsplit("/", 1)[-1])


def _is_root(qualifier: str, root: str, roots: frozenset[str]) -> bool:
    """Whether a qualifier names the imported package, under any of its names as long as they are of one."""
    names = {plain(qualifier), plain(root)}
    return len(names) == 1 or (names <= roots and not hold_many_packages(roots))
