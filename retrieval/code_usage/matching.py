"""Whether a name that code uses is the one that release notes speak of, and how sure that is.

The last parts must be equal. What comes before must agree as far as the code shows where its name comes from; where it
doesn't, only a name that nobody uses by chance counts, and only in a file that imports the product.
"""

import builtins
import re
import sys
from collections.abc import Sequence, Set
from dataclasses import dataclass
from functools import lru_cache

from corpus.everyday_words import is_everyday
from retrieval.code_usage.languages import NAME
from retrieval.code_usage.model import Mention, MentionKind, Origin
from retrieval.products.names import NICKNAMES

UPPER_NAME = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
"""How settings and environment variables are written, in several parts."""
_IMPORTED_AS = dict(
    entry.split("=")
    for entry in """
    attrs=attr djangorestframework=restframework faisscpu=faiss gitpython=git grpcio=grpc java=java+javax
    mysqlclient=mysqldb opencv=cv2 opencvpython=cv2 openjdk=java+javax protobuf=googleprotobuf pycryptodome=crypto
    pyjwt=jwt pyserial=serial pytest=_pytest pythondateutil=dateutil pythondotenv=dotenv pyyaml=yaml pyzmq=zmq
    rails=activerecord+actioncontroller+actionview+activesupport+applicationcontroller+applicationrecord
    rust=std+core+alloc scikitimage=skimage setuptools=pkgresources springboot=springframework
    """.split()
)
_LIBRARIES = {
    "go": "bufio bytes context crypto database embed encoding errors fmt go html io log maps math net os reflect"
    " runtime slices sort strconv strings sync syscall testing text time unicode",
    "node": "process assert buffer childprocess cluster crypto dns events fs http http2 https net os path stream tls"
    " url util vm zlib",
    "python": " ".join(sys.stdlib_module_names),
}
"""Of languages whose notes are about the packages that come with them."""
_DOMAINS = frozenset("com org net io dev jakarta github".split())
_DEEPEST = 4
_MOST_OF_ONE_PRODUCT = 10
_OPTION = re.compile(r"(?P<name>--?[A-Za-z][\w-]*[A-Za-z0-9])(?:=|$)")
_CALL = re.compile(r"(?P<called>[^\s()]+)\((?P<inside>[^()]*)\)?")
_ARGUMENT = re.compile(r"(?P<name>[A-Za-z_]\w*)=\S*")
_SHORTEST = 3
_SHORTEST_ODD_WORD = 5
_METHODS_OF_ALL = frozenset(
    name
    for kind in (str, bytes, list, dict, set, int, float, complex, object, type, memoryview, BaseException)
    for name in dir(kind)
) | frozenset(dir(builtins))
# English to who programs, though no vocabulary of books has it.
_PROGRAMMERS_WORDS = frozenset(
    "async attrs boolean callback config configs configure const constructor cursor datetime debug decorator"
    " delete deletes encoder endpoint filename filenames iterable iterators keyword kwarg kwargs locale lookup"
    " middleware numeric override overwrite param params parse pathname pickle plugin plugins redirect regex"
    " retry runtime schema serialize serializer stderr stdin stdout struct subclass submodule subprocess"
    " teardown timedelta timeout timestamp timezone tokenizer traceback upload username utils validate"
    " validator validators widget".split()
)


def plain(name: str) -> str:
    """Return a name as products and packages are compared: casefolded letters and digits."""
    return re.sub(r"[\W_]+", "", name.casefold())


@lru_cache(maxsize=256)
def product_roots(names: tuple[str, ...]) -> frozenset[str]:
    """Return the plain first parts of what code imports from a product of these names; empty for no names."""
    known = {plain(name) for name in names}
    known |= {name.removesuffix("js") for name in known if len(name) > len("js") + 1}
    for nickname, meant in NICKNAMES.items():
        if {nickname, plain(meant[0])} & known:
            known |= {nickname, plain(meant[0])}
    imported = (_IMPORTED_AS.get(name, "").split("+") + _LIBRARIES.get(name, "").split() for name in known)
    return frozenset(known.union(*(map(plain, roots) for roots in imported)) - {""})


