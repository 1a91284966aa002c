"""How code imports a product: the first parts of the paths by which its names are reached."""

import re
import sys
from collections.abc import Sequence
from functools import lru_cache

_OTHERWISE_IMPORTED = {
    "attrs": "attr",
    "beautifulsoup": "bs4",
    "beautifulsoup4": "bs4",
    "djangorestframework": "restframework",
    "faisscpu": "faiss",
    "gitpython": "git",
    "grpcio": "grpc",
    "java": "java javax",
    "mysqlclient": "mysqldb",
    "opencv": "cv2",
    "opencvpython": "cv2",
    "openjdk": "java javax",
    "pillow": "pil",
    "node": "process",
    "nodejs": "process",
    "protobuf": "googleprotobuf",
    "pycryptodome": "crypto",
    "pyjwt": "jwt",
    "pyserial": "serial",
    "pytest": "_pytest",
    "pythondateutil": "dateutil",
    "pythondotenv": "dotenv",
    "pytorch": "torch",
    "pyyaml": "yaml",
    "pyzmq": "zmq",
    "rails": "activerecord actioncontroller actionview activesupport applicationcontroller applicationrecord",
    "rust": "std core alloc",
    "scikitimage": "skimage",
    "scikitlearn": "sklearn",
    "setuptools": "pkgresources",
    "springboot": "springframework",
}
_NODE = (
    "assert buffer childprocess cluster crypto dns events fs http http2 https net os path stream tls url util vm zlib"
)
_GO = "bufio bytes context crypto database embed encoding errors fmt go html io log maps math net os reflect runtime"
_GO_MORE = "slices sort strconv strings sync syscall testing text time unicode"
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
    roots: set[str] = set()
    roots.update(plain(found["name"]) for name in names if (found := _LANGUAGE.match(name)))
    for name in map(plain, names):
        roots.add(name)
        roots.update(map(plain, _OTHERWISE_IMPORTED.get(name, "").split()))
        if name.endswith("js") and len(name) > len("js") + 1:
            roots.add(name.removesuffix("js"))
        if name in ("python", "cpython"):
            roots.update(map(plain, sys.stdlib_module_names))
        if name in ("node", "nodejs"):
            roots.update(_NODE.split())
        if name in ("go", "golang"):
            roots.update((*_GO.split(), *_GO_MORE.split()))
    return frozenset(root for root in roots if root)


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
