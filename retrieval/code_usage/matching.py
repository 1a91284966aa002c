"""Whether a name in code is the one that release notes mention.

The last parts must be equal. The parts before must agree as far as the code shows where its name comes from; if it
doesn't, only a distinctive name counts, and only in a file that imports the product.
"""

import re
import sys
from collections.abc import Sequence, Set
from functools import lru_cache
from typing import NamedTuple

from retrieval.code_usage.model import Kind, Name
from retrieval.products.names import NICKNAMES

NAME = re.compile(r"[A-Za-z_$][\w$]*")
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
"""The standard libraries of languages, whose notes are about these packages."""
_DOMAINS = frozenset("com org net io dev jakarta github".split())
_DEEPEST, _MOST_OF_ONE_PRODUCT = 4, 10
_OPTION = re.compile(r"(?P<name>--?[A-Za-z][\w.-]*[A-Za-z0-9])(?:=|$)")
_CALL = re.compile(r"(?P<called>[^\s()]+)\((?P<inside>[^()]*)\)?")
_ARGUMENT = re.compile(r"(?P<name>[A-Za-z_]\w{0,99})=\S*")
_LAST = re.compile(r"[A-Za-z_$][\w$]*|[a-z]\w*(?:-\w+)+")
_SHORTEST = 3


@lru_cache(maxsize=16_384)
def plain(name: str) -> str:
    """Return the casefolded letters and digits of a name, by which products and packages are compared."""
    return re.sub(r"[\W_]+", "", name.casefold())


@lru_cache(maxsize=256)
def product_roots(names: tuple[str, ...]) -> frozenset[str]:
    """Return the first parts of imports from a product with these names, by `plain`: `{"pyyaml", "yaml"}`."""
    known = {plain(name) for name in names}
    known |= {name.removesuffix("js") for name in known if len(name) > len("js") + 1}
    for nickname, meant in NICKNAMES.items():
        if {nickname, plain(meant[0])} & known:
            known |= {nickname, plain(meant[0])}
    imported = (_IMPORTED_AS.get(name, "").split("+") + _LIBRARIES.get(name, "").split() for name in known)
    return frozenset(known.union(*(map(plain, roots) for roots in imported)) - {""})


def is_stdlib(roots: frozenset[str]) -> bool:
    """Return whether there are over ten roots, as of a standard library, whose packages share little but releases."""
    return len(roots) > _MOST_OF_ONE_PRODUCT


@lru_cache(maxsize=16_384)
def comes_from(path: tuple[str, ...], roots: frozenset[str]) -> bool:
    """Return whether an imported path begins in one of `roots`: `numpy.linalg`, `github.com/x/y`; no relative one."""
    if not path or path[0].startswith((".", "/")):
        return False
    # A Go or JavaScript module is one part with slashes; a Java package begins with a reversed domain.
    if any(plain(part) in roots for part in (path[0], *re.split(r"/(?:go-)?|:", path[0])) if part):
        return True
    parts = [plain(part) for part in path[:_DEEPEST]]
    if parts[0] in _DOMAINS and any(part in roots for part in parts[1:]):
        return True
    return any("".join(parts[:length]) in roots for length in range(2, len(parts) + 1))


class WantedName(NamedTuple):
    """A parsed symbol of the notes: `Model.delete()` has qualifiers `("Model",)` and last `delete`."""

    symbol: str
    qualifiers: tuple[str, ...]
    last: str
    is_argument: bool = False  # Whether the notes write an argument: `axis=None`.


def parse_wanted(symbol: str) -> WantedName | None:
    """Parse a symbol of the notes; None if it isn't a code name.

    `np.product`, `Model.delete()`, `@validator`, `c10::Stream`, `Foo#bar`, `write(flush=True)`, `axis=None`,
    `--strict-markers` and `shift-mode` are names; versions, file paths and sentences aren't.
    """
    text, inside = symbol.strip("`'\" \t\n"), ""
    if option := _OPTION.match(text):
        return WantedName(symbol, (), option["name"])
    if call := _CALL.fullmatch(text):
        text, inside = call["called"], call["inside"]
    elif _ARGUMENT.fullmatch(text):
        text, inside = "", text
    arguments = _ARGUMENT.findall(inside)
    bare = re.sub(r"(?<=.)(?:\[.*\]|<.*>)$", "", text).strip("@~!.:</> ")
    parts = [part for part in re.split(r"\.|::|#|->|[/\\]", bare) if part]
    if not all(map(NAME.fullmatch, parts[:-1])) or not all(map(_LAST.fullmatch, parts[-1:])):
        return None
    # Sphinx projects abbreviate modules as `_orm` and the like: the underscore isn't part of the name.
    owners = tuple(part.lstrip("_") or part for part in parts[:-1])
    if arguments:
        return WantedName(symbol, (*owners, *parts[-1:]), arguments[0], is_argument=True)
    return WantedName(symbol, owners, parts[-1]) if len(parts) > 1 or len("".join(parts)) >= _SHORTEST else None


@lru_cache(maxsize=16_384)
def has_several_words(name: str) -> bool:
    """Return whether a name consists of several words, like `parse_obj`, `isAjax` and `fast-forward`."""
    return re.search(r"[^\W_][_-][^\W_]|[a-z0-9][A-Z]", name) is not None


def is_use(wanted: WantedName, name: Name, *, roots: frozenset[str], others: Set[str], is_near: bool) -> bool:
    """Return whether a code name is the one looked for: imported from the product, an attribute of an import, or a name
    of several words in a file that imports the product.

    `roots` are the product's, see `product_roots`; `others` are the other names in the entry; `is_near`: whether the
    name's file imports the product.
    """
    before, last = name.path[:-1], name.path[-1]
    has_words, is_library = has_several_words(last.lstrip("-")), is_stdlib(roots)
    if not wanted.qualifiers and plain(last) in roots:
        return False
    if has_words and not is_library and plain(last).startswith(tuple(roots)):
        return True
    if name.kind is Kind.SETTING:
        of_product = any(plain(word) in roots for word in before)
        return of_product or (is_near and has_words and not (last.startswith("-") and before))
    is_argument = name.kind is Kind.ARGUMENT
    if is_argument and before[-1] not in {*others, *wanted.qualifiers[-1:]}:
        if others or wanted.qualifiers or wanted.is_argument:
            return has_words and is_near and not wanted.qualifiers
    elif wanted.is_argument and not is_argument:
        return False
    if name.is_imported or comes_from(name.path, roots):
        fits = (is_argument or agrees(wanted.qualifiers, before, roots)) and comes_from(name.path, roots)
        return fits and (has_words or bool(wanted.qualifiers) or not is_library)
    return is_near and has_words


def agrees(qualifiers: Sequence[str], before: Sequence[str], roots: frozenset[str]) -> bool:
    """Return whether the notes' qualifiers may mean the code path `before`: as its end, or with modules left out.

    `Model` agrees with `django.db.models.Model`; `pydantic.main` with `pydantic`, which re-exports its names;
    `np.linalg` with `numpy.linalg`. But `numpy` doesn't agree with `numpy.ma`.
    """
    first = (plain(qualifiers[0]), plain(before[0])) if qualifiers else ("", "")
    is_root = len({*first}) == 1 or ({*first} <= roots and not is_stdlib(roots))
    rest, length = iter(qualifiers[1:]), len(qualifiers)
    return (
        not qualifiers
        or tuple(qualifiers) == tuple(part.rsplit("/", 1)[-1] for part in before[-length:])
        or (is_root and all(part in rest for part in before[1:]))
    )