def hold_many_packages(roots: frozenset[str]) -> bool:
    """Return whether the roots are a standard library's: packages that have little in common but their release."""
    return len(roots) > _MOST_OF_ONE_PRODUCT


def comes_from(path: Sequence[str], roots: frozenset[str]) -> bool:
    """Return whether an imported path begins in one of `roots`: `numpy.linalg`, `google.protobuf`, `github.com/x/y`."""
    if not path or path[0].startswith((".", "/")):
        return False
    # A module of Go or JavaScript is one part with slashes; one of Java begins with a domain turned round.
    first = [plain(part) for part in re.split(r"[/:]", path[0].removeprefix("@")) if part]
    if any(part in roots for part in first):
        return True
    parts = [plain(part) for part in path[:_DEEPEST]]
    if parts[0] in _DOMAINS and any(part in roots for part in parts[1:]):
        return True
    return any("".join(parts[:length]) in roots for length in range(2, len(parts) + 1))


@dataclass(frozen=True, slots=True)
class WantedName:
    """What to look for; `symbol` is how the notes write it."""

    symbol: str
    qualifiers: tuple[str, ...]
    last: str
    keyword: bool = False  # Whether the notes write an argument: `axis=None`.


def parse_wanted(symbol: str) -> WantedName | None:
    """Return what a symbol of the notes asks for; None where it is no name of code.

    `np.product`, `Model.delete()`, `@validator`, `c10::Stream`, `Foo#bar`, `write(flush=True)`, `axis=None`,
    `--strict-markers` are names; versions, paths of files and sentences aren't.
    """
    text = symbol.strip("`'\" \t\n")
    if option := _OPTION.match(text):
        return WantedName(symbol, (), option["name"])
    if argument := _ARGUMENT.fullmatch(text):
        return WantedName(symbol, (), argument["name"], keyword=True)
    arguments: list[str] = []
    if call := _CALL.fullmatch(text):
        text, arguments = call["called"], _ARGUMENT.findall(call["inside"])
    parts = _parts(re.sub(r"\[.*\]$|<.*>$", "", text).lstrip("@~!.:"))
    if parts and arguments:
        return WantedName(symbol, parts, arguments[0], keyword=True)
    if not parts or (len(parts) == 1 and len(parts[0]) < _SHORTEST):
        return None
    return WantedName(symbol, parts[:-1], parts[-1])


def _parts(text: str) -> tuple[str, ...]:
    """Return the parts of a dotted name; empty where one of them isn't a name."""
    parts = tuple(part for part in re.split(r"\.|::|#|->|/", text) if part)
    if not all(NAME.fullmatch(part) for part in parts):
        return ()
    # Sphinx projects shorten a module to `_orm` and the like: the mark isn't part of its name.
    return (*(part.lstrip("_") or part for part in parts[:-1]), *parts[-1:])


@lru_cache(maxsize=16_384)
def is_distinctive(name: str) -> bool:
    """Return whether a name says by itself what it names: several words in one, or a word that isn't English; never
    what every object has."""
    if all_have(name) or name.casefold() in _PROGRAMMERS_WORDS:
        return False
    bare = name.strip("_")
    if "_" in bare or re.search(r"[a-z0-9][A-Z]|[A-Z]{2}[a-z]", bare):
        return True
    return len(bare) >= _SHORTEST_ODD_WORD and not is_everyday(bare)


def all_have(name: str) -> bool:
    """Return whether it is a built-in function, or a method that common types have."""
    return name in _METHODS_OF_ALL


def has_several_words(name: str) -> bool:
    """Return whether a name is put together of words, as `parse_obj`, `isAjax` and `fast-forward` are."""
    return re.search(r"[^\W_][_-][^\W_]|[a-z0-9][A-Z]", name) is not None


