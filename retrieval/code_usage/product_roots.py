"""How code imports a product: the first parts of the paths by which its names are reached."""

import re
import sys
from collections.abc import Sequence
from functools import lru_cache

from retrieval.products.names import NICKNAMES

_IMPORTED_AS = dict(
    line.strip().split(": ")
    for line in """\
    attrs: attr
    djangorestframework: restframework
    faisscpu: faiss
    gitpython: git
    grpcio: grpc
    java: java javax
    mysqlclient: mysqldb
    opencv: cv2
    opencvpython: cv2
    openjdk: java javax
    protobuf: googleprotobuf
    pycryptodome: crypto
    pyjwt: jwt
    pyserial: serial
    pytest: _pytest
    pythondateutil: dateutil
    pythondotenv: dotenv
    pyyaml: yaml
    pyzmq: zmq
    rails: activerecord actioncontroller actionview activesupport applicationcontroller applicationrecord
    rust: std core alloc
    scikitimage: skimage
    setuptools: pkgresources
    springboot: springframework
    """.splitlines()
    if line.strip()
)
_LIBRARIES = {
    "go": "bufio bytes context crypto database embed encoding errors fmt go html io log maps math net os reflect"
    " runtime slices sort strconv strings sync syscall testing text time unicode",
    "node": "process assert buffer childprocess cluster crypto dns events fs http http2 https net os path stream tls"
    " url util vm zlib",
    "python": " ".join(sys.stdlib_module_names),
}
"""Of languages whose notes are about the packages that come with them."""
_LANGUAGE = re.compile(
    r"(?P<name>.{3,})[-_. ](?:python|py|js|node|ruby|rb|java|go|php|rs|rust|net|swift)$", re.IGNORECASE
)
"""A repository's name that ends in its language: `acme-python` is imported as `acme` or `acme_sdk`."""
_DOMAINS = frozenset("com org net io dev jakarta github".split())
_DEEPEST = 4
_MOST_OF_ONE_PRODUCT = 10


def plain(name: str) -> str:
    """A name as products and packages are compared: casefolded letters and digits."""
    return re.sub(r"[\W_]+", "", name.casefold())


@lru_cache(maxsize=256)
def product_roots(names: tuple[str, ...]) -> frozenset[str]:
    """The plain first parts of what code imports from a product of these names; empty for no names."""
    known = {plain(name) for name in names} | {plain(found["name"]) for found in map(_LANGUAGE.match, names) if found}
    known |= {name.removesuffix("js") for name in known if len(name) > len("js") + 1}
    for nickname, meant in NICKNAMES.items():
        if {nickname, plain(meant[0])} & known:
            known |= {nickname, plain(meant[0])}
    imported = (_IMPORTED_AS.get(name, "").split() + _LIBRARIES.get(name, "").split() for name in known)
    return frozenset(known.union(*(map(plain, roots) for roots in imported)) - {""})


def hold_many_packages(roots: frozenset[str]) -> bool:
    """Whether the roots are those of a standard library: packages that have little in common but their release."""
    return len(roots) > _MOST_OF_ONE_PRODUCT


def comes_from(path: Sequence[str], roots: frozenset[str]) -> bool:
    """Whether an imported path begins in one of `roots`: `numpy.linalg`, `google.protobuf`, `github.com/x/gin`."""
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