def origin_of_use(
    wanted: WantedName, mention: Mention, *, roots: frozenset[str], beside: Set[str], owned: bool, is_argument: bool
) -> Origin | None:
    """Return how surely a mention that has the last part of `wanted` is it, of the product of `roots`; None where it
    isn't. One of unknown origin holds in files that import the product only.

    `beside` are the last parts of all symbols that the notes name together; `owned` names are defined by the code
    itself; what the notes call an argument or an option may be taken by any call into the product.
    """
    if not wanted.qualifiers and plain(wanted.last) in roots:
        return None
    at = max(at for at, part in enumerate(mention.path) if part == wanted.last)
    before, is_last, is_library = mention.path[:at], at == len(mention.path) - 1, hold_many_packages(roots)
    near = Origin.UNKNOWN if has_several_words(wanted.last.lstrip("-")) else None
    match mention.kind:
        case MentionKind.FLAG:
            return Origin.IMPORTED if any(plain(word) in roots for word in before) else near
        case MentionKind.SETTING:
            unsure = None if wanted.qualifiers else Origin.UNKNOWN
            return Origin.IMPORTED if UPPER_NAME.fullmatch(wanted.last) else unsure
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
    is_name = before and (mention.kind is MentionKind.KEYWORD or not wanted.keyword)
    return mention.origin if is_name and _leads_there(wanted, mention, at, roots=roots, owned=owned) else None


def _leads_there(wanted: WantedName, mention: Mention, at: int, *, roots: frozenset[str], owned: bool) -> bool:
    """Return whether what stands before the part `at` of a mention, the last of the wanted name, may be its owner."""
    before, is_last, is_library = mention.path[:at], at == len(mention.path) - 1, hold_many_packages(roots)
    has_words = has_several_words(wanted.last.lstrip("-"))
    is_of_product = len(wanted.qualifiers) == 1 and comes_from(wanted.qualifiers, roots)
    if mention.origin is Origin.UNKNOWN:
        # A variable is named for its class: `queryset.iterator` for `QuerySet.iterator`.
        is_named_so = wanted.qualifiers and plain(wanted.qualifiers[-1]) == plain(before[-1]) != ""
        return bool(is_named_so or (is_distinctive(wanted.last) and not owned)) and not is_of_product
    if not comes_from(mention.path, roots):
        return False
    if not wanted.qualifiers:
        # Modules of one library share short names: `json.loads` isn't `pickle.loads`.
        is_class = wanted.last[:1].isupper()
        is_export = mention.origin is Origin.IMPORTED and is_last and (is_class or len(before) == 1)
        is_shared = is_library and not has_words and not is_class
        return not is_shared and (is_distinctive(wanted.last) or is_export)
    if mention.origin is Origin.IMPORTED:
        return agrees(wanted.qualifiers, before, roots)
    # Where the code shows another class, only a name of several words is likely to be inherited.
    is_odd = has_words if before[-1][:1].isupper() else is_distinctive(wanted.last)
    return (is_odd and not is_of_product) or _ends_with(wanted.qualifiers, before, roots)


def agrees(qualifiers: Sequence[str], before: Sequence[str], roots: frozenset[str]) -> bool:
    """Return whether a qualifier of the notes may be the path in front: its end, or longer by modules in between.

    `Model` is `django.db.models.Model`; `pydantic.main` is `pydantic`, which passes its names on; `np.linalg` is
    `numpy.linalg`. But `numpy` isn't `numpy.ma`.
    """
    if _ends_with(qualifiers, before, roots):
        return True
    rest = iter(qualifiers[1:])
    return bool(before) and _is_root(qualifiers[0], before[0], roots) and all(part in rest for part in before[1:])


def _ends_with(qualifiers: Sequence[str], before: Sequence[str], roots: frozenset[str]) -> bool:
    if not qualifiers or len(qualifiers) > len(before):
        return not qualifiers
    first, *rest = before[-len(qualifiers) :]
    is_root = len(qualifiers) == len(before) and _is_root(qualifiers[0], first, roots)
    return rest == [*qualifiers[1:]] and (is_root or qualifiers[0] == first.rsplit("/", 1)[-1])


def _is_root(qualifier: str, root: str, roots: frozenset[str]) -> bool:
    """Return whether a qualifier names the imported package, under any of its names as long as they are of one."""
    names = {plain(qualifier), plain(root)}
    return len(names) == 1 or (names <= roots and not hold_many_packages(roots))
